//! Certificates: the first order of a difference and its bound, as a theorem that Coq accepts.

use super::event::Event;
use super::{Difference, Linear, Uniform};
use crate::number::exact::{Bounds, Exact, Variables, constant};
use rug::Rational;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lemmas and a tactic that bounds a sum of products factor by factor.
const PRELUDE: &str = "Require Import Reals Lra.
Open Scope R_scope.

Lemma add_le a b x y : Rabs a <= x -> Rabs b <= y -> Rabs (a + b) <= x + y.
Proof. intros; eapply Rle_trans; [apply Rabs_triang | lra]. Qed.
Lemma sub_le a b x y : Rabs a <= x -> Rabs b <= y -> Rabs (a - b) <= x + y.
Proof. intros; unfold Rminus; apply add_le; [assumption | rewrite Rabs_Ropp; assumption]. Qed.
Lemma mul_le a b x y : Rabs a <= x -> Rabs b <= y -> Rabs (a * b) <= x * y.
Proof. intros; rewrite Rabs_mult; apply Rmult_le_compat; auto using Rabs_pos. Qed.
Lemma cos_le a : Rabs (cos a) <= 1.
Proof. apply Rabs_le; apply COS_bound. Qed.
Lemma sin_le a : Rabs (sin a) <= 1.
Proof. apply Rabs_le; apply SIN_bound. Qed.
Lemma constant_le c : 0 <= c -> Rabs c <= c.
Proof. intros; rewrite Rabs_pos_eq; lra. Qed.

Ltac factor_by_factor := repeat match goal with
  | |- Rabs (IZR _ / IZR _) <= _ => apply constant_le; lra
  | |- Rabs (_ + _) <= _ => eapply add_le
  | |- Rabs (_ - _) <= _ => eapply sub_le
  | |- Rabs (_ * _) <= _ => eapply mul_le
  | |- Rabs (cos _) <= _ => apply cos_le
  | |- Rabs (sin _) <= _ => apply sin_le
  | H : Rabs ?x <= _ |- Rabs ?x <= _ => exact H
  end.
";

impl Uniform {
    /// The first order of the difference of two sides as a theorem of Coq: of all reals of their boxes, all angles, and all roundings
    /// within their bounds. None where the first order is no polynomial.
    pub fn certificate(&self, name: &str, left: &Linear, right: &Linear) -> Option<String> {
        let difference = self.first_order(left, right)?;
        let Difference { part, .. } = &*difference;
        let slopes = part.value.slopes()?;
        let mut events: Vec<(Event, f64, Exact)> = Vec::new();
        for (place, slope) in slopes.into_iter().filter(|(_, slope)| *slope != Exact::from(0)) {
            let (event, bound) = self.domain.error_at(place)?;
            events.push((event, bound, slope));
        }
        for (event, term) in &part.terms {
            // The roundings at angles without errors: what those add is of the second order.
            events.push((event.clone(), term.bound, term.coefficient.at_no_errors()?));
        }
        let mut variables = Variables::default();
        let ends = |name: &'static str, index: usize| {
            let [low, high] = self.domain.real(name, index)?;
            Rational::from_f64(low.abs().max(high.abs()))
        };
        let (mut terms, mut total, mut roundings) = (Vec::new(), Rational::new(), Vec::new());
        for (place, (event, bound, coefficient)) in events.iter().enumerate() {
            let (coefficient, largest) = coefficient.coq(&mut variables, &ends)?;
            let bound = Rational::from_f64(*bound)?;
            terms.push(format!("  (* {event} *)\n  ({coefficient}) * d{place}"));
            roundings.push(format!("Rabs d{place} <= {}", constant(&bound)));
            total += largest * bound;
        }
        if terms.is_empty() {
            return None;
        }
        let reals: Option<Vec<String>> = variables
            .reals
            .iter()
            .enumerate()
            .map(|(place, (name, index))| Some(format!("Rabs x{place} <= {}", constant(&ends(name, *index)?))))
            .collect();
        let known: BTreeMap<usize, String> =
            variables.reals.iter().map(|(name, index)| format!("{name}[{index}]")).enumerate().collect();
        let mut text = PRELUDE.to_owned();
        for (place, name) in known {
            let _ = writeln!(text, "(* x{place} is {name} *)");
        }
        let names = variables.names().into_iter().chain((0..terms.len()).map(|place| format!("d{place}")));
        let conditions: Vec<String> = reals?.into_iter().chain(roundings).collect();
        let (names, conditions) = (names.collect::<Vec<_>>().join(" "), conditions.join(" ->\n  "));
        let _ = writeln!(text, "\nTheorem {name} : forall {names} : R,\n  {conditions} ->\n  Rabs (");
        let _ = writeln!(text, "{})\n  <= {}.", terms.join(" +\n"), constant(&total));
        text += "Proof. intros; eapply Rle_trans; [factor_by_factor | lra]. Qed.\n";
        Some(text)
    }
}
