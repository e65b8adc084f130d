//! The figure of docs/sensitivity.md: its table, drawn.

use posproof::report::plot::chart::{Chart, Series, Stroke};
use posproof::report::plot::frame::{Axis, Frame};
use posproof::report::plot::meaning::Meaning;
use std::path::{Path, PathBuf};

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

/// A row of the table, in binary32: the base, the path, the least relative error that is noticed and the least that any judge
/// could notice.
struct Row {
    base: String,
    path: String,
    noticed: f64,
    limit: f64,
}

fn rows(page: &str) -> Vec<Row> {
    let (_, rest) = page.split_once("<!-- sensitivity: begin -->").expect("the beginning of the table");
    let (table, _) = rest.split_once("<!-- sensitivity: end -->").expect("the end of the table");
    let lines = table.trim().lines().skip(2).map(|line| line.trim_matches(['|', ' ']).split(" | ").collect::<Vec<_>>());
    let number = |cell: &str| cell.parse::<f64>().expect("a number");
    lines
        .filter(|cells| cells[1].contains("f32"))
        .map(|cells| Row {
            base: cells[0].to_owned(),
            path: cells[2].trim_matches('`').to_owned(),
            noticed: number(cells[3]),
            limit: number(cells[4]),
        })
        .collect()
}

/// Strokes in the colour of the text, in the light and in the dark; the second base is grey.
const STYLE: &str = "<style>text{font:13px sans-serif;fill:#333}.middle{text-anchor:middle}.end{text-anchor:end}\
line{stroke:#ddd}.line,.dashed,.marks{fill:none;stroke:#333;stroke-width:1.5}.dashed{stroke-dasharray:5 4;stroke:#888}\
.pattern-1{stroke:#888}@media(prefers-color-scheme:dark){text{fill:#ccc}line{stroke:#444}.line,.marks{stroke:#ccc}}</style>";

fn drawing(rows: &[Row]) -> String {
    let bases = ["10000", "500000"];
    let marks = |(place, base): (usize, &str)| Series {
        meaning: Meaning::Pattern(place),
        stroke: Stroke::Marks,
        points: rows.iter().filter(|row| row.base == base).map(|row| [row.limit, row.noticed]).collect(),
    };
    // From decade to decade around all figures.
    let figures = || rows.iter().flat_map(|row| [row.limit, row.noticed]);
    let (least, most) = figures().fold((f64::INFINITY, 0f64), |(least, most), x| (least.min(x), most.max(x)));
    let domain = [10f64.powf(least.log10().floor()), 10f64.powf(most.log10().ceil())];
    let same =
        Series { meaning: Meaning::Pattern(0), stroke: Stroke::Dashed, points: domain.map(|end| [end, end]).to_vec() };
    let mut series = vec![same];
    series.extend(bases.into_iter().enumerate().map(marks));
    let named = |base: &str| {
        let of = rows.iter().filter(|row| row.base == base);
        of.map(|row| format!("{} {:.2e} of {:.2e}", row.path, row.noticed, row.limit)).collect::<Vec<_>>().join(", ")
    };
    let chart = Chart {
        frame: Frame {
            id: "sensitivity".into(),
            title: "The least relative error of the base that is noticed, and the least that any judge could notice"
                .into(),
            description: format!(
                "One mark for each stated path, round for base 10000 and triangular for base 500000; on the dashed diagonal both are the same. Base 10000: {}. Base 500000: {}.",
                named(bases[0]),
                named(bases[1])
            ),
            size: [680.0, 420.0],
            margins: Frame::WIDE_MARGINS,
            x: Axis::logarithmic("least relative error of the base that any judge could notice", domain, 6),
            y: Axis::logarithmic("least that posproof check notices (f32, 131072 positions, dim 128)", domain, 6),
        },
        series,
        levels: Vec::new(),
    };
    let drawing = chart.svg();
    let (head, rest) = drawing.split_once('>').expect("an element");
    assert!(head.contains("xmlns="), "a drawing that stands alone says what it is: {head}");
    format!("{head}>{STYLE}{rest}\n")
}

#[test]
fn the_figure_of_the_sensitivity_is_that_of_its_table() {
    let page = std::fs::read_to_string(docs("sensitivity.md")).expect("the page");
    assert!(page.contains("](sensitivity.svg)"), "the page does not show the figure");
    let rows = rows(&page);
    assert!(rows.len() >= 12, "{} rows", rows.len());
    // No honest judge is below the diagonal.
    assert!(rows.iter().all(|row| row.noticed >= row.limit), "less is noticed than any judge could notice");
    let (path, drawing) = (docs("sensitivity.svg"), drawing(&rows));
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, &drawing).expect("written");
    }
    let kept = std::fs::read_to_string(&path).expect("the figure");
    assert!(kept == drawing, "docs/sensitivity.svg is not drawn from the table; accept it with POSPROOF_WRITE_DOCS=1");
}
