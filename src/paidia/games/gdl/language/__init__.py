"""GDL as text: KIF, the rules it stands for, and what can be said about rules without playing."""
