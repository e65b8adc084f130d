//! The rows of a tensor, and how far an honest conversion may take an entry.

use super::super::array::Array;
use super::super::{About, InvalidInput, extent};
use super::Tensor;
use half::f16;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use std::fs::File;

/// Entries of a block of Q8_0.
const BLOCK: usize = 32;

/// Bytes of a block of Q8_0: its scale in f16, then its entries as signed bytes.
const BLOCK_BYTES: usize = 2 + BLOCK;

/// Storage of the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryStorage {
    Float(Format),
    /// Blocks of 32 entries: round(x/d) as a signed byte, with d = max|x|/127 in f16.
    Q8_0,
}

/// A matrix whose entries lie in a GGUF file.
#[derive(Debug)]
pub struct Stored {
    /// As bytes for what is quantised.
    array: Array,
    kind: EntryStorage,
    rows: usize,
    width: usize,
}

/// ggml's names for its numbers, for messages.
const NAMES: [(u32, &str); 31] = [
    (0, "F32"),
    (1, "F16"),
    (2, "Q4_0"),
    (3, "Q4_1"),
    (6, "Q5_0"),
    (7, "Q5_1"),
    (8, "Q8_0"),
    (9, "Q8_1"),
    (10, "Q2_K"),
    (11, "Q3_K"),
    (12, "Q4_K"),
    (13, "Q5_K"),
    (14, "Q6_K"),
    (15, "Q8_K"),
    (16, "IQ2_XXS"),
    (17, "IQ2_XS"),
    (18, "IQ3_XXS"),
    (19, "IQ1_S"),
    (20, "IQ4_NL"),
    (21, "IQ3_S"),
    (22, "IQ2_S"),
    (23, "IQ4_XS"),
    (24, "I8"),
    (25, "I16"),
    (26, "I32"),
    (27, "I64"),
    (28, "F64"),
    (29, "IQ1_M"),
    (30, "BF16"),
    (34, "TQ1_0"),
    (35, "TQ2_0"),
];

impl EntryStorage {
    fn numbered(kind: u32) -> Option<Self> {
        Some(match kind {
            0 => Self::Float(Format::F32),
            1 => Self::Float(Format::F16),
            8 => Self::Q8_0,
            28 => Self::Float(Format::F64),
            30 => Self::Float(Format::Bf16),
            _ => return None,
        })
    }
}

/// The bytes that a tensor's entries take; 0 where how they are stored is not known here.
pub(super) fn bytes(tensor: &Tensor) -> u64 {
    let entries = tensor.dimensions.iter().fold(1, |product: u64, &dimension| product.saturating_mul(dimension));
    match EntryStorage::numbered(tensor.kind) {
        Some(EntryStorage::Float(format)) => entries.saturating_mul(Dtype::Float(format).bytes() as u64),
        Some(EntryStorage::Q8_0) => (entries / BLOCK as u64).saturating_mul(BLOCK_BYTES as u64),
        None => 0,
    }
}

impl Stored {
    /// The rows of a tensor whose entries begin at byte `data` + offset of a file that is `length` bytes long.
    pub(super) fn new(file: File, name: String, tensor: &Tensor, data: u64, length: u64) -> Result<Self, InvalidInput> {
        let about = About(&name);
        let Some(kind) = EntryStorage::numbered(tensor.kind) else {
            let known = NAMES.iter().find(|(number, _)| *number == tensor.kind);
            let found = known.map_or_else(|| format!("type {}", tensor.kind), |(_, name)| (*name).to_owned());
            let advice = "convert the model to F16, BF16, F32 or Q8_0, or compare the tensors of one that is";
            return Err(about.error("the type", "F16, BF16, F32, F64 or Q8_0", found, advice));
        };
        let shape: Option<Vec<usize>> =
            tensor.dimensions.iter().rev().map(|&dimension| usize::try_from(dimension).ok()).collect();
        let matrix = shape.filter(|shape| (1..=2).contains(&shape.len()));
        let Some(shape) = matrix else {
            let found = format!("{:?}", tensor.dimensions);
            return Err(about.error("the dimensions", "one or two", found, "check which tensor is meant"));
        };
        let (rows, width) = if let [rows, width] = shape[..] { (rows, width) } else { (1, shape[0]) };
        if kind == EntryStorage::Q8_0 && !width.is_multiple_of(BLOCK) {
            let expected = format!("a multiple of {BLOCK}, the block of Q8_0");
            return Err(about.error("the width", expected, width.to_string(), "convert the model again"));
        }
        let (dtype, shape) = match kind {
            EntryStorage::Float(format) => (Dtype::Float(format), vec![rows, width]),
            EntryStorage::Q8_0 => (Dtype::U8, vec![rows, (width / BLOCK).saturating_mul(BLOCK_BYTES)]),
        };
        let start = data.saturating_add(tensor.offset);
        extent(about, dtype.bytes(), &shape, length.saturating_sub(start))?;
        let array = Array::plain(name, (file, start), dtype, shape);
        Ok(Self { array, kind, rows, width })
    }

    /// The file and the tensor.
    pub fn name(&self) -> &str {
        self.array.name()
    }

    /// The number of rows; 1 for a vector.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Entries of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Storage of the entries: `F32`, `Q8_0`.
    pub fn kind(&self) -> String {
        match self.kind {
            EntryStorage::Float(format) => format.to_string().to_uppercase(),
            EntryStorage::Q8_0 => "Q8_0".to_owned(),
        }
    }

    /// The first entries of a row: `columns` of them, rounded up to whole blocks, and no more than there are.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`] for a row that there is not, and where the file cannot be read.
    pub fn read(&self, row: usize, columns: usize, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let columns = columns.next_multiple_of(BLOCK).min(self.width);
        match self.kind {
            EntryStorage::Float(_) => self.array.read_part(row, columns, out),
            EntryStorage::Q8_0 => {
                let mut bytes = Vec::new();
                self.array.read_part(row, columns / BLOCK * BLOCK_BYTES, &mut bytes)?;
                out.clear();
                for block in bytes.chunks_exact(BLOCK_BYTES) {
                    let scale = f16::from_le_bytes([block[0] as u8, block[1] as u8]).to_f64();
                    out.extend(block[2..].iter().map(|byte| scale * f64::from(*byte as u8 as i8)));
                }
                Ok(())
            }
        }
    }

    /// Distance of the stored entries from these originals, at most: the beginning of a row, entry by entry.
    ///
    /// A format with unit roundoff u and smallest number η takes x to a neighbour of x: at most 2u·|x| + η away, rounded or
    /// truncated. Q8_0 with a block's largest magnitude a: d = a/127 is stored as d′ with |d′ − d| ≤ 2⁻¹¹·d + 2⁻²⁵ (f16 to nearest)
    /// and q = x/d is rounded to an integer with |q| ≤ 127, so that |q·d′ − x| ≤ d/2 + 127·(2⁻¹¹·d + 2⁻²⁵); 1.01 covers d and x/d
    /// in binary32.
    pub fn allowance(&self, originals: &[f64]) -> Vec<f64> {
        match self.kind {
            EntryStorage::Float(format) => {
                let (u, tiny) = (format.unit_roundoff(), format.min_positive());
                originals.iter().map(|x| 2.0 * u * x.abs() + tiny).collect()
            }
            EntryStorage::Q8_0 => {
                let block = |block: &[f64]| {
                    let step = block.iter().fold(0.0, |most: f64, x| most.max(x.abs())) / 127.0;
                    let allowed = 1.01 * (step / 2.0 + 127.0 * (step * 0.5f64.powi(11) + 0.5f64.powi(25)));
                    vec![allowed; block.len()]
                };
                originals.chunks(BLOCK).flat_map(block).collect()
            }
        }
    }
}
