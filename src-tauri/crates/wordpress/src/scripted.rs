//! A server for tests.
