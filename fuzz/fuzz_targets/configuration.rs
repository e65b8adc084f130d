//! Model configurations and conventions in JSON.
#![no_main]

use posproof_encoding::{config, convention::Convention};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        if let Ok(convention) = config::read(text, None) {
            let _ = convention.for_length(1).validate();
        }
        if let Ok(convention) = serde_json::from_str::<Convention>(text) {
            let _ = convention.validate();
        }
    }
});
