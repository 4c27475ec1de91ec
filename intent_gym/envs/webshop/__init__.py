"""DriftWebShop-v0: find and buy the product a person wants."""
