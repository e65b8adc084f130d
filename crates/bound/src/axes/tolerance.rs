//! Certified absolute tolerances of encodings at coordinates.

use super::AxialAllowance;
use super::range::Range;
use crate::libraries::Compute;
use crate::origin::Origin;
use crate::program::{Impossible, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

/// A factor above 1 for each of the four roundings of a sum of positive terms.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 46) as f64;

/// For each row and slot, how far the entries of any honest implementation may be from those of the correctly rounded table of the same
/// format: |entry − table| ≤ atol, as [`Tolerance`](crate::tolerance::Tolerance) says it of whole positions along one axis.
///
/// The bound of [`AxialAllowance`] holds between an entry and the exact number, of magnitude at most the gain g, or 1 in a row without a
/// position; the table's entry is within u_S times that + η_S/2 of it.
///
/// ```
/// use posproof_bound::AxialTolerance;
/// use posproof_encoding::axes::{AxialConvention, Coordinates};
/// use posproof_numerics::format::Format;
///
/// let image: AxialConvention = serde_json::from_str(
///     r#"{"encoding": "rope", "dim": 16, "axes": [{"name": "h", "pairs": "0..4"}, {"name": "w", "pairs": "4..8"}]}"#,
/// )?;
/// let law = image.law(|_| Err("none are stored".into()))?;
/// let rows: Coordinates = "0 0\n-3 7/2".parse()?;
/// let tolerance = AxialTolerance::new(&law, &rows, (Format::F32, None), Format::F32)?;
/// let mut row = vec![0.0; law.slots()];
/// tolerance.row(1, &mut row);
/// assert!(row[5] > row[7] && row[1] > row[3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AxialTolerance<'a> {
    law: &'a AxialLaw,
    coordinates: &'a Coordinates,
    compute: Compute,
    path: Option<Path>,
    storage: Format,
    allowance: AxialAllowance,
}

impl<'a> AxialTolerance<'a> {
    /// For rows at these coordinates, implementations that compute in `compute` along a path, or any of them, and entries that are stored in
    /// `storage`.
    ///
    /// # Errors
    ///
    /// For a recurrence, for frequencies of several heads, and where coordinates, frequencies, angles or entries may overflow.
    pub fn new(
        law: &'a AxialLaw,
        coordinates: &'a Coordinates,
        (compute, path): (impl Into<Compute>, Option<Path>),
        storage: Format,
    ) -> Result<Self, Impossible> {
        let compute = compute.into();
        if path == Some(Path::Recurrence) {
            let expected = "another one with axes, or with positions that are not whole: no bound of it is known";
            return Err(Impossible::new("path", Path::Recurrence.name(), expected));
        }
        if law.heads() > 1 {
            return Err(Impossible::new(
                "frequencies",
                format!("those of {} heads", law.heads()),
                "a list for one head",
            ));
        }
        let allowance = AxialAllowance::new(law, coordinates, (compute, path), storage);
        let range = Range { law, allowance: &allowance, compute: compute.format, path, storage };
        (0..law.slots()).try_for_each(|slot| range.require(0, slot))?;
        Ok(Self { law, coordinates, compute, path, storage, allowance })
    }

    /// The tolerances of a row, one for each slot; those of cosine and sine are the same.
    pub fn row(&self, row: usize, out: &mut [f64]) {
        self.allowance.computed(0, |axis| self.coordinates.place(row, axis), out);
        let alone = self.coordinates.place(row, 0).is_none();
        for (slot, entry) in out.iter_mut().enumerate() {
            let gain = self.allowance.gain(slot);
            let largest = if alone { gain.max(1.0) } else { gain };
            let rounded = self.storage.unit_roundoff() * largest + self.storage.min_positive() / 2.0;
            *entry = (self.allowance.entry(*entry, largest) + rounded * UPWARD) * UPWARD;
        }
    }

    /// The encoding.
    pub fn law(&self) -> &'a AxialLaw {
        self.law
    }

    /// The rows.
    pub fn coordinates(&self) -> &'a Coordinates {
        self.coordinates
    }

    /// The program: the precision of its angles and the accuracies of its functions, the path of its frequencies, and the format of its entries.
    pub fn program(&self) -> (Compute, Option<Path>, Format) {
        (self.compute, self.path, self.storage)
    }

    /// Where the bound comes from.
    pub fn origin(&self) -> Origin {
        self.allowance.origin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::Tolerance;
    use posproof_encoding::convention::Convention;

    /// One axis of whole positions has the tolerances of a convention of one axis.
    #[test]
    fn one_axis_is_the_special_case() {
        let convention = Convention { amplitude: "1.2".parse().expect("a number"), ..Convention::rope(32) };
        let rows: Coordinates = "0\n1\n131071\n7".parse().expect("rows");
        let law = AxialLaw::along(&convention, &rows).expect("a law");
        for (compute, storage) in [(Format::F32, Format::F32), (Format::F32, Format::E4m3), (Format::F64, Format::F16)]
        {
            let one = Tolerance::new(&convention, 131_071, (compute, None), storage).expect("a tolerance");
            let all = AxialTolerance::new(&law, &rows, (compute, None), storage).expect("a tolerance");
            let (mut expected, mut found) = (vec![0.0; 16], vec![0.0; 16]);
            for (row, position) in [0, 1, 131_071, 7].into_iter().enumerate() {
                one.row(position, &mut expected);
                all.row(row, &mut found);
                for (found, expected) in found.iter().zip(&expected) {
                    assert!(
                        (found / expected - 1.0).abs() < 1e-9,
                        "{compute} {storage} {position}: {found:e} {expected:e}"
                    );
                }
            }
        }
    }

    /// The entries of a row without a position are 1 and 0, whatever the gain.
    #[test]
    fn a_row_without_a_position_has_the_tolerance_of_what_is_kept() {
        let convention = Convention { amplitude: "0.5".parse().expect("a number"), ..Convention::rope(4) };
        let rows: Coordinates = "nan\n3".parse().expect("rows");
        let law = AxialLaw::along(&convention, &rows).expect("a law");
        let tolerance = AxialTolerance::new(&law, &rows, (Format::F32, None), Format::Bf16).expect("a tolerance");
        let mut row = [0.0; 2];
        tolerance.row(0, &mut row);
        let unit = Format::Bf16.unit_roundoff();
        assert!(row.iter().all(|atol| (2.0 * unit..2.1 * unit).contains(atol)), "{row:?}");
    }
}
