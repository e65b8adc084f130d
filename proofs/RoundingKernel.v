(** * Attention with sums to nearest, as a case of attention as kernels compute it

  What is claimed.  The theorem of attention whose products are added in any way, in plain order,
  holds of sums that are rounded to nearest, with the bound of the theorem of those.  Weights that
  are cast to the nearest number move together by no more than they are.

  Dictionary (see RoundingAttention.v, RoundingRescaled.v, RoundingOnline.v):
  - [output_bound G how n W X] == W X + slope (1 + W) X + floor.

  Formulas: a = slope, b = floor, W = 2 gain(ε) + weights_bound in
    |output - sum of w_j x_j| <= W X + a (1 + W) X + b        [rounding_attention_nearest]
  weights p_j within e G of g_j together, casts no further from p_j than 0:
    Σ|q_j - g_j| <= (1 + 2 e) G                                     [rounding_online_cast]

  Assumes: what [rounding_attention] does. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingSoftmaxScores RoundingSoftmax RoundingAttention RoundingRescaled.

Open Scope R_scope.

(** rounding.attention-nearest: the theorem of attention with sums to nearest follows from rounding.attention-summed, whose
    accumulator is then one of binary32 or of another format: with a the slope, b the floor and W the errors of all weights. *)
Theorem rounding_attention_nearest (F G : format) (how : products) (kappa theta omega chi epsilon X : R) (n : nat)
    (exact_logit logit E p x : nat -> R) (t : 'I_n) (S output : R) :
  0 <= kappa -> 0 <= theta -> 0 <= omega ->
  (forall j, (j < n)%N -> Rabs (logit j - exact_logit j) <= epsilon) ->
  (forall j, (j < n)%N -> is_float F (logit j)) ->
  (forall j, (j < n)%N -> logit j <= logit t) ->
  (forall j, (j < n)%N -> accurate F kappa (E j) (exp (fl F (logit j - logit t)))) ->
  Rabs (S - \rsum_(j < n) E j) <= theta * (\rsum_(j < n) E j) ->
  (forall j, (j < n)%N -> near omega chi (p j) (E j / S)) ->
  normaliser F kappa n theta < 1 ->
  (forall j, (j < n)%N -> Rabs (x j) <= X) ->
  accumulated G how n p x output ->
  Rabs (output - \rsum_(j < n) (weight n exact_logit j * x j))
  <= output_bound G how n (2 * gain epsilon + weights_bound F kappa n theta omega chi) X.
Proof.
move=> kappa0 theta0 omega0 near_logit floats top library summed divided normal x_le computed.
have n_gt0 : (0 < n)%N by exact: leq_ltn_trans (ltn_ord t).
have [_ softmax] := rounding_softmax F kappa theta omega chi n logit t kappa0 theta0 omega0 floats top
  E p S library summed divided normal.
have [_ /(_ n_gt0) moved] := rounding_softmax_scores n exact_logit logit epsilon near_logit.
have X_ge0 : 0 <= X by apply: Rle_trans (x_le t (ltn_ord t)); exact: Rabs_pos.
apply: (rounding_attention_summed n x X X_ge0 x_le p (weight n exact_logit) _ (slope G how n) (RoundingAttention.floor G how n) output).
- exact: slope_ge0.
- by move=> j lt_jn; apply: Rlt_le; exact: (weight_gt0 n exact_logit (Ordinal lt_jn)).
- exact: (weights_sum n exact_logit t).
- apply: (Rle_trans _ (\rsum_(j < n) (Rabs (p j - weight n logit j) + Rabs (weight n logit j - weight n exact_logit j)))).
    by apply: rsum_le => j; exact: Rabs_diff_triangle.
  by rewrite rsum_add Rplus_comm; exact: Rplus_le_compat moved softmax.
- exact: accumulated_error computed.
Qed.

(** rounding.online-cast: non-negative weights that are together within e G of the exact ones, which add up to G, each cast to a
    number that is no further from it than 0 is: the errors of all casts together are at most (1 + 2 e) G. *)
Theorem rounding_online_cast (n : nat) (e : R) (g p q : nat -> R) :
  (forall j, (j < n)%N -> 0 <= g j) ->
  \rsum_(j < n) Rabs (p j - g j) <= e * (\rsum_(j < n) g j) ->
  (forall j, (j < n)%N -> Rabs (q j - p j) <= Rabs (p j)) ->
  \rsum_(j < n) Rabs (q j - g j) <= (1 + 2 * e) * (\rsum_(j < n) g j).
Proof.
move=> g_ge0 near cast.
apply: (Rle_trans _ (\rsum_(j < n) (g j + 2 * Rabs (p j - g j)))).
  apply: rsum_le => j; have := cast j (ltn_ord j); have := Rabs_diff_triangle (q j) (p j) (g j).
  have := Rabs_by_diff (p j) (g j); rewrite (Rabs_pos_eq (g j)); last exact: g_ge0.
  by lra.
rewrite rsum_add rsum_mull; have := Rmult_le_compat_l 2 _ _ ltac:(lra) near.
by rewrite Rmult_plus_distr_r Rmult_1_l Rmult_assoc => twice; apply: Rplus_le_compat_l.
Qed.

(** The nearest number of a format is one. *)
Lemma nearest_cast (F : format) (x : R) : Rabs (fl F x - x) <= Rabs x.
Proof.
have nearest := proj2 (@round_N_pt radix2 (exponents F) _ (fun n => negb (Z.even n)) x).
have le := nearest ltac:(exact _) 0 (generic_format_0 radix2 (exponents F)).
have opposite : 0 - x = - x by ring.
by rewrite opposite Rabs_Ropp in le; exact: le.
Qed.
