//! Which axis of an array counts positions.

use super::{About, Array, InvalidInput};
use crate::{FloatArray, Levels};
use posproof_numerics::format::Format;

/// Knowledge of the axis of the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SequenceAxis {
    /// The axis, counted from 0, or from the end if it is negative.
    pub stated: Option<isize>,
    /// Number of positions.
    pub positions: Option<usize>,
}

impl SequenceAxis {
    /// The axis of the rows of an array of this name and shape: the one that is stated; else the last but one. If that has
    /// not as many entries as there are positions, or, where positions are not stated, only one, it is the only other axis
    /// that has so many, or more than one: [positions, 1, 1, dim] has its rows along the first. None for a vector.
    ///
    /// # Errors
    ///
    /// Where the stated axis is none of the array's but the last, and where several others suit.
    pub fn of(self, name: &str, shape: &[usize]) -> Result<Option<usize>, InvalidInput> {
        let (Some(usual), axes) = (shape.len().checked_sub(2), shape.len() as isize) else { return Ok(None) };
        if let Some(stated) = self.stated {
            let axis = if stated < 0 { stated + axes } else { stated };
            if !(0..axes - 1).contains(&axis) {
                let expected = format!("an axis of {shape:?} but the last, which holds the entries of a row");
                let advice = format!("state 0 to {usual}, or {} to -2", -axes);
                return Err(About(name).error("the axis of the positions", expected, stated.to_string(), advice));
            }
            return Ok(Some(axis as usize));
        }
        let suits = |axis: &usize| self.positions.map_or(shape[*axis] > 1, |positions| shape[*axis] == positions);
        if suits(&usual) {
            return Ok(Some(usual));
        }
        let others: Vec<usize> = (0..usual).filter(suits).collect();
        match others[..] {
            [] => Ok(Some(usual)),
            [axis] => Ok(Some(axis)),
            _ => {
                let expected = match self.positions {
                    Some(positions) => format!("one axis of {positions} positions"),
                    None => "one axis of positions before the last".to_owned(),
                };
                let advice = "say which one with --sequence-axis";
                Err(About(name).error("the shape", expected, format!("{shape:?}"), advice))
            }
        }
    }

    /// True if this axis of an array of this shape is that of the rows only because the last but one has one entry: positions along
    /// it, or heads at one position.
    pub fn is_in_question(self, shape: &[usize], axis: usize) -> bool {
        self == Self::default() && axis + 2 != shape.len()
    }

    /// The array with its rows along the axis that is [theirs](Self::of).
    pub fn arrange(self, array: Array) -> Result<Array, InvalidInput> {
        match self.of(array.name(), array.shape())? {
            Some(axis) => {
                let axis_in_question = self.is_in_question(array.shape(), axis);
                Ok(Array { axis_in_question, ..array.with_rows(axis)? })
            }
            None => Ok(array),
        }
    }

    /// An array of floating-point numbers, of two axes at least.
    pub fn open(self, specification: &str) -> Result<FloatArray, InvalidInput> {
        self.open_on(specification, None, None)
    }

    /// An array on an integer grid, if one is stated; bytes are codes of a stated format of 8 bits.
    pub fn open_on(
        self,
        specification: &str,
        levels: Option<Levels>,
        format: Option<Format>,
    ) -> Result<FloatArray, InvalidInput> {
        let array = super::open_codes(specification, format)?;
        if array.shape().len() < 2 {
            let expected = "two axes or more, the last but one that of the positions";
            let advice = "frequencies are named with --inv-freq; the row of one position is saved as row[None, :]";
            let found = format!("{:?}", array.shape());
            return Err(About(array.name()).error("the shape", expected, found, advice));
        }
        let array = self.arrange(array)?;
        match levels {
            None => FloatArray::new(array),
            Some(levels) => FloatArray::on(array, levels),
        }
    }

    /// Cosines and sines, the real and the imaginary parts of complex numbers.
    pub fn open_complex(self, specification: &str) -> Result<[FloatArray; 2], InvalidInput> {
        let [cos, sin] = super::open(specification)?.into_parts()?;
        Ok([FloatArray::new(self.arrange(cos)?)?, FloatArray::new(self.arrange(sin)?)?])
    }
}
