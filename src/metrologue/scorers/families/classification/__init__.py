"""Metrics of classification: accuracy, precision, recall, F1 and the confusion matrix, from confusion counts."""
