//! The figure of docs/attention.md: what sums of weighted values lose, by the number of keys; bounds as lines, attained losses as
//! dots.

use posproof_bound::{Accumulator, Adder, WeightedSum};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;

/// Keys, from 2⁷ to 2²⁰.
const KEYS: std::ops::RangeInclusive<u32> = 7..=20;

/// Losses, from 10⁻⁷ to 1.
const DECADES: f64 = 7.0;

fn x(log_keys: f64) -> f64 {
    LEFT + (log_keys - 7.0) / 13.0 * (WIDTH - LEFT - RIGHT)
}

fn y(loss: f64) -> f64 {
    TOP - loss.log10() / DECADES * (HEIGHT - TOP - BOTTOM)
}

/// Name, accumulator, element, flush and colour of each curve.
const CURVES: [(&str, &str, Element, Option<u64>, &str); 6] = [
    ("hopper-fp8, never flushed", "hopper-fp8", Element::Narrow(Narrow::E4m3), None, "#b3261e"),
    ("hopper-fp8, every 512 keys", "hopper-fp8", Element::Narrow(Narrow::E4m3), Some(512), "#d97706"),
    ("hopper-fp8, every 128 keys", "hopper-fp8", Element::Narrow(Narrow::E4m3), Some(128), "#a16207"),
    ("volta, f16, never", "volta", Element::Wide(Format::F16), None, "#1d4ed8"),
    ("ampere, bf16, never", "ampere", Element::Wide(Format::Bf16), None, "#0f766e"),
    ("hopper, bf16, never", "hopper", Element::Wide(Format::Bf16), None, "#6d28d9"),
];

fn figure() -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>What sums of weighted values lose, by keys: bounds and attained losses</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    for decade in 0..=DECADES as i32 {
        let at = y(10f64.powi(-decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#333333\">10<tspan dy=\"-4\" font-size=\"9\">−{decade}</tspan></text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
        );
    }
    for log_keys in KEYS.step_by(2) {
        let at = x(f64::from(log_keys));
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#333333\">2<tspan dy=\"-4\" font-size=\"9\">{log_keys}</tspan></text>",
            HEIGHT - BOTTOM + 18.0,
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#333333\">keys; loss beside the sum of magnitudes, bounds as lines, attained as dots</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0,
    );
    for (place, (name, accumulator, element, flush, colour)) in CURVES.into_iter().enumerate() {
        let (mut line, mut dots) = (String::new(), String::new());
        for log_keys in KEYS {
            let adder = Adder::Truncated(Accumulator::named(accumulator).expect("a row"));
            let sum = WeightedSum { adder, elements: [element; 2], terms: 1 << log_keys, flush, largest: [256.0; 2] };
            let found = sum.attained().expect("a sum");
            assert!(found.error <= found.bound.value());
            let at = x(f64::from(log_keys));
            let _ = write!(line, "{at:.1},{:.1} ", y(found.bound.value() / found.mass));
            let _ = writeln!(
                dots,
                "<circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{colour}\"/>",
                y(found.error / found.mass)
            );
        }
        let label = TOP + 14.0 + 18.0 * place as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n{dots}<text x=\"{}\" y=\"{label}\" fill=\"{colour}\">{name}</text>",
            line.trim_end(),
            WIDTH - RIGHT + 10.0,
        );
    }
    svg + "</svg>\n"
}

#[test]
fn the_guide_has_the_figure() {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/attention.svg");
    let found = figure();
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, found).expect("written");
    } else {
        let shown = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(shown == found, "docs/attention.svg differs; accept it with POSPROOF_WRITE_DOCS=1");
    }
}
