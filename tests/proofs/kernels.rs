//! The bounds of attention as kernels compute it, against the formulas of `rounding_attention_online` and
//! `rounding_attention_summed` over those of logits, weights and accumulators, as Coq evaluates them.

use super::accumulators::ACCUMULATORS;
use super::close::{Compared, scaled, settle};
use super::formulas::coq;
use super::logits::LOGITS;
use posproof::bound::{Accumulator, Adder, Kernel, Order, Scales};
use posproof::number::format::Format;
use posproof_numerics::Element;
use posproof_numerics::format::exponent_of;
use posproof_numerics::narrow::Narrow;

/// The formulas as terms that Coq encloses, with the proofs that they are the theorems'.
const KERNELS: &str = include_str!("Kernels.v");

const DIM: u32 = 128;

/// The figures of a sum of products that instructions add to an accumulator, as the formula has them.
fn sums(
    row: &Accumulator,
    elements: [Element; 2],
    (products, flush): (u64, Option<u64>),
    largest: [f64; 2],
    lossless: bool,
) -> String {
    let keys = u64::from(row.keys());
    let flush = flush.unwrap_or(products).min(products);
    let other = if lossless { row.terms } else { row.terms + 1 };
    let [one, two] = elements.map(Element::min_exponent);
    let [p, v] = largest.map(exponent_of);
    // Of scaled blocks the exponent is that of the scales, which is at least that of a normal one in E4M3.
    let least = if row.group > 1 { p.max(-6) + v.max(-6) } else { (one + v).max(two + p) };
    let least = least.max(-125);
    format!(
        "(sums_of {} {} {} {other} {} {} ({least}))",
        row.fraction,
        row.result,
        other - 1,
        flush.div_ceil(keys),
        products.div_ceil(flush),
    )
}

/// Shares of their sums that blocks move by, and what weights of others may lose, by the exponent of the smallest scale.
fn shares(kernel: &Kernel) -> String {
    let rows: &[(&str, i32)] = match kernel.scales {
        None => &[],
        Some(Scales::E4m3) => &[("11 25", -6), ("1 2", -7), ("19 35", -8), ("17 29", -10)],
        Some(Scales::E8m0) => &[("35 51", -127)],
    };
    let pair = |(share, scale): &(&str, i32)| {
        let (p, q) = share.split_once(' ').expect("a fraction");
        let scale = scale - kernel.weight_scale;
        format!("(Quotient (Whole {p}) (Whole {q}), Product (Whole 6) (Scaled 1 ({scale})))")
    };
    rows.iter().map(pair).collect::<Vec<_>>().join("; ")
}

/// The case of a kernel.
fn case(kernel: &Kernel) -> String {
    let Adder::Truncated(row) = &kernel.adder else { panic!("an accumulator that truncates") };
    // The largest term loses nothing where products have no more bits than are kept, and neither has the accumulator.
    let digits = |[one, two]: [Element; 2]| one.precision() + two.precision() - 2;
    let holds = |elements| row.group == 1 && digits(elements).max(row.result) <= row.fraction;
    let (weighted, scored) = ([kernel.weights, kernel.values], [kernel.inputs; 2]);
    let tiles = match kernel.order {
        Order::Online(tile) => kernel.keys.div_ceil(u64::from(tile)),
        Order::Plain => 1,
    };
    let rescaled = tiles > 1;
    let lossless = holds(weighted) && (!rescaled || row.result == 23);
    let up = kernel.weight_scale;
    let twice = if row.group > 1 { 2.0 } else { 1.0 };
    let largest = [2f64.powi(up), twice * kernel.value];
    let lengths = [kernel.query, kernel.key].map(|length| match kernel.scales {
        Some(_) => twice * length,
        None => length.min(kernel.inputs.max_finite()),
    });
    let smallest = exponent_of(kernel.weights.min_positive());
    let often = match (kernel.order, kernel.flush) {
        (Order::Online(tile), Some(flush)) => (tiles - 1).min(flush.div_ceil(u64::from(tile)) + 1),
        _ => tiles - 1,
    };
    let instructions = kernel.flush.unwrap_or(kernel.keys).min(kernel.keys).div_ceil(u64::from(row.keys()));
    let often = often.min(instructions);
    // Either bound holds where results have as many bits as are kept; the program takes the smaller one.
    let unit = 2f64.powi(-(row.fraction as i32));
    let share = f64::from(row.terms + u32::from(!lossless)) * unit;
    let x = instructions as f64 * share / (1.0 - share);
    let even = x / (1.0 + x) * (1.0 + often as f64 * unit);
    let evenly = row.fraction == row.result && (!rescaled || even < 1.0 - (1.0 - share).powf(instructions as f64));
    format!(
        "({}, {}, {}, ({DIM}, {}, {})%nat, ({}, {})%Z, ({}, {}, {}), {}, ({}, ({smallest}))%Z, [{}], {up}%Z, {}, {evenly}, {often}%Z)",
        coq(kernel.softmax),
        scaled(kernel.kappa),
        matches!(kernel.order, Order::Plain),
        kernel.keys,
        tiles - 1,
        sums(row, scored, (u64::from(DIM), None), lengths, holds(scored)),
        sums(row, weighted, (kernel.keys, kernel.flush), largest, lossless),
        scaled(kernel.query),
        scaled(kernel.key),
        scaled(kernel.value),
        kernel.logits.map_or("None".to_owned(), |format| format!("Some {}", coq(format))),
        kernel.weights.precision(),
        shares(kernel),
        coq(kernel.output),
    )
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn bounds_of_kernels_are_those_of_the_formulas_of_their_theorems() {
    let mut compared = Compared::new("kernels");
    compared.function("forallb kernel_close".to_owned());
    let [bf16, f16] = [Format::Bf16, Format::F16].map(Element::Wide);
    let [e4m3, e5m2] = [Narrow::E4m3, Narrow::E5m2].map(Element::Narrow);
    let e2m1 = Element::Narrow(Narrow::E2m1);
    for (name, formats) in [
        ("volta", vec![f16]),
        ("ampere", vec![f16, bf16]),
        ("ada-fp8", vec![e4m3, e5m2]),
        ("hopper", vec![f16, bf16]),
        ("hopper-fp8", vec![e4m3, e5m2]),
        ("blackwell-fp8", vec![e4m3]),
        ("blackwell-fp4", vec![e2m1]),
    ] {
        for inputs in formats {
            let adder = Adder::Truncated(Accumulator::named(name).expect("a row"));
            let usual = Kernel::usual(inputs, adder, DIM, 4096);
            for order in [Order::Plain, Order::Online(128), Order::Online(4096)] {
                for kernel in [
                    usual.clone(),
                    Kernel { flush: Some(128), logits: Some(Format::Bf16), ..usual.clone() },
                    Kernel {
                        softmax: Format::F64,
                        output: Format::F32,
                        kappa: 2.5,
                        value: 0.75,
                        keys: 1000,
                        ..usual.clone()
                    },
                ] {
                    let kernel = Kernel { order, ..kernel };
                    let others = kernel.scales.map(|_| kernel.clone().with_scales(Scales::E8m0));
                    for kernel in others.into_iter().chain([kernel]) {
                        let bound = kernel.bound().expect("a bound").output;
                        assert!(bound.origin().to_string().starts_with("theorem rounding_attention_"));
                        compared.bound(bound.value(), &case(&kernel));
                    }
                }
            }
        }
    }
    settle(&format!("{LOGITS}\n{ACCUMULATORS}\n{KERNELS}"), &[compared]);
}
