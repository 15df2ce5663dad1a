"""Statistics, tables beside those of the papers, and plots; reads results and plain data, runs nothing."""
