//! posproof
fn main() {}
