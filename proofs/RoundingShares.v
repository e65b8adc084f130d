(** * The share of each key in what errors of the logits do to an output

  What is claimed.  Where errors δ_j are added to the logits s_j, the output o = Σ p_j x_j of attention
  changes by a sum of shares, one for each key, and each share is bounded.

  Dictionary:
  - [share n s δ x j] == p_j (e^(δ_j) - 1)(x_j - o)/Σ_i p_i e^(δ_i), p = weight n s.

  Formulas, P the weights of the logits s + δ:
    Σ P_j x_j - o = Σ_j share_j,  |share_j| <= p_j (e^|δ_j| - 1)|x_j - o| e^(max |δ|)   [rounding_shares]

  Assumes: nothing. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingModel RoundingSoftmaxScores.

Open Scope R_scope.

Definition share (n : nat) (s delta x : nat -> R) (j : nat) : R :=
  let o := \rsum_(i < n) (weight n s i * x i) in
  weight n s j * (exp (delta j) - 1) * (x j - o) / \rsum_(i < n) (weight n s i * exp (delta i)).

(** rounding.shares: what errors δ_j of the logits do to an output o = Σ p_j x_j is exactly the sum of the keys'
    shares p_j (e^(δ_j) - 1)(x_j - o)/Σ_i p_i e^(δ_i), each at most p_j (e^|δ_j| - 1)|x_j - o| e^d for errors
    of at most d: a key contributes by its weight, its own error and the distance of its value from the output. *)
Theorem rounding_shares (n : nat) (s delta x : nat -> R) (d : R) (t : 'I_n) :
  (forall j, (j < n)%N -> Rabs (delta j) <= d) ->
  let o := \rsum_(j < n) (weight n s j * x j) in
  \rsum_(j < n) (weight n (fun i => s i + delta i) j * x j) - o = \rsum_(j < n) share n s delta x j /\
  (forall j, (j < n)%N -> Rabs (share n s delta x j)
     <= weight n s j * (exp (Rabs (delta j)) - 1) * Rabs (x j - o) * exp d).
Proof.
move=> delta_le o; set N := \rsum_(i < n) (weight n s i * exp (delta i)).
have sum1 := weights_sum n s t; have Z_gt0 := exps_gt0 n s t.
have N_ge : exp (- d) <= N.
  have -> : exp (- d) = \rsum_(i < n) (weight n s i * exp (- d)).
    by transitivity ((\rsum_(i < n) weight n s i) * exp (- d)); [rewrite sum1 Rmult_1_l | rewrite -rsum_mulr].
  apply: rsum_le => i; apply: Rmult_le_compat_l; first by apply: Rlt_le; exact: weight_gt0.
  by apply: exp_le_1; have /Rabs_le_inv := delta_le i (ltn_ord i); lra.
have N_gt0 : 0 < N by apply: Rlt_le_trans N_ge; exact: exp_pos.
have moved j : weight n (fun i => s i + delta i) j = weight n s j * exp (delta j) / N.
  have total : \rsum_(i < n) exp (s i + delta i) = (\rsum_(i < n) exp (s i)) * N.
    by rewrite /N -rsum_mull; apply: eq_bigr => i _; rewrite /weight exp_plus; field; lra.
  by rewrite {1}/weight total /weight exp_plus; field; split; lra.
split=> [ | j lt_jn].
  have -> : \rsum_(j < n) (weight n (fun i => s i + delta i) j * x j) =
      / N * \rsum_(j < n) (weight n s j * exp (delta j) * x j).
    by rewrite -rsum_mull; apply: eq_bigr => j _; rewrite moved; field; lra.
  have -> : \rsum_(j < n) share n s delta x j =
      / N * (\rsum_(j < n) (weight n s j * exp (delta j) * x j) - \rsum_(j < n) (weight n s j * x j)
             - o * (\rsum_(j < n) (weight n s j * exp (delta j))) + o * (\rsum_(j < n) weight n s j)).
    rewrite -!rsum_mull -!rsum_sub -rsum_add -rsum_mull; apply: eq_bigr => j _.
    by rewrite /share -/o -/N; field; lra.
  by rewrite sum1 -/N -/o; field; lra.
have p_gt0 := weight_gt0 n s (Ordinal lt_jn); rewrite /= in p_gt0.
have factor : Rabs (exp (delta j) - 1) <= exp (Rabs (delta j)) - 1.
  have [up down] := (exp_ineq1_le (delta j), exp_ineq1_le (- delta j)).
  case: (Rle_lt_dec 0 (delta j)) => sign.
    by rewrite (Rabs_pos_eq (delta j)) // Rabs_pos_eq; lra.
  have below : exp (delta j) <= 1 by rewrite -exp_0; apply: exp_le_1; lra.
  by rewrite (Rabs_left (delta j)) // Rabs_left1; lra.
have inverse : / N <= exp d.
  have -> : exp d = / exp (- d) by rewrite exp_Ropp Rinv_inv.
  by apply: Rinv_le_contravar; [exact: exp_pos | exact: N_ge].
rewrite /share -/o -/N; move: (weight n s j) p_gt0 => p p_gt0.
rewrite /Rdiv !Rabs_mult (Rabs_pos_eq p); last by lra.
rewrite (Rabs_pos_eq (/ N)); last by apply: Rlt_le; exact: Rinv_0_lt_compat.
apply: Rmult_le_compat => //.
- by apply: Rmult_le_pos; [apply: Rmult_le_pos; [lra | exact: Rabs_pos] | exact: Rabs_pos].
- by apply: Rlt_le; exact: Rinv_0_lt_compat.
apply: Rmult_le_compat_r; first exact: Rabs_pos.
by apply: Rmult_le_compat_l; [lra | exact: factor].
Qed.
