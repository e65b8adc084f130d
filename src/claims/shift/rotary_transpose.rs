//! `shift.rotary-transpose`: the derived matrix and the rotation of RoPE.

use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{phasor, rotary, shift, sinusoid};
use crate::number::{Phase, System};
use nalgebra::{Matrix2, Vector2};
use num_traits::{One, Zero};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RotaryTranspose;

impl Claim for RotaryTranspose {
    const ABOUT: About = About {
        id: "shift.rotary-transpose",
        statement: "The matrix derived for (sin, cos) is R(α)ᵀ; exchanging the two components turns it into R(α), RoPE's matrix.",
        written: Some("The derived matrix is RoPE's rotation matrix R(α)."),
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "How do we have this?, heading and step 5",
        }],
        verdict: Verdict::Corrected,
        sabotage: "exchanging the rows of the derived matrix but not its columns",
        remark: None,
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("α", 1, LARGEST_ANGLE).reals("β", 1, LARGEST_ANGLE)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let beta = Phase::angle("β");
        // Where the two differ most: by a quarter turn in either direction.
        let alpha = if form == Form::AsWritten { Phase::turns(1, 4) } else { Phase::angle("α") };
        let (derived, rotation) = (shift::block_at(system, &alpha), rotary::rotation(system, &alpha));
        if form == Form::AsWritten {
            return equal_entries("entry at α = π/2", &derived, &rotation);
        }
        let (zero, one) = (S::Number::zero(), S::Number::one());
        let exchange = Matrix2::new(zero.clone(), one.clone(), one, zero);
        let exchanged = &exchange * &derived;
        let exchanged = if form.is_sabotaged() { exchanged } else { exchanged * &exchange };
        // What is derived must take (1, 0), a quarter turn, and (0, 1), the angle zero, to these columns.
        let quarter_turn = sinusoid::pair(system, &(alpha.clone() + Phase::turns(1, 4)));
        let columns = Matrix2::from_columns(&[quarter_turn, sinusoid::pair(system, &alpha)]);
        let (before, after) = (sinusoid::pair(system, &beta), sinusoid::pair(system, &(beta.clone() + alpha.clone())));
        let point = |angle: &Phase| -> Vector2<S::Number> { phasor::as_column(system.cis(angle)) };
        let mut all = equal_entries("derived matrix against R(α)ᵀ", &derived, &rotation.transpose())?;
        all.extend(equal_entries("derived matrix against its columns", &derived, &columns)?);
        all.extend(equal_entries("derived matrix on (sin, cos)", &(derived * before), &after)?);
        all.extend(equal_entries("exchanged against R(α)", &exchanged, &rotation)?);
        all.extend(equal_entries("exchanged on (cos, sin)", &(exchanged * point(&beta)), &point(&(beta + alpha)))?);
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        32
    }
}

/// The numeric systems take angles up to about sixteen full turns.
const LARGEST_ANGLE: f64 = 100.0;
