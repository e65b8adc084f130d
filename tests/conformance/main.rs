//! Judging other implementations: correct ones in every convention, every fault of the corpus, files
//! whole and broken, and the command line.

mod bounds;
mod command;
mod corpus;
mod correct;
mod damage;
mod faults;
mod files;
mod half;
mod identify;
mod local;
mod part;
mod probe;
mod readers;
mod scaling;
#[path = "../schema/mod.rs"]
mod schema;
mod score;
mod seeds;
mod single;
mod wild;
