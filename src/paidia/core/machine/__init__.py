"""What kernels ask of the machine: memory, alarms, generators, bits, sums, views of arrays."""
