//! Python's format specifications.
