"""The steps that resolve a name: scopes, bindings, imports, wildcards, includes, exports, global declarations."""
