"""Generated from openapi.json by scripts/client-python.js."""
