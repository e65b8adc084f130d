//! The reference vectors in `vectors/`: their generator, their lint, and the loaders of the documentation.
//!
//! The committed files are what the generator makes. To accept a change:
//!
//! ```text
//! POSPROOF_WRITE_VECTORS=1 cargo test --test vectors
//! ```

mod faults;
mod format;
mod generate;
mod lint;
mod loaders;
