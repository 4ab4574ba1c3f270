"""Mutation tests: does any test notice a small change of the code?"""
