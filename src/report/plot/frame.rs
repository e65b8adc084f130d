//! The frame of a drawing: size, axes, grid and what a screen reader is told.

use super::scale::{Scale, Spread};
use svg::Document;
use svg::node::Text as Words;
use svg::node::element::{Description, Element, Group, Line, Title};

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its quantity, with the unit.
    pub label: String,
    /// Spread of its numbers.
    pub spread: Spread,
    /// Its first and last number.
    pub domain: [f64; 2],
    /// About how many numbers are written beside it.
    pub ticks: usize,
}

impl Axis {
    /// An axis of equal differences.
    pub fn linear(label: &str, domain: [f64; 2], ticks: usize) -> Self {
        Self { label: label.to_owned(), spread: Spread::Linear, domain, ticks }
    }

    /// An axis of equal quotients.
    pub fn logarithmic(label: &str, domain: [f64; 2], ticks: usize) -> Self {
        Self { label: label.to_owned(), spread: Spread::Logarithmic, domain, ticks }
    }
}

/// Parts that every drawing has.
#[derive(Clone, Debug)]
pub struct Frame {
    /// A name of its own within the page: the drawing's title and description are found by it.
    pub id: String,
    /// Title, in a few words.
    pub title: String,
    /// Description of the figure, for those who cannot see it.
    pub description: String,
    /// Width and height in units of the drawing.
    pub size: [f64; 2],
    /// Room for the labels: top, right, bottom, left.
    pub margins: [f64; 4],
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
}

/// A length with at most two decimals.
pub fn px(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Words at a place; the class says how they are set.
pub fn words(text: &str, [x, y]: [f64; 2], class: &str) -> Element {
    let mut element = Element::new("text");
    let attributes = element.get_attributes_mut();
    attributes.insert("x".into(), px(x).into());
    attributes.insert("y".into(), px(y).into());
    attributes.insert("class".into(), class.into());
    svg::Node::append(&mut element, Words::new(text));
    element
}

/// A straight line.
pub fn line([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], class: &str) -> Line {
    Line::new().set("x1", px(x1)).set("y1", px(y1)).set("x2", px(x2)).set("y2", px(y2)).set("class", class)
}

impl Frame {
    /// The usual size, for a column of the page.
    pub const COLUMN: [f64; 2] = [480.0, 350.0];

    /// The usual margins. The vertical axis has its name above it, where no label of a tick can meet it.
    pub const MARGINS: [f64; 4] = [32.0, 14.0, 46.0, 62.0];

    /// Those of drawings that take the whole width: on a narrow screen their labels are set larger.
    pub const WIDE_MARGINS: [f64; 4] = [44.0, 14.0, 56.0, 84.0];

    /// The height of what is written above the drawing, as a share of the room there.
    const ABOVE: f64 = 0.55;

    /// The base line of the numbers below the drawing, as a share of the room there.
    const BELOW: f64 = 0.42;

    /// The horizontal scale.
    pub fn across(&self) -> Scale {
        let [_, right, _, left] = self.margins;
        Scale { spread: self.x.spread, domain: self.x.domain, range: [left, self.size[0] - right] }
    }

    /// The vertical scale, upward.
    pub fn up(&self) -> Scale {
        let [top, _, bottom, _] = self.margins;
        Scale { spread: self.y.spread, domain: self.y.domain, range: [self.size[1] - bottom, top] }
    }

    /// The base line of what is written above the drawing.
    pub fn above(&self) -> f64 {
        self.margins[0] * Self::ABOVE
    }

    /// The drawing with its axes, and `inside` between them. Downward, as rows of a matrix are counted, it has
    /// marks beside the axes instead of a grid, which would be seen through the cells.
    pub fn draw(&self, inside: Group, downward: bool) -> String {
        let ids = [format!("{}-title", self.id), format!("{}-description", self.id)];
        let [title, description] = ids.each_ref();
        let document = Document::new()
            .set("viewBox", format!("0 0 {} {}", px(self.size[0]), px(self.size[1])))
            .set("role", "img")
            .set("aria-labelledby", format!("{title} {description}"))
            .add(Title::new(self.title.as_str()).set("id", title.as_str()))
            .add(Description::new().set("id", description.as_str()).add(Words::new(self.description.as_str())));
        document.add(self.axes(downward)).add(inside).to_string()
    }

    fn axes(&self, downward: bool) -> Group {
        let (across, mut up) = (self.across(), self.up());
        if downward {
            up.range.reverse();
        }
        let [left, right] = across.range;
        let (top, bottom) = (up.range[0].min(up.range[1]), up.range[0].max(up.range[1]));
        let mut grid = Group::new().set("class", "grid");
        let mut labels = Group::new().set("class", "ticks");
        for tick in across.ticks(self.x.ticks) {
            let x = across.place(tick.value);
            let from = if downward { bottom + 4.0 } else { top };
            grid = grid.add(line([x, from], [x, bottom], if tick.label.is_empty() { "minor" } else { "major" }));
            labels = labels.add(words(&tick.label, [x, bottom + self.margins[2] * Self::BELOW], "middle"));
        }
        for tick in up.ticks(self.y.ticks) {
            let y = up.place(tick.value);
            let to = if downward { left - 4.0 } else { right };
            grid = grid.add(line([left, y], [to, y], if tick.label.is_empty() { "minor" } else { "major" }));
            labels = labels.add(words(&tick.label, [left - 8.0, y + 4.0], "end"));
        }
        let centre = (left + right) / 2.0;
        let names = Group::new()
            .set("class", "names")
            .add(words(&self.x.label, [centre, self.size[1] - 8.0], "middle"))
            .add(words(&self.y.label, [2.0, self.above()], "start"));
        Group::new().set("class", "axes").set("aria-hidden", "true").add(grid).add(labels).add(names)
    }
}
