//! Judging other implementations: correct ones in every convention, and every fault of the corpus.

mod correct;
mod corpus;
mod faults;
mod readers;
