"""Finding places by what a person says of them: words in, symbols and regions of files out."""
