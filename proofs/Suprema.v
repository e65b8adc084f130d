(** * How far scores reach, and how far their interpolation errs

  For coefficients of modulus at most 1 the scores of h pairs reach h at every distance. The error of linear
  interpolation in the middle of a unit interval is less, by a quotient that is not that of the printed bounds.

  midpoint_error c    == a(1/2) less the mean of a(0) and a(1), for d = 128 and base 10000
  printed             == what the paper allows that error: d (s - s1) (s2 - s) / (8 ln c)

  Main result: interpolation.six-hundred. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Encoding Phasor IntervalTactic Figures ComplexSum Interpolation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition theta : nat -> R := frequency 10000 128.
Definition midpoint_error (c : nat -> C) : R :=
  rope_score 64 c theta (1 / 2) - linear (rope_score 64 c theta) 0 1 (1 / 2).
Definition printed : R := 128 * (1 / 2) * (1 / 2) / (8 * ln 10000).

(** ** Scores *)

(** Coefficients that turn against the pairs by x: all phases meet at distance x. *)
Definition against (x : R) (i : nat) : C := phasor (- (x * theta i)).

Lemma against_score x s : rope_score 64 (against x) theta s = \rsum_(i < 64) cos ((s - x) * theta i).
Proof.
rewrite /rope_score Re_csum; apply: eq_bigr => i _; rewrite /against phasor_add phasorE [Re _]/=.
by congr cos; ring.
Qed.

Lemma score_le (c : nat -> C) s : (forall i, Cmod (c i) <= 1) -> rope_score 64 c theta s <= 64.
Proof.
move=> small; apply: Rle_trans (Rle_abs _) _; apply: Rle_trans (Re_le_Cmod _) _.
have -> : 64 = \rsum_(i < 64) 1 by rewrite rsum_const INR_IZR_INZ Rmult_1_r.
apply: (Cmod_csum_le (b := fun=> 1)) => i _; rewrite Cmod_mult Cmod_phasor Rmult_1_r; exact: small.
Qed.

Lemma score_reached s : rope_score 64 (against s) theta s = 64.
Proof.
rewrite against_score; under eq_bigr do rewrite Rminus_diag_eq // R_mul0 cos_0.
by rewrite rsum_const INR_IZR_INZ Rmult_1_r.
Qed.

(** ** The error in the middle *)

Lemma half_sum : 63.506124 < \rsum_(i < 64) cos (1 / 2 * theta i) < 63.506125.
Proof.
have q_in := @ratio_encloses 10000 64 isT.
have sum_in := cos_sum_encloses prec 64 q_in (encloses_quotient 1 2) encloses_0.
have checked : between 63506124 63506125 1000000 (cos_sum prec 64 (ratio_enclosure 10000 64) (quotient 1 2) I.zero).
  by vm_cast_no_check (erefl true).
have := betweenP sum_in checked; rewrite {sum_in q_in checked} R_add0.
have base_gt0 : 0 < 10000 by lra.
have pairs : (0 < 64)%N by [].
have -> : \rsum_(i < 64) cos (1 / 2 * Rpower 10000 (- (1 / INR 64)) ^ i) = \rsum_(i < 64) cos (1 / 2 * theta i).
  by apply: eq_bigr => i _; rewrite -(frequency_ratio i pairs base_gt0).
by lra.
Qed.

Lemma error_reached : midpoint_error (against (1 / 2)) = 64 - \rsum_(i < 64) cos (1 / 2 * theta i).
Proof.
rewrite /midpoint_error /linear score_reached !against_score.
have -> : \rsum_(i < 64) cos ((0 - 1 / 2) * theta i) = \rsum_(i < 64) cos (1 / 2 * theta i).
  by apply: eq_bigr => i _; rewrite -cos_neg; congr cos; ring.
have -> : 1 - 1 / 2 = 1 / 2 by field.
by set S := \rsum_(i < 64) _; field.
Qed.

Lemma error_range : 0.493875 < midpoint_error (against (1 / 2)) < 0.493876.
Proof. by rewrite error_reached; have := half_sum; lra. Qed.

(** interpolation.six-hundred: For d = 128, c = 10000 and max|h| = 1, the score reaches 64 at every distance
    and the error of linear interpolation in the middle of a unit interval reaches 0.49387…: the suprema
    differ by a factor of at most 129.588. The 589.46… = 64·ln c of the paper is the quotient of two
    bounds of which one is false and the other empty. *)
Theorem interpolation_six_hundred :
  (forall s, (exists c, (forall i, Cmod (c i) = 1) /\ rope_score 64 c theta s = 64) /\
     forall c, (forall i, Cmod (c i) <= 1) -> rope_score 64 c theta s <= 64) /\
  (exists c, (forall i, Cmod (c i) = 1) /\ 0.49387 < midpoint_error c < 0.49388 /\
     64 <= 129.588 * midpoint_error c /\ printed < midpoint_error c) /\
  2 * 128 / printed = 64 * ln 10000 /\ 589.46 < 64 * ln 10000 < 589.47 /\ 64 < 2 * 128.
Proof.
have unit x i : Cmod (against x i) = 1 by exact: Cmod_phasor.
have range := error_range; have ln_range : 9.21034 < ln 10000 < 9.21035 by split; interval with (i_prec 50).
split=> [s | ]; first by split; [exists (against s); split=> //; exact: score_reached | move=> c; exact: score_le].
split; last by split; [rewrite /printed; field; lra | lra].
have printed_lt : printed < 0.43430 by rewrite /printed; interval with (i_prec 50).
by exists (against (1 / 2)); split=> //; split=> //; split; lra.
Qed.

(** ** Both suprema *)

Lemma midpointE (c : nat -> C) : midpoint_error c =
  \rsum_(i < 64) ((1 - cos (1 / 2 * theta i)) * Re (c i * phasor (1 / 2 * theta i))%C).
Proof.
have -> : midpoint_error c =
    rope_score 64 c theta (1 / 2) - 1 / 2 * (rope_score 64 c theta 0 + rope_score 64 c theta 1).
  by rewrite /midpoint_error /linear; field.
rewrite /rope_score !Re_csum -rsum_add -rsum_mull -rsum_sub; apply: eq_bigr => i _.
rewrite !phasorE R_mul0 cos_0 sin_0 Rmult_1_l; case: (c i) => x y; rewrite /Re /Cmult [fst _]/=.
rewrite [cos (theta i)](_ : _ = cos (2 * (1 / 2 * theta i))) 1?[sin (theta i)](_ : _ = sin (2 * (1 / 2 * theta i))); first last.
- by congr cos; field.
- by congr sin; field.
by rewrite cos_2a_cos sin_2a /=; field.
Qed.

(** No coefficients give a greater error than those that reach it, so that the quotient of the suprema is known from both sides. *)
Corollary interpolation_six_hundred_suprema : let greatest := midpoint_error (against (1 / 2)) in
  (forall c, (forall i, Cmod (c i) <= 1) -> midpoint_error c <= greatest) /\
  129.587 * greatest < 64 < 129.588 * greatest.
Proof.
split; last by have := error_range; lra.
move=> c small; rewrite error_reached midpointE.
have -> : 64 - \rsum_(i < 64) cos (1 / 2 * theta i) = \rsum_(i < 64) (1 - cos (1 / 2 * theta i)).
  by rewrite rsum_sub rsum_const INR_IZR_INZ Rmult_1_r.
apply: rsum_le => i; rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l.
  by have := COS_bound (1 / 2 * theta i); lra.
apply: Rle_trans (Rle_abs _) _; apply: Rle_trans (Re_le_Cmod _) _.
by rewrite Cmod_mult Cmod_phasor Rmult_1_r.
Qed.

(** interpolation.six-hundred, as written: The interpolated scores are bounded at least 589 times more
    tightly: where they reach e, extrapolated scores reach at least 589·e. *)
Theorem interpolation_six_hundred_as_written_false :
  ~ (forall c, (forall i, Cmod (c i) = 1) ->
       exists c' s, (forall i, Cmod (c' i) <= 1) /\ 589 * midpoint_error c <= rope_score 64 c' theta s).
Proof.
move=> /(_ (against (1 / 2)) (fun i => Cmod_phasor _))[c' [s [small reach]]].
by have := score_le s small; have := error_range; lra.
Qed.
