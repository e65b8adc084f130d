//! A heat map between two axes, with a bar that says what its colours mean.

use super::frame::{Axis, Frame, px, words};
use super::raster::{data_uri, shade};
use super::scale::{Scale, Spread};
use svg::node::element::{Group, Image, Rectangle};

/// A heat map: rows from the top.
#[derive(Clone, Debug)]
pub struct Heatmap {
    /// Its frame.
    pub frame: Frame,
    /// Cells in a row.
    pub columns: usize,
    /// The values, row by row.
    pub values: Vec<f64>,
    /// The values of the palest and the strongest blue; where the first is negative, of the strongest orange.
    pub limits: [f64; 2],
    /// Name of the bar beside it, if that is not plain.
    pub meaning: String,
}

/// Steps of the colour bar.
const STEPS: usize = 128;

impl Heatmap {
    fn shade(&self, value: f64) -> u8 {
        let [least, most] = self.limits;
        shade(if least < 0.0 { value / most } else { (value - least) / (most - least) })
    }

    /// The drawing. The error is the image encoder's.
    pub fn svg(&self) -> Result<String, png::EncodingError> {
        let (across, down) = (self.frame.across(), self.frame.up());
        let cells: Vec<u8> = self.values.iter().map(|value| self.shade(*value)).collect();
        let [left, right] = across.range;
        let [bottom, top] = down.range;
        let box_ = [left, top, right - left, bottom - top];
        let step = |step: usize| {
            let [least, most] = self.limits;
            self.shade(most - (most - least) * step as f64 / (STEPS - 1) as f64)
        };
        let bar: Vec<u8> = (0..STEPS).map(step).collect();
        let bar_box = [right + 16.0, top, 12.0, bottom - top];
        let inside = Group::new()
            .set("class", "inside")
            .add(image(&data_uri(self.columns as u32, &cells)?, box_))
            .add(border(box_))
            .add(image(&data_uri(1, &bar)?, bar_box))
            .add(border(bar_box))
            .add(self.bar_labels(bar_box));
        Ok(self.frame.draw(inside, true))
    }

    fn bar_labels(&self, [x, y, width, height]: [f64; 4]) -> Group {
        let axis = Axis::linear("", self.limits, 4);
        let scale = Scale { spread: Spread::Linear, domain: axis.domain, range: [y + height, y] };
        let mut group = Group::new().set("class", "ticks").set("aria-hidden", "true");
        for tick in scale.ticks(axis.ticks) {
            group = group.add(words(&tick.label, [x + width + 5.0, scale.place(tick.value) + 4.0], "start"));
        }
        if self.meaning.is_empty() {
            return group;
        }
        group.add(words(&self.meaning, [self.frame.size[0] - 4.0, self.frame.above()], "end"))
    }
}

fn image(uri: &str, [x, y, width, height]: [f64; 4]) -> Image {
    Image::new()
        .set("href", uri)
        .set("x", px(x))
        .set("y", px(y))
        .set("width", px(width))
        .set("height", px(height))
        .set("preserveAspectRatio", "none")
}

fn border([x, y, width, height]: [f64; 4]) -> Rectangle {
    Rectangle::new()
        .set("x", px(x))
        .set("y", px(y))
        .set("width", px(width))
        .set("height", px(height))
        .set("class", "border")
}
