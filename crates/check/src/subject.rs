//! The three things that are judged, and how their columns stand for pairs.

use super::grid::{Grid, require_stated};
use super::input::{About, InvalidInput};
use super::levels::Levels;
use posproof_encoding::convention::{Component, Convention, Encoding, Layout, Order};
use posproof_numerics::format::Format;

/// Results of another implementation.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// A sinusoidal table [positions, dim].
    Sinusoid(&'a dyn Grid),
    /// A cache of cosines and sines, either of which may be missing.
    Rope {
        /// The cosines.
        cos: Option<&'a dyn Grid>,
        /// The sines.
        sin: Option<&'a dyn Grid>,
    },
    /// Vectors and what became of them.
    Rotation {
        /// The vectors [positions, dim].
        x: &'a dyn Grid,
        /// The rotated vectors.
        y: &'a dyn Grid,
    },
}

/// The widest rows that are judged: far above any model's, far below an overflow.
const MAX_WIDTH: usize = 1 << 25;

/// A column of a grid: the entry of the joined row [cos…, sin…] that it should be.
pub(super) type ColumnEntries = Vec<usize>;

impl<'a> Subject<'a> {
    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sinusoid(_) => "sinusoid",
            Self::Rope { .. } => "rope",
            Self::Rotation { .. } => "rotation",
        }
    }

    /// The encoding that a convention must have.
    pub fn encoding(&self) -> Encoding {
        if matches!(self, Self::Sinusoid(_)) { Encoding::Sinusoid } else { Encoding::Rope }
    }

    /// The grid that is judged, the first of them for a cache.
    pub(super) fn judged(&self) -> &'a dyn Grid {
        self.grids()[0].1
    }

    /// The format of what is judged; the narrowest for a cache of two.
    pub fn format(&self) -> Format {
        let formats = self.grids().into_iter().map(|(_, grid)| grid.format());
        formats.min_by_key(|format| format.precision()).unwrap_or(Format::F32)
    }

    /// The integer grid that what is judged is on.
    pub(super) fn levels(&self) -> Option<Levels> {
        self.grids().first().and_then(|(_, grid)| grid.levels())
    }

    /// The grids that are judged, each with the component that it holds, if it holds one.
    pub(super) fn grids(&self) -> Vec<(Option<Component>, &'a dyn Grid)> {
        match *self {
            Self::Sinusoid(table) => vec![(None, table)],
            Self::Rope { cos, sin } => {
                let cos = cos.map(|grid| (Some(Component::Cos), grid));
                cos.into_iter().chain(sin.map(|grid| (Some(Component::Sin), grid))).collect()
            }
            Self::Rotation { y, .. } => vec![(None, y)],
        }
    }

    /// The same with other grids in place of those that are judged, in their order.
    pub(super) fn with<'b>(&self, mut grids: impl Iterator<Item = &'b dyn Grid>) -> Subject<'b>
    where
        'a: 'b,
    {
        match *self {
            Self::Sinusoid(table) => Subject::Sinusoid(grids.next().unwrap_or(table)),
            Self::Rope { cos, sin } => {
                let cos = cos.and_then(|cos| grids.next().or(Some(cos)));
                Subject::Rope { cos, sin: sin.and_then(|sin| grids.next().or(Some(sin))) }
            }
            Self::Rotation { x, y } => Subject::Rotation { x, y: grids.next().unwrap_or(y) },
        }
    }

    /// Subject with views of its grids in their places: of those that are judged, in their order, and of the vectors of a rotation.
    pub(super) fn of_views<'b>(&self, grids: impl Iterator<Item = &'b dyn Grid>, x: Option<&'b dyn Grid>) -> Subject<'b>
    where
        'a: 'b,
    {
        match (self.with(grids), x) {
            (Subject::Rotation { y, .. }, Some(x)) => Subject::Rotation { x, y },
            (subject, _) => subject,
        }
    }

    /// True if it is one part of a cache, without the other.
    pub(super) fn is_half(&self) -> bool {
        matches!(self, Self::Rope { cos, sin } if cos.is_some() != sin.is_some())
    }

    /// Refuses no entries, more than can be counted, and integers of which nothing says what they stand for.
    pub(super) fn check_size(&self) -> Result<(), InvalidInput> {
        self.check_extent()?;
        let x = if let Self::Rotation { x, .. } = *self { Some(x) } else { None };
        self.grids().into_iter().map(|(_, grid)| grid).chain(x).try_for_each(require_stated)
    }

    /// Refuses no entries, and more than can be counted.
    pub(super) fn check_extent(&self) -> Result<(), InvalidInput> {
        let x = if let Self::Rotation { x, .. } = *self { Some(x) } else { None };
        for grid in self.grids().into_iter().map(|(_, grid)| grid).chain(x) {
            let (slabs, rows, width) = (grid.slabs(), grid.rows(), grid.width());
            let entries = rows.checked_mul(width).and_then(|entries| entries.checked_mul(slabs));
            if width > MAX_WIDTH || entries.is_none_or(|entries| entries == 0) {
                let expected = format!("tables of at least one row, with 1 to {MAX_WIDTH} entries each");
                let found = format!("{slabs} tables of {rows} rows with {width} entries");
                return Err(About(grid.name()).error(
                    "the shape",
                    expected,
                    found,
                    "check what the array is made from",
                ));
            }
        }
        Ok(())
    }

    /// Refuses a subject without anything to judge of rows of `dim` entries, and vectors unlike what became of them.
    #[cfg(feature = "axes")]
    pub(super) fn check_axes(&self, dim: usize) -> Result<(), InvalidInput> {
        if let Self::Rope { cos: None, sin: None } = self {
            return Err(About("rope").error("the input", "--cos, --sin or both", "neither", "name a file for one"));
        }
        self.check_size()?;
        let Self::Rotation { x, y } = self else { return Ok(()) };
        let (left, right) = ([x.slabs(), x.rows(), x.width()], [y.slabs(), y.rows(), y.width()]);
        if left != right || x.width() != dim {
            let found = format!("{left:?} and {right:?} (tables, rows, entries)");
            let expected = format!("x and y of one shape with {dim} entries in a row");
            let advice = unlike(left, right).unwrap_or_else(|| "check dim and which arrays are meant".to_owned());
            return Err(About(x.name()).error("the shape", expected, found, advice));
        }
        Ok(())
    }

    /// Refuses shapes that do not agree with each other, with the convention and with so many positions.
    pub(super) fn check_shape(&self, convention: &Convention, positions: usize) -> Result<(), InvalidInput> {
        let advice = "check --dim, --rotary-dim, --positions, --sequence-axis and which array is meant";
        if let Self::Rope { cos: None, sin: None } = self {
            return Err(About("rope").error("the input", "--cos, --sin or both", "neither", "name a file for one"));
        }
        let first = self.judged();
        for (_, grid) in self.grids() {
            let about = About(grid.name());
            let widths = match self {
                Self::Rope { .. } => vec![convention.pairs(), 2 * convention.pairs()],
                _ => vec![convention.dim],
            };
            if !widths.contains(&grid.width()) {
                let expected = widths.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
                return Err(about.error("the last dimension", expected, grid.width().to_string(), advice));
            }
            if grid.rows() != positions {
                let expected = format!("{positions} rows, one for each position");
                return Err(about.error("the last dimension but one", expected, grid.rows().to_string(), advice));
            }
            if grid.slabs() != first.slabs() {
                let expected = format!("{} tables, as in {}", first.slabs(), first.name());
                return Err(about.error("the leading dimensions", expected, grid.slabs().to_string(), advice));
            }
        }
        if let Self::Rotation { x, y } = self {
            let (left, right) = ([x.slabs(), x.rows(), x.width()], [y.slabs(), y.rows(), y.width()]);
            if left != right {
                let found = format!("{left:?} and {right:?} (tables, rows, entries)");
                let advice = unlike(left, right).unwrap_or_else(|| advice.to_owned());
                return Err(About(x.name()).error("the shape", "x and y of one shape", found, advice));
            }
        }
        Ok(())
    }
}

/// Advice on vectors and rotated ones of other shapes (tables, rows, entries), where one is the other rearranged or repeated.
fn unlike(left: [usize; 3], right: [usize; 3]) -> Option<String> {
    let [sorted, other] = [left, right].map(|mut shape| {
        shape.sort_unstable();
        shape
    });
    if left != right && sorted == other {
        return Some("transpose one of them, so that heads and positions stand in one order".to_owned());
    }
    let (few, many) = (left[0].min(right[0]), left[0].max(right[0]));
    let repeated = left[1..] == right[1..] && few > 0 && few < many && many.is_multiple_of(few);
    repeated.then(|| {
        let one = if left[0] < right[0] { "y" } else { "x" };
        format!(
            "give keys before they are repeated for the queries of their group: {one} has {} tables for each",
            many / few
        )
    })
}

/// The two products that make an entry of a rotated pair: the pairs whose cosine and sine they take, and a factor of each with what its
/// measurement leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Products {
    pub cos: usize,
    pub sin: usize,
    pub by: [f64; 2],
    pub open: [f64; 2],
    /// True if the entry is that of the vector in place of the products.
    pub kept: bool,
}

impl Products {
    /// Those of a pair's own angle.
    pub fn of(pair: usize) -> Self {
        Self::between(pair, pair)
    }

    /// The cosine of one pair and the sine of another.
    pub fn between(cos: usize, sin: usize) -> Self {
        Self { cos, sin, by: [1.0; 2], open: [0.0; 2], kept: false }
    }

    /// The larger factor, and 1 if both are smaller: what errors are multiplied by.
    pub fn magnitude(&self) -> f64 {
        self.by.iter().fold(1.0, |most: f64, by| most.max(by.abs()))
    }
}

/// The pairs of a vector that a rotation turns: which entries are read, which are written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wiring {
    /// Entries of x, pair by pair.
    pub read: Vec<(usize, usize)>,
    /// Entries of y.
    pub write: Vec<(usize, usize)>,
    /// Products of the first and of the second entry: of cosine and sine of the pair's own angle, both.
    pub turns: Vec<[Products; 2]>,
    /// True if the second entry is computed from the first one's result.
    pub in_place: bool,
}

impl Wiring {
    pub fn new(convention: &Convention) -> Self {
        let pairs = convention.pairs();
        let read =
            if convention.layout == Layout::InterleavedToHalves { Layout::Interleaved } else { convention.layout };
        Self::between(pairs_of(read, pairs), pairs_of(convention.layout, pairs))
    }

    /// Pairs that are read in some places and written in others.
    pub fn between(read: Vec<(usize, usize)>, write: Vec<(usize, usize)>) -> Self {
        let turns = (0..read.len()).map(|k| [Products::of(k); 2]).collect();
        Self { read, write, turns, in_place: false }
    }

    /// The pairs whose angles a pair's entries turn by.
    pub fn angles(&self, pair: usize) -> impl Iterator<Item = usize> + '_ {
        self.turns.get(pair).into_iter().flatten().flat_map(|products| [products.cos, products.sin])
    }

    /// True if each pair's entries are the products of its own angle, from the entries that were read.
    pub fn turns_by_own_angles(&self) -> bool {
        !self.in_place && self.turns.iter().enumerate().all(|(pair, products)| *products == [Products::of(pair); 2])
    }

    /// The entries that no pair writes.
    pub fn untouched(&self, width: usize) -> Vec<usize> {
        let mut free = vec![true; width];
        self.write.iter().for_each(|&(a, b)| (free[a], free[b]) = (false, false));
        (0..width).filter(|&j| free[j]).collect()
    }
}

/// The entries of each pair, as they are written.
pub(super) fn pairs_of(layout: Layout, pairs: usize) -> Vec<(usize, usize)> {
    let pair = |k| match layout {
        Layout::Interleaved => (2 * k, 2 * k + 1),
        Layout::Halves | Layout::InterleavedToHalves => (k, k + pairs),
    };
    (0..pairs).map(pair).collect()
}

/// The convention whose joined row is [cos…, sin…]: the reference of caches and rotations.
pub(super) fn joined(convention: &Convention) -> Convention {
    Convention { layout: Layout::Halves, order: Order::CosSin, ..convention.clone() }
}

/// For each column of a grid, the entry of the joined row [cos…, sin…] it should be.
pub(super) fn columns(
    convention: &Convention,
    component: Option<Component>,
    width: usize,
    repeated: bool,
) -> ColumnEntries {
    let pairs = convention.pairs();
    match component {
        Some(component) => {
            let start = if component == Component::Cos { 0 } else { pairs };
            let pair = |j| {
                if width == pairs {
                    j
                } else if repeated {
                    j / 2
                } else {
                    j % pairs
                }
            };
            (0..width).map(|j| start + pair(j)).collect()
        }
        None => {
            let mut columns = vec![0; width];
            for k in 0..pairs {
                columns[convention.column(k, Component::Cos)] = k;
                columns[convention.column(k, Component::Sin)] = k + pairs;
            }
            columns
        }
    }
}
