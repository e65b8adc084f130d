//! Nothing here: the positional encodings of released crates are judged in `tests/`.
//!
//! ```text
//! cd third-party && cargo test
//! ```
