//! Model configurations and conventions in JSON.
#![no_main]

use posproof::encoding::{config, convention::Convention};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(json) = serde_json::from_slice(bytes) {
        if let Ok(convention) = config::read(&json, None) {
            let _ = convention.for_length(1).validate();
        }
        if let Ok(convention) = serde_json::from_value::<Convention>(json) {
            let _ = convention.validate();
        }
    }
});
