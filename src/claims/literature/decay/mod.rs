//! `decay`: long-term decay.

crate::claims::claims! {
    abel_identity: AbelIdentity,
    abel_bound: AbelBound,
    monotone: Monotone,
    limit: Limit,
}
