(** * What single heads can do

  Main results: heads.units, heads.nope-diagonal. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding AttentionLayer IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Rotations and radians *)

Lemma slowest_256 : 1.0746 / 10 ^ 4 < frequency 10000 256 127 < 1.0747 / 10 ^ 4.
Proof.
rewrite /frequency /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
by split; interval with (i_prec 50).
Qed.

(** heads.units: For d = 256 and base 10000 the slowest pair turns by 1.0746…·10^(−4) radians per
    token, which is 1.7102…·10^(−5) rotations per token: less than a fifth of 1/10000. *)
Theorem heads_units :
  let slowest := frequency 10000 256 127 in
  1.0746 / 10 ^ 4 < slowest < 1.0747 / 10 ^ 4 /\
  1.7102 / 10 ^ 5 < slowest / (2 * PI) < 1.7103 / 10 ^ 5 /\
  slowest / (2 * PI) < 1 / 5 * (1 / 10000).
Proof.
split; first exact: slowest_256.
rewrite /= /frequency /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
by repeat split; interval with (i_prec 50).
Qed.

(** heads.units, as written: The slowest pair makes approximately 1/10000 rotations per token: at
    least half of that. *)
Theorem heads_units_as_written_false :
  ~ (1 / 2 * (1 / 10000) <= frequency 10000 256 127 / (2 * PI)).
Proof. by have [_ [_ less]] := heads_units; lra. Qed.

(** ** Equal tokens *)

(** Weights of a head without positional encoding: those of the layer's scores. *)
Definition weights n d_in d (W_q W_k : 'M[R]_(d_in, d)) (X : 'M[R]_(n, d_in)) : 'M[R]_n :=
  softmax (scores (X *m W_q) (X *m W_k)).

Lemma equal_tokens n d_in d (W_q W_k : 'M[R]_(d_in, d)) (X : 'M[R]_(n, d_in)) i j k :
  row j X = row k X -> weights W_q W_k X i j = weights W_q W_k X i k.
Proof.
move=> /rowP same; have entry l : X j l = X k l by have := same l; rewrite !mxE.
rewrite !mxE; congr (exp (_ * _) / _); apply: eq_bigr => l _; rewrite !mxE; congr (_ * _).
by apply: eq_bigr => m _; rewrite entry.
Qed.

(** Two positions with equal weights have at most a half each. *)
Lemma half_each n (A : 'M[R]_(n.+1, n.+1)) i j k : j != k -> softmax A i j = softmax A i k ->
  softmax A i k <= 1 / 2.
Proof.
move=> j_ne_k same; have := softmax_sum A i; rewrite (bigD1 j) //= (bigD1 k) /=; last by rewrite eq_sym.
set rest := \rsum_(l | _) _; have : 0 <= rest.
  by apply: (big_ind (Rle 0)) => [|x y|l _]; [exact: Rle_refl | lra | exact/Rlt_le/softmax_gt0].
by rewrite same; lra.
Qed.

(** heads.nope-diagonal: A head without positional encoding gives equal tokens equal weights, so
    that in the sequence x, y, x, y the last row gives its own position, and the one before, at most
    1/2 each, for all vectors and weights: it can attend neither to the diagonal nor to the previous
    token with weight above 1 − ε for ε < 1/2. *)
Theorem heads_nope_diagonal :
  (forall n d_in d (W_q W_k : 'M[R]_(d_in, d)) (X : 'M[R]_(n, d_in)) i j k,
     row j X = row k X -> weights W_q W_k X i j = weights W_q W_k X i k) /\
  (forall d_in d (W_q W_k : 'M[R]_(d_in, d)) (x y : 'rV[R]_d_in) (epsilon : R), epsilon < 1 / 2 ->
     let X : 'M[R]_(4, d_in) := \matrix_(i, j) if odd i then y ord0 j else x ord0 j in
     let last : 'I_4 := inord 3 in
     let previous : 'I_4 := inord 2 in
     weights W_q W_k X last last <= 1 / 2 /\ weights W_q W_k X last previous <= 1 / 2 /\
     ~ (1 - epsilon < weights W_q W_k X last last) /\ ~ (1 - epsilon < weights W_q W_k X last previous)).
Proof.
split=> [n d_in d W_q W_k X i j k | d_in d W_q W_k x y epsilon eps_lt X last previous].
  exact: equal_tokens.
have last_le : weights W_q W_k X last last <= 1 / 2.
  apply: (half_each (j := inord 1)); first by rewrite -val_eqE /= !inordK.
  by apply: equal_tokens; apply/rowP => l; rewrite !mxE !inordK.
have previous_le : weights W_q W_k X last previous <= 1 / 2.
  apply: (half_each (j := inord 0)); first by rewrite -val_eqE /= !inordK.
  by apply: equal_tokens; apply/rowP => l; rewrite !mxE !inordK.
by repeat split=> //; lra.
Qed.
