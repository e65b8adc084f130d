#![doc = include_str!("../README.md")]

pub mod compiled;
pub mod marshal;
pub mod recursion;
pub mod term;

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
