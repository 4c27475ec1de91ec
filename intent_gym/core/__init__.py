"""The protocol: intents, faults, personas, drift, the user, records and signals.

Imports only the standard library and numpy: no host, no Gymnasium, no model.
"""
