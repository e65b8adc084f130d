//! Pictures of a judgement, as SVG: error over bound by position and by pair, with the bound as a line at 1.

use posproof_check::Profile;
use std::fmt::Write;

/// The frame, in units of the picture.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 274.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 622.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 226.0;

/// The smallest share that has a place of its own: an error of less than a ten-thousandth of its bound is drawn there.
const LEAST: f64 = -4.0;

/// A point: where it stands along the axis from 0 to 1, and its share of the bound; none where an entry is not finite.
struct PlotPoint {
    at: f64,
    share: Option<f64>,
    beyond: bool,
}

/// Powers of ten from the lowest share to the highest, with 1 between them.
struct Shares {
    low: f64,
    high: f64,
}

impl Shares {
    fn new<'a>(points: impl Iterator<Item = &'a PlotPoint>) -> Self {
        let (mut low, mut high) = (-1.0f64, 1.0f64);
        for share in points.filter_map(|point| point.share).filter(|share| *share > 0.0) {
            low = low.min(share.log10().floor());
            high = high.max(share.log10().ceil());
        }
        Self { low: low.max(LEAST), high: high.min(300.0) }
    }

    /// The height of a share; the upper edge for what is not finite.
    fn y(&self, share: Option<f64>) -> f64 {
        let Some(share) = share else { return TOP };
        let log = if share > 0.0 { share.log10().clamp(self.low, self.high) } else { self.low };
        BOTTOM - (log - self.low) / (self.high - self.low) * (BOTTOM - TOP)
    }

    /// Lines across the picture, each with its power of ten, and the bound.
    fn grid(&self, svg: &mut String) {
        let decades = self.high - self.low;
        let step = (decades / 6.0).ceil().max(1.0);
        let mut power = (self.low / step).ceil() * step;
        while power <= self.high {
            let y = self.y(Some(10f64.powf(power)));
            if power != 0.0 {
                *svg += &line("grid", 0.15, &format!("M{LEFT} {y:.1}H{RIGHT}"));
            }
            let (x, below, label) = (LEFT - 6.0, y + 4.0, power_of_ten(power as i32));
            let _ = write!(svg, r#"<text x="{x}" y="{below:.1}" text-anchor="end">{label}</text>"#);
            power += step;
        }
        let y = self.y(Some(1.0));
        *svg += &line("bound", 1.0, &format!("M{LEFT} {y:.1}H{RIGHT}"));
        let (x, above) = (RIGHT - 4.0, y - 5.0);
        let _ = write!(svg, r#"<text class="name" x="{x}" y="{above:.1}" text-anchor="end">the bound</text>"#);
    }
}

/// A power of ten as it is printed: 1, 10, 10⁻³.
fn power_of_ten(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |sign: char| if sign == '-' { '⁻' } else { DIGITS[sign.to_digit(10).unwrap_or(0) as usize] };
    match power {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", power.to_string().chars().map(raised).collect::<String>()),
    }
}

/// Positions from the first to the last: in proportion, or by orders of magnitude where there are many.
struct Along {
    first: f64,
    last: f64,
    log: bool,
}

/// Positions up to which they are drawn in proportion.
const PROPORTIONAL: f64 = 1000.0;

impl Along {
    fn new(first: f64, last: f64) -> Self {
        Self { first, last, log: last > PROPORTIONAL && last > 20.0 * first }
    }

    fn at(&self, x: f64) -> f64 {
        // One more, so that position 0 has a place.
        let scale = |x: f64| if self.log { (x + 1.0).log10() } else { x };
        let length = scale(self.last) - scale(self.first);
        if length > 0.0 { (scale(x) - scale(self.first)) / length } else { 0.5 }
    }

    /// Round numbers, few enough to stand beside each other.
    fn ticks(&self) -> Vec<f64> {
        let ticks: Vec<f64> = if self.log {
            [0.0].into_iter().chain((0..19).map(|power| 10f64.powi(power))).collect()
        } else {
            let span = (self.last - self.first).max(1.0);
            let power = 10f64.powf((span / 6.0).log10().floor());
            let steps = [1.0, 2.0, 5.0, 10.0].map(|times| (times * power).max(1.0));
            let step = steps.into_iter().find(|step| span / step <= 7.0).unwrap_or(span);
            (0..=8).map(|i| (self.first / step).ceil() * step + f64::from(i) * step).collect()
        };
        ticks.into_iter().filter(|x| (self.first..=self.last).contains(x)).collect()
    }
}

fn across(at: f64) -> f64 {
    LEFT + at.clamp(0.0, 1.0) * (RIGHT - LEFT)
}

/// Ticks and the title of the horizontal axis.
fn axis(svg: &mut String, along: &Along, title: &str) {
    for tick in along.ticks() {
        let (x, text) = (across(along.at(tick)), BOTTOM + 18.0);
        *svg += &line("tick", 0.6, &format!("M{x:.1} {BOTTOM}v5"));
        let _ = write!(svg, r#"<text x="{x:.1}" y="{text}" text-anchor="middle">{tick}</text>"#);
    }
    let (x, y) = ((LEFT + RIGHT) / 2.0, HEIGHT - 8.0);
    let _ = write!(
        svg,
        r#"<text x="{x}" y="{y}" text-anchor="middle">{title}</text><text x="2" y="16">error ÷ bound</text>"#
    );
    *svg += &line("frame", 0.6, &format!("M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"));
}

/// A line of the frame, in the colour of the text around the picture.
fn line(class: &str, opacity: f64, path: &str) -> String {
    format!(r#"<path class="{class}" d="{path}" fill="none" stroke="currentColor" stroke-opacity="{opacity}"/>"#)
}

/// Colours of entries within their bounds and beyond, seen on light and on dark.
const COLOURS: [(bool, &str, &str); 2] = [(false, "within", "#3b78c4"), (true, "beyond", "#d1453b")];

/// Points, each as a dot; those beyond their bounds above the others.
fn marks(svg: &mut String, points: &[PlotPoint], shares: &Shares) {
    let mark = |point: &PlotPoint| format!("M{:.1} {:.1}h0", across(point.at), shares.y(point.share));
    for (beyond, class, colour) in COLOURS {
        let path: String = points.iter().filter(|point| point.beyond == beyond).map(mark).collect();
        if !path.is_empty() {
            let stroke = format!(r#"fill="none" stroke="{colour}" stroke-width="4" stroke-linecap="round""#);
            let _ = write!(svg, r#"<path class="{class}" d="{path}" {stroke}/>"#);
        }
    }
}

/// The beginning of a picture, with what it shows in words. Attributes colour it where no style sheet does.
fn begin(label: &str) -> String {
    format!(
        r#"<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}" font-family="sans-serif" font-size="12" fill="currentColor" stroke="none">"#
    )
}

/// Count of points beyond the bound, for those who do not see the picture.
fn told(points: &[PlotPoint], what: &str) -> String {
    let beyond = points.iter().filter(|point| point.beyond).count();
    format!("{beyond} of {} {what} have an entry beyond its bound", points.len())
}

/// Error over bound by position, or by row where positions do not increase: of each row the entry that is furthest. None where no rows
/// were looked at.
pub fn by_position(profile: &Profile) -> Option<String> {
    let positions = profile.increasing();
    let title = if positions.is_some() { "position" } else { "row" };
    let places = positions.unwrap_or_else(|| profile.rows.iter().map(|row| row.row as f64).collect());
    let along = Along::new(*places.first()?, *places.last()?);
    let point = |(row, place): (&posproof_check::RowError, &f64)| PlotPoint {
        at: along.at(*place),
        share: row.share,
        beyond: row.exceeding > 0,
    };
    let points: Vec<PlotPoint> = profile.rows.iter().zip(&places).map(point).collect();
    let shares = Shares::new(points.iter());
    let mut svg = begin(&format!("Error over bound by {title}. {}.", told(&points, "rows")));
    shares.grid(&mut svg);
    marks(&mut svg, &points, &shares);
    axis(&mut svg, &along, title);
    Some(svg + "</svg>")
}

/// Error over bound by pair: of each the entry that is furthest, of all rows. None where there are no pairs.
pub fn by_pair(profile: &Profile) -> Option<String> {
    let last = profile.pairs.last()?.pair;
    // Dots stand apart from the frame.
    let along = Along { first: -0.5, last: last as f64 + 0.5, log: false };
    let point = |pair: &posproof_check::PairError| PlotPoint {
        at: along.at(pair.pair as f64),
        share: pair.share,
        beyond: pair.exceeding > 0,
    };
    let points: Vec<PlotPoint> = profile.pairs.iter().map(point).collect();
    let shares = Shares::new(points.iter());
    let mut svg = begin(&format!("Error over bound by pair. {}.", told(&points, "pairs")));
    shares.grid(&mut svg);
    marks(&mut svg, &points, &shares);
    axis(&mut svg, &along, "pair");
    Some(svg + "</svg>")
}
