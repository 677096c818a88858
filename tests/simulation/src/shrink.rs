//! Makes a schedule that fails smaller.

use crate::play::play;
use crate::sabotage::Sabotage;
use crate::schedule::Schedule;
use crate::verdict::Property;

/// Takes away what is not needed for the schedule to fail in the same way.
#[must_use]
pub fn shrink(schedule: &Schedule, property: Property) -> Schedule {
    let fails = |schedule: &Schedule| {
        let violations = play(schedule, Sabotage::None, false).violations;
        violations.iter().any(|violation| violation.property == property)
    };
    let mut smallest = schedule.clone();
    let mut at = 0;
    while at < smallest.troubles.len() {
        let less = smallest.without(at);
        if fails(&less) {
            smallest = less;
        } else {
            at += 1;
        }
    }
    smallest
}
