(** * What single heads can do

  causal A                == e^(A i j) / (the sum over k <= i of e^(A i k)) at (i, j) for j <= i, and 0 after
  causal_attention W_q W_k W_v X
                          == the attention layer in which row i sees the tokens 0 ... i alone

  Main results: heads.units, heads.nope-diagonal, heads.constant-input. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Coquelicot Require Import Coquelicot.
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

(** ** Tokens that are all equal *)

Definition causal n (A : 'M[R]_n) : 'M[R]_n :=
  \matrix_(i, j) if (j <= i)%N then exp (A i j) / \big[Rplus/0]_(k < n | (k <= i)%N) exp (A i k) else 0.

Definition causal_attention n d_in d d_out (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
  (X : 'M[R]_(n, d_in)) : 'M[R]_(n, d_out) := causal (scores (X *m W_q) (X *m W_k)) *m (X *m W_v).

(** The sequence in which every token is x. *)
Definition constant_input n d_in (x : 'rV[R]_d_in) : 'M[R]_(n, d_in) := \matrix_(i, j) x ord0 j.

Lemma rsum_seen n (i : 'I_n) (a : R) : \big[Rplus/0]_(k < n | (k <= i)%N) a = INR i.+1 * a.
Proof. by rewrite -(rsum_const i.+1 a) (big_ord_widen n (fun=> a) (ltn_ord i)). Qed.

(** Where a row of scores is constant, the tokens seen share the weight. *)
Lemma causal_constant n (A : 'M[R]_n) (i j : 'I_n) : (forall k, A i k = A i i) -> (j <= i)%N ->
  causal A i j = / INR i.+1.
Proof.
move=> same seen; rewrite mxE seen; under eq_bigr do rewrite same; rewrite rsum_seen same.
have exp_gt0 := exp_pos (A i i); have i_gt0 : 0 < INR i.+1 by apply: lt_0_INR; apply/ltP.
by field; lra.
Qed.

Lemma constant_row n d_in d (x : 'rV[R]_d_in) (W : 'M[R]_(d_in, d)) (i : 'I_n) j :
  (constant_input n x *m W) i j = (x *m W) ord0 j.
Proof. by rewrite !mxE; apply: eq_bigr => l _; rewrite mxE. Qed.

Lemma constant_scores n d_in d (W_q W_k : 'M[R]_(d_in, d)) (x : 'rV[R]_d_in) (i k : 'I_n) :
  let A := scores (constant_input n x *m W_q) (constant_input n x *m W_k) in A i k = A i i.
Proof. by rewrite /= !mxE; congr (_ * _); apply: eq_bigr => l _; rewrite ![_^T%R _ _]mxE !constant_row. Qed.

Lemma constant_output n d_in d d_out (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
  (x : 'rV[R]_d_in) (i : 'I_n) j :
  causal_attention W_q W_k W_v (constant_input n x) i j = (x *m W_v) ord0 j.
Proof.
rewrite mxE; set A := scores _ _; have same k : A i k = A i i := constant_scores W_q W_k x i k.
rewrite (bigID (fun k : 'I_n => (k <= i)%N)) /= [X in _ + X]big1 ?R_addr0; last first.
  by move=> k /negPf unseen; rewrite mxE unseen R_mul0.
under eq_bigr => k seen do rewrite constant_row (causal_constant same seen).
rewrite rsum_seen; have i_gt0 : 0 < INR i.+1 by apply: lt_0_INR; apply/ltP.
by field; lra.
Qed.

(** The output is again a sequence of equal tokens. *)
Lemma constant_attention n d_in d d_out (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out)) (x : 'rV[R]_d_in) :
  causal_attention W_q W_k W_v (constant_input n x) = constant_input n (x *m W_v).
Proof. by apply/matrixP => i j; rewrite constant_output [RHS]mxE. Qed.

(** heads.constant-input: On equal tokens causal attention without positional encoding gives weight
    1/i to each of the i tokens that row i sees, and its output is W_v applied to the token in every
    row, for all tokens and weights: it depends neither on W_q nor on W_k, whose gradients are 0. *)
Theorem heads_constant_input n d_in d d_out (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
  (x : 'rV[R]_d_in) :
  let X := constant_input n x in
  let weight := causal (scores (X *m W_q) (X *m W_k)) in
  let output W_q W_k := causal_attention W_q W_k W_v X in
  (forall i j : 'I_n, (j <= i)%N -> weight i j = / INR i.+1) /\
  (forall i : 'I_n, row i (output W_q W_k) = (x *m W_v)%R) /\
  (forall W_q' W_k' : 'M[R]_(d_in, d), output W_q' W_k' = output W_q W_k) /\
  (forall (D : 'M[R]_(d_in, d)) i j t,
     is_derive (fun t => output (W_q +m t *: D) W_k i j) t 0 /\
     is_derive (fun t => output W_q (W_k +m t *: D) i j) t 0).
Proof.
move=> X weight output; split=> [i j seen | ].
  by apply: causal_constant seen => k; exact: constant_scores.
split=> [i | ]; first by apply/rowP => j; rewrite mxE /output constant_output.
split=> [W_q' W_k' | D i j t]; first by apply/matrixP => i j; rewrite /output !constant_output.
by split; apply: (is_derive_ext (fun=> (x *m W_v)%R ord0 j)) => [s|];
  rewrite ?/output ?constant_output //; exact: is_derive_const.
Qed.

(** So it is layer by layer: whatever the weights W_q, W_k and W_v of each layer, every layer has equal
    tokens as its input, and the last puts out the W_v one after another applied to the token. *)
Corollary heads_constant_input_layers n d_in d (layers : seq ('M[R]_(d_in, d) * 'M[R]_(d_in, d) * 'M[R]_d_in))
  (x : 'rV[R]_d_in) :
  foldl (fun X layer => causal_attention layer.1.1 layer.1.2 layer.2 X) (constant_input n x) layers =
  constant_input n (foldl (fun y layer => y *m layer.2) x layers).
Proof. by elim: layers x => //= -[[W_q W_k] W_v] layers IHlayers x; rewrite constant_attention IHlayers. Qed.
