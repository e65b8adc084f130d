(** * A truncated sum as a sum of products that are shrunk

  What is claimed.  Truncation towards zero multiplies a number by a factor from 0 to 1.  So a matrix unit's
  result is the exact sum of the products, each shrunk by a factor of its own.  Weights that are cast to the
  nearest number and then shrunk move by no more than they are: casts and accumulator together lose no more
  than all weights.

  Dictionary (see RoundingInstruction.v, RoundingRescaled.v):
  - [shrinks kappa] == 0 <= kappa i <= 1 for all i.

  Formulas:
    d = sum of scale (k + 1) kappa i t i, i in block k             [rounding_accumulator_shrunk]
    |q - p| <= p, 0 <= kappa <= 1: |kappa q - p| <= p                      [rounding_shrunk_cast]

  Assumes: no overflow; each product occurs once. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingTruncation RoundingInstruction.

Open Scope R_scope.

Definition shrinks (kappa : nat -> R) : Prop := forall i, 0 <= kappa i <= 1.

(** A truncated number is a part of it. *)
Lemma truncated_part (exponents : Z -> Z) {valid : Valid_exp exponents} (x : R) :
  exists theta, 0 <= theta <= 1 /\ truncated exponents x = theta * x.
Proof.
have split : Rabs (truncated exponents x) + Rabs (x - truncated exponents x) = Rabs x by exact: truncated_split.
set y := truncated exponents x in split *.
case: (Req_dec x 0) => [x0|x_ne0].
  exists 0; split; first by lra.
  have zero : Rabs x = 0 by rewrite x0 Rabs_R0.
  have y_le : Rabs y <= 0 by have := Rabs_pos (x - y); lra.
  by have [low high] := Rabs_le_inv _ _ y_le; rewrite Rmult_0_l; apply: Rle_antisym; lra.
exists (y / x); split; last by field.
have between : 0 <= y * x <= x * x.
  have square z : z * z = Rabs z * Rabs z by rewrite -Rabs_mult Rabs_pos_eq //; exact: Rle_0_sqr.
  have := square (x - y); have := square x; have := square y; have := Rabs_pos y; have := Rabs_pos (x - y); nra.
have positive : 0 < x * x by exact: Rsqr_pos_lt.
have -> : y / x = (y * x) / (x * x) by field.
split; first by apply: Rmult_le_pos; [lra | apply: Rlt_le; exact: Rinv_0_lt_compat].
by apply: (Rmult_le_reg_r (x * x)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

(** An instruction's result is a part of the accumulator and parts of the products. *)
Lemma instruction_parts (A : accumulator) least t s E c d : instruction A least t s E c d ->
  exists (theta : R) (kappa : nat -> R), 0 <= theta <= 1 /\ shrinks kappa /\ d = theta * c + \ssum_(i <- s) (kappa i * t i).
Proof.
move=> [_ [_ [_ ->]]]; set kept := truncated (grid A E).
have [out [out_range ->]] := truncated_part (results A) (kept c + \ssum_(i <- s) kept (t i)).
have [theta [theta_range c_part]] := truncated_part (grid A E) c.
have -> : kept c = theta * c by exact: c_part.
pose part x := kept x / x.
have part_range x : 0 <= part x <= 1 /\ kept x = part x * x.
  have [k [range equal]] := truncated_part (grid A E) x; rewrite /part -/kept in equal *.
  case: (Req_dec x 0) => [x0|x_ne0].
    by have zero : kept x = 0 by [rewrite equal x0; ring]; rewrite zero x0 /Rdiv Rmult_0_l; split; lra.
  by rewrite equal; have -> : k * x / x = k by [field]; split.
exists (out * theta), (fun i => out * part (t i)); split; first by nra.
split=> [i|]; first by have [range _] := part_range (t i); nra.
have -> : \ssum_(i <- s) kept (t i) = \ssum_(i <- s) (part (t i) * t i).
  by apply: eq_bigr => i _; have [_ ->] := part_range (t i).
have distributed (r : seq nat) : out * (\ssum_(i <- r) (part (t i) * t i)) = \ssum_(i <- r) (out * part (t i) * t i).
  by elim: r => [|i r IH]; rewrite ?big_nil ?big_cons; [ring | rewrite -IH; ring].
by rewrite Rmult_plus_distr_l distributed; ring.
Qed.

Section Shrunk.
Variables (A : accumulator) (least : Z) (t beta scale : nat -> R) (blocks : seq (seq nat)) (c : nat -> R) (E : nat -> Z).
Hypothesis once : uniq (flatten blocks).
Hypothesis scale_step : forall k, (k < size blocks)%N -> scale k = beta k * scale k.+1.
Hypothesis c_0 : c 0%N = 0.
Hypothesis steps : forall k, (k < size blocks)%N -> instruction A least t (nth [::] blocks k) (E k) (beta k * c k) (c k.+1).

Lemma elsewhere k j i : (k < j < size blocks)%N -> i \in nth [::] blocks k -> i \notin nth [::] blocks j.
Proof.
move=> /andP[lt_kj lt_j] i_in; apply/negP => i_in'.
have lt_k : (k < size blocks)%N by exact: ltn_trans lt_j.
have := once; rewrite -(cat_take_drop j blocks) flatten_cat cat_uniq => /and3P[_ /hasPn no _].
have at_j : i \in flatten (drop j blocks).
  apply/flattenP; exists (nth [::] blocks j) => //; rewrite -[j in nth _ _ j]addn0 -nth_drop.
  by apply: mem_nth; rewrite size_drop subn_gt0.
have := no i at_j; rewrite /= => /negP; apply; apply/flattenP; exists (nth [::] blocks k) => //.
by rewrite -(nth_take [::] lt_kj); apply: mem_nth; rewrite size_takel // ltnW.
Qed.

Lemma shrunk_until k : (k <= size blocks)%N -> exists kappa, shrinks kappa /\
  c k * scale k = \rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) (kappa i * t i)).
Proof.
elim: k => [|k IH] lt; first by exists (fun=> 0); split=> [i|]; [lra | rewrite big_ord0 c_0; ring].
have [kappa [kappa_range before]] := IH (ltnW lt).
have [theta [new [theta_range [new_range result]]]] := instruction_parts _ _ _ _ _ _ _ (steps k lt).
pose both i := if i \in nth [::] blocks k then new i else theta * kappa i.
exists both; split=> [i|]; first by rewrite /both; case: ifP => _ //; have := kappa_range i; nra.
rewrite big_ord_recr /=.
have -> : \ssum_(i <- nth [::] blocks k) (both i * t i) = \ssum_(i <- nth [::] blocks k) (new i * t i).
  by rewrite !big_seq; apply: eq_bigr => i i_in; rewrite /both i_in.
have -> : \rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) (both i * t i)) =
    theta * (\rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) (kappa i * t i))).
  rewrite -rsum_mull; apply: eq_bigr => j _.
  have distributed (r : seq nat) : theta * (\ssum_(i <- r) (kappa i * t i)) = \ssum_(i <- r) (theta * kappa i * t i).
    by elim: r => [|i r IHr]; rewrite ?big_nil ?big_cons; [ring | rewrite -IHr; ring].
  have -> : \ssum_(i <- nth [::] blocks j) (both i * t i) = \ssum_(i <- nth [::] blocks j) (theta * kappa i * t i).
    rewrite !big_seq; apply: eq_bigr => i i_in; rewrite /both.
    by rewrite (negbTE (elsewhere j k i _ i_in)) //; rewrite ltn_ord.
  by rewrite -distributed; ring.
by rewrite -before result (scale_step k lt); ring.
Qed.

(** rounding.accumulator-shrunk: the result of a matrix unit, the accumulator multiplied by a factor before each instruction, is the exact
    sum of the products, each multiplied by the factors after it and by one from 0 to 1. *)
Theorem rounding_accumulator_shrunk : scale (size blocks) = 1 ->
  exists kappa, shrinks kappa /\
  c (size blocks) = \rsum_(k < size blocks) (scale k.+1 * \ssum_(i <- nth [::] blocks k) (kappa i * t i)).
Proof. by move=> last_scale; have := shrunk_until _ (leqnn _); rewrite last_scale Rmult_1_r. Qed.

End Shrunk.

(** rounding.shrunk-cast: a weight that is not negative, cast to a number no further from it than 0 is, and multiplied by a factor from
    0 to 1, moves by no more than it is. *)
Theorem rounding_shrunk_cast (kappa p q : R) : 0 <= kappa <= 1 -> 0 <= p -> Rabs (q - p) <= Rabs p ->
  Rabs (kappa * q - p) <= Rabs p.
Proof.
move=> [kappa_ge0 kappa_le1] p_ge0; rewrite (Rabs_pos_eq p) // => /Rabs_le_inv [low high].
by apply: Rabs_le; nra.
Qed.
