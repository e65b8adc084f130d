//! The largest errors that directed searches find, beside their bounds, as a report.

use posproof::bound::{Attained, Model, Program, search_complex_product, search_dot};
use posproof::encoding::convention::Convention;
use posproof::number::format::{Format, hex};
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;

fn line(what: &str, found: &Attained) -> String {
    assert!(found.error <= found.bound.value(), "{what}: {found:?}");
    let inputs: Vec<String> = found.inputs.iter().map(|input| hex(*input)).collect();
    format!(
        "{what}\n  error {} ({}), bound {}, ratio {:.6}: {}\n  at {}\n",
        scientific(found.error, 6, Round::Down),
        hex(found.error),
        scientific(found.bound.value(), 6, Round::Up),
        found.ratio(),
        found.bound.origin(),
        inputs.join(" ")
    )
}

#[test]
fn searches_come_close_to_the_bounds() {
    let mut text = String::from(
        "The largest errors found by hill climbing on units in the last place, evaluated with 400 bits. A search proves\n\
nothing about inputs that it has not seen: the worst case lies between the error and the bound.\n\n",
    );
    for format in [Format::F32, Format::F16, Format::Bf16] {
        let dot = search_dot(format, 8).expect("short");
        let product = search_complex_product(format).expect("narrow");
        text += &line(&format!("{format}, dot product of length 8 in [-1, 1]: x1 y1 x2 y2 …"), &dot);
        text += &line(&format!("{format}, complex product, relative: a b c d of (a + ib)(c + id)"), &product);
        if format == Format::F32 {
            assert!(dot.ratio() <= 1.01, "{}", dot.ratio());
            assert!(product.ratio() <= 1.0001, "{}", product.ratio());
        }
        let model = Model::new(&Convention::rope(128), &Program::rounded(format)).expect("possible");
        for (pair, end) in [(0, 256), (1, 4096), (40, 4096)] {
            let turned = model.search_rotated_pair(pair, &(0..end)).expect("in range");
            text += &line(
                &format!("{format}, rotated pair {pair} of rope 128 at positions 0..{end}, by its length: x y t"),
                &turned,
            );
            // Half of the bound would be refuted.
            assert!(turned.ratio() < 2.0, "{format} {pair}: {}", turned.ratio());
        }
    }
    println!("{text}");
    let mut settings = super::configurations::settings();
    settings.set_description("the largest errors found where inputs are real");
    settings.bind(|| insta::assert_snapshot!("directed-search", text));
}

#[test]
fn what_a_search_cannot_do_is_named() {
    assert_eq!(search_dot(Format::F64, 8).unwrap_err().what, "format");
    assert_eq!(search_dot(Format::Bf16, 257).unwrap_err().what, "terms");
    assert_eq!(search_complex_product(Format::F64).unwrap_err().what, "format");
}
