//! Sentences about refused requests.

use super::Failure;
use posproof_check::request::Refused;

/// The sentence about a refused request.
pub fn refused(error: &Refused) -> Failure {
    Failure::Usage(error.worded(|name| format!("--{}", name.replace('_', "-"))))
}

/// The sentence about a refused request, by the file of its positions where they are what is wrong.
pub fn misplaced(error: &Refused, positions: Option<&str>) -> Failure {
    match (error, positions) {
        (Refused::Coordinates(error), Some(name)) => Failure::Usage(format!("{name}: {error}")),
        _ => refused(error),
    }
}
