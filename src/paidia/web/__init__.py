"""Paidia in the browser: a small server, a page, and a child process for every match, search, rule sheet and laboratory.

The server carries messages between the page and the children and looks at nothing but their envelopes: it never parses rules,
never reads records and never searches. What does, runs in a child with limits on memory and time (`children.py`, `desk/`).
"""
