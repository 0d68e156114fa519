"""The language server: the protocol's requests in, its answers out. The only package that imports pygls and lsprotocol."""
