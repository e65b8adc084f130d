(** * Sums and matrices over the reals

  What the rest of the development needs of finite sums and matrices over Coq's reals R.
  Index types, permutations and matrices are mathcomp's; the arithmetic is that of the
  standard library's R, through the monoid structure of its addition and multiplication,
  so that nothing here assumes more than R itself does.

  Sums
    \rsum_(i < n) F   == the sum of F over i = 0 ... n-1 (mathcomp's \big[Rplus/0])
    \rsum_i F         == the same over a whole finite type
    \rsum_(i | P) F   == the same over the i with P
  Matrices, A : 'M[R]_(m, n)
    A *m B            == the product
    A +m B, subR A B  == sum, difference
  a *: A            == multiple
    A^T               == the transpose (mathcomp's)
    zeroR, idR n      == the zero matrix, the identity matrix
    dot x y           == the inner product of two columns
    norm2 x           == the squared length of a column
    unit_column i     == the column with 1 at i and 0 elsewhere
  perm_matrix s     == the matrix of the permutation s: 1 at (i, s i), 0 elsewhere

  Import this file after mathcomp's, so that %R and *m have the meaning given here.

  Main results: associativity and distributivity of the product, (A B)^T = B^T A^T, the
  action of permutation matrices as row_perm and col_perm. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** mathcomp's ring_scope claims the key R and the type of matrices: here both mean the reals. *)
Delimit Scope R_scope with R.
Bind Scope R_scope with matrix.
Notation "\matrix_ ( i , j ) E" := (matrix_of_fun matrix_key (fun i j => E%R)) : R_scope.
Open Scope R_scope.

(** ** R as a semiring for big operators *)

Lemma R_addA : associative Rplus.   Proof. by move=> x y z; ring. Qed.
Lemma R_addC : commutative Rplus.   Proof. by move=> x y; ring. Qed.
Lemma R_add0 : left_id 0 Rplus.     Proof. by move=> x; ring. Qed.
Lemma R_addr0 : right_id 0 Rplus.   Proof. by move=> x; ring. Qed.
Lemma R_mulA : associative Rmult.   Proof. by move=> x y z; ring. Qed.
Lemma R_mulC : commutative Rmult.   Proof. by move=> x y; ring. Qed.
Lemma R_mul1 : left_id 1 Rmult.     Proof. by move=> x; ring. Qed.
Lemma R_mulr1 : right_id 1 Rmult.   Proof. by move=> x; ring. Qed.
Lemma R_mul0 : left_zero 0 Rmult.   Proof. by move=> x; ring. Qed.
Lemma R_mulr0 : right_zero 0 Rmult. Proof. by move=> x; ring. Qed.
Lemma R_mulDl : left_distributive Rmult Rplus.  Proof. by move=> x y z; ring. Qed.
Lemma R_mulDr : right_distributive Rmult Rplus. Proof. by move=> x y z; ring. Qed.

Canonical Rplus_monoid := Monoid.Law R_addA R_add0 R_addr0.
Canonical Rplus_comoid := Monoid.ComLaw R_addC.
Canonical Rmult_monoid := Monoid.Law R_mulA R_mul1 R_mulr1.
Canonical Rmult_comoid := Monoid.ComLaw R_mulC.
Canonical Rmult_muloid := Monoid.MulLaw R_mul0 R_mulr0.
Canonical Rplus_addoid := Monoid.AddLaw R_mulDl R_mulDr.

Notation "\rsum_ ( i < n ) F" := (\big[Rplus/0%R]_(i < n) F%R)
  (at level 41, F at level 41, i, n at level 50,
   format "'[' \rsum_ ( i  <  n ) '/  '  F ']'") : R_scope.
Notation "\rsum_ ( i | P ) F" := (\big[Rplus/0%R]_(i | P%B) F%R)
  (at level 41, F at level 41, i at level 50,
   format "'[' \rsum_ ( i  |  P ) '/  '  F ']'") : R_scope.
Notation "\rsum_ i F" := (\big[Rplus/0%R]_i F%R)
  (at level 41, F at level 41, i at level 0, right associativity,
   format "'[' \rsum_ i '/  '  F ']'") : R_scope.

(** ** Sums *)

Section Sums.

Variable I : finType.
Implicit Types F G : I -> R.

Lemma rsum_add F G : \rsum_i (F i + G i) = \rsum_i F i + \rsum_i G i.
Proof. exact: big_split. Qed.

Lemma rsum_mull a F : \rsum_i (a * F i) = a * \rsum_i F i.
Proof. by rewrite big_distrr. Qed.

Lemma rsum_mulr a F : \rsum_i (F i * a) = (\rsum_i F i) * a.
Proof. by rewrite big_distrl. Qed.

Lemma rsum_opp F : \rsum_i (- F i) = - \rsum_i F i.
Proof.
have -> : - (\rsum_i F i) = (-1) * (\rsum_i F i) by ring.
by rewrite -rsum_mull; apply: eq_bigr => i _; ring.
Qed.

Lemma rsum_sub F G : \rsum_i (F i - G i) = \rsum_i F i - \rsum_i G i.
Proof. by rewrite /Rminus -rsum_opp -rsum_add. Qed.

Lemma rsum_0 : \big[Rplus/0]_(i : I) 0 = 0.
Proof. exact: big1_eq. Qed.

(** A sum with one possibly nonzero term. *)
Lemma rsum_one F i0 : (forall i, i != i0 -> F i = 0) -> \rsum_i F i = F i0.
Proof. by move=> zero_elsewhere; rewrite (bigD1 i0) //= big1 ?R_addr0. Qed.

Lemma rsum_delta F i0 : \rsum_i ((if i0 == i then 1 else 0) * F i) = F i0.
Proof.
rewrite (rsum_one (i0 := i0)) ?eqxx ?R_mul1 // => i.
by rewrite eq_sym => /negPf ->; rewrite R_mul0.
Qed.

Lemma rsum_le F G : (forall i, F i <= G i) -> \rsum_i F i <= \rsum_i G i.
Proof.
move=> le_FG; apply: (big_ind2 Rle) => //; [exact: Rle_refl | exact: Rplus_le_compat].
Qed.

Lemma rsum_ge0 F : (forall i, 0 <= F i) -> 0 <= \rsum_i F i.
Proof. by move=> F_ge0; rewrite -[X in X <= _]rsum_0; apply: rsum_le. Qed.

Lemma rsum_ge_term F i0 : (forall i, 0 <= F i) -> F i0 <= \rsum_i F i.
Proof.
move=> F_ge0; rewrite (bigD1 i0) //=.
suff : 0 <= \rsum_(i | i != i0) F i by lra.
by apply: (big_ind (Rle 0)) => //; [exact: Rle_refl | exact: Rplus_le_le_0_compat].
Qed.

Lemma rsum_gt0 F (i0 : I) : (forall i, 0 < F i) -> 0 < \rsum_i F i.
Proof.
move=> F_gt0; apply: (Rlt_le_trans _ (F i0)) => //.
by apply: rsum_ge_term => i; apply: Rlt_le.
Qed.

(** A sum of non-negative terms vanishes only if each term does. *)
Lemma rsum_eq0 F : (forall i, 0 <= F i) -> \rsum_i F i = 0 -> forall i, F i = 0.
Proof.
move=> F_ge0 sum0 i; apply: Rle_antisym; last exact: F_ge0.
by rewrite -sum0; apply: rsum_ge_term.
Qed.

End Sums.

Lemma rsum_const n c : \rsum_(i < n) c = INR n * c.
Proof.
elim: n => [|n IHn]; first by rewrite big_ord0 R_mul0.
by rewrite S_INR big_ord_recr /= IHn; ring.
Qed.

Lemma rsum_exchange (I J : finType) (F : I -> J -> R) :
  \rsum_i \rsum_j F i j = \rsum_j \rsum_i F i j.
Proof. exact: exchange_big. Qed.

Lemma rsum_perm n (s : 'S_n) (F : 'I_n -> R) : \rsum_i F (s i) = \rsum_i F i.
Proof. by rewrite [RHS](reindex_inj (@perm_inj _ s)). Qed.

(** ** Reals

  The standard library has these too, some of them by excluded middle. *)

(** Every real number has a greater natural number. *)
Lemma INR_unbounded B : exists n : nat, B < INR n.
Proof.
have [up_B _] := archimed (Rabs B); have := Rle_abs B; have := Rabs_pos B => abs_ge0 le_abs.
exists (Z.to_nat (up (Rabs B))); rewrite INR_IZR_INZ Z2Nat.id; first lra.
by apply: le_IZR; lra.
Qed.

(** The first two terms of the series of e^x. *)
Lemma exp_ge_linear x : 0 <= x -> 1 + x <= exp x.
Proof.
move=> x_ge0; have := proj2_sig (exist_exp x); rewrite -/(exp x) /exp_in => series.
have := sum_incr (fun i => / INR (fact i) * x ^ i) 1 (exp x) series.
have -> : sum_f_R0 (fun i => / INR (fact i) * x ^ i) 1 = 1 + x by rewrite /=; field.
apply=> n; apply: Rmult_le_pos; last exact: pow_le.
exact/Rlt_le/Rinv_0_lt_compat/INR_fact_lt_0.
Qed.

Lemma exp_lt x y : x < y -> exp x < exp y.
Proof.
move=> lt_xy; have -> : y = x + (y - x) by ring.
have := exp_ge_linear (x := y - x) ltac:(lra); have := exp_pos x.
by rewrite exp_plus; nra.
Qed.

(** ** Matrices *)

Definition mulR m n p (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) : 'M[R]_(m, p) :=
  \matrix_(i, k) \rsum_j (A i j * B j k).
Definition addR m n (A B : 'M[R]_(m, n)) : 'M[R]_(m, n) := \matrix_(i, j) (A i j + B i j).
Definition subR m n (A B : 'M[R]_(m, n)) : 'M[R]_(m, n) := \matrix_(i, j) (A i j - B i j).
Definition scaleR m n (a : R) (A : 'M[R]_(m, n)) : 'M[R]_(m, n) := \matrix_(i, j) (a * A i j).
Definition zeroR m n : 'M[R]_(m, n) := \matrix_(i, j) 0.
Definition idR n : 'M[R]_n := \matrix_(i, j) if i == j then 1 else 0.
Definition perm_matrix n (s : 'S_n) : 'M[R]_n := \matrix_(i, j) if s i == j then 1 else 0.

Arguments zeroR {m n}.

Notation "A *m B" := (mulR A%R B%R) : R_scope.
Notation "A +m B" := (addR A%R B%R) (at level 50, left associativity) : R_scope.
Notation "a *: A" := (scaleR a%R A%R) : R_scope.
Notation "A ^T" := (trmx A%R) : R_scope.

(** The inner product and the squared length of columns. *)
Definition dot n (x y : 'cV[R]_n) : R := \rsum_i (x i ord0 * y i ord0).
Definition norm2 n (x : 'cV[R]_n) : R := dot x x.

(** [mxE] unfolds entries; [entries] proves an equation of matrices entry by entry. *)
Ltac entries := apply/matrixP => i j; rewrite !mxE.

Section Laws.

Variables m n p q : nat.

Lemma mulR_A (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) (C : 'M[R]_(p, q)) :
  A *m (B *m C) = (A *m B) *m C.
Proof.
entries; under eq_bigr do rewrite mxE -rsum_mull.
rewrite rsum_exchange; apply: eq_bigr => k _.
by rewrite mxE -rsum_mulr; apply: eq_bigr => l _; ring.
Qed.

Lemma mul1R (A : 'M[R]_(m, n)) : idR m *m A = A.
Proof. by entries; under eq_bigr do rewrite mxE; rewrite rsum_delta. Qed.

Lemma mulR1 (A : 'M[R]_(m, n)) : A *m idR n = A.
Proof.
entries; under eq_bigr do rewrite mxE Rmult_comm eq_sym.
by rewrite rsum_delta.
Qed.

Lemma mulR_Dr (A : 'M[R]_(m, n)) (B C : 'M[R]_(n, p)) : A *m (B +m C) = A *m B +m A *m C.
Proof. by entries; rewrite -rsum_add; apply: eq_bigr => k _; rewrite mxE; ring. Qed.

Lemma mulR_Dl (A B : 'M[R]_(m, n)) (C : 'M[R]_(n, p)) : (A +m B) *m C = A *m C +m B *m C.
Proof. by entries; rewrite -rsum_add; apply: eq_bigr => k _; rewrite mxE; ring. Qed.

Lemma mulR_scale a (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) : A *m (a *: B) = a *: (A *m B).
Proof. by entries; rewrite -rsum_mull; apply: eq_bigr => k _; rewrite mxE; ring. Qed.

Lemma scale_mulR a (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) : (a *: A) *m B = a *: (A *m B).
Proof. by entries; rewrite -rsum_mull; apply: eq_bigr => k _; rewrite mxE; ring. Qed.

Lemma trmx_mulR (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) : (A *m B)^T = B^T *m A^T.
Proof. by entries; apply: eq_bigr => k _; rewrite !mxE; ring. Qed.

Lemma addR_C (A B : 'M[R]_(m, n)) : A +m B = B +m A.
Proof. by entries; ring. Qed.

Lemma addR_A (A B C : 'M[R]_(m, n)) : A +m (B +m C) = (A +m B) +m C.
Proof. by entries; ring. Qed.

Lemma add0R (A : 'M[R]_(m, n)) : zeroR +m A = A.
Proof. by entries; ring. Qed.

Lemma addR0 (A : 'M[R]_(m, n)) : A +m zeroR = A.
Proof. by entries; ring. Qed.

Lemma mulR0 (A : 'M[R]_(m, n)) : A *m (zeroR : 'M[R]_(n, p)) = zeroR.
Proof. by entries; under eq_bigr do rewrite mxE R_mulr0; rewrite rsum_0. Qed.

End Laws.

(** The inner product is the product of a row and a column. *)
Lemma dot_mulR n (x y : 'cV[R]_n) : dot x y = (x^T *m y) ord0 ord0.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite mxE. Qed.

Lemma dotC n (x y : 'cV[R]_n) : dot x y = dot y x.
Proof. by apply: eq_bigr => i _; ring. Qed.

(** Moving a matrix from one side of an inner product to the other. *)
Lemma dot_mulR_l m n (A : 'M[R]_(m, n)) (x : 'cV[R]_n) (y : 'cV[R]_m) :
  dot (A *m x) y = dot x (A^T *m y).
Proof. by rewrite !dot_mulR trmx_mulR mulR_A. Qed.

Lemma norm2_ge0 n (x : 'cV[R]_n) : 0 <= norm2 x.
Proof. by apply: rsum_ge0 => i; nra. Qed.

Lemma norm2_eq0 n (x : 'cV[R]_n) : norm2 x = 0 -> x = zeroR.
Proof.
move=> norm0; apply/matrixP => i j; rewrite (ord1 j) mxE.
have := rsum_eq0 (F := fun i => x i ord0 * x i ord0) (fun i => ltac:(nra)) norm0 i.
by case/Rmult_integral.
Qed.

(** The column with 1 at i and 0 elsewhere, and what a matrix makes of it. *)
Definition unit_column n (i : 'I_n) : 'cV[R]_n := \matrix_(k, l) if i == k then 1 else 0.

Lemma mulR_unit_column m n (A : 'M[R]_(m, n)) l : A *m unit_column l = col l A.
Proof. by entries; under eq_bigr do rewrite mxE Rmult_comm; rewrite rsum_delta. Qed.

Lemma dot_unit_column n (i : 'I_n) (x : 'cV[R]_n) : dot (unit_column i) x = x i ord0.
Proof. by rewrite /dot; under eq_bigr do rewrite mxE; rewrite rsum_delta. Qed.

(** Matrices that act equally on all columns are equal. *)
Lemma mulR_ext m n (A B : 'M[R]_(m, n)) : (forall x : 'cV[R]_n, A *m x = B *m x) -> A = B.
Proof.
move=> same_action; apply/matrixP => i j; have := same_action (unit_column j).
by rewrite !mulR_unit_column => /matrixP/(_ i ord0); rewrite !mxE.
Qed.

(** ** Permutation matrices *)

Section Permutations.

Variables n p : nat.
Implicit Types s t : 'S_n.

Lemma perm_matrix_mul_entry s (A : 'M[R]_(n, p)) i j : (perm_matrix s *m A) i j = A (s i) j.
Proof. by rewrite mxE; under eq_bigr do rewrite mxE; rewrite rsum_delta. Qed.

(** On the left a permutation matrix permutes rows. *)
Lemma perm_matrix_row_perm s (A : 'M[R]_(n, p)) : perm_matrix s *m A = row_perm s A.
Proof. by apply/matrixP => i j; rewrite perm_matrix_mul_entry mxE. Qed.

Lemma tr_perm_matrix s : (perm_matrix s)^T = perm_matrix (s^-1)%g.
Proof.
entries; congr (if _ then _ else _); apply/eqP/eqP => [<- | <-]; first by rewrite permK.
by rewrite permKV.
Qed.

(** On the right its transpose permutes columns. *)
Lemma mul_tr_perm_matrix_entry s (A : 'M[R]_(p, n)) i j : (A *m (perm_matrix s)^T) i j = A i (s j).
Proof.
rewrite mxE; under eq_bigr do rewrite !mxE Rmult_comm.
by rewrite rsum_delta.
Qed.

Lemma mul_tr_perm_matrix_col_perm s (A : 'M[R]_(p, n)) : A *m (perm_matrix s)^T = col_perm s A.
Proof. by apply/matrixP => i j; rewrite mul_tr_perm_matrix_entry mxE. Qed.

End Permutations.

Lemma perm_matrix_id n : perm_matrix (1%g : 'S_n) = idR n.
Proof. by entries; rewrite perm1. Qed.

Lemma perm_matrix_mul n (s t : 'S_n) : perm_matrix s *m perm_matrix t = perm_matrix (s * t)%g.
Proof. by apply/matrixP => i j; rewrite perm_matrix_mul_entry !mxE permM. Qed.

Lemma perm_matrix_mul_tr n (s : 'S_n) : perm_matrix s *m (perm_matrix s)^T = idR n.
Proof. by rewrite tr_perm_matrix perm_matrix_mul mulgV perm_matrix_id. Qed.

Lemma tr_perm_matrix_mul n (s : 'S_n) : (perm_matrix s)^T *m perm_matrix s = idR n.
Proof. by rewrite tr_perm_matrix perm_matrix_mul mulVg perm_matrix_id. Qed.
