(** * The attention layer

  Definitions: softmax along rows, scaled dot-product scores, and the layer, over matrices of
  reals whose rows are tokens. n tokens of dimension d_in, queries and keys of dimension d,
  values of dimension d_out; all of these are arbitrary.

  softmax A                == e^(A i j) / (the sum over k of e^(A i k)) at (i, j)
  scores Q K               == Q Kᵀ / √d
  attend Q K V             == softmax (scores Q K) V
  attention W_q W_k W_v X  == softmax (X W_q (X W_k)ᵀ / √d) X W_v, the whole layer
  encodings n h omega      == the n x d matrix whose row t is PE(t), t = 0 ... n-1

  Main results: [softmax_gt0], [softmax_sum], and how each definition meets permutations of
  its arguments' rows and columns ([softmax_permute], [scores_permute]). *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix Pairs Encoding.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition softmax m n (A : 'M[R]_(m, n)) : 'M[R]_(m, n) :=
  \matrix_(i, j) (exp (A i j) / \rsum_k exp (A i k)).

Definition scores m n d (Q : 'M[R]_(m, d)) (K : 'M[R]_(n, d)) : 'M[R]_(m, n) :=
  / sqrt (INR d) *: (Q *m K^T).

Definition attend m n d d_out (Q : 'M[R]_(m, d)) (K : 'M[R]_(n, d)) (V : 'M[R]_(n, d_out)) :
  'M[R]_(m, d_out) := softmax (scores Q K) *m V.

Definition attention n d_in d d_out (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
  (X : 'M[R]_(n, d_in)) : 'M[R]_(n, d_out) := attend (X *m W_q) (X *m W_k) (X *m W_v).

Definition encodings n h (omega : nat -> R) : 'M[R]_(n, h.*2) :=
  \matrix_(t, j) PE h omega (INR t) j ord0.

(** ** Softmax *)

Lemma softmax_denominator_gt0 m n (A : 'M[R]_(m, n.+1)) i : 0 < \rsum_k exp (A i k).
Proof. by apply: (rsum_gt0 ord0) => k; apply: exp_pos. Qed.

Lemma softmax_gt0 m n (A : 'M[R]_(m, n.+1)) i j : 0 < softmax A i j.
Proof.
rewrite mxE; apply: Rdiv_lt_0_compat; first exact: exp_pos.
exact: softmax_denominator_gt0.
Qed.

Lemma softmax_sum m n (A : 'M[R]_(m, n.+1)) i : \rsum_j softmax A i j = 1.
Proof.
under eq_bigr do rewrite mxE; rewrite /Rdiv rsum_mulr.
by apply: Rinv_r; have := softmax_denominator_gt0 A i; lra.
Qed.

(** ** Permutations *)

(** Rows permuted by s, columns by t. *)
Lemma permute_entry m n (s : 'S_m) (t : 'S_n) (A : 'M[R]_(m, n)) i j :
  (perm_matrix s *m A *m (perm_matrix t)^T) i j = A (s i) (t j).
Proof. by rewrite mul_tr_perm_matrix_entry perm_matrix_mul_entry. Qed.

Lemma softmax_permute m n (s : 'S_m) (t : 'S_n) (A : 'M[R]_(m, n)) :
  softmax (perm_matrix s *m A *m (perm_matrix t)^T) =
  perm_matrix s *m softmax A *m (perm_matrix t)^T.
Proof.
apply/matrixP => i j; rewrite permute_entry [LHS]mxE [RHS]mxE permute_entry; congr (_ / _).
by under eq_bigr do rewrite permute_entry; rewrite (rsum_perm t (fun k => exp (A (s i) k))).
Qed.

Lemma scores_permute m n d (s : 'S_m) (t : 'S_n) (Q : 'M[R]_(m, d)) (K : 'M[R]_(n, d)) :
  scores (perm_matrix s *m Q) (perm_matrix t *m K) =
  perm_matrix s *m scores Q K *m (perm_matrix t)^T.
Proof. by rewrite /scores trmx_mulR mulR_scale scale_mulR !mulR_A. Qed.

(** Queries permuted by s; keys and values together by t: the output is permuted by s. *)
Lemma attend_permute m n d d_out (s : 'S_m) (t : 'S_n)
  (Q : 'M[R]_(m, d)) (K : 'M[R]_(n, d)) (V : 'M[R]_(n, d_out)) :
  attend (perm_matrix s *m Q) (perm_matrix t *m K) (perm_matrix t *m V) =
  perm_matrix s *m attend Q K V.
Proof.
rewrite /attend scores_permute softmax_permute -!mulR_A; congr (_ *m (_ *m _)).
by rewrite mulR_A tr_perm_matrix_mul mul1R.
Qed.

(** A permutation matrix has a single 1 in each row and in each column, and 0 elsewhere: then it
    is [perm_matrix s] for a permutation s, which the theorems speak of. *)
Lemma permutation_matrixP n (P : 'M[R]_n) :
  (forall i, exists j, forall k, P i k = if j == k then 1 else 0) ->
  (forall k, exists i, forall j, P j k = if i == j then 1 else 0) ->
  exists s : 'S_n, P = perm_matrix s.
Proof.
move=> /fin_all_exists[col_of rows] columns.
have col_of_inj : injective col_of.
  move=> i j eq_ij; have [l column] := columns (col_of i).
  have := column i; have := column j; rewrite !rows eq_ij eqxx.
  by case: eqP => [<- _ | _ /R1_neq_R0 //]; case: eqP => [-> // | _ /R1_neq_R0].
by exists (perm col_of_inj); apply/matrixP => i j; rewrite rows mxE permE.
Qed.
