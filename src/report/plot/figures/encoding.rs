//! The encoding as an image: positions by components.

use crate::encoding::convention::Convention;
use crate::report::plot::data::{Unavailable, encoding::entries};
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::heatmap::Heatmap;

const DIM: usize = 512;
const ROWS: u64 = 128;

/// Components in the table of numbers.
const SHOWN: [usize; 8] = [0, 1, 2, 3, 128, 129, 510, 511];

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let entries = entries(&Convention::sinusoid(DIM), ROWS)?;
    let heatmap = Heatmap {
        frame: Frame {
            id: "encoding-map".into(),
            title: format!("PE(t) for positions 0 to {}, {DIM} components", ROWS - 1),
            description: "Each row is a position, each column a component. The columns on the left flicker from row \
to row; towards the right they change ever more slowly, until sines stay near 0 and cosines near 1."
                .into(),
            size: [700.0, 290.0],
            margins: [10.0, 112.0, 58.0, 76.0],
            x: Axis::linear("component", [0.0, DIM as f64], 8),
            y: Axis::linear("position", [0.0, ROWS as f64], 5),
        },
        columns: DIM,
        values: entries.iter().map(|entry| f64::from(*entry)).collect(),
        limits: [-1.0, 1.0],
        meaning: "entry".into(),
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
            "The sinusoidal encoding of {ROWS} positions in {DIM} dimensions, base 10000: component 2i is sin(t·ωᵢ), \
component 2i + 1 is cos(t·ωᵢ). Every pair turns like the hand of a clock, each slower than the one before it; neighbouring \
columns differ by a quarter of a turn, which is why they look striped on the right."
        ),
        numbers: "Entries are the correct roundings to binary32 of the exact real numbers.".into(),
        commands: vec![format!("posproof table sinusoid --dim {DIM} --positions 0..{ROWS} --dtype f32 --out pe.npy")],
        panels: vec![Panel { heading: String::new(), svg: heatmap.svg()?, wide: true, keys: Vec::new() }],
        keys: Vec::new(),
        matrix: None,
        data: vec![Numbers {
            caption: "Some components at every eighth position, to binary32".into(),
            columns: columns.collect(),
            rows: entries.chunks_exact(DIM).enumerate().step_by(8).map(row).collect(),
        }],
    })
}
