//! Parts that the fuzz targets share.
//!
//! ```text
//! cargo install cargo-fuzz --locked
//! fuzz/run.sh 600                  # every target for ten minutes, on the stable toolchain
//! fuzz/run.sh 600 npz values       # these
//! ```
//!
//! `fuzz/run.sh` says how to add the address sanitizer, which needs a nightly toolchain. Seeds lie in `fuzz/seeds`; the test
//! `tests/conformance/seeds.rs` keeps them well-formed.
//!
//! The tests of the main crate (`tests/conformance/damage.rs` and `wild.rs`) run a short deterministic form
//! of the same on stable.

use posproof_check::read::{SequenceAxis, open, open_codes};
use posproof_check::{Grid, Subject, identify};
use posproof_numerics::format::Format;
use std::cell::RefCell;
use std::io::{Seek, Write};
use tempfile::NamedTempFile;

thread_local! {
    static FILE: RefCell<Option<(&'static str, NamedTempFile)>> = const { RefCell::new(None) };
}

/// Opens a file of this extension with these bytes, with and without the name of an array, and reads
/// what opens. A refusal is fine; a panic, or a read beyond the file, is not.
pub fn read(extension: &'static str, bytes: &[u8]) {
    FILE.with_borrow_mut(|kept| {
        let suffix = format!(".{extension}");
        let (_, file) = kept.get_or_insert_with(|| {
            (extension, tempfile::Builder::new().suffix(&suffix).tempfile().expect("a temporary file"))
        });
        file.as_file_mut().set_len(0).expect("truncated");
        file.as_file_mut().rewind().expect("rewound");
        file.write_all(bytes).expect("written");
        let path = file.path().display().to_string();
        for name in ["", ":t", ":a"] {
            // Bytes are codes of a format of 8 bits where one is stated, and else integers whose step is looked for.
            for format in [Format::E4m3, Format::E5m2] {
                let Ok(array) = open_codes(&format!("{path}{name}"), Some(format)) else { continue };
                let mut out = Vec::new();
                array.read(0, 0..array.rows().min(64), &mut out).expect("what opened can be read");
            }
            if let Ok(table) = SequenceAxis::default().open(&format!("{path}{name}"))
                && Grid::rows(&table) * Grid::width(&table) <= 4096
            {
                let _ = identify(Subject::Sinusoid(&table), None);
            }
            let Ok(array) = open(&format!("{path}{name}")) else { continue };
            let rows = array.rows().min(64);
            let mut out = Vec::new();
            array
                .read(array.slabs() - 1, array.rows() - rows..array.rows(), &mut out)
                .expect("what opened can be read");
            assert_eq!(out.len(), rows * array.width());
            let _ = array.positions();
            for stated in [None, Some(0), Some(-2), Some(-3)] {
                let axis = SequenceAxis { stated, positions: Some(2) };
                let Ok(array) = axis.arrange(open(&format!("{path}{name}")).expect("opened before")) else { continue };
                array.read(array.slabs() - 1, 0..array.rows().min(64), &mut out).expect("what opened can be read");
            }
            for part in array.into_parts().into_iter().flatten() {
                part.read(0, 0..part.rows().min(64), &mut out).expect("what opened can be read");
            }
        }
    });
}
