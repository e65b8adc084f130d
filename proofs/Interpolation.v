(** * Position interpolation

  linear a s1 s2 s    == the value at s of the line through (s1, a s1) and (s2, a s2)
  aligned h b         == W = sum_(j<h) (1 - cos (b^(-2j/d) / 2)), the error of linear interpolation in
                         the middle of a unit interval for h_j = e^(-i theta_j / 2)

  Main results: interpolation.log-inequality, interpolation.taylor-form, and what refutes
  interpolation.error-bound. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Coquelicot Require Import Coquelicot.
From Posproof Require Import RealMatrix Encoding IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The inequality between power and logarithm *)

Lemma power_gt c x : x <> 0 -> 1 + x * ln c < Rpower c x \/ ln c = 0.
Proof.
move=> x_ne0; have [-> | ln_ne0] := Req_dec (ln c) 0; [by right | left].
by apply: exp_ineq1; apply: Rmult_integral_contrapositive_currified.
Qed.

Lemma ln_gt0 c : 1 < c -> 0 < ln c.
Proof. by move=> c_gt1; rewrite -ln_1; apply: ln_increasing; lra. Qed.

Lemma power_gt_linear c x : 1 < c -> x <> 0 -> 1 + x * ln c < Rpower c x.
Proof. by move=> /ln_gt0 ln_gt0 /(power_gt c)[// | ln_eq0]; lra. Qed.

Lemma inverse_gt c d : 1 < c -> 0 < d -> d / (4 * ln c) < / (1 - Rpower c (- (4 / d))).
Proof.
move=> c_gt1 d_gt0; have ln_c := ln_gt0 c_gt1.
have exponent_lt0 : - (4 / d) < 0 by have : 0 < 4 / d; [apply: Rdiv_lt_0_compat; lra | lra].
have less := power_gt_linear c_gt1 (Rlt_not_eq _ _ exponent_lt0).
have below_1 : Rpower c (- (4 / d)) < 1 by rewrite -(Rpower_O c); [apply: Rpower_lt | ]; lra.
have -> : d / (4 * ln c) = / (4 / d * ln c) by field; lra.
by apply: Rinv_lt_contravar; nra.
Qed.

(** interpolation.log-inequality: For c > 1 and every real x, c^x ≥ 1 + x·ln c, with equality at x =
    0 only; hence 1/(1 − c^(−4/d)) > d/(4·ln c), and for d = 128 and c = 10000 the two are 3.998…
    and 3.474…. *)
Theorem interpolation_log_inequality :
  (forall c x : R, 1 < c -> 1 + x * ln c <= Rpower c x /\ (Rpower c x = 1 + x * ln c <-> x = 0)) /\
  (forall c d : R, 1 < c -> 0 < d -> / (1 - Rpower c (- (4 / d))) > d / (4 * ln c)) /\
  3.998 < / (1 - Rpower 10000 (- (4 / 128))) < 3.999 /\ 3.474 < 128 / (4 * ln 10000) < 3.475.
Proof.
split=> [c x c_gt1 | ].
  have [-> | x_ne0] := Req_dec x 0; first by rewrite Rpower_O; [split; [lra | split; lra] | lra].
  have := power_gt_linear c_gt1 x_ne0; split; first by lra.
  by split=> [same | //]; lra.
split=> [c d c_gt1 d_gt0 | ]; first exact: inverse_gt.
by rewrite /Rpower; repeat split; interval with (i_prec 50).
Qed.

(** interpolation.log-inequality, as written: When x < 0 and c > 1, c^x ≤ 1 + x·ln c, and therefore
    1/(1 − c^(−4/d)) ≤ d/(4·ln c). *)
Theorem interpolation_log_inequality_as_written_false :
  ~ (exists c x : R, 1 < c /\ x < 0 /\ Rpower c x <= 1 + x * ln c) /\
  ~ (exists c d : R, 1 < c /\ 0 < d /\ / (1 - Rpower c (- (4 / d))) <= d / (4 * ln c)).
Proof.
split=> [[c [x [c_gt1 [x_lt0 le]]]] | [c [d [c_gt1 [d_gt0 le]]]]].
  by have := power_gt_linear c_gt1 (Rlt_not_eq _ _ x_lt0); lra.
by have := inverse_gt c_gt1 d_gt0; lra.
Qed.

(** ** The remainder *)

Definition linear (a : R -> R) (s1 s2 s : R) : R := a s1 + (a s2 - a s1) * (s - s1) / (s2 - s1).

Lemma quadratic_derivatives p q r s :
  is_derive (fun x => p * x ^ 2 + q * x + r) s (2 * p * s + q) /\
  is_derive (fun x => 2 * p * x + q) s (2 * p).
Proof. by split; auto_derive => //; ring. Qed.

(** interpolation.taylor-form: The expansions begin a(s_1) = a(s) + a′(s)·(s_1 − s) + …, and the
    same for s_2; for every quadratic function a they then end with the second-order term, and the
    remainder of linear interpolation is a′′·(s−s_1)(s−s_2)/2. *)
Theorem interpolation_taylor_form (p q r : R) :
  let a x := p * x ^ 2 + q * x + r in
  let a' x := 2 * p * x + q in
  let a'' := 2 * p in
  (forall s, is_derive a s (a' s) /\ is_derive a' s a'') /\
  (forall s s1, a s1 = a s + a' s * (s1 - s) + a'' * (s1 - s) ^ 2 / 2) /\
  (forall s s1 s2, s1 <> s2 -> a s - linear a s1 s2 s = a'' * (s - s1) * (s - s2) / 2).
Proof.
split=> [s | ]; first exact: quadratic_derivatives.
by split=> [s s1 | s s1 s2 s1_ne_s2]; rewrite /linear; field; lra.
Qed.

(** interpolation.taylor-form, as written: a(s_1) = a(s) + a′(s)·(s − s_1) + a′′·(s − s_1)²/2, and
    the same for s_2. *)
Theorem interpolation_taylor_form_as_written_false :
  ~ (forall p q r s s1 : R,
       let a x := p * x ^ 2 + q * x + r in
       let a' x := 2 * p * x + q in
       a s1 = a s + a' s * (s - s1) + 2 * p * (s - s1) ^ 2 / 2).
Proof. by move=> /(_ 0 1 0 0 1) /=; lra. Qed.

(** ** The printed bound *)

(** The score of h_j = e^(-i theta_j / 2) at distance s, and the error of its interpolation between 0 and 1. *)
Definition aligned_score (h : nat) (base s : R) : R := \rsum_(j < h) cos ((s - 1 / 2) * frequency base h.*2 j).
Definition aligned (h : nat) (base : R) : R :=
  aligned_score h base (1 / 2) - linear (aligned_score h base) 0 1 (1 / 2).

(** interpolation.error-bound, as written: |a(s) − a_lin(s)| ≤ d·max|h|·(s−s₁)(s₂−s)/(8·ln c). *)
Theorem interpolation_error_bound_as_written_false :
  ~ (Rabs (aligned 1 10000) <= 2 * 1 * (1 / 2 - 0) * (1 - 1 / 2) / (8 * ln 10000)).
Proof.
have f0 : frequency 10000 1.*2 0 = 1 by apply: frequency_0; lra.
rewrite /aligned /linear /aligned_score !big_ord_recl !big_ord0 !f0.
apply: Rlt_not_le; apply: Rlt_le_trans (Rle_abs _).
by interval with (i_prec 50).
Qed.
