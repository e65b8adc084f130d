(** * The rounding theorems with numbers: binary16, bfloat16, binary32, binary64

  What is claimed.  The bounds of this development for a program that works in
  one format throughout, with the figures of the four formats put in.  Other
  combinations of formats follow from the general theorems, which hold for any
  binary format with gradual underflow.

  Dictionary (for a format F with unit roundoff u, smallest subnormal η, precision p):
  - [table_claim F u η N] == an entry at an integer position |n| <= N = 2^p from a correctly
    rounded frequency ω is within 2u|n||ω| + κu + (|n| + 1)η (and 2) of the exact one;
  - [path_claim F u η N] == the same from any frequency of relative error r u:
    (1 + r + r u) u |n||ω| + κu + η/2;
  - [dot_claim F u η] == n u Σ|x_i y_i| + n (1 + (n - 1) u) η/2, any order;
  - [pair_claim F u η] == (τ + (1 + √2) u (1 + τ)) ‖(x, y)‖ + √2 (1 + u) η;
  - [score_claim F u η] == M - N + 2h u M + 2h (1 + (2h - 1) u) η/2.

  The formats: u = 2^-11, 2^-8, 2^-24, 2^-53; η = 2^-24, 2^-133, 2^-149, 2^-1074;
  N = 2^p = 2048, 256, 2^24, 2^53.

  Assumes and not claimed: as in the general theorems. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingAngle RoundingPlane.
From Posproof Require Import RoundingTable RoundingSum RoundingDot RoundingRope RoundingScore.

Open Scope R_scope.

Definition table_claim (F : format) (unit smallest : R) (limit : Z) : Prop :=
  forall (kappa : R) (n : Z) (w : R) (even : bool) (T : R),
  0 <= kappa -> (Z.abs n <= limit)%Z ->
  table_entry F F F kappa n (fl F w) even 0 T ->
  Rabs (T - wave even (IZR n * w))
  <= Rmin 2 (2 * unit * Rabs (IZR n) * Rabs w + kappa * unit + (Rabs (IZR n) + 1) * smallest).

Definition path_claim (F : format) (unit smallest : R) (limit : Z) : Prop :=
  forall (kappa r : R) (n : Z) (w w' : R) (even : bool) (T : R),
  0 <= kappa -> 0 <= r -> (Z.abs n <= limit)%Z ->
  Rabs (w' - w) <= r * unit * Rabs w ->
  table_entry F F F kappa n w' even 0 T ->
  Rabs (T - wave even (IZR n * w))
  <= Rmin 2 ((1 + r + r * unit) * unit * Rabs (IZR n) * Rabs w + kappa * unit + smallest / 2).

Definition dot_claim (F : format) (unit smallest : R) : Prop :=
  forall (x y : nat -> R) (n : nat) (o : order),
  perm_eq (terms o) (iota 0 n) ->
  Rabs (computed_dot F x y o - \rsum_(i < n) (x i * y i))
  <= INR n * unit * (\rsum_(i < n) Rabs (x i * y i))
     + INR n * (1 + (INR n - 1) * unit) * (smallest / 2).

Definition pair_claim (F : format) (unit smallest : R) : Prop :=
  forall x y c s theta tau : R,
  plane_norm (c - cos theta) (s - sin theta) <= tau ->
  plane_norm (rotated_x F false x y c s - (x * cos theta - y * sin theta))
             (rotated_y F false x y c s - (x * sin theta + y * cos theta))
  <= (tau + (1 + sqrt 2) * unit * (1 + tau)) * plane_norm x y
     + sqrt 2 * ((1 + unit) * smallest).

Definition score_claim (F : format) (unit smallest : R) : Prop :=
  forall (h : nat) (o : order) (w : nat -> R) (m n : R) (q k c s c' s' tau tau' : nat -> R),
  perm_eq (terms o) (iota 0 h.*2) ->
  (forall j, (j < h)%N -> plane_norm (c j - cos (m * w j)) (s j - sin (m * w j)) <= tau j) ->
  (forall j, (j < h)%N -> plane_norm (c' j - cos (n * w j)) (s' j - sin (n * w j)) <= tau' j) ->
  let bound tau r := (tau + (1 + sqrt 2) * unit * (1 + tau)) * r + sqrt 2 * ((1 + unit / (1 + unit)) * smallest) in
  let M := \rsum_(j < h) ((pair_norm q j + bound (tau j) (pair_norm q j))
                          * (pair_norm k j + bound (tau' j) (pair_norm k j))) in
  Rabs (computed_dot F (computed_rotated F false c s q) (computed_rotated F false c' s' k) o
        - rope_score h w m n q k)
  <= M - \rsum_(j < h) (pair_norm q j * pair_norm k j)
     + (INR h.*2 * unit * M + INR h.*2 * (1 + (INR h.*2 - 1) * unit) * (smallest / 2)).

Section Generic.
Variable F : format.

Lemma position_error_small n : (Z.abs n <= 2 ^ precision F)%Z -> position_error F n = 0.
Proof. by move=> n_small; rewrite /position_error (proj2 (Z.leb_le _ _) n_small). Qed.

Lemma table_claim_holds : table_claim F (u F) (eta F) (2 ^ precision F).
Proof.
move=> kappa n w even T kappa_ge0 n_small entry.
apply: Rle_trans (rounding_table_a_priori _ _ _ _ _ _ _ _ _ _ _ _ kappa_ge0 (near_fl_exact F w) entry) _.
apply: Rle_min_compat_l; rewrite /angle_bound /angle_relative /angle_absolute.
rewrite (position_error_small n n_small).
have [[[v0 v_le] vv] e0] := (v_pos F, v_le_u F, v_twice F, eta_pos F).
have nw_ge0 : 0 <= Rabs (IZR n) * Rabs w by apply: Rmult_le_pos; exact: Rabs_pos.
have rel_le : Rabs (IZR n) * Rabs w * (v F + v F * (1 + v F)) <= Rabs (IZR n) * Rabs w * (2 * u F).
  by apply: Rmult_le_compat_l => //; lra.
have abs_le : (1 + v F) * (Rabs (IZR n) * (eta F / 2)) <= 2 * (Rabs (IZR n) * (eta F / 2)).
  apply: Rmult_le_compat_r; first by apply: Rmult_le_pos; [exact: Rabs_pos | lra].
  by move: (v_lt_1 F); lra.
by lra.
Qed.

Lemma path_claim_holds : path_claim F (u F) (eta F) (2 ^ precision F).
Proof.
move=> kappa r n w w' even T kappa_ge0 r_ge0 n_small near_w entry.
have {}near_w : near (r * u F) 0 w' w by rewrite /near Rplus_0_r.
apply: Rle_trans (rounding_table_a_priori _ _ _ _ _ _ _ _ _ _ _ _ kappa_ge0 near_w entry) _.
apply: Rle_min_compat_l; rewrite /angle_bound /angle_absolute Rmult_0_r.
have nw_ge0 : 0 <= Rabs (IZR n) * Rabs w by apply: Rmult_le_pos; exact: Rabs_pos.
have := Rmult_le_compat_l _ _ _ nw_ge0 (angle_relative_le F F n r r_ge0 n_small).
by lra.
Qed.

Lemma dot_claim_holds : dot_claim F (u F) (eta F).
Proof. by move=> x y n o each_once; have [] := rounding_dot F x y n o each_once. Qed.

Lemma pair_claim_holds : pair_claim F (u F) (eta F).
Proof.
move=> x y c s theta tau near_cs.
apply: Rle_trans (rounding_rotated_pair_length F false x y c s theta tau near_cs) _.
rewrite /pair_bound /rotation_relative /rotation_absolute.
apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; first exact: sqrt_pos.
by apply: Rmult_le_compat_r; [move: (eta_pos F) | move: (v_le_u F)]; lra.
Qed.

Lemma score_claim_holds : score_claim F (u F) (eta F).
Proof.
move=> h o w m n q k c s c' s' tau tau' each_once near_m near_n bound M.
exact: (rounding_rope_score F F false h o w m n q k c s c' s' tau tau' each_once near_m near_n).
Qed.

End Generic.

(** The figures of a format put into a statement about its unit roundoff and smallest number. *)
Lemma with_figures (claim : format -> R -> R -> Prop) :
  (forall F, claim F (u F) (eta F)) ->
  claim binary16 (/ 2 ^ 11) (/ 2 ^ 24) /\ claim bfloat16 (/ 2 ^ 8) (/ 2 ^ 133) /\
  claim binary32 (/ 2 ^ 24) (/ 2 ^ 149) /\ claim binary64 (/ 2 ^ 53) (/ 2 ^ 1074).
Proof.
move=> holds; have [[u16 [e16 _]] [[ub16 eb16] [[u32 e32] [u64 e64]]]] := rounding_formats.
rewrite -{1}u16 -{1}e16 -{1}ub16 -{1}eb16 -{1}u32 -{1}e32 -{1}u64 -{1}e64.
by do !split.
Qed.

(** rounding.instances-table: in binary16, bfloat16, binary32 or binary64 throughout, from a correctly rounded
    frequency and at positions up to 2^p, |T - wave(nω)| <= min(2, 2u|n||ω| + κu + (|n| + 1)η). *)
Theorem rounding_instances_table :
  table_claim binary16 (/ 2 ^ 11) (/ 2 ^ 24) 2048 /\
  table_claim bfloat16 (/ 2 ^ 8) (/ 2 ^ 133) 256 /\
  table_claim binary32 (/ 2 ^ 24) (/ 2 ^ 149) 16777216 /\
  table_claim binary64 (/ 2 ^ 53) (/ 2 ^ 1074) 9007199254740992.
Proof.
exact: (with_figures (fun F unit smallest => table_claim F unit smallest (2 ^ precision F))
          table_claim_holds).
Qed.

(** rounding.instances-path: in one of the four formats throughout, at positions up to 2^p and with |ω' - ω|
    <= r u|ω|, |T - wave(nω)| <= min(2, (1 + r + ru)u|n||ω| + κu + η/2). *)
Theorem rounding_instances_path :
  path_claim binary16 (/ 2 ^ 11) (/ 2 ^ 24) 2048 /\
  path_claim bfloat16 (/ 2 ^ 8) (/ 2 ^ 133) 256 /\
  path_claim binary32 (/ 2 ^ 24) (/ 2 ^ 149) 16777216 /\
  path_claim binary64 (/ 2 ^ 53) (/ 2 ^ 1074) 9007199254740992.
Proof.
exact: (with_figures (fun F unit smallest => path_claim F unit smallest (2 ^ precision F))
          path_claim_holds).
Qed.

(** rounding.instances-dot: a dot product of length n in any order errs by at most
    n u Σ|x_i y_i| + n(1 + (n - 1)u)η/2 in each of the four formats. *)
Theorem rounding_instances_dot :
  dot_claim binary16 (/ 2 ^ 11) (/ 2 ^ 24) /\ dot_claim bfloat16 (/ 2 ^ 8) (/ 2 ^ 133) /\
  dot_claim binary32 (/ 2 ^ 24) (/ 2 ^ 149) /\ dot_claim binary64 (/ 2 ^ 53) (/ 2 ^ 1074).
Proof. exact: with_figures dot_claim_holds. Qed.

(** rounding.instances-pair: a pair rotated by tabulated values within τ is within
    (τ + (1 + √2)u(1 + τ))‖(x, y)‖ + √2(1 + u)η in each of the four formats. *)
Theorem rounding_instances_pair :
  pair_claim binary16 (/ 2 ^ 11) (/ 2 ^ 24) /\ pair_claim bfloat16 (/ 2 ^ 8) (/ 2 ^ 133) /\
  pair_claim binary32 (/ 2 ^ 24) (/ 2 ^ 149) /\ pair_claim binary64 (/ 2 ^ 53) (/ 2 ^ 1074).
Proof. exact: with_figures pair_claim_holds. Qed.

(** rounding.instances-score: a RoPE score of h pairs computed in one format is within M - Σ‖q_j‖‖k_j‖
    + 2h u M + 2h(1 + (2h - 1)u)η/2 of the exact score in each of the four formats. *)
Theorem rounding_instances_score :
  score_claim binary16 (/ 2 ^ 11) (/ 2 ^ 24) /\ score_claim bfloat16 (/ 2 ^ 8) (/ 2 ^ 133) /\
  score_claim binary32 (/ 2 ^ 24) (/ 2 ^ 149) /\ score_claim binary64 (/ 2 ^ 53) (/ 2 ^ 1074).
Proof. exact: with_figures score_claim_holds. Qed.
