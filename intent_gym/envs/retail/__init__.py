"""DriftRetail-v0: a shop's service desk, where orders are cancelled, changed, returned and exchanged."""
