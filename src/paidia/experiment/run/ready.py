"""Imported by the process that workers are forked from: with it, all that matches need is there."""

from paidia.experiment.play import warm_up

warm_up()
