"""`python -m paidia.web.desk MEMORY CPU HOME [FOLDER ...]`: waits for its first letter, which says what it is to do."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from pathlib import Path

from paidia.core.errors import PaidiaError
from paidia.web.desk.kinds import KINDS, desk_of
from paidia.web.desk.post import Post


def main(memory: str, cpu: str, home: str, *folders: str) -> None:
    """Set the limits, read one letter, and let the kind of desk that it names do the rest."""
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu), int(cpu) + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        os.nice(5)  # the server answers first
    os.chdir(home)
    post = Post()
    desk_of("table")  # what most pages ask for is ready before they ask
    letter = post.next()
    while letter is not None:
        kind = desk_of(str(letter.get("kind")))
        try:
            if kind is None:
                raise PaidiaError(f"there is no desk of kind {letter.get('kind')!r}; known: {', '.join(KINDS)}")
            kind(post, Path(home), [Path(folder) for folder in folders]).work(letter)
            break
        except PaidiaError as error:  # what the page asked for cannot be: it may ask for something else
            post.say(error=str(error))
            letter = post.next()
        except MemoryError:
            post.say(error="out of memory: this needs more than a match may use (paidia web --memory)")
            break
        except Exception as error:
            post.say(error=f"{type(error).__name__}: {error}")
            letter = post.next()
    post.close()
    os._exit(0)  # threads and large trees need no tidying up


if __name__ == "__main__":
    main(*sys.argv[1:])
