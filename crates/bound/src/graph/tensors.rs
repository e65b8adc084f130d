//! Tensors of expressions, and how their axes move.

use super::document::Described;
use super::scalars::Id;
use super::unread::Unread;
use posproof_numerics::format::Format;

/// A graph with more entries in one tensor is not followed.
pub(super) const LARGEST: usize = 1 << 23;

/// The kind of a tensor's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Whole,
    Truth,
    Float(Format),
    /// Two numbers of a format.
    Complex(Format),
}

impl Kind {
    pub fn named(dtype: &str) -> Option<Self> {
        match dtype {
            "int64" | "int32" => Some(Self::Whole),
            "bool" => Some(Self::Truth),
            "complex64" => Some(Self::Complex(Format::F32)),
            "complex128" => Some(Self::Complex(Format::F64)),
            _ => float(dtype).map(Self::Float),
        }
    }
}

/// The format of a name of PyTorch's.
fn float(dtype: &str) -> Option<Format> {
    Some(match dtype {
        "float16" => Format::F16,
        "bfloat16" => Format::Bf16,
        "float32" => Format::F32,
        "float64" => Format::F64,
        _ => return None,
    })
}

/// A tensor, row by row.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub kind: Kind,
    pub shape: Vec<usize>,
    pub entries: Vec<Id>,
}

/// Number of entries of a shape, if they can be followed.
pub(super) fn count(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size)).filter(|count| *count <= LARGEST)
}

/// The index of an entry along each axis.
pub(super) fn index(shape: &[usize], mut at: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (place, &size) in index.iter_mut().zip(shape).rev() {
        *place = at % size.max(1);
        at /= size.max(1);
    }
    index
}

impl Tensor {
    /// The place of an index.
    pub fn place(&self, index: &[usize]) -> usize {
        self.shape.iter().zip(index).fold(0, |at, (size, index)| at * size + index)
    }

    /// The tensor of a shape whose entry at an index is that at another index of this one.
    pub fn moved(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Option<Self> {
        let entry = |at| self.entries.get(self.place(&from(&index(&shape, at)))).copied();
        let entries: Option<Vec<Id>> = (0..count(&shape)?).map(entry).collect();
        Some(Self { kind: self.kind, entries: entries?, shape })
    }

    /// The tensor stretched to a shape, as NumPy broadcasts.
    pub fn stretched(&self, shape: &[usize]) -> Option<Self> {
        let ahead = shape.len().checked_sub(self.shape.len())?;
        let fits = self.shape.iter().zip(&shape[ahead..]).all(|(own, size)| own == size || *own == 1);
        if !fits {
            return None;
        }
        if self.shape == shape {
            return Some(self.clone());
        }
        let source = |index: &[usize]| -> Vec<usize> {
            self.shape.iter().zip(&index[ahead..]).map(|(own, at)| if *own == 1 { 0 } else { *at }).collect()
        };
        self.moved(shape.to_vec(), source)
    }

    /// The shape that both are stretched to.
    pub fn common(&self, other: &Self) -> Vec<usize> {
        let rank = self.shape.len().max(other.shape.len());
        let size = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
        (0..rank)
            .map(|axis| match size(&self.shape, axis) {
                1 => size(&other.shape, axis),
                own => own,
            })
            .collect()
    }

    /// Refuses a result of another kind or shape than the tracer has written down.
    pub fn agree(self, place: &str, described: &Described) -> Result<Self, Unread> {
        let same = Kind::named(&described.dtype) == Some(self.kind) && self.shape == described.shape;
        let found = || {
            format!(
                "{} {:?}, which is written down of {:?} {:?}",
                described.dtype, described.shape, self.kind, self.shape
            )
        };
        if same { Ok(self) } else { Err(Unread::new(place, found(), "the kind and shape that the operation returns")) }
    }
}
