"""`paidia completion`: commands and flags at the press of a key."""

from __future__ import annotations

from typing import Literal


def run(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script that completes commands and flags in a shell.

    bash: eval "$(paidia completion bash)" in ~/.bashrc; zsh: paidia completion zsh > a file _paidia in a folder of $fpath;
    fish: paidia completion fish > ~/.config/fish/completions/paidia.fish

    Args:
        shell: Which shell.
    """
    from paidia.cli.main import build_app  # which imports the commands

    print(build_app().generate_completion(prog_name="paidia", shell=shell))
