"""Real-time search for video games. What every one of them shares is in base.pyx; a new one is one file that registers itself."""
