//! The integration tests.

mod contract;
mod decision_table;
mod floors;
mod proxy;
