//! The loss of sums that matrix units truncate, by the number of keys: bounds, and losses that are attained.

use super::{decades, grouped};
use crate::bound::{Accumulator, Adder, AttainedSum, WeightedSum};
use crate::report::plot::chart::{Chart, Series, Stroke, key};
use crate::report::plot::data::Unavailable;
use crate::report::plot::figure::{Figure, LegendEntry, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use posproof_numerics::decimal::scientific;
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, Round, format::Format};

/// No weight and no value is larger.
const LARGEST: f64 = 256.0;

/// The first number of keys, a power of two, and the last ones of a short figure and of a long one.
const FIRST: u32 = 7;
const LAST: [u32; 2] = [13, 20];

const E4M3: Element = Element::Narrow(Narrow::E4m3);

/// Accumulators with the inputs that they multiply, those that truncate most first.
const UNITS: [(&str, Element); 5] = [
    ("hopper-fp8", E4M3),
    ("volta", Element::Wide(Format::F16)),
    ("ampere", Element::Wide(Format::Bf16)),
    ("hopper", Element::Wide(Format::Bf16)),
    ("blackwell-fp8", E4M3),
];

/// Keys between flushes of the first of them.
const INTERVALS: [Option<u64>; 3] = [None, Some(512), Some(128)];

/// A curve: what it stands for, its name, and a sum that attains its loss for each number of keys.
struct Curve {
    meaning: Meaning,
    name: String,
    sums: Vec<(u64, AttainedSum)>,
}

impl Curve {
    fn new(
        meaning: Meaning,
        (name, element): (&str, Element),
        flush: Option<u64>,
        last: u32,
    ) -> Result<Self, Unavailable> {
        let sum = |(accumulator, keys): (Accumulator, u64)| {
            let adder = Adder::Truncated(accumulator);
            let sum = WeightedSum { adder, elements: [element; 2], terms: keys, flush, largest: [LARGEST; 2] };
            Ok::<_, Unavailable>((keys, sum.attained()?))
        };
        let rows = Accumulator::named(name)
            .into_iter()
            .flat_map(|row| (FIRST..=last).map(move |power| (row.clone(), 1 << power)));
        let sums = rows.map(sum).collect::<Result<_, _>>()?;
        let flushed = flush.map_or("never flushed".to_owned(), |keys| format!("every {keys} keys"));
        Ok(Self { meaning, name: format!("{name}, {element}, {flushed}"), sums })
    }

    fn series(&self) -> [Series; 2] {
        let points = |loss: fn(&AttainedSum) -> f64| {
            self.sums.iter().map(|(keys, sum)| [*keys as f64, loss(sum) / sum.mass]).collect()
        };
        let (bound, error) = (points(|sum| sum.bound.value()), points(|sum| sum.error));
        [(Stroke::Line, bound), (Stroke::Marks, error)].map(|(stroke, points)| Series {
            meaning: self.meaning,
            stroke,
            points,
        })
    }

    fn key(&self) -> LegendEntry {
        key(&self.name, self.meaning, &[Stroke::Line, Stroke::Marks])
    }

    fn numbers(&self) -> Numbers {
        let row = |(keys, sum): &(u64, AttainedSum)| {
            vec![
                grouped(*keys),
                scientific(sum.bound.value() / sum.mass, 4, Round::Up),
                scientific(sum.error / sum.mass, 4, Round::Down),
                format!("{:.3}", sum.ratio()),
            ]
        };
        Numbers {
            caption: self.name.clone(),
            columns: ["keys", "bound", "attained", "bound ÷ attained"].map(str::to_owned).to_vec(),
            rows: self.sums.iter().map(row).collect(),
        }
    }
}

fn panel(id: &str, heading: &str, curves: &[Curve], last: u32) -> Panel {
    let series: Vec<Series> = curves.iter().flat_map(Curve::series).collect();
    let domain = decades(series.iter().flat_map(|series| &series.points).map(|point| point[1]));
    let chart = Chart {
        frame: Frame {
            id: id.into(),
            title: heading.into(),
            description: "Loss by the number of keys, on logarithmic axes: a line for each bound, with marks on or just below it.".into(),
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x: Axis::logarithmic("keys", [f64::from(1u32 << FIRST), f64::from(1u32 << last)], 6),
            y: Axis::logarithmic("loss ÷ sum of magnitudes", domain, 7),
        },
        series,
        levels: Vec::new(),
    };
    Panel { heading: heading.into(), svg: chart.svg(), wide: false, keys: curves.iter().map(Curve::key).collect() }
}

pub(super) fn figure(short: bool) -> Result<Figure, Unavailable> {
    let last = if short { LAST[0] } else { LAST[1] };
    let of_unit = |(place, unit)| Curve::new(Meaning::Pattern(place), unit, None, last);
    let units = UNITS.into_iter().enumerate().map(of_unit).collect::<Result<Vec<_>, _>>()?;
    let of_interval = |(place, flush)| Curve::new(Meaning::Shade(place), UNITS[0], flush, last);
    let intervals = INTERVALS.into_iter().enumerate().map(of_interval).collect::<Result<Vec<_>, _>>()?;
    let panels = vec![
        panel("accumulators-units", "Accumulators that are never flushed", &units, last),
        panel("accumulators-intervals", "Added to a binary32 register now and then", &intervals, last),
    ];
    Ok(Figure {
        id: "accumulators",
        title: "Sums of weighted values in matrix units".into(),
        caption: "Matrix units align products and truncate them. A right kernel loses a share of its output that grows with the \
number of keys: first by accumulator, then by how often that of Hopper for 8 bits is flushed. Lines are bounds for all inputs, by a \
theorem; marks are inputs on which as much is lost, in an emulator that agrees with hardware bit by bit."
            .into(),
        numbers: format!(
            "weights and values up to {LARGEST}, in the format named; losses beside the sum of the products' magnitudes, of {} to {} keys.",
            grouped(1 << FIRST),
            grouped(1 << last),
        ),
        commands: INTERVALS
            .map(|flush| {
                let flush = flush.map_or(String::new(), |keys| format!(" --flush {keys}"));
                format!("posproof bound attention --dim 128 --dtype e4m3 --keys 131072 --accumulator hopper-fp8{flush}")
            })
            .to_vec(),
        panels,
        keys: Vec::new(),
        matrix: None,
        // The first interval is the first accumulator.
        data: units.iter().chain(intervals.iter().skip(1)).map(Curve::numbers).collect(),
    })
}
