"""What runs in a child process of the web server: one desk, which does one kind of work for one page."""
