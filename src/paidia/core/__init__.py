"""The words everyone shares: Game, State, Budget, seeds, registry, errors. No game and no algorithm lives here."""
