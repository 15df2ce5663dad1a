"""One file for each way to set search parameters: fixed values, randomizers, on-line tuners."""
