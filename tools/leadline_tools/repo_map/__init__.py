"""The map of a code base: what a new colleague should read first.

An *entry point* is where a program begins: a main function, a console script, a route. The *public interface* is what
a package exports at its front, the file that others import it by. A *part* is a folder with what it holds, described in
one line; tests, examples, copies of other projects' code and generated code are parts that are not ranked.
"""
