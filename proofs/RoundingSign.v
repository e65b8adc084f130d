(** * What a matrix unit loses of products of one sign

  What is claimed.  Truncation is towards zero, so that a result is below the exact sum by no more than
  what is lost of positive products, and above it by no more than what is lost of negative ones.

  Dictionary: see RoundingBelow.v.

  Formulas, n+ products that may be positive and n- that may be negative, with Σ for the sum of |t i|:
    - sign_slope (n+) (Σ + 2^least) <= d - sum of t i <= sign_slope (n-) (Σ + 2^least)
                                                                                [rounding_accumulator_sign]
    F = r: the same with sign_even_slope and (1 + N λ) 2^least                  [rounding_accumulator_sign_even]
    two sums of the same products: one is above the other by at most what it loses of negative
      products and the other of positive ones                                   [rounding_accumulators_apart]
    products of one sign, sums within [0, L] and [0, L'] below the exact one:
      they differ by at most the larger of L and L'                             [rounding_accumulators_one_sign]

  Assumes: no overflow; λ', λ < 1; sums that are not cleared or rescaled in between. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingTruncation RoundingInstruction RoundingAccumulator RoundingBelow.

Open Scope R_scope.

(** ** Both signs *)

Section Signs.
Variables (A : accumulator) (least : Z) (t : nat -> R) (first other : nat) (positive negative : nat -> bool).
Variables (blocks : seq (seq nat)) (d : R).
Hypothesis not_positive : forall i, ~~ positive i -> t i <= 0.
Hypothesis not_negative : forall i, ~~ negative i -> 0 <= t i.
Hypothesis first_gt0 : (0 < first)%N.
Hypothesis other_gt0 : (0 < other)%N.
Hypothesis first_lt : share A first < 1.
Hypothesis other_lt : share A other < 1.
Hypothesis computed : accumulates A least t first other blocks d.

Let products := flatten blocks.
Let N := size blocks.

(** What holds of the sum of positive losses holds of the exact sum less the result. *)
Lemma below_of (a : R) : (forall (c : nat -> R) (E : nat -> Z), c 0%N = 0 ->
    (forall k, (k < size blocks)%N -> instruction A least t (nth [::] blocks k) (E k) (c k) (c k.+1) /\
       loses_at_most A least (if k is 0 then first else other) t (nth [::] blocks k) (E k) (c k)) ->
    \rsum_(j < N) loss_below A t (nth [::] blocks j) (E j) (c j) (c j.+1) <= a) ->
  - a <= d - \ssum_(i <- products) t i.
Proof.
move=> small; have [c [E [c_0 [c_d steps]]]] := computed; have := small c E c_0 steps.
have := sums_balance A t blocks c E c_0 N; rewrite c_d /products over_blocks -/N.
have : 0 <= \rsum_(j < N) loss_above A t (nth [::] blocks j) (E j) (c j) (c j.+1).
  apply: rsum_ge0 => j; rewrite -loss_opposite.
  by have [] := loss_below_le A (fun i => - t i) (nth [::] blocks j) (E j) (- c j) (- c j.+1).
by lra.
Qed.

End Signs.

(** rounding.accumulator-sign: N instructions give a sum below the exact one by at most what they lose of products that may be
    positive, and above it by at most what they lose of those that may be negative: of n of them no more than n 2^-F +
    N 2^-min(F, r), nor more than slope, of the sum of all magnitudes and 2^least. *)
Theorem rounding_accumulator_sign (A : accumulator) (least : Z) (t : nat -> R) (first other : nat)
    (positive negative : nat -> bool) (blocks : seq (seq nat)) (d : R) :
  (forall i, ~~ positive i -> t i <= 0) -> (forall i, ~~ negative i -> 0 <= t i) ->
  (0 < first)%N -> (0 < other)%N -> share A first < 1 -> share A other < 1 ->
  accumulates A least t first other blocks d ->
  let products := flatten blocks in
  let of_sign n := sign_slope A first other n (size blocks) * (\ssum_(i <- products) Rabs (t i) + bpow radix2 least) in
  - of_sign (count positive products) <= d - \ssum_(i <- products) t i <= of_sign (count negative products).
Proof.
move=> not_positive not_negative first_gt0 other_gt0 first_lt other_lt computed products of_sign; split.
  apply: (below_of A least t first other blocks d computed) => c E c_0 steps.
  exact: (below_slope A least t first other positive blocks c E).
have opposite := accumulates_opposite _ _ _ _ _ _ _ computed.
have negatives i : ~~ negative i -> - t i <= 0 by move=> /not_negative; lra.
have := below_of A least (fun i => - t i) first other blocks (- d) opposite (of_sign (count negative products)).
rewrite ssum_opposite => below; suff : - of_sign (count negative products) <= - d - - \ssum_(i <- products) t i by lra.
apply: below => c E c_0 steps.
have := below_slope A least (fun i => - t i) first other negative blocks c E negatives first_gt0 other_gt0 first_lt other_lt c_0 steps.
by rewrite /of_sign; under eq_bigr do rewrite Rabs_Ropp.
Qed.

(** rounding.accumulator-sign-even: where results have as many bits as are kept, of n of them no more than x / (1 + x) of the sum
    of all magnitudes and (1 + N λ) 2^least, x = min(n 2^-F + N 2^-F, λ' + (N - 1) λ) / (1 - λ). *)
Theorem rounding_accumulator_sign_even (A : accumulator) (least : Z) (t : nat -> R) (first other : nat)
    (positive negative : nat -> bool) (blocks : seq (seq nat)) (d : R) :
  fraction A = result A -> (0 < size blocks)%N -> (first <= other)%N ->
  (forall i, ~~ positive i -> t i <= 0) -> (forall i, ~~ negative i -> 0 <= t i) ->
  (0 < first)%N -> (0 < other)%N -> share A first < 1 -> share A other < 1 ->
  accumulates A least t first other blocks d ->
  let products := flatten blocks in
  let of_sign n := sign_even_slope A first other n (size blocks) *
    (\ssum_(i <- products) Rabs (t i) + (1 + INR (size blocks) * share A other) * bpow radix2 least) in
  - of_sign (count positive products) <= d - \ssum_(i <- products) t i <= of_sign (count negative products).
Proof.
move=> even some at_most not_positive not_negative first_gt0 other_gt0 first_lt other_lt computed products of_sign; split.
  apply: (below_of A least t first other blocks d computed) => c E c_0 steps.
  exact: (below_even A least t first other positive blocks c E).
have opposite := accumulates_opposite _ _ _ _ _ _ _ computed.
have negatives i : ~~ negative i -> - t i <= 0 by move=> /not_negative; lra.
have := below_of A least (fun i => - t i) first other blocks (- d) opposite (of_sign (count negative products)).
rewrite ssum_opposite => below; suff : - of_sign (count negative products) <= - d - - \ssum_(i <- products) t i by lra.
apply: below => c E c_0 steps.
have := below_even A least (fun i => - t i) first other negative blocks c E negatives first_gt0 other_gt0 first_lt other_lt c_0 steps
  some even at_most.
by rewrite /of_sign; under eq_bigr do rewrite Rabs_Ropp.
Qed.

(** rounding.accumulators-apart: two sums of the same products in any order, each below the exact sum by at most what it loses of
    the positive ones and above it by at most what it loses of the negative ones, are no further apart than the larger of what
    the one loses of one sign and the other of the other sign. *)
Theorem rounding_accumulators_apart (t : nat -> R) (s s' : seq nat) (d d' below above below' above' : R) :
  perm_eq s s' ->
  - below <= d - \ssum_(i <- s) t i <= above -> - below' <= d' - \ssum_(i <- s') t i <= above' ->
  Rabs (d - d') <= Rmax (above + below') (below + above').
Proof.
move=> same; rewrite (perm_big _ same) /= => one other; apply: Rabs_le.
by have := Rmax_l (above + below') (below + above'); have := Rmax_r (above + below') (below + above'); lra.
Qed.

(** rounding.accumulators-one-sign: sums of products of one sign are no larger than the exact sum, so that two of them, by two
    accumulators and in any order, differ by at most the larger of what either may lose. *)
Theorem rounding_accumulators_one_sign (A B : accumulator) (least least' : Z) (t : nat -> R) (first other first' other' : nat)
    (blocks blocks' : seq (seq nat)) (d d' : R) :
  (forall i, 0 <= t i) -> perm_eq (flatten blocks) (flatten blocks') ->
  (0 < first)%N -> (0 < other)%N -> share A first < 1 -> share A other < 1 ->
  (0 < first')%N -> (0 < other')%N -> share B first' < 1 -> share B other' < 1 ->
  accumulates A least t first other blocks d -> accumulates B least' t first' other' blocks' d' ->
  let all := \ssum_(i <- flatten blocks) t i in
  let lost := slope A first other (size blocks) * (all + bpow radix2 least) in
  let lost' := slope B first' other' (size blocks') * (all + bpow radix2 least') in
  (0 <= all - d <= lost /\ 0 <= all - d' <= lost') /\ Rabs (d - d') <= Rmax lost lost'.
Proof.
move=> t_ge0 same f0 o0 f1 o1 f0' o0' f1' o1' computed computed' all lost lost'.
have masses s : \ssum_(i <- s) Rabs (t i) = \ssum_(i <- s) t i by apply: eq_bigr => i _; exact: Rabs_pos_eq.
have [near small] := rounding_accumulator A least t first other blocks d f0 o0 f1 o1 computed.
have [near' small'] := rounding_accumulator B least' t first' other' blocks' d' f0' o0' f1' o1' computed'.
rewrite !masses in near small near' small'; rewrite -(perm_big _ same) /= in near' small'.
rewrite -/all -/lost in near small; rewrite -/all -/lost' in near' small'.
have above := Rle_trans _ _ _ (Rle_abs d) small; have above' := Rle_trans _ _ _ (Rle_abs d') small'.
have below : all - d <= lost by apply: Rle_trans near; rewrite Rabs_minus_sym; exact: Rle_abs.
have below' : all - d' <= lost' by apply: Rle_trans near'; rewrite Rabs_minus_sym; exact: Rle_abs.
split; first by lra.
by apply: Rabs_le; have := Rmax_l lost lost'; have := Rmax_r lost lost'; lra.
Qed.
