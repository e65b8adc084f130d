//! The catalogue of faults: every case that it injects is noticed and named, and what is printed of it is what it says.

mod catalogue;
mod corpus;
mod injected;
mod score;
