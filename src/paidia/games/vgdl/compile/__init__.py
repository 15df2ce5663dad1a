"""From words to numbers: a description and a level become the tables that the engine runs on."""
