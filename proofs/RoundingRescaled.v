(** * Sums that are rescaled, and attention with unnormalised weights

  What is claimed.  Between instructions of a matrix unit the accumulator may be multiplied, as
  online softmax does where a larger logit appears.  The loss is then the stated share of the
  products' magnitudes as they are scaled in the end.  An output of attention, the quotient of such
  a sum by a computed normaliser, is within a stated bound of the exact one.

  Dictionary (see RoundingInstruction.v, RoundingAccumulator.v):
  - [rescaled A least t first other beta blocks d] == d is the sum of the products t i of the
    blocks, the accumulator multiplied by [beta k] before block k;
  - [scale k] == the product of all factors from block k on;
  - [quotient_bound a b W ρ X] == (X W + a (X (1 + W) + b) + X ρ) / (1 - ρ).

  Formulas, Σ for the sum of scale (k + 1) |t i| over blocks k and i in block k:
    |d - sum of scale (k + 1) t i| <= slope (Σ + B 2^least), |d| <= Σ,
      no scale above B                                         [rounding_accumulator_rescaled]
    |output - sum of w_j x_j| <= 2 gain(ε) X + (1 + ω) quotient_bound + ω X + χ
                                                                 [rounding_attention_online]
    |output - sum of w_j x_j| <= W X + a (1 + W) X + b            [rounding_attention_summed]

  Assumes: no overflow. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingSoftmaxScores RoundingTruncation RoundingInstruction RoundingAccumulator.

Open Scope R_scope.

Section Rescaled.
Variables (A : accumulator) (least : Z) (t : nat -> R) (first other : nat).
Variables (beta scale : nat -> R) (B : R) (blocks : seq (seq nat)) (c : nat -> R) (E : nat -> Z).
Hypothesis first_gt0 : (0 < first)%N.
Hypothesis other_gt0 : (0 < other)%N.
Hypothesis first_lt : share A first < 1.
Hypothesis other_lt : share A other < 1.
Hypothesis beta_ge0 : forall k, 0 <= beta k.
Hypothesis scale_range : forall k, 0 <= scale k <= B.
Hypothesis scale_step : forall k, (k < size blocks)%N -> scale k = beta k * scale k.+1.
Hypothesis c_0 : c 0%N = 0.
Hypothesis steps : forall k, (k < size blocks)%N ->
  instruction A least t (nth [::] blocks k) (E k) (beta k * c k) (c k.+1) /\
  loses_at_most A least (if k is 0 then first else other) t (nth [::] blocks k) (E k) (beta k * c k).

Let lost_in k := loss A t (nth [::] blocks k) (E k) (beta k * c k) (c k.+1).
Let mass k := \rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) Rabs (t i)).
Let exact k := \rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) t i).
Let lost k := \rsum_(j < k) (scale j.+1 * lost_in j).
Let total := mass (size blocks) + B * bpow radix2 least.

Lemma scaled_mass_step k : mass k.+1 = mass k + scale k.+1 * \ssum_(i <- nth [::] blocks k) Rabs (t i).
Proof. exact: big_ord_recr. Qed.

Lemma scaled_lost_step k : lost k.+1 = lost k + scale k.+1 * lost_in k.
Proof. exact: big_ord_recr. Qed.

Lemma scaled_exact_step k : exact k.+1 = exact k + scale k.+1 * \ssum_(i <- nth [::] blocks k) t i.
Proof. exact: big_ord_recr. Qed.

Lemma scaled_mass_le k n : (k <= n)%N -> mass k <= mass n.
Proof.
elim: n => [|n IH]; first by rewrite leqn0 => /eqP ->; lra.
rewrite leq_eqVlt => /orP[/eqP ->|]; first by lra.
rewrite ltnS scaled_mass_step => /IH le; have [scale_ge0 _] := scale_range n.+1.
have sum_ge0 := ssum_ge0 (nth [::] blocks n) (fun i => Rabs (t i)) (fun i => Rabs_pos _).
by have := Rmult_le_pos _ _ scale_ge0 sum_ge0; lra.
Qed.

Lemma rescaled_shrinks k : (k <= size blocks)%N ->
  Rabs (c k) * scale k + lost k <= mass k /\ Rabs (c k * scale k - exact k) <= lost k.
Proof.
elim: k => [|k IH] lt.
  by rewrite /lost /mass /exact !big_ord0 c_0 Rmult_0_l Rminus_0_r Rabs_R0 Rmult_0_l; lra.
have [shrunk near] := IH (ltnW lt); have [step _] := steps k lt.
have shrinks := instruction_shrinks _ _ _ _ _ _ _ step; rewrite Rabs_mult (Rabs_pos_eq _ (beta_ge0 k)) in shrinks.
have error := instruction_error A t (nth [::] blocks k) (E k) (beta k * c k) (c k.+1).
have [scale_ge0 _] := scale_range k.+1; have before := scale_step k lt.
rewrite scaled_mass_step scaled_lost_step scaled_exact_step; rewrite before in shrunk near.
split; first by have := Rmult_le_compat_l _ _ _ scale_ge0 shrinks; rewrite /lost_in; lra.
set T := \ssum_(i <- _) t i in error *.
have -> : c k.+1 * scale k.+1 - (exact k + scale k.+1 * T) =
  scale k.+1 * (c k.+1 - (beta k * c k + T)) + (c k * (beta k * scale k.+1) - exact k) by ring.
apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_mult (Rabs_pos_eq _ scale_ge0).
by have := Rmult_le_compat_l _ _ _ scale_ge0 error; rewrite /lost_in; lra.
Qed.

Lemma rescaled_step k : (k < size blocks)%N ->
  scale k.+1 * lost_in k <= share_of A first other k * (mass k.+1 - lost k + B * bpow radix2 least).
Proof.
move=> lt; have [step lossy] := steps k lt; have [shrunk _] := rescaled_shrinks k (ltnW lt).
have positive : (0 < if k is 0 then first else other)%N by case: (k).
have lost_le := instruction_lost _ _ _ _ _ _ _ _ step lossy positive.
rewrite Rabs_mult (Rabs_pos_eq _ (beta_ge0 k)) in lost_le.
have [scale_ge0 scale_le] := scale_range k.+1; have before := scale_step k lt; rewrite before in shrunk.
have [share_ge0 _] := share_of_range A first other first_gt0 other_gt0 first_lt other_lt k.
have least_ge0 := bpow_ge_0 radix2 least.
have := Rmult_le_compat_l _ _ _ scale_ge0 lost_le; rewrite -/(share_of A first other k) -/(lost_in k) => le.
apply: Rle_trans le _; rewrite scaled_mass_step.
set S := \ssum_(i <- _) Rabs (t i).
have -> : scale k.+1 * (share_of A first other k * (beta k * Rabs (c k) + S + bpow radix2 least)) =
  share_of A first other k * (Rabs (c k) * (beta k * scale k.+1) + scale k.+1 * S + scale k.+1 * bpow radix2 least)
  by ring.
apply: Rmult_le_compat_l => //.
by have := Rmult_le_compat_r (bpow radix2 least) _ _ ltac:(lra) scale_le; lra.
Qed.

Lemma rescaled_left k : (k <= size blocks)%N -> left_of A first other k * total <= total - lost k.
Proof.
elim: k => [|k IH] lt; first by rewrite /lost big_ord0 /left_of; lra.
have := IH (ltnW lt); have := rescaled_step k lt; have := scaled_mass_le k.+1 (size blocks) lt.
have [share_ge0 share_lt1] := share_of_range A first other first_gt0 other_gt0 first_lt other_lt k.
rewrite left_of_step scaled_lost_step /total => mass_small step left_le.
have := Rmult_le_compat_l _ _ _ share_ge0 (Rplus_le_compat_r (B * bpow radix2 least - lost k) _ _ mass_small).
have := Rmult_le_compat_r (1 - share_of A first other k) _ _ ltac:(lra) left_le.
by lra.
Qed.

(** rounding.accumulator-rescaled: N instructions of a matrix unit, the accumulator multiplied by a factor before each, lose
    at most 1 - (1 - λ') (1 - λ)^(N - 1) of the sum of the products' magnitudes, each scaled by the factors after it, and
    B 2^least, no scale above B; the result is no larger than that sum. *)
Theorem rounding_accumulator_rescaled : scale (size blocks) = 1 ->
  Rabs (c (size blocks) - \rsum_(k < size blocks) (scale k.+1 * \ssum_(i <- nth [::] blocks k) t i))
  <= slope A first other (size blocks) *
     (\rsum_(k < size blocks) (scale k.+1 * \ssum_(i <- nth [::] blocks k) Rabs (t i)) + B * bpow radix2 least) /\
  Rabs (c (size blocks)) <= \rsum_(k < size blocks) (scale k.+1 * \ssum_(i <- nth [::] blocks k) Rabs (t i)).
Proof.
move=> last_scale; have [shrunk near] := rescaled_shrinks _ (leqnn _); have := rescaled_left _ (leqnn _).
rewrite last_scale !Rmult_1_r in shrunk near; rewrite -/(mass _) -/(exact _) -/total.
have := Rabs_pos (c (size blocks) - exact (size blocks)).
by rewrite /slope; split; lra.
Qed.

End Rescaled.

(** ** Outputs *)

Section Outputs.
Variables (n : nat) (x : nat -> R) (X : R).
Hypothesis X_ge0 : 0 <= X.
Hypothesis x_le : forall j, (j < n)%N -> Rabs (x j) <= X.

(** Weights that err by W together move a weighted sum by W X. *)
Lemma weighted_difference (p w : nat -> R) W : \rsum_(j < n) Rabs (p j - w j) <= W ->
  Rabs (\rsum_(j < n) (p j * x j) - \rsum_(j < n) (w j * x j)) <= W * X.
Proof.
move=> near; rewrite -rsum_sub; apply: (Rle_trans _ (\rsum_(j < n) (Rabs (p j - w j) * X))).
  apply: (rsum_abs_le (fun j => p j * x j - w j * x j) (fun j => Rabs (p j - w j) * X)) => j lt.
  have -> : p j * x j - w j * x j = (p j - w j) * x j by ring.
  by rewrite Rabs_mult; apply: Rmult_le_compat_l; [exact: Rabs_pos | exact: x_le].
by rewrite rsum_mulr; apply: Rmult_le_compat_r.
Qed.

(** Their magnitudes are at most (G + W) X, G the sum of the exact ones. *)
Lemma weighted_mass (p w : nat -> R) W : (forall j, (j < n)%N -> 0 <= w j) ->
  \rsum_(j < n) Rabs (p j - w j) <= W -> \rsum_(j < n) Rabs (p j * x j) <= (\rsum_(j < n) w j + W) * X.
Proof.
move=> w_ge0 near; apply: (Rle_trans _ (\rsum_(j < n) ((w j + Rabs (p j - w j)) * X))).
  apply: rsum_le => j; rewrite Rabs_mult; apply: Rmult_le_compat; try exact: Rabs_pos; last exact: x_le.
  by have := Rabs_by_diff (p j) (w j); rewrite (Rabs_pos_eq (w j)) //; exact: w_ge0.
by rewrite rsum_mulr rsum_add; apply: Rmult_le_compat_r => //; exact: Rplus_le_compat_l near.
Qed.

(** rounding.attention-summed: weights within W of w together, whose sum is 1, values at most X, the products summed to
    within a times their magnitudes and b: the output is within W X + a (1 + W) X + b. *)
Theorem rounding_attention_summed (p w : nat -> R) (W a b output : R) : 0 <= a ->
  (forall j, (j < n)%N -> 0 <= w j) -> \rsum_(j < n) w j = 1 -> \rsum_(j < n) Rabs (p j - w j) <= W ->
  Rabs (output - \rsum_(j < n) (p j * x j)) <= a * (\rsum_(j < n) Rabs (p j * x j)) + b ->
  Rabs (output - \rsum_(j < n) (w j * x j)) <= W * X + a * ((1 + W) * X) + b.
Proof.
move=> a_ge0 w_ge0 w_sum near summed; have moved := weighted_difference p w W near.
have mass := weighted_mass p w W w_ge0 near; rewrite w_sum in mass.
have := Rmult_le_compat_l _ _ _ a_ge0 mass.
by have := Rabs_diff_triangle output (\rsum_(j < n) (p j * x j)) (\rsum_(j < n) (w j * x j)); lra.
Qed.

End Outputs.

Definition quotient_bound (a b W rho X : R) : R := (X * W + a * (X * (1 + W) + b) + X * rho) / (1 - rho).

(** rounding.attention-online: logits within ε of the exact ones, weights q_j that err together by at most W times the sum G
    of the exact exponentials, a normaliser within ρ G of G, the products q_j x_j, values at most X, summed to within a times
    their magnitudes and b, the quotient rounded to within ω and χ: the output is within 2 gain(ε) X +
    (1 + ω) quotient_bound + ω X + χ. *)
Theorem rounding_attention_online (n : nat) (exact_logit logit q x : nat -> R) (top : 'I_n)
    (epsilon W rho a b omega chi X N S output : R) :
  (forall j, (j < n)%N -> Rabs (logit j - exact_logit j) <= epsilon) ->
  0 <= a -> 0 <= b -> 0 <= omega -> 0 <= W -> 0 <= rho < 1 ->
  let g j := exp (logit j - logit top) in
  \rsum_(j < n) Rabs (q j - g j) <= W * (\rsum_(j < n) g j) ->
  Rabs (S - \rsum_(j < n) g j) <= rho * (\rsum_(j < n) g j) ->
  (forall j, (j < n)%N -> Rabs (x j) <= X) ->
  Rabs (N - \rsum_(j < n) (q j * x j)) <= a * (\rsum_(j < n) Rabs (q j * x j) + b) ->
  near omega chi output (N / S) ->
  Rabs (output - \rsum_(j < n) (weight n exact_logit j * x j))
  <= 2 * gain epsilon * X + (1 + omega) * quotient_bound a b W rho X + omega * X + chi.
Proof.
move=> near_logit a_ge0 b_ge0 omega_ge0 W_ge0 [rho_ge0 rho_lt1] g weights normalised x_le summed rounded.
have n_gt0 : (0 < n)%N by exact: leq_ltn_trans (ltn_ord top).
have X_ge0 : 0 <= X by apply: Rle_trans (x_le top (ltn_ord top)); exact: Rabs_pos.
set G := \rsum_(j < n) g j in weights normalised.
have G_ge1 : 1 <= G.
  have -> : 1 = g top by rewrite /g Rminus_eq_0 exp_0.
  exact: (exp_ge n (fun j => logit j - logit top)).
have [_ /(_ n_gt0) moved] := rounding_softmax_scores n exact_logit logit epsilon near_logit.
have first := weighted_difference n x X X_ge0 x_le (weight n logit) (weight n exact_logit) _ moved.
have g_ge0 j : (j < n)%N -> 0 <= g j by move=> _; apply: Rlt_le; exact: exp_pos.
have second := weighted_difference n x X X_ge0 x_le q g _ weights.
have mass := weighted_mass n x X X_ge0 x_le q g _ g_ge0 weights; rewrite -/G in mass.
set Gx := \rsum_(j < n) (g j * x j) in second.
have weights_eq : \rsum_(j < n) (weight n logit j * x j) = Gx / G.
  rewrite /Gx /Rdiv -rsum_mulr; apply: eq_bigr => j _.
  by rewrite (weight_shift n logit (logit top)) /weight -/G /g /Rdiv; ring.
have Gx_le : Rabs Gx <= G * X.
  rewrite /Gx /G -rsum_mulr; apply: (rsum_abs_le (fun j => g j * x j) (fun j => g j * X)) => j lt.
  by rewrite Rabs_mult (Rabs_pos_eq (g j) (g_ge0 j lt)); apply: Rmult_le_compat_l; [exact: g_ge0 | exact: x_le].
have S_ge : (1 - rho) * G <= S by move/Rabs_le_inv: normalised; lra.
have S_gt0 : 0 < S by apply: Rlt_le_trans S_ge; apply: Rmult_lt_0_compat; lra.
have numerator : Rabs (N - Gx) <= G * (X * W + a * (X * (1 + W) + b)).
  have := Rabs_diff_triangle N (\rsum_(j < n) (q j * x j)) Gx.
  have := Rmult_le_compat_l _ _ _ a_ge0 mass; have := Rmult_le_pos _ _ a_ge0 b_ge0 => ab.
  have : a * b <= G * (a * b) by nra.
  by lra.
have quotient : Rabs (N / S - Gx / G) <= quotient_bound a b W rho X.
  have -> : N / S - Gx / G = ((N - Gx) + Gx / G * (G - S)) / S by field; lra.
  rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ S)); last by apply: Rlt_le; exact: Rinv_0_lt_compat.
  have ratio : Rabs (Gx * / G) <= X.
    rewrite Rabs_mult (Rabs_pos_eq (/ G)); last by apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
    by apply: (Rmult_le_reg_r G); [lra | rewrite Rmult_assoc Rinv_l; lra].
  have top_le : Rabs ((N - Gx) + Gx * / G * (G - S)) <= G * (X * W + a * (X * (1 + W) + b) + X * rho).
    apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_mult.
    have gap : Rabs (G - S) <= rho * G by rewrite Rabs_minus_sym.
    by have := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) ratio gap; lra.
  have inverse : / S <= / ((1 - rho) * G) by apply: Rinv_le_contravar => //; apply: Rmult_lt_0_compat; lra.
  apply: Rle_trans (Rmult_le_compat _ _ _ _ (Rabs_pos _) _ top_le inverse) _.
    by apply: Rlt_le; exact: Rinv_0_lt_compat.
  by rewrite /quotient_bound; right; field; lra.
have size : Rabs (Gx / G) <= X.
  rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ G)); last by apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
  by apply: (Rmult_le_reg_r G); [lra | rewrite Rmult_assoc Rinv_l; lra].
rewrite weights_eq in first; move: rounded; rewrite /near => rounded.
have := Rabs_by_diff (N / S) (Gx / G).
have := Rabs_diff_triangle output (N / S) (Gx / G).
have := Rabs_diff_triangle output (Gx / G) (\rsum_(j < n) (weight n exact_logit j * x j)).
move=> t1 t2 t3; have t4 : omega * Rabs (N / S) <= omega * (X + quotient_bound a b W rho X).
  by apply: Rmult_le_compat_l; lra.
by lra.
Qed.
