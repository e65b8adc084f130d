(** * The printed least bases as a power of the length

  column f            == the sum of f over the rows of the printed table
  fitted_slope, fitted_factor
                      == of the least-squares line through the logarithms of the printed lengths and bases, the
                         slope, and the base that it has at length 1

  Main result: base.power-law. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding IntervalTactic UnitScore BaseChoice BaseSets Service.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition column (f : R -> R -> R) : R :=
  foldr (fun row sum => f (INR row.1 * ln 2) (ln row.2) + sum) 0 printed_least.

Definition fitted_slope : R :=
  (11 * column (fun x y => x * y) - column (fun x _ => x) * column (fun _ y => y)) /
  (11 * column (fun x _ => x * x) - column (fun x _ => x) * column (fun x _ => x)).

Definition fitted_factor : R := exp ((column (fun _ y => y) - fitted_slope * column (fun x _ => x)) / 11).

(** Among all lines none has a smaller sum of squares. *)
Lemma fitted_least (a c : R) :
  column (fun x y => (y - ln fitted_factor - fitted_slope * x) ^ 2) <= column (fun x y => (y - c - a * x) ^ 2).
Proof.
pose s := fitted_slope; pose m := (column (fun _ y => y) - s * column (fun x _ => x)) / 11.
rewrite (_ : ln fitted_factor = m) -/s; last exact: ln_exp.
have two_gt0 : 0 < ln 2 by interval with (i_prec 30).
have spread : 11 * column (fun x _ => x * x) - column (fun x _ => x) * column (fun x _ => x) = 1210 * (ln 2 * ln 2).
  by rewrite /column /= ; ring.
have slopeE : s * (1210 * (ln 2 * ln 2)) = 11 * column (fun x y => x * y) - column (fun x _ => x) * column (fun _ y => y).
  by rewrite /s /fitted_slope spread; field; lra.
have meanE : 11 * m = column (fun _ y => y) - s * column (fun x _ => x) by rewrite /m; field.
have flat : column (fun x y => y - m - s * x) = 0.
  have -> : column (fun x y => y - m - s * x) = column (fun _ y => y) - 11 * m - s * column (fun x _ => x).
    by rewrite /column /=; ring.
  by lra.
have level : column (fun x y => (y - m - s * x) * x) = 0.
  have -> : column (fun x y => (y - m - s * x) * x) =
      column (fun x y => x * y) - m * column (fun x _ => x) - s * column (fun x _ => x * x).
    by rewrite /column /=; ring.
  apply: (Rmult_eq_reg_l 11); last by lra.
  by rewrite Rmult_0_r; nra.
have -> : column (fun x y => (y - c - a * x) ^ 2) = column (fun x y => (y - m - s * x) ^ 2) +
    2 * (m - c) * column (fun x y => y - m - s * x) + 2 * (s - a) * column (fun x y => (y - m - s * x) * x) +
    column (fun x _ => ((m - c) + (s - a) * x) ^ 2).
  by rewrite /column /=; ring.
rewrite flat level; have : 0 <= column (fun x _ => (m - c + (s - a) * x) ^ 2).
  by rewrite /column /=; repeat (apply: Rplus_le_le_0_compat; first exact: pow2_ge_0); exact: Rle_refl.
by lra.
Qed.

(** base.power-law: 0.0424·L^1.628 is close to the least-squares line through the logarithms of the
    printed table (see the figures), and neither suffices nor is needed: at L = 2^10 it is below
    3400, a base that violates the criterion at m = 952 (d = 128); at L = 2^17 it is above 4869105,
    a base that serves that length. *)
Theorem base_power_law :
  (1.6283 < fitted_slope < 1.6284 /\ 0.042347 < fitted_factor < 0.042348 /\
   forall a c : R, column (fun x y => (y - ln fitted_factor - fitted_slope * x) ^ 2) <=
                   column (fun x y => (y - c - a * x) ^ 2)) /\
  (0.0424 * Rpower 1024 1.628 < 3400 /\ unit_score 64 (frequency 3400 128) 952 < 0) /\
  (4869105 < 0.0424 * Rpower 131072 1.628 /\ serves 4869105 64 (2 ^ 17)).
Proof.
split; [split; [ | split; [ | exact: fitted_least]] | split; split].
- by rewrite /fitted_slope /column /=; split; interval with (i_prec 36).
- by rewrite /fitted_factor /fitted_slope /column /=; split; interval with (i_prec 36).
- by case: base_power_law_1024.
- by apply: (@unit_score_negative 3400 64 952 isT); vm_cast_no_check (erefl true).
- by rewrite /Rpower; interval with (i_prec 50).
apply: serves_belowP; rewrite (power_2 17); apply: scanned_serves; right; right; left; reflexivity.
Qed.
