"""Reports: statistics over a store, our cells beside the papers', tables and plots."""

from paidia.core.loading.callable_package import make_callable

make_callable(__name__)
