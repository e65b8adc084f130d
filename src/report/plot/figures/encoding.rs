//! The encoding as an image: positions by components.

use crate::encoding::convention::{Convention, Layout};
use crate::report::plot::data::{Unavailable, encoding::entries};
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::heatmap::Heatmap;

const DIM: usize = 512;
const ROWS: u64 = 192;

/// Components in the table of numbers.
const SHOWN: [usize; 8] = [0, 1, 2, 128, 256, 257, 258, 384];

/// Rows between two of the table of numbers.
const STRIDE: usize = 8;

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let convention = Convention { layout: Layout::Halves, ..Convention::sinusoid(DIM) };
    let entries = entries(&convention, ROWS)?;
    let heatmap = Heatmap {
        frame: Frame {
            id: "encoding-map".into(),
            title: format!("PE(t) for positions 0 to {}, {DIM} components", ROWS - 1),
            description: "Each row is a position, each column a component: the sines on the left, the cosines on the \
right, the fastest first. In each half bands fan out to the lower left; towards the right they become wide, until sines stay near \
0 and cosines near 1."
                .into(),
            size: [680.0, 330.0],
            margins: [44.0, 92.0, 56.0, 76.0],
            x: Axis::linear("sines of pairs 0 to 255, then their cosines", [0.0, DIM as f64], 8),
            y: Axis::linear("position", [0.0, ROWS as f64], 5),
        },
        columns: DIM,
        values: entries.iter().map(|entry| f64::from(*entry)).collect(),
        limits: [-1.0, 1.0],
        meaning: String::new(),
    };
    let row = |(t, row): (usize, &[f32])| {
        let shown = SHOWN.iter().filter_map(|component| row.get(*component));
        std::iter::once(t.to_string()).chain(shown.map(f32::to_string)).collect()
    };
    let columns = std::iter::once("position".to_owned()).chain(SHOWN.map(|component| component.to_string()));
    Ok(Figure {
        id: "encoding",
        title: "The encoding".into(),
        caption: format!(
            "The sinusoidal encoding of {ROWS} positions in {DIM} dimensions, base 10000: sin(t·ωᵢ) for the pairs i = 0 to {}, then \
cos(t·ωᵢ). Every pair turns like the hand of a clock, each slower than the one before it. The two components of a pair, which the \
definition puts side by side, stand {} columns apart here, so that the bands can be seen.",
            DIM / 2 - 1,
            DIM / 2
        ),
        numbers: "Entries are the correct roundings to binary32 of the exact real numbers.".into(),
        commands: vec![format!(
            "posproof table sinusoid --dim {DIM} --layout halves --positions 0..{ROWS} --dtype f32 --out pe.npy"
        )],
        panels: vec![Panel { heading: String::new(), svg: heatmap.svg()?, wide: true, keys: Vec::new() }],
        keys: Vec::new(),
        matrix: None,
        data: vec![Numbers {
            caption: format!("Some components at every {STRIDE}th position, to binary32"),
            columns: columns.collect(),
            rows: entries.chunks_exact(DIM).enumerate().step_by(STRIDE).map(row).collect(),
        }],
    })
}
