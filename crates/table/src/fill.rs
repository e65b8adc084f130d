//! Filling buffers: the whole table, blocks of rows, single entries.

use super::blocks::Blocks;
use super::columns::{Arrangement, Columns};
use super::double::Pairs;
use super::element::first_infinite;
use super::instructions::Instructions;
use super::kernel::{Reject, Tile};
use super::plan::Plan;
use super::rates::columns;
use super::refine::{Query, Rest, Settled, refine};
use super::statistics::{Each, Statistics};
use super::target::Target;
use super::{Element, InvalidTable, Positions};
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::rounding::nearest;
use rayon::prelude::*;
use std::ops::Range;

/// From this many bytes on, entries are stored past the caches: smaller tables stay in them, and
/// their reader finds them there.
const STREAM_FROM: usize = 32 << 20;

/// True if so many bytes, filled at once, are stored past the caches.
pub fn streams(bytes: usize) -> bool {
    bytes >= STREAM_FROM
}

/// Groups of eight pairs that a tile may have: this bounds the rejects between two visits to the slow path.
const TILE_GROUPS: usize = 8192;

/// Rows that one thread takes at a time.
const ROWS_PER_TASK: usize = 1024;

/// A correctly rounded table, planned but not yet filled.
///
/// ```
/// use posproof_encoding::convention::{Component, Convention};
/// use posproof_table::{Positions, Table};
/// let table = Table::<f32>::new(&Convention::sinusoid(8), &Positions::range(0..100)?)?;
/// let mut entries = vec![0.0; 100 * 8];
/// let statistics = table.fill(0..100, &mut entries)?;
/// assert_eq!(entries[..2], [0.0, 1.0]);
/// assert_eq!(entries[99 * 8], table.entry(99, 0, Component::Sin)?);
/// assert_eq!(statistics.entries, 800);
/// # Ok::<(), posproof_table::InvalidTable>(())
/// ```
pub struct Table<T: Element> {
    convention: Convention,
    positions: Positions,
    plan: Option<Plan<T>>,
    entries: Entries,
    rest: Rest<T>,
    stream: Option<bool>,
}

/// Buffers of one thread.
struct Scratch<T: Element> {
    columns: Option<Columns>,
    anchor: Anchor,
    workspace: T::Workspace,
    rejects: Vec<Reject>,
}

/// Pairs of a table at most: a hundred times those of the widest models.
const MAX_PAIRS: usize = 1 << 20;

/// The anchor of a block of rows.
struct Anchor {
    pairs: Vec<Pairs>,
    spare: Vec<Pairs>,
    block: Option<u64>,
}

impl<T: Element> Table<T> {
    /// Plans the table of a convention at the given positions. A scaling rule that depends on the
    /// length of the sequence and does not state it takes the largest position + 1.
    pub fn new(convention: &Convention, positions: &Positions) -> Result<Self, InvalidTable> {
        Self::with_instructions(convention, positions, Instructions::detect())
    }

    /// The same with chosen instructions; those that the processor lacks are replaced by portable ones.
    pub fn with_instructions(
        convention: &Convention,
        positions: &Positions,
        instructions: Instructions,
    ) -> Result<Self, InvalidTable> {
        let convention = convention.clone().for_length(positions.max() + 1);
        convention.validate()?;
        let (rows, width, bytes) = (positions.len(), convention.width(), size_of::<T>());
        let total = rows.checked_mul(width).and_then(|entries| entries.checked_mul(bytes));
        if total.is_none_or(|total| total > isize::MAX as usize) {
            return Err(InvalidTable::Size { rows, width, bytes });
        }
        let pairs = convention.pairs();
        if pairs > MAX_PAIRS {
            return Err(InvalidTable::Pairs { pairs, limit: MAX_PAIRS });
        }
        let rest = Rest::new(&convention)?;
        let gain = convention.gain().enclose(64).abs();
        // What only stores has no infinity that would show an entry which is too large.
        if T::FORMAT.narrow().is_some() && *gain.upper() > T::FORMAT.max_finite() {
            let place = format!("the amplitude {}", gain.approximate());
            return Err(InvalidTable::Overflow { place, entry: "none of its numbers".into(), format: T::FORMAT });
        }
        let moderate = *gain.lower() >= 2f64.powi(-60) && *gain.upper() <= 2f64.powi(60);
        let plan = moderate.then(|| Plan::new(&convention, positions, instructions)).transpose()?;
        let entries = Entries::new(&convention);
        Ok(Self { convention, positions: positions.clone(), plan, entries, rest, stream: None })
    }

    /// True if to store past the caches, instead of deciding that by the size of what is filled. It takes effect where
    /// rows are multiples of a cache line and the buffer is aligned to one.
    pub fn stream(self, stream: bool) -> Self {
        Self { stream: Some(stream), ..self }
    }

    /// The convention, its sequence length resolved.
    pub fn convention(&self) -> &Convention {
        &self.convention
    }

    /// The positions, one for each row.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.positions.len()
    }

    /// The entries of a row of the joined table: 2·pairs.
    pub fn width(&self) -> usize {
        self.convention.width()
    }

    /// The pairs of a row.
    pub fn pairs(&self) -> usize {
        self.convention.pairs()
    }

    /// One entry, in arbitrary precision.
    pub fn entry(&self, position: u64, pair: usize, component: Component) -> Result<T, InvalidTable> {
        if let Some(entry) = self.rest.entry(position, self.entries.is_still(position, pair), component) {
            return Ok(entry);
        }
        nearest(T::FORMAT, |bits| self.entries.enclose(position, pair, component, bits))
            .map(T::from_exact)
            .ok_or(InvalidTable::Undecided { position, pair })
    }

    /// Fills rows of the joined table, [rows, 2·pairs], laid out as the convention says.
    pub fn fill(&self, rows: Range<usize>, out: &mut [T]) -> Result<Statistics, InvalidTable> {
        self.check(&rows, out.len(), self.width())?;
        self.fill_rows(rows, Target::Joined(out), &mut self.scratch(self.joined())).map(Each::all)
    }

    /// Fills rows of the cosines and of the sines, [rows, pairs] each.
    pub fn fill_apart(&self, rows: Range<usize>, cos: &mut [T], sin: &mut [T]) -> Result<Statistics, InvalidTable> {
        self.check(&rows, cos.len(), self.pairs())?;
        self.check(&rows, sin.len(), self.pairs())?;
        self.fill_rows(rows, Target::Apart { sin, cos }, &mut self.scratch(Arrangement::Apart)).map(Each::all)
    }

    /// [`Self::fill`] with the threads of the current rayon pool.
    pub fn par_fill(&self, rows: Range<usize>, out: &mut [T]) -> Result<Statistics, InvalidTable> {
        self.check(&rows, out.len(), self.width())?;
        let table = self.streaming(size_of_val(out));
        let tasks = out.par_chunks_mut(ROWS_PER_TASK * self.width()).enumerate();
        tasks
            .map_init(
                || self.scratch(self.joined()),
                |scratch, (task, out)| {
                    let start = rows.start + task * ROWS_PER_TASK;
                    self.fill_with(start..start + out.len() / self.width(), Target::Joined(out), scratch, table)
                },
            )
            .try_reduce(Each::default, |a, b| Ok(a + b))
            .map(Each::all)
    }

    /// [`Self::fill_apart`] with the threads of the current rayon pool.
    pub fn par_fill_apart(&self, rows: Range<usize>, cos: &mut [T], sin: &mut [T]) -> Result<Statistics, InvalidTable> {
        self.par_fill_each(rows, cos, sin).map(Each::all)
    }

    /// The same, with how each of the two was settled.
    pub(super) fn par_fill_each(&self, rows: Range<usize>, cos: &mut [T], sin: &mut [T]) -> Result<Each, InvalidTable> {
        self.check(&rows, cos.len(), self.pairs())?;
        self.check(&rows, sin.len(), self.pairs())?;
        let stream = self.streaming(2 * size_of_val(cos));
        let chunk = ROWS_PER_TASK * self.pairs();
        let tasks = cos.par_chunks_mut(chunk).zip(sin.par_chunks_mut(chunk)).enumerate();
        tasks
            .map_init(
                || self.scratch(Arrangement::Apart),
                |scratch, (task, (cos, sin))| {
                    let start = rows.start + task * ROWS_PER_TASK;
                    let rows = start..start + cos.len() / self.pairs();
                    self.fill_with(rows, Target::Apart { sin, cos }, scratch, stream)
                },
            )
            .try_reduce(Each::default, |a, b| Ok(a + b))
    }

    /// The joined table in blocks of at most `rows` rows, for tables larger than memory.
    pub fn blocks(&self, rows: usize) -> Blocks<'_, T> {
        Blocks::new(self, rows)
    }

    /// The first of some of its entries that is infinite: the format does not hold it.
    pub fn first_infinite(&self, entries: &[T]) -> Option<usize> {
        // No entry is larger than the amplitude.
        let held = self.convention.gain().enclose(64).abs().upper_f64() <= T::FORMAT.max_finite();
        if held { None } else { first_infinite(entries) }
    }

    fn joined(&self) -> Arrangement {
        Arrangement::joined(&self.convention)
    }

    fn check(&self, rows: &Range<usize>, found: usize, width: usize) -> Result<(), InvalidTable> {
        if rows.start > rows.end || rows.end > self.rows() {
            return Err(InvalidTable::Rows { start: rows.start, end: rows.end, rows: self.rows() });
        }
        let expected = rows.len() * width;
        if found == expected { Ok(()) } else { Err(InvalidTable::Buffer { found, expected }) }
    }

    fn streaming(&self, bytes: usize) -> bool {
        self.stream.unwrap_or_else(|| streams(bytes))
    }

    fn scratch(&self, arrangement: Arrangement) -> Scratch<T> {
        let groups = self.plan.as_ref().map_or(0, |plan| plan.groups);
        Scratch {
            columns: self.plan.as_ref().map(|plan| columns(plan, &self.rest, arrangement)),
            anchor: Anchor {
                pairs: vec![Pairs::default(); groups],
                spare: vec![Pairs::default(); groups],
                block: None,
            },
            workspace: T::Workspace::default(),
            rejects: Vec::new(),
        }
    }

    fn fill_rows(
        &self,
        rows: Range<usize>,
        target: Target<'_, T>,
        scratch: &mut Scratch<T>,
    ) -> Result<Each, InvalidTable> {
        let bytes = rows.len() * self.width() * size_of::<T>();
        self.fill_with(rows, target, scratch, self.streaming(bytes))
    }

    fn fill_with(
        &self,
        rows: Range<usize>,
        mut target: Target<'_, T>,
        scratch: &mut Scratch<T>,
        stream: bool,
    ) -> Result<Each, InvalidTable> {
        let half = Statistics { entries: (rows.len() * self.pairs()) as u64, ..Statistics::default() };
        let mut statistics = Each { cos: half, sin: half };
        let (Some(plan), Some(columns)) = (&self.plan, &scratch.columns) else {
            self.fill_slowly(rows, target, &mut statistics)?;
            return Ok(statistics);
        };
        let tile_rows = (TILE_GROUPS / plan.groups).max(1).next_multiple_of(plan.fine.len());
        let block_rows = 1u64 << plan.block_bits();
        let mut row = rows.start;
        while let Some(run) = self.positions.run(row).filter(|_| row < rows.end) {
            let n = run.start - plan.origin;
            let (block, b) = (n >> plan.block_bits(), (n & (block_rows - 1)) as usize);
            let count = (block_rows as usize - b).min(rows.end - row).min(tile_rows);
            let count = count.min(usize::try_from(run.end - run.start).unwrap_or(usize::MAX));
            scratch.anchor.turn_to(plan, block);
            let mut part = target.cut(row - rows.start, count, self.pairs());
            scratch.rejects.clear();
            let tile = Tile {
                plan,
                columns,
                anchor: &scratch.anchor.pairs,
                first: b,
                count,
                target: part.again(),
                stream,
                workspace: &mut scratch.workspace,
                rejects: &mut scratch.rejects,
            };
            T::fill_by(plan.instructions, tile);
            self.settle(plan, scratch, n, &mut part, &mut statistics)?;
            row += count;
        }
        Ok(statistics)
    }

    /// Settles the rejects of a tile whose first row is n.
    fn settle(
        &self,
        plan: &Plan<T>,
        scratch: &Scratch<T>,
        n: u64,
        part: &mut Target<'_, T>,
        statistics: &mut Each,
    ) -> Result<(), InvalidTable> {
        for reject in &scratch.rejects {
            let (pair, component) = (reject.pair as usize, reject.component);
            let query = Query { anchor: &scratch.anchor.pairs, n: n + u64::from(reject.row), pair, component };
            let (entry, settled) = refine(plan, &self.rest, &query)?;
            let statistics = statistics.of(component);
            match settled {
                Settled::Exact => statistics.exact += 1,
                Settled::Refined => statistics.refined += 1,
                Settled::Multiprecision => statistics.multiprecision += 1,
            }
            part.put(&self.convention, reject.row as usize, pair, component, entry);
        }
        Ok(())
    }

    /// Entries whose amplitude the kernel does not reach.
    fn fill_slowly(
        &self,
        rows: Range<usize>,
        mut target: Target<'_, T>,
        statistics: &mut Each,
    ) -> Result<(), InvalidTable> {
        for (at, position) in rows.clone().map_while(|row| self.positions.get(row)).enumerate() {
            for pair in 0..self.pairs() {
                for component in [Component::Cos, Component::Sin] {
                    let exact = self.rest.entry(position, self.entries.is_still(position, pair), component);
                    let entry = match exact {
                        Some(entry) => entry,
                        None => self.entry(position, pair, component)?,
                    };
                    let statistics = statistics.of(component);
                    *if exact.is_some() { &mut statistics.exact } else { &mut statistics.multiprecision } += 1;
                    target.put(&self.convention, at, pair, component, entry);
                }
            }
        }
        Ok(())
    }
}

impl Anchor {
    fn turn_to<T: Element>(&mut self, plan: &Plan<T>, block: u64) {
        if self.block != Some(block) {
            plan.anchor(block, &mut self.pairs, &mut self.spare);
            self.block = Some(block);
        }
    }
}
