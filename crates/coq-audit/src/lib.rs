#![doc = include_str!("../README.md")]

pub mod audit;
pub mod axioms;
pub mod build;
mod built;
pub mod closure;
pub mod commands;
pub mod compiled;
pub mod coq;
mod development;
pub mod drift;
pub mod lexer;
pub mod libraries;
pub mod marshal;
pub mod pins;
pub mod processes;
pub mod query;
pub mod recursion;
mod rules;
mod schedule;
pub mod source;
pub mod step;
mod term;
pub mod violation;

pub use development::{Development, PROJECT, Unreadable};
pub use rules::Rules;

use sha2::{Digest, Sha256};

/// SHA-256 of a list of texts, each with its length, in hexadecimal.
pub fn digest<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hexadecimal(&hasher.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
