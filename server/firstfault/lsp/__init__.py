"""The language server: requests in, answers out. The only package that imports pygls and lsprotocol."""
