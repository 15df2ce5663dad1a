"""How parts are found and set: registries, plug-ins, kernels that are not compiled, tables of settings."""
