//! The reader of .safetensors files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| posproof_fuzz::read("safetensors", bytes));
