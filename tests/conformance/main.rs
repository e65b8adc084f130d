//! Judging other implementations: correct ones in every convention, every fault of the corpus, files
//! whole and broken, and the command line.

mod command;
mod correct;
mod corpus;
mod damage;
mod faults;
mod files;
mod identify;
mod probe;
mod readers;
mod schema;
mod wild;
