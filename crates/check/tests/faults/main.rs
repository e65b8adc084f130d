//! The catalogue of faults: every case that it injects is noticed and named, and what is printed of it is what it says.

mod catalogue;
#[allow(dead_code, reason = "other tests, which rotate vectors, share it")]
mod corpus;
mod injected;
mod score;
