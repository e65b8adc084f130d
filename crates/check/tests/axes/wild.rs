//! Conventions and coordinates that are damaged: read or refused, never a panic. A short deterministic form of the fuzz target `axes`.

use crate::families::{all, law_of};
use posproof_check::axes::{AxialExpectation, check_axes, identify_axes};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::Coordinates;

/// Splitmix64 (Steele, Lea, Flood 2014), below an end.
fn below(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) % end as u64) as usize
}

/// A text with a few of its characters replaced, removed or doubled.
fn damaged(text: &str, state: &mut u64) -> String {
    const OTHERS: &[u8] = b"0123456789.:-/*\"[]{}, eEnpi";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + below(state, 3) {
        let at = below(state, bytes.len());
        match below(state, 3) {
            0 => bytes[at] = OTHERS[below(state, OTHERS.len())],
            1 if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, OTHERS[below(state, OTHERS.len())]),
        }
    }
    String::from_utf8(bytes).expect("ASCII")
}

#[test]
fn damaged_conventions_and_positions_are_read_or_refused() {
    let (mut state, mut read, mut refused, mut judged) = (1, 0, 0, 0);
    let rows = "0 0 0\n1 1/2 -3.5\nnan nan nan\n258 2051 1";
    for json in all().values() {
        let text = json.to_string();
        for turn in 0..12 {
            // One of the two is whole, so that what is left of the other is judged.
            let rows = if turn % 2 == 0 { damaged(rows, &mut state) } else { rows.to_owned() };
            let text = if turn % 2 == 1 { damaged(&text, &mut state) } else { text.clone() };
            let coordinates: Result<Coordinates, _> = rows.parse();
            let Ok(json) = serde_json::from_str(&text) else { continue };
            let Ok(law) = law_of(&json) else {
                refused += 1;
                continue;
            };
            read += 1;
            let Ok(coordinates) = coordinates.and_then(|rows| rows.broadcast(law.axes().len())) else { continue };
            let slots = law.slots();
            if slots > 40 {
                continue;
            }
            let entries: Vec<f32> = (0..coordinates.rows() * slots).map(|i| (i as f32).cos()).collect();
            let (cos, sin) = (Slice::new("cos", &entries, slots).unwrap(), Slice::new("sin", &entries, slots).unwrap());
            let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
            let report = check_axes(subject, &AxialExpectation::new(&law, &coordinates));
            assert!(report.is_err() || report.is_ok_and(|report| !report.conforms && report.mend.is_none()));
            let found = identify_axes(subject, &coordinates, &[]).unwrap();
            assert!(found.convention.is_none(), "{found}");
            judged += 1;
        }
    }
    assert!(read > 100 && refused > 20 && judged > 5, "{read} read, {refused} refused, {judged} judged");
}
