"""The process in which clingo's grounder runs: program on stdin, ground rules (aspif) on stdout.

It is a process of its own because only the operating system can stop a grounder that is eating time and memory; it is
started by its path, without the rest of paidia, because that saves most of the start-up time. Arguments: CPU seconds,
bytes of memory, bytes of output.
"""

import sys


def limit(seconds: int, memory: int, output: int) -> None:
    """Let the operating system end this process when it takes too much."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock is the only limit there
        return
    wanted = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_AS: memory, resource.RLIMIT_FSIZE: output, resource.RLIMIT_CORE: 0}
    for what, most in wanted.items():
        hard = resource.getrlimit(what)[1]
        if hard != resource.RLIM_INFINITY:  # whoever started us may allow less
            most = min(most, hard)
        resource.setrlimit(what, (most, most))


def main() -> None:
    """Ground what stands on stdin."""
    limit(*(int(argument) for argument in sys.argv[1:4]))
    from clingo import Application, clingo_main

    class Grounder(Application):
        program_name = "gringo"

    sys.exit(clingo_main(Grounder(), ["--mode=gringo", "--output=intermediate", "--warn=none", "-"]))


if __name__ == "__main__":
    main()
