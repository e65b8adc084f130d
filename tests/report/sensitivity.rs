//! The figure of `docs/sensitivity.md`: the rows of its table, which is written from what is measured and compared with it.

use posproof::report::plot::frame::{line, px, words};
use posproof::report::plot::meaning::Meaning;
use posproof::report::plot::scale::{Scale, Spread, log10, power_of_ten};
use std::path::PathBuf;
use svg::Document;
use svg::node::Text;
use svg::node::element::{Description, Group, Path, Rectangle, Style, Title};

/// A row of the table.
struct Row {
    base: String,
    stated: String,
    noticed: f64,
    limit: f64,
    ratio: String,
}

fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

/// The rows of the table, in its order.
fn rows(page: &str) -> Vec<Row> {
    let (_, rest) = page.split_once("<!-- sensitivity: begin -->\n").expect("the beginning of the table");
    let (table, _) = rest.split_once("\n<!-- sensitivity: end -->").expect("the end of the table");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let plain = |text: &str| text.trim_matches('`').to_owned();
        let path = match plain(cells[2]).as_str() {
            "any" => "any path".to_owned(),
            path => format!("--path {path}"),
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        Row {
            base: plain(cells[0]),
            stated: format!("{}, {path}", plain(cells[1])),
            noticed: number(cells[3]),
            limit: number(cells[4]),
            ratio: plain(cells[5]),
        }
    };
    table.lines().skip(2).map(row).collect()
}

/// Width of the drawing, the room for what is stated, and for figures on the right.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 250.0;
const RIGHT: f64 = 30.0;
/// Room for the legend, the height of what is stated once, and the room for the axis.
const TOP: f64 = 74.0;
const EACH: f64 = 46.0;
const BOTTOM: f64 = 52.0;

/// Colours in the light and in the dark: the drawing stands alone, without the page's style sheet.
const STYLE: &str = "
svg { font: 13px system-ui, sans-serif; --paper: #ffffff; --ink: #1b1d21; --soft: #5a6270; --grid: #e4e6ea; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #14161a; --ink: #e8e9ec; --soft: #a5abb6; --grid: #2f343d; }
}
.paper { fill: var(--paper); }
text { fill: var(--ink); }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.figure { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--grid); }
.between { stroke: var(--soft); stroke-width: 3; }
.limit { stroke: var(--ink); stroke-width: 2; }
.marks { fill: var(--ink); stroke: var(--paper); }
";

fn mark(place: usize, [x, y]: [f64; 2]) -> Path {
    let outline = format!("M{} {}{}", px(x), px(y), Meaning::Shade(place).mark());
    Path::new().set("class", "marks").set("d", outline)
}

fn limit([x, y]: [f64; 2]) -> svg::node::element::Line {
    line([x, y - 7.0], [x, y + 7.0], "limit")
}

fn figure(rows: &[Row]) -> String {
    let mut bases: Vec<&str> = rows.iter().map(|row| row.base.as_str()).collect();
    bases.dedup();
    let mut stated: Vec<&str> = rows.iter().map(|row| row.stated.as_str()).collect();
    stated.truncate(rows.len() / bases.len());
    let bottom = TOP + EACH * stated.len() as f64;
    let least = rows.iter().map(|row| row.limit).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(|row| row.noticed).fold(0.0, f64::max);
    let domain = [log10(least).floor() as i32, log10(most).ceil() as i32 + 1].map(power_of_ten);
    let across = Scale { spread: Spread::Logarithmic, domain, range: [LEFT, WIDTH - RIGHT] };

    let mut drawing = Group::new();
    for tick in across.ticks(7) {
        let x = across.place(tick.value);
        drawing =
            drawing.add(line([x, TOP], [x, bottom], "grid")).add(words(&tick.label, [x, bottom + 18.0], "middle"));
    }
    let name = "relative error δ of the base";
    drawing = drawing.add(words(name, [(LEFT + WIDTH - RIGHT) / 2.0, bottom + 40.0], "middle"));
    for (place, text) in stated.iter().enumerate() {
        let y = TOP + EACH * (place as f64 + 0.5);
        drawing = drawing.add(words(text, [LEFT - 12.0, y + 4.0], "end"));
    }
    for (number, row) in rows.iter().enumerate() {
        let (base, place) = (number / stated.len(), number % stated.len());
        let y = TOP + EACH * (place as f64 + (1.0 + base as f64) / (1.0 + bases.len() as f64));
        let (from, to) = (across.place(row.limit), across.place(row.noticed));
        let times = format!("{:.2e}, {} times the limit", row.noticed, row.ratio);
        // Beside the mark, on the side where there is room.
        let (x, class) = if to < WIDTH / 2.0 { (to + 12.0, "figure") } else { (from - 12.0, "figure end") };
        drawing = drawing
            .add(line([from, y], [to, y], "between"))
            .add(limit([from, y]))
            .add(mark(base, [to, y]))
            .add(words(&times, [x, y + 4.0], class));
    }
    for (place, base) in bases.iter().enumerate() {
        let x = 20.0 + 230.0 * place as f64;
        let label = format!("least δ noticed, base {base}");
        drawing = drawing.add(mark(place, [x, 22.0])).add(words(&label, [x + 12.0, 26.0], "start"));
    }
    drawing = drawing.add(limit([20.0, 48.0])).add(words(
        "least δ that any judge could notice who accuses no honest program",
        [32.0, 52.0],
        "start",
    ));

    let seen = |row: &Row| {
        let Row { base, stated, noticed, limit, .. } = row;
        format!("base {base}, {stated}: {noticed:.2e} noticed, {limit:.2e} possible")
    };
    let description = rows.iter().map(seen).collect::<Vec<_>>().join("; ");
    let height = bottom + BOTTOM;
    let paper = Rectangle::new().set("class", "paper").set("width", px(WIDTH)).set("height", px(height));
    let document = Document::new()
        .set("viewBox", format!("0 0 {} {}", px(WIDTH), px(height)))
        .set("role", "img")
        .set("aria-labelledby", "sensitivity-title sensitivity-description")
        .add(Title::new("The least relative error of the base that is noticed").set("id", "sensitivity-title"))
        .add(Description::new().set("id", "sensitivity-description").add(Text::new(description)))
        .add(Style::new(STYLE))
        .add(paper)
        .add(drawing);
    format!("{document}\n")
}

#[test]
fn the_figure_of_sensitivity_is_that_of_its_table() {
    let page = std::fs::read_to_string(docs("sensitivity.md")).expect("the page");
    assert!(page.contains("](sensitivity.svg)"), "the page shows its figure");
    let drawn = figure(&rows(&page));
    let path = docs("sensitivity.svg");
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, &drawn).expect("written");
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "docs/sensitivity.svg is not that of the table; write it with POSPROOF_WRITE_DOCS=1");
}
