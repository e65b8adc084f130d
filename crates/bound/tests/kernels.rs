//! Attention as kernels compute it: bounds, and rows that a search finds.

use posproof_bound::{Accumulator, Adder, Kernel, Order};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, Format};

/// Accumulators with the formats that they multiply.
fn kernels(keys: u64) -> Vec<Kernel> {
    let [f16, bf16] = [Format::F16, Format::Bf16].map(Element::Wide);
    let [e4m3, e5m2] = [Narrow::E4m3, Narrow::E5m2].map(Element::Narrow);
    let rows = [
        ("volta", vec![f16]),
        ("ampere", vec![f16, bf16]),
        ("ada-fp8", vec![e4m3, e5m2]),
        ("hopper", vec![f16, bf16]),
        ("hopper-fp8", vec![e4m3, e5m2]),
        ("blackwell", vec![f16, bf16]),
        ("blackwell-fp8", vec![e4m3, e5m2]),
    ];
    let truncated = |name: &str| Adder::Truncated(Accumulator::named(name).expect("a row"));
    let mut all: Vec<Kernel> = rows
        .into_iter()
        .flat_map(|(name, formats)| formats.into_iter().map(move |format| (name, format)))
        .map(|(name, format)| Kernel::usual(format, truncated(name), 128, keys))
        .collect();
    all.extend([f16, bf16, e4m3].map(|format| Kernel::usual(format, Adder::Rounded(Format::F32), 128, keys)));
    all
}

#[test]
fn errors_that_a_search_finds_are_within_a_third_of_their_bounds() {
    let mut count = 0;
    for keys in [4096, 131_072] {
        for kernel in kernels(keys) {
            for order in [Order::Plain, Order::Online(128)] {
                for logits in [None, Some(Format::Bf16)] {
                    let kernel = Kernel { order, logits, ..kernel.clone() };
                    let found = kernel.search().expect("a row");
                    let bound = found.bound;
                    println!(
                        "{} {} {keys} {order:?} {logits:?}: bound {:.3e} (logits {:.1e}, weights {:.1e}, values {:.1e}), found {:.3e} by {}, ratio {:.2}",
                        kernel.adder.name(),
                        kernel.inputs,
                        bound.output.value(),
                        bound.from_logits,
                        bound.from_weights,
                        bound.from_values,
                        found.error,
                        found.cause,
                        found.ratio()
                    );
                    assert!(found.error <= bound.output.value());
                    count += 1;
                }
            }
        }
    }
    println!("{count}");
}
