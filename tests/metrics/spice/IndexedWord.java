package edu.stanford.nlp.ling;

/** A word of a parse. Tuples need none. */
public class IndexedWord {}
