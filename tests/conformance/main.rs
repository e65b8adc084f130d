//! Judging other implementations: correct ones in every convention, every fault of the corpus, files
//! whole and broken, and the command line.

mod bounds;
mod command;
#[path = "../../crates/check/tests/faults/corpus.rs"]
mod corpus;
mod correct;
mod damage;
mod files;
mod half;
mod identify;
mod inputs;
mod local;
mod part;
mod probe;
mod readers;
mod seeds;
mod single;
mod wild;
