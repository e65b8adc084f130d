//! A figure: what is drawn, what it says, and the numbers behind it.

use serde::Serialize;

/// A figure of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its anchor: lower case, hyphens.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// Its caption.
    pub caption: String,
    /// Which numbers it is made from, and how sure they are.
    pub numbers: String,
    /// The commands that repeat them.
    pub commands: Vec<String>,
    /// The drawings, side by side where there is room.
    #[serde(skip)]
    pub panels: Vec<Panel>,
    /// Meanings of the colours and marks.
    #[serde(skip)]
    pub keys: Vec<LegendEntry>,
    /// A table that is the figure itself, such as a small matrix.
    #[serde(skip)]
    pub matrix: Option<Matrix>,
    /// The numbers.
    pub data: Vec<Numbers>,
}

/// One drawing.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its heading, where a figure has several.
    pub heading: String,
    /// The drawing: an element `svg` with a title and a description.
    pub svg: String,
    /// True if it takes the whole width.
    pub wide: bool,
    /// Meanings of its colours and marks, where the figure's drawings differ in that.
    pub keys: Vec<LegendEntry>,
}

/// One entry of a legend.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    /// Its label.
    pub label: String,
    /// A small drawing of the mark.
    pub svg: String,
}

/// A table of numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Numbers {
    /// Its caption.
    pub caption: String,
    /// The columns' headings.
    pub columns: Vec<String>,
    /// The rows, as long as the headings; the first cell of each names the row.
    pub rows: Vec<Vec<String>>,
}

/// A small matrix, shown as a table with tinted cells.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Its caption.
    pub caption: String,
    /// The headings of rows and columns.
    pub headings: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a small matrix.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The number.
    pub text: String,
    /// Strength of its tint: 0 to 100.
    pub tint: u32,
}
