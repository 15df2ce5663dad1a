"""The process in which a compiler runs: it sets limits for itself and becomes the compiler.

Arguments: seconds of processor time, bytes of memory, bytes of a file, then the compiler's command. Only the operating system can
stop a compiler that takes too much; it is started by its path, without the rest of paidia.
"""

import os
import sys


def main() -> None:
    """Limit this process, then become the compiler."""
    seconds, memory, output = (int(argument) for argument in sys.argv[1:4])
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ImportError:  # Windows: the parent's clock is the only limit there
        pass
    os.execv(sys.argv[4], sys.argv[4:])


if __name__ == "__main__":
    main()
