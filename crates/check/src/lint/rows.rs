//! Which arrangement the rows of a converted matrix have, beside the rows of the original.
//!
//! Row i of a query's or key's matrix makes entry i of the vector that is rotated. A program that pairs neighbours needs
//! the rows of a model that pairs halves in another order, and converters write them so: in each head, row 2k + c is the original's
//! row k + c·n/2. Whether a file has them so cannot be told from the file alone, but from both.

use crate::InvalidInput;
use crate::read::Array;
use crate::read::gguf::Stored;
use posproof_encoding::convention::Layout;
use std::collections::BTreeMap;

/// Entries of a row that are compared: two blocks of Q8_0. Rows of weights differ in the first few.
const COLUMNS: usize = 64;

/// Rows that are compared of one matrix, in whole heads: the first head and the last are always among them.
const ROWS: usize = 1 << 10;

/// Where the rows of a converted matrix come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Row i is the original's row i.
    AsOriginal,
    /// In each head, row 2k + c is the original's row k + c·n/2: halves became neighbours.
    Neighbours,
    /// In each head, row k + c·n/2 is the original's row 2k + c: neighbours became halves.
    Halves,
    /// As [`Neighbours`](Self::Neighbours), applied twice.
    Twice,
    /// As [`Neighbours`](Self::Neighbours), in blocks of another number of rows than a head has.
    OtherHeads(usize),
}

impl Arrangement {
    /// Its words.
    pub fn words(self) -> String {
        match self {
            Self::AsOriginal => "the rows are in the order of the original".into(),
            Self::Neighbours => "the rows are permuted from halves to neighbours, head by head".into(),
            Self::Halves => "the rows are permuted from neighbours to halves, head by head".into(),
            Self::Twice => "the rows are permuted from halves to neighbours twice".into(),
            Self::OtherHeads(rows) => {
                format!(
                    "the rows are permuted from halves to neighbours in blocks of {rows}, which is not the width of a head"
                )
            }
        }
    }

    /// Arrangement that a program with the second pairing needs of weights for the first.
    pub(crate) fn needed(original: Layout, program: Layout) -> Self {
        match (original, program) {
            (Layout::Halves, Layout::Interleaved) => Self::Neighbours,
            (Layout::Interleaved | Layout::InterleavedToHalves, Layout::Halves) => Self::Halves,
            _ => Self::AsOriginal,
        }
    }

    /// The original's row for a row of the converted matrix, where the first `rotary` of `head` rows are paired.
    fn source(self, row: usize, head: usize, rotary: usize) -> usize {
        let neighbours = |i: usize, n: usize| i / 2 + i % 2 * (n / 2);
        let (first, within) = (row / head * head, row % head);
        if let Self::OtherHeads(rows) = self {
            return row / rows * rows + neighbours(row % rows, rows);
        }
        if within >= rotary {
            return row;
        }
        first
            + match self {
                Self::AsOriginal | Self::OtherHeads(_) => within,
                Self::Neighbours => neighbours(within, rotary),
                Self::Halves => within % (rotary / 2) * 2 + within / (rotary / 2),
                Self::Twice => neighbours(neighbours(within, rotary), rotary),
            }
    }
}

/// A matrix whose rows may be in another order than those of the original.
pub trait Rearranged {
    /// The number of rows.
    fn rows(&self) -> usize;

    /// Entries of a row.
    fn width(&self) -> usize;

    /// The first entries of a row: `columns` of them, or a few more.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`] where the file cannot be read.
    fn read(&self, row: usize, columns: usize, out: &mut Vec<f64>) -> Result<(), InvalidInput>;

    /// The distances at which its entries may be from these of the original.
    fn allowance(&self, originals: &[f64]) -> Vec<f64>;
}

impl Rearranged for Stored {
    fn rows(&self) -> usize {
        self.rows()
    }

    fn width(&self) -> usize {
        self.width()
    }

    fn read(&self, row: usize, columns: usize, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.read(row, columns, out)
    }

    fn allowance(&self, originals: &[f64]) -> Vec<f64> {
        self.allowance(originals)
    }
}

/// Arrangement of one matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The arrangements that every compared row is in keeping with: one, where it is decided; several, where the rows do
    /// not tell them apart; none, where it is another or these are other weights.
    pub fits: Vec<Arrangement>,
    /// Number of rows that were compared.
    pub rows: usize,
    /// Number of entries of each.
    pub columns: usize,
}

/// The shape of heads in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// Rows of a head.
    pub rows: usize,
    /// Number of them that are rotated: the first.
    pub rotary: usize,
    /// The numbers of rows that a mistaken number of heads would give a head.
    pub mistaken: [Option<usize>; 2],
}

/// Compares a converted matrix with its original.
///
/// # Errors
///
/// [`InvalidInput`] where a file cannot be read.
pub fn decide(converted: &impl Rearranged, original: &Array, heads: Heads) -> Result<Option<Decision>, InvalidInput> {
    let (rows, width) = (converted.rows(), converted.width());
    let blocks = [Some(heads.rows), heads.mistaken[0], heads.mistaken[1]];
    let fitting = |block: usize| block >= 2 && block.is_multiple_of(2) && rows.is_multiple_of(block);
    if original.rows() != rows || original.width() != width || !fitting(heads.rows) {
        return Ok(None);
    }
    let others = heads.mistaken.into_iter().flatten().filter(|&block| block != heads.rows && fitting(block));
    let mut candidates =
        vec![Arrangement::AsOriginal, Arrangement::Neighbours, Arrangement::Halves, Arrangement::Twice];
    candidates.extend(others.map(Arrangement::OtherHeads));
    let block = blocks.into_iter().flatten().filter(|&block| fitting(block)).max().unwrap_or(heads.rows);
    let compared = sample(rows, block);
    let columns = COLUMNS.min(width);
    let mut fits = candidates;
    let mut originals: BTreeMap<usize, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    let mut entries = Vec::new();
    for &row in &compared {
        converted.read(row, columns, &mut entries)?;
        let mut kept = Vec::new();
        for &candidate in &fits {
            let source = candidate.source(row, heads.rows, heads.rotary);
            if let std::collections::btree_map::Entry::Vacant(vacant) = originals.entry(source) {
                let mut values = Vec::new();
                original.read_part(source, entries.len(), &mut values)?;
                let allowed = converted.allowance(&values);
                vacant.insert((values, allowed));
            }
            let (values, allowed) = &originals[&source];
            if entries.iter().zip(values).zip(allowed).all(|((x, y), d)| (x - y).abs() <= *d) {
                kept.push(candidate);
            }
        }
        fits = kept;
    }
    // Permutations of two rows, or of one pair, are the same.
    let same = |one: Arrangement, other: Arrangement| {
        compared
            .iter()
            .all(|&row| one.source(row, heads.rows, heads.rotary) == other.source(row, heads.rows, heads.rotary))
    };
    let distinct = fits.iter().enumerate().filter(|(i, one)| !fits[..*i].iter().any(|other| same(**one, *other)));
    let fits = distinct.map(|(_, arrangement)| *arrangement).collect();
    Ok(Some(Decision { fits, rows: compared.len(), columns }))
}

/// Whole blocks of rows: all, or as many from the beginning as there is room for, and the last.
fn sample(rows: usize, block: usize) -> Vec<usize> {
    if rows <= ROWS {
        return (0..rows).collect();
    }
    let first = (ROWS / block).saturating_sub(1).max(1) * block;
    (0..first.min(rows - block)).chain(rows - block..rows).collect()
}
