//! Layers of a model in words, and the pairing of their weights.

use posproof_encoding::convention::Layout;
use posproof_encoding::model::LayerKind;

/// Ascending numbers as ranges: `0–4, 6`.
fn runs(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// Layers in words: `layers 0–31 (all)`.
pub fn layers(kind: &LayerKind) -> String {
    let runs = runs(&kind.layers);
    match kind.layers.len() {
        0 => format!("layers ({})", kind.name),
        1 => format!("layer {runs} ({})", kind.name),
        _ => format!("layers {runs} ({})", kind.name),
    }
}

/// The pairing that weights were trained for.
pub fn pairing(kind: &LayerKind) -> Option<Layout> {
    kind.rotation.as_ref().map(|rotation| rotation.convention.layout)
}
