//! Findings of a look at the whole of a finite domain.

use crate::number::system::Decision;

/// Findings of an algorithm of its own about a whole finite domain.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The domain and the method: "all distances 1 … 131071 at d = 512, by certified recurrences".
    pub scope: String,
    /// The members of the domain that were looked at.
    pub cases: u64,
    /// Finding: `Held` with the width of the widest enclosure as its error (or, if it was measured, the largest error
    /// and its bound), or `Refuted`.
    pub decision: Decision,
    /// The member that decides it, for people.
    pub finding: String,
    /// Where floats were measured; none where the domain was enclosed.
    pub measured: Option<Measurement>,
}

/// A float system in which every member of a domain was computed.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The system's name: `f32`.
    pub system: &'static str,
    /// Where the bound comes from.
    pub origin: &'static str,
}
