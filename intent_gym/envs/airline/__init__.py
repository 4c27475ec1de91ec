"""DriftAirline: changing and booking flights at an airline's service desk."""
