"""The official Drift-Bench++ release as a source: its own samples, played on our hosts' worlds."""
