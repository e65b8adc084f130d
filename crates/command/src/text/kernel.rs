//! Bounds of attention as a kernel computes it, in words.

use super::bounds::grid;
use crate::kernel::KernelAnswer;
use posproof_bound::document::printed;
use posproof_bound::{Accumulator, Adder, Kernel, Order};
use posproof_numerics::Round;
use posproof_numerics::decimal::{counted, scientific};
use std::fmt::Write;

/// The kernel, the bound and its parts, a table by row of a causal mask, the sum alone, and the largest error found.
pub fn text(answer: &KernelAnswer<'_>) -> String {
    let (kernel, bound) = (answer.kernel, &answer.bound);
    let mut text = described(kernel);
    let logit = printed(bound.logit.value());
    let _ = writeln!(
        text,
        "\nError of a logit of stored inputs: at most\n  {logit}  ({}, over the accumulator's)",
        bound.logit.origin()
    );
    if answer.subject == "logits" {
        return text;
    }
    let _ = writeln!(
        text,
        "\nError of a component of an output, of stored inputs: at most\n  {}  ({})\n  \
         of which {} by logits alone, {} by weights and normaliser, {} by the sum of values",
        printed(bound.output.value()),
        bound.output.origin(),
        printed(bound.from_logits),
        printed(bound.from_weights),
        printed(bound.from_values),
    );
    if bound.output.value() >= 2.0 * kernel.value {
        text.push_str("  more than two values can differ by: nothing is promised of this kernel\n");
    }
    if let Some(rotated) = &answer.rotated {
        let _ = writeln!(
            text,
            "\nFrom positions {}..{} on, rotated in {} and stored: at most\n  {}  ({})\n  logits within {}",
            rotated.positions[0],
            rotated.positions[1],
            rotated.format,
            printed(rotated.bound.output.value()),
            rotated.bound.output.origin(),
            printed(rotated.bound.logit.value()),
        );
    }
    if !answer.rows.is_empty() {
        let header = ["keys", "bound", "by logits", "by weights", "by the sum"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(answer.rows.iter().map(|row| {
            let parts =
                [row.bound.output.value(), row.bound.from_logits, row.bound.from_weights, row.bound.from_values];
            std::iter::once(row.keys.to_string()).chain(parts.map(printed)).collect()
        }));
        let _ = write!(text, "\nCausal mask, by row: row i has i + 1 keys\n{}", grid(&rows));
    }
    if let Some(sum) = &answer.sum {
        let attained = match sum.error {
            0.0 => "nothing is lost on the inputs that were tried".to_owned(),
            lost => format!(
                "{}  lost on inputs that attain it, {:.3} times less",
                scientific(lost, 5, Round::Down),
                sum.bound / lost
            ),
        };
        let _ = writeln!(
            text,
            "\nSum of weighted values alone, of the sum of their magnitudes: at most\n  {}  ({})\n  {attained}",
            printed(sum.bound),
            sum.origin,
        );
    }
    match &answer.search {
        Some(found) => {
            let _ = writeln!(
                text,
                "\nLargest error of an output found by a search\n  {}  driven by {}: {} for {}; the bound is {:.3} times that",
                scientific(found.error, 5, Round::Down),
                found.cause,
                found.computed,
                found.exact,
                found.ratio,
            );
        }
        None => text.push_str("\nNo error was found: no row that a search knows fits the formats and lengths stated\n"),
    }
    if let Some(permuted) = &answer.permuted {
        let _ = writeln!(
            text,
            "\nKeys permuted, their values with them: an output moves by at most\n  {}  ({})\n  {}  where keys that were searched for are reversed",
            printed(permuted.bound),
            permuted.origin,
            scientific(permuted.difference, 5, Round::Down),
        );
    }
    text
}

/// The kernel in words.
fn described(kernel: &Kernel) -> String {
    let order = match kernel.order {
        Order::Plain => "quotients are cast".to_owned(),
        Order::Online(tile) => format!("exponentials are cast, tiles of {}", counted(u64::from(tile), "key")),
    };
    let flush =
        kernel.flush.map_or("never flushed".to_owned(), |keys| format!("flushed after {}", counted(keys, "key")));
    let splits = match kernel.splits {
        1 => String::new(),
        splits => format!(", keys in {splits} parts"),
    };
    let scales = kernel
        .scales
        .map_or(String::new(), |scales| format!(", blocks of {} with scales in {}", scales.block(), scales.name()));
    let logits = kernel.logits.map_or(String::new(), |format| format!(", logits stored in {format}"));
    format!(
        "Attention of {} with dimension {}, inputs in {}{scales}; queries up to length {}, keys up to {}, values up to {}\n\
         Weights in {}, times 2^{}; {order}; exp within {} ulp in {}{logits}; output in {}\n{}, {flush}{splits}\n",
        counted(kernel.keys, "key"),
        kernel.dim,
        kernel.inputs,
        kernel.query,
        kernel.key,
        kernel.value,
        kernel.weights,
        kernel.weight_scale,
        kernel.kappa,
        kernel.softmax,
        kernel.output,
        accumulated(&kernel.adder),
    )
}

fn accumulated(adder: &Adder) -> String {
    match adder {
        Adder::Rounded(format) => format!("Exact products, sums rounded to nearest in {format}"),
        Adder::Truncated(Accumulator { name, source, terms, fraction, result, group }) => {
            let added = match group {
                1 => counted(u64::from(*terms), "product"),
                _ => format!("{terms} exact sums of {group} products"),
            };
            format!("Accumulator {name} ({source}): {added} at once, truncated to {fraction} bits, results of {result}")
        }
    }
}
