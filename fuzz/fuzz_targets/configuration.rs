//! Model configurations and conventions in JSON.
#![no_main]

use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::model::{Model, Stated};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        for layout in [None, Some(Layout::Halves)] {
            let _ = Model::read(text, &Stated { layout, ..Stated::default() });
        }
        if let Ok(convention) = serde_json::from_str::<Convention>(text) {
            let _ = convention.validate();
        }
    }
});
