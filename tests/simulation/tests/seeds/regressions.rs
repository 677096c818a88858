//! Schedules that failed once, as small as they could be made.
