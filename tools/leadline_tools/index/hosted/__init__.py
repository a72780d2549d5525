"""The hosted index: repositories, their refs and the contents of their files, in PostgreSQL.

A *repository* is known by its name, such as ``github.com/acme/shop``. A *ref* is a branch, tag or commit of it that is
indexed; its *manifest* has the path and the blob of each file at one commit. A *blob* is the content of a file in one
*form*: that part of its name by which a language reads it. All that is known of a content belongs to its blob, so it
is parsed once, in however many refs it is. A *posting* has the blobs of one repository that hold a word. A *holder* is
a repository that has a blob, with a bit for each of its refs.

The writer adds blobs and postings first, which nobody sees, and then moves a ref to another manifest in one
transaction. Blobs never change, and no blob of a ref is deleted while it has one, so what a question has read of a
manifest stays true after the ref has moved.
"""
