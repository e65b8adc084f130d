//! Conventions of several axes in JSON, and text with the coordinates of rows behind a line of three hyphens.
#![no_main]

use posproof_check::axes::{AxialExpectation, check_axes, identify_axes};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_encoding::model::{Model, Stated};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (convention, rows) = text.split_once("\n---\n").unwrap_or((text, "0 1\n1 0"));
    let _ = Model::vision(convention);
    if let Ok(model) = Model::read(convention, &Stated::default()) {
        model
            .kinds
            .iter()
            .filter_map(|kind| kind.rotation.as_ref())
            .for_each(|rotation| drop(model.sectioned(rotation)));
    }
    let coordinates: Result<Coordinates, _> = rows.parse();
    let Ok(convention) = serde_json::from_str::<AxialConvention>(convention) else { return };
    let (Ok(law), Ok(coordinates)) = (convention.law(|_| Err("none are stored".to_owned())), coordinates) else {
        return;
    };
    // Large ones are refused, or take long.
    let slots = law.slots();
    if slots > 32 || coordinates.rows() > 16 {
        return;
    }
    let entries: Vec<f32> = (0..coordinates.rows() * slots).map(|i| (i as f32).cos()).collect();
    let (Ok(cos), Ok(sin)) = (Slice::new("cos", &entries, slots), Slice::new("sin", &entries, slots)) else { return };
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    if let Ok(coordinates) = coordinates.broadcast(law.axes().len()) {
        let _ = check_axes(subject, &AxialExpectation::new(&law, &coordinates));
        let _ = identify_axes(subject, &coordinates, &[]);
    }
});
