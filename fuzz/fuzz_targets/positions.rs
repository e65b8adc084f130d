//! Decoding the positions of rows of any numbers at all: a report or a refusal, never a panic, and every certified position is in its domain.
#![no_main]

use posproof_check::positions::{AxialQuery, Domain, Located, Query, decode, decode_axes};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::convention::Convention;
use posproof_numerics::{format::Format, Rational};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&[first, length, step, shift], entries)) = bytes.split_first_chunk::<4>() else { return };
    let numbers: Vec<f32> = entries.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (left, right) = numbers.split_at(numbers.len() / 16 * 8);
    let right = &right[..left.len()];
    let (Ok(x), Ok(y)) = (Slice::new("x", left, 8), Slice::new("y", right, 8)) else { return };
    let first = i64::from(first) - 128;
    let Ok(domain) = Domain::new(first, first + 1 + (i64::from(length) << (shift % 45))) else { return };
    let compute = if step % 2 == 0 { Format::F32 } else { Format::Bf16 };
    let cases = [
        (Subject::Sinusoid(&x), Convention::sinusoid(8)),
        (Subject::Rope { cos: Some(&x), sin: Some(&y) }, Convention::rope(16)),
        (Subject::Rope { cos: Some(&x), sin: Some(&y) }, Convention::rope(8)),
        (Subject::Rotation { x: &x, y: &y }, Convention::rope(8)),
    ];
    let sound = |located: &[Located], domain: Domain| {
        assert!(located.iter().filter_map(Located::position).all(|position| domain.contains(position)));
    };
    for (subject, convention) in cases {
        let query = Query::new(convention.clone()).within(domain).computed_in(compute);
        if let Ok(decoded) = decode(subject, &query) {
            sound(&decoded.axes[0].located, domain);
            let _ = decoded.to_string();
        }
        let mut axial = AxialConvention::from(&convention);
        axial.axes = ["h:0..2".parse().expect("an axis"), "w:2..4".parse().expect("an axis")].into();
        let Ok(law) = axial.law(|_| Err("none".to_owned())) else { continue };
        let step = Rational::from((1 + i64::from(step % 7), 1 + i64::from(step % 5)));
        let own = Domain::new(first - 7, first + 9 + i64::from(length)).expect("a domain");
        let domains = if length % 2 == 0 { Vec::new() } else { vec![("w".to_owned(), own)] };
        let query = AxialQuery { domain, domains, step, compute, ..AxialQuery::new(&law) };
        if let Ok(decoded) = decode_axes(subject, &query) {
            decoded.axes.iter().for_each(|axis| sound(&axis.located, axis.multiples));
            let _ = decoded.to_string();
        }
    }
});
