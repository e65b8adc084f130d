//! The reader of .npz files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| posproof_fuzz::read("npz", bytes));
