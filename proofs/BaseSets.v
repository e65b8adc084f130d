(** * What larger bases serve, and similarity at neighbouring positions

  all_positive p q h n  == the scores at distances below n are positive, by intervals of p bits, from an
                         enclosure q of the ratio of neighbouring frequencies
  hermitian_sine omega x == the imaginary part of the Hermitian product over the pairs of x and its
                         rotation by one position, |x|^2 sin of the angle between them

  Main results: base.similarity-bound, and what refutes base.upward-closed, base.larger-is-longer and
  base.power-law. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary IntervalTactic Figures UnitScore BaseChoice.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** A base that serves, and a larger one that does not *)

Fixpoint all_positive (p : I.precision) (q : I.type) (h n : nat) : bool :=
  if n is m.+1 then
    if is_positive_interval (cos_sum p h q (I.fromZ prec (Z.of_nat m)) I.zero) then all_positive p q h m else false
  else true.

Lemma all_positiveP p (base : positive) h n : (0 < h)%N ->
  all_positive p (ratio_enclosure base h) h n.+1 -> serves (IZR (Zpos base)) h n.
Proof.
move=> h_pos positive m; rewrite -ltnS => lt_m.
have : is_positive_interval (score_enclosure_to p base h (Z.of_nat m)).
  elim: (n.+1) positive lt_m => //= k IHk; case: ifP => // here later.
  by rewrite ltnS leq_eqVlt => /orP[/eqP -> // | /(IHk later)].
move=> here; have := positive_interval (score_encloses_to p base (Z.of_nat m) h_pos) here.
by rewrite -INR_IZR_INZ; apply: Rlt_le.
Qed.

Lemma serves_204 : serves 640 64 204.
Proof.
have positive : all_positive (StdZFloat.PtoP 14) (ratio_enclosure 640 64) 64 205 by vm_cast_no_check (erefl true).
exact: (@all_positiveP _ 640 64 204 isT positive).
Qed.

Lemma not_serves_204 : ~ serves 720 64 204.
Proof.
have negative : is_positive_interval (I.neg (score_enclosure 720 64 (Z.of_nat 204))) by vm_cast_no_check (erefl true).
exact: (@not_serving 720 64 204 204 isT isT negative).
Qed.

(** base.upward-closed, as written: There is an absolute lower bound: a base above it serves the
    length. *)
Theorem base_upward_closed_as_written_false :
  ~ (forall n : nat, exists lowest : R, forall base : R, 1 < base -> (serves base 64 n <-> lowest <= base)).
Proof.
move=> /(_ 204%N)[lowest bounds].
have /bounds le_640 : serves 640 64 204 := serves_204.
by apply: not_serves_204; apply/bounds; have := le_640 ltac:(lra); lra.
Qed.

(** base.larger-is-longer, as written: A larger base serves at least the distances that a smaller one
    serves. *)
Theorem base_larger_is_longer_as_written_false :
  ~ (forall (base base' : R) (n : nat), 1 < base -> base < base' -> serves base 64 n -> serves base' 64 n).
Proof. by move=> /(_ 640 720 204%N ltac:(lra) ltac:(lra) serves_204); exact: not_serves_204. Qed.

(** base.power-law, as written: The lower bound of the base for a length x is y = 0.0424·x^1.628. *)
Theorem base_power_law_as_written_false :
  ~ (forall (base : R) (n : nat), 1 < base -> 0.0424 * Rpower (INR n) 1.628 <= base -> serves base 64 n).
Proof.
move=> /(_ 3400 1024%N) suffices; have : ~ serves 3400 64 1024.
  have negative : is_positive_interval (I.neg (score_enclosure 3400 64 (Z.of_nat 952))) by vm_cast_no_check (erefl true).
  exact: (@not_serving 3400 64 952 1024 isT isT negative).
apply; apply: suffices; first by lra.
rewrite INR_IZR_INZ (_ : Z.of_nat 1024 = 1024%Z) // /Rpower.
by apply: Rlt_le; interval with (i_prec 50).
Qed.

(** ** Similarity at neighbouring positions *)

Definition hermitian_sine (h : nat) (omega : nat -> R) (x : 'cV[R]_(h.*2)) : R :=
  let y := rotary omega x 1 in
  \rsum_(i < h) (x (at_pair i false) ord0 * y (at_pair i true) ord0 -
                 x (at_pair i true) ord0 * y (at_pair i false) ord0).

Definition all_ones (h : nat) : 'cV[R]_(h.*2) := \matrix_(i, j) 1.

Lemma hermitian_sineE h omega (x : 'cV[R]_(h.*2)) :
  hermitian_sine omega x =
  \rsum_(i < h) ((x (at_pair i false) ord0 ^ 2 + x (at_pair i true) ord0 ^ 2) * sin (omega i)).
Proof.
apply: eq_bigr => i _; have /= [-> ->] := rotary_component omega x 1 i.
by rewrite Rmult_1_l; ring.
Qed.

Lemma hermitian_sine_ones h omega : hermitian_sine omega (all_ones h) = 2 * \rsum_(i < h) sin (omega i).
Proof. by rewrite hermitian_sineE -rsum_mull; apply: eq_bigr => i _; rewrite !mxE; ring. Qed.

(** base.similarity-bound: With C_d = Σ_{j<d/2} sin θ_j, where all θ_j are at most π, 2·min x_k²·C_d
    ≤ ‖x‖²·sin∠(x, R(1)x) ≤ 2·max x_k²·C_d, sin∠ being the imaginary part of the Hermitian product
    over the pairs; for x = (1, …, 1) both are equalities, so that without the factor 2 the upper
    bound fails: 2·C_d > C_d. *)
Theorem base_similarity_bound (h : nat) (omega : nat -> R) :
  (forall i : 'I_h, 0 < omega i <= PI) ->
  let C := \rsum_(i < h) sin (omega i) in
  (forall (x : 'cV[R]_(h.*2)) (least greatest : R),
     (forall j, least <= x j ord0 ^ 2 <= greatest) ->
     2 * least * C <= hermitian_sine omega x <= 2 * greatest * C) /\
  hermitian_sine omega (all_ones h) = 2 * C /\
  ((exists i : 'I_h, omega i < PI) -> C < 2 * C).
Proof.
move=> range C; have sin_ge0 (i : 'I_h) : 0 <= sin (omega i) by apply: sin_ge_0; have := range i; lra.
split=> [x least greatest squares | ].
  rewrite hermitian_sineE /C -!rsum_mull; split; apply: rsum_le => i;
    have := squares (at_pair i false); have := squares (at_pair i true); have := sin_ge0 i;
    set a := x _ _ ^ 2; set b := x _ _ ^ 2; nra.
split=> [|[i below]]; first exact: hermitian_sine_ones.
have : 0 < sin (omega i) by apply: sin_gt_0; have := range i; lra.
have : sin (omega i) <= C by exact: (rsum_ge_term (F := fun i : 'I_h => sin (omega i)) i sin_ge0).
by lra.
Qed.

(** base.similarity-bound, as written: sin∠ ≤ max x_k²·C_d/‖x‖²: for x = (1, …, 1), ‖x‖²·sin∠ ≤ C_d. *)
Theorem base_similarity_bound_as_written_false (base : R) (h : nat) : 1 < base -> (0 < h)%N ->
  let omega := frequency base h.*2 in
  ~ (hermitian_sine omega (all_ones h) <= \rsum_(i < h) sin (omega i)).
Proof.
move=> base_gt1 h_pos omega; have pi_gt3 := PI2_3_2.
have range (i : 'I_h) : 0 < omega i <= PI.
  by split; [exact: frequency_gt0 | have [_] := frequency_range i base_gt1; rewrite -/omega; lra].
have [_ [-> exceeds]] := base_similarity_bound range.
apply: Rlt_not_le; apply: exceeds; exists (Ordinal h_pos); rewrite /omega /= frequency_0; lra.
Qed.
