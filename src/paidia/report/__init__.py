"""Reports: statistics over a store, our cells beside the papers', tables and plots."""
