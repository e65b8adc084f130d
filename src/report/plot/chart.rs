//! Curves and points between two axes.

use super::figure::LegendEntry;
use super::frame::{Frame, line, px, words};
use super::meaning::Meaning;
use super::scale::Spread;
use svg::Document;
use svg::node::element::{Group, Path};

/// Strokes of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A line through the points.
    Line,
    /// The same, dashed.
    Dashed,
    /// A line from each point to the next at the height of the first.
    Steps,
    /// A line from each point of even place to the next, and none between such pairs.
    Segments,
    /// A mark at each point.
    Marks,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its meaning: its colour, or its dashes, and its marks.
    pub meaning: Meaning,
    /// Its stroke.
    pub stroke: Stroke,
    /// Its points; those that are not finite, or not positive on a logarithmic axis, are left out.
    pub points: Vec<[f64; 2]>,
}

/// A level that something is compared with.
#[derive(Clone, Debug)]
pub struct Level {
    /// Where it is, on the vertical axis.
    pub value: f64,
    /// Its name in words.
    pub label: String,
    /// True if that is written at the right end instead of the left.
    pub at_end: bool,
}

/// A name beside the right end of a line.
#[derive(Clone, Debug)]
pub struct End {
    /// Where the line ends, on the vertical axis.
    pub value: f64,
    /// Its name in words.
    pub label: String,
}

/// Units between two names at the right, one above the other.
const APART: f64 = 21.0;

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its frame.
    pub frame: Frame,
    /// Series that are drawn, the last on top.
    pub series: Vec<Series>,
    /// Levels that are compared with.
    pub levels: Vec<Level>,
}

/// A mark at a place.
fn mark(meaning: Meaning, [x, y]: [f64; 2]) -> String {
    format!("M{} {}{}", px(x), px(y), meaning.mark())
}

impl Chart {
    /// The drawing.
    pub fn svg(&self) -> String {
        self.labelled(&[])
    }

    /// The drawing, with names at the right ends of lines; where two would meet, the lower one stands lower.
    pub fn labelled(&self, ends: &[End]) -> String {
        let mut inside = Group::new().set("class", "inside");
        let (across, up) = (self.frame.across(), self.frame.up());
        let mut named: Vec<(f64, &End)> = ends.iter().map(|end| (up.place(end.value), end)).collect();
        named.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut above, right) = (f64::NEG_INFINITY, across.range[1]);
        for (y, end) in named {
            let place = y.max(above + APART);
            inside = inside.add(words(&end.label, [right + 8.0, place + 4.0], "note"));
            above = place;
        }
        for level in &self.levels {
            let y = up.place(level.value);
            let [left, right] = across.range;
            let (x, class) = if level.at_end { (right - 6.0, "note end") } else { (left + 6.0, "note") };
            inside = inside.add(line([left, y], [right, y], "level")).add(words(&level.label, [x, y - 5.0], class));
        }
        for series in &self.series {
            let outline = self.outline(series);
            if outline.is_empty() {
                continue;
            }
            inside = inside.add(Path::new().set("class", class(series.stroke, series.meaning)).set("d", outline));
        }
        self.frame.draw(inside, false)
    }

    fn outline(&self, series: &Series) -> String {
        let (across, up) = (self.frame.across(), self.frame.up());
        let shown = |spread: Spread, x: f64| x.is_finite() && (spread == Spread::Linear || x > 0.0);
        let (x, y) = (self.frame.x.spread, self.frame.y.spread);
        let points = series.points.iter().filter(|point| shown(x, point[0]) && shown(y, point[1]));
        let places = points.map(|point| [across.place(point[0]), up.place(point[1])]);
        let mut outline = String::new();
        for (index, [x, y]) in places.enumerate() {
            match (series.stroke, index) {
                (Stroke::Marks, _) => outline += &mark(series.meaning, [x, y]),
                (Stroke::Segments, index) if index % 2 == 0 => outline += &format!("M{} {}", px(x), px(y)),
                (_, 0) => outline += &format!("M{} {}", px(x), px(y)),
                (Stroke::Steps, _) => outline += &format!("H{}V{}", px(x), px(y)),
                _ => outline += &format!("L{} {}", px(x), px(y)),
            }
        }
        outline
    }
}

fn class(stroke: Stroke, meaning: Meaning) -> String {
    let kind = match stroke {
        Stroke::Line | Stroke::Steps | Stroke::Segments => "line",
        Stroke::Dashed => "dashed",
        Stroke::Marks => "marks",
    };
    format!("{kind} {}", meaning.class())
}

/// An entry of a legend: the strokes that stand for one thing.
pub fn key(label: &str, meaning: Meaning, strokes: &[Stroke]) -> LegendEntry {
    let mut drawing = Document::new().set("viewBox", "0 0 28 14").set("aria-hidden", "true").set("class", "key");
    for &stroke in strokes {
        let outline = if stroke == Stroke::Marks { mark(meaning, [14.0, 7.0]) } else { "M1 7H27".to_owned() };
        drawing = drawing.add(Path::new().set("class", class(stroke, meaning)).set("d", outline));
    }
    LegendEntry { label: label.to_owned(), svg: drawing.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::frame::Axis;
    use super::*;
    use crate::number::format::Format;

    fn chart(stroke: Stroke, points: Vec<[f64; 2]>, at_end: bool) -> String {
        let frame = Frame {
            id: "test".into(),
            title: "a < b & c".into(),
            description: "seen".into(),
            size: [100.0, 80.0],
            margins: [10.0, 10.0, 20.0, 20.0],
            x: Axis::linear("x", [0.0, 10.0], 2),
            y: Axis::logarithmic("y", [1.0, 1e5], 5),
        };
        let level = Level { value: 100.0, label: "level".into(), at_end };
        Chart {
            frame,
            series: vec![Series { meaning: Meaning::Format(Format::F16), stroke, points }],
            levels: vec![level],
        }
        .svg()
    }

    fn outline(svg: &str) -> &str {
        svg.split(" d=\"").nth(1).unwrap().split('"').next().unwrap()
    }

    #[test]
    fn points_stand_where_their_numbers_say() {
        let points = vec![[0.0, 1.0], [5.0, 1000.0], [10.0, 1e5]];
        let (line, steps) = (chart(Stroke::Line, points.clone(), false), chart(Stroke::Steps, points.clone(), false));
        assert_eq!(outline(&line), "M20 60L55 30L90 10");
        assert_eq!(outline(&steps), "M20 60H55V30H90V10");
        let segments = chart(Stroke::Segments, [points.clone(), points[..1].to_vec()].concat(), false);
        assert_eq!(outline(&segments), "M20 60L55 30M90 10L20 60");
        let marks = chart(Stroke::Marks, points, false);
        assert_eq!(outline(&marks).matches('M').count(), 3);
        assert!(outline(&marks).contains("M55 30"), "{marks}");
        assert!(marks.contains("marks format-f16"));
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let points = vec![[0.0, 0.0], [1.0, -1.0], [2.0, f64::NAN], [5.0, 1000.0], [7.0, f64::INFINITY]];
        assert_eq!(outline(&chart(Stroke::Line, points, false)), "M55 30");
    }

    #[test]
    fn levels_are_labelled_at_the_end_that_is_asked_for() {
        let left = chart(Stroke::Line, vec![[0.0, 1.0]], false);
        assert!(left.contains(r#"<text class="note" x="26" y="35">"#), "{left}");
        let right = chart(Stroke::Line, vec![[0.0, 1.0]], true);
        assert!(right.contains(r#"<text class="note end" x="84" y="35">"#), "{right}");
    }

    #[test]
    fn words_are_escaped_and_drawings_are_named() {
        let svg = chart(Stroke::Line, vec![[0.0, 1.0]], false);
        assert!(svg.contains("a &lt; b &amp; c"), "{svg}");
        assert!(svg.contains(r#"aria-labelledby="test-title test-description""#) && svg.contains(r#"role="img""#));
    }
}
