(** * Subspaces and linear maps that tell them apart

  A subspace of R^d is given as the span of finitely many vectors, the columns of a matrix.
  Everything is constructive: equality of real numbers is decided as in the standard library.

  in_span A x    == x is a linear combination of the columns of A
  subspace U     == the predicate U on vectors holds of 0 and is closed under linear combination
  trivial_meet U V == U and V have only the zero vector in common

  Main results
    span_or_functional == a vector is in the span, or a linear form that vanishes on the span
                          takes it to 1
    factor             == N = W M for some W, when M c = 0 implies N c = 0
    separating_map     == spans with trivial intersection: a W that is the identity on the
                          first and 0 on the second *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition in_span d n (A : 'M[R]_(d, n)) (x : 'cV[R]_d) : Prop := exists a : 'cV[R]_n, x = A *m a.

Definition subspace d (U : 'cV[R]_d -> Prop) : Prop :=
  U zeroR /\ forall a b x y, U x -> U y -> U (a *: x +m b *: y).

Definition trivial_meet d (U V : 'cV[R]_d -> Prop) : Prop := forall z, U z -> V z -> z = zeroR.

Lemma span_subspace d n (A : 'M[R]_(d, n)) : subspace (in_span A).
Proof.
split=> [|a b x y [u ->] [v ->]]; first by exists zeroR; rewrite mulR0.
by exists (a *: u +m b *: v); rewrite mulR_Dr !mulR_scale.
Qed.

(** ** Differences and blocks of matrices *)

Lemma mulR_sub_r m n p (A : 'M[R]_(m, n)) (B C : 'M[R]_(n, p)) :
  A *m subR B C = subR (A *m B) (A *m C).
Proof. by entries; rewrite -rsum_sub; apply: eq_bigr => k _; rewrite mxE; ring. Qed.

Lemma mulR_sub_l m n p (A B : 'M[R]_(m, n)) (C : 'M[R]_(n, p)) :
  subR A B *m C = subR (A *m C) (B *m C).
Proof. by entries; rewrite -rsum_sub; apply: eq_bigr => k _; rewrite mxE; ring. Qed.

Lemma mul0R m n p (A : 'M[R]_(n, p)) : (zeroR : 'M[R]_(m, n)) *m A = zeroR.
Proof. by entries; under eq_bigr do rewrite mxE R_mul0; rewrite rsum_0. Qed.

Lemma subR_self m n (A : 'M[R]_(m, n)) : subR A A = zeroR.
Proof. by entries; ring. Qed.

Lemma subR_eq0 m n (A B : 'M[R]_(m, n)) : subR A B = zeroR -> A = B.
Proof.
move=> difference0; apply/matrixP => i j.
by move/matrixP/(_ i j): difference0; rewrite !mxE; lra.
Qed.

Lemma subRK m n (A B : 'M[R]_(m, n)) : subR A B +m B = A.
Proof. by entries; ring. Qed.

Lemma mulR_row_col d m n p (A : 'M[R]_(d, m)) (B : 'M[R]_(d, n))
  (a : 'M[R]_(m, p)) (b : 'M[R]_(n, p)) :
  row_mx A B *m col_mx a b = A *m a +m B *m b.
Proof.
entries; rewrite big_split_ord; congr (_ + _); apply: eq_bigr => k _.
  by rewrite row_mxEl col_mxEu.
by rewrite row_mxEr col_mxEd.
Qed.

Lemma mulR_row e d m n (W : 'M[R]_(e, d)) (A : 'M[R]_(d, m)) (B : 'M[R]_(d, n)) :
  W *m row_mx A B = row_mx (W *m A) (W *m B).
Proof.
apply/matrixP => i j; rewrite [LHS]mxE [RHS]mxE; case: (split j) (splitK j) => k <- /=;
  by rewrite mxE; apply: eq_bigr => l _; rewrite ?row_mxEl ?row_mxEr.
Qed.

Lemma no_columns m (A B : 'M[R]_(m, 0)) : A = B.
Proof. by apply/matrixP => i []. Qed.

(** ** In the span, or seen by a linear form that does not see the span *)

Lemma span_or_functional d n (A : 'M[R]_(d, n)) (v : 'cV[R]_d) :
  in_span A v \/ exists phi : 'rV[R]_d, phi *m A = zeroR /\ phi *m v = idR 1.
Proof.
elim: n A v => [|n IHn]; last rewrite -[n.+1]/(1 + n)%N; move=> A v.
  case: (Req_EM_T (norm2 v) 0) => [/norm2_eq0 -> | norm_neq0].
    by left; exists zeroR; rewrite mulR0.
  right; exists (/ norm2 v *: v^T); split; first exact: no_columns.
  apply/matrixP => i j; rewrite (ord1 i) (ord1 j) scale_mulR mxE -dot_mulR [RHS]mxE eqxx.
  exact: Rinv_l.
rewrite -[A]hsubmxK; move: (lsubmx A) (rsubmx A) => u B.
have [[a u_in_span] | [psi [psi_B psi_u]]] := IHn B u.
  have [[b ->] | [phi [phi_B phi_v]]] := IHn B v.
    by left; exists (col_mx zeroR b); rewrite mulR_row_col mulR0 add0R.
  right; exists phi; split=> //; rewrite mulR_row u_in_span mulR_A phi_B mul0R.
  by apply/matrixP => i j; rewrite !mxE; case: (split j) => k; rewrite mxE.
have [[b v_minus] | [phi [phi_B phi_v]]] := IHn B (subR v (u *m (psi *m v))).
  left; exists (col_mx (psi *m v) b).
  by rewrite mulR_row_col -v_minus addR_C subRK.
right; exists (subR phi ((phi *m u) *m psi)); rewrite mulR_row !mulR_sub_l -!mulR_A.
rewrite psi_B psi_u phi_B !mulR0 mulR1 !subR_self; split.
  by apply/matrixP => i j; rewrite !mxE; case: (split j) => k; rewrite mxE.
by rewrite -phi_v mulR_sub_r.
Qed.

(** ** A matrix that factors through another *)

Lemma factor d e n (M : 'M[R]_(d, n)) (N : 'M[R]_(e, n)) :
  (forall c : 'cV[R]_n, M *m c = zeroR -> N *m c = zeroR) -> exists W, W *m M = N.
Proof.
elim: n M N => [|n IHn]; last rewrite -[n.+1]/(1 + n)%N; move=> M N.
  by exists zeroR; apply: no_columns.
rewrite -[M]hsubmxK -[N]hsubmxK.
move: (lsubmx M) (rsubmx M) (lsubmx N) (rsubmx N) => {M N} u M w N kernels.
have kernels_blocks (t : 'cV[R]_1) (c : 'cV[R]_n) :
    u *m t +m M *m c = zeroR -> w *m t +m N *m c = zeroR.
  by rewrite -!mulR_row_col; apply: kernels.
have [c M_c0 | W W_M] := IHn M N.
  by have := kernels_blocks zeroR c; rewrite !mulR0 !add0R; apply.
have [[a u_in_span] | [phi [phi_M phi_u]]] := span_or_functional M u.
  exists W; rewrite mulR_row W_M; congr row_mx; rewrite u_in_span mulR_A W_M.
  apply: subR_eq0; have := kernels_blocks (-1 *: idR 1) a.
  rewrite !mulR_scale !mulR1 u_in_span => combination.
  by rewrite -[RHS]combination; entries; ring.
exists (W +m subR w (W *m u) *m phi); rewrite mulR_row !mulR_Dl -!mulR_A.
by rewrite phi_M phi_u W_M mulR0 mulR1 addR0 addR_C subRK.
Qed.

(** ** Two spans *)

Lemma separating_map d m n (A : 'M[R]_(d, m)) (B : 'M[R]_(d, n)) :
  trivial_meet (in_span A) (in_span B) ->
  exists W : 'M[R]_d, forall x p, in_span A x -> in_span B p -> W *m (x +m p) = x.
Proof.
move=> meet0.
have [c | W] := factor (M := row_mx A B) (N := row_mx A (zeroR : 'M[R]_(d, n))).
  rewrite -[c]vsubmxK !mulR_row_col mul0R addR0; move: (usubmx c) (dsubmx c) => a b sum0.
  apply: meet0; first by exists a.
  exists (-1 *: b); rewrite mulR_scale.
  apply/matrixP => i j; move/matrixP/(_ i j): sum0; rewrite !mxE; lra.
rewrite mulR_row => /eq_row_mx[W_A W_B]; exists W => x p [a ->] [b ->].
by rewrite mulR_Dr !mulR_A W_A W_B mul0R addR0.
Qed.
