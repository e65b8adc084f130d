(** * The determinant over the reals, and underdetermined systems

    The determinant of a real square matrix by Leibniz's formula over mathcomp's
    permutations, with the three laws that the determinant of the shift matrix
    needs, and the fact that a homogeneous linear system with more unknowns than
    equations has a nonzero solution.

    Dictionary
      sgn s            == the sign of the permutation s: -1 when s is odd, 1 otherwise
      \rprod_(i < n) F == the product of F over i = 0 ... n-1
      det A            == sum over the permutations s of sgn s * prod_i A i (s i)

    Main results: [det_idR], [det_tr], [det_mulR], and [underdetermined]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Notation "\rprod_ ( i < n ) F" := (\big[Rmult/1%R]_(i < n) F%R)
  (at level 36, F at level 36, i, n at level 50, format "'[' \rprod_ ( i  <  n ) '/  '  F ']'") : R_scope.

(** ** The sign of a permutation *)

Definition sgn n (s : 'S_n) : R := if odd_perm s then -1 else 1.

Lemma sgn_1 n : sgn (1%g : 'S_n) = 1.
Proof. by rewrite /sgn odd_perm1. Qed.

Lemma sgn_mul n (s t : 'S_n) : sgn (s * t)%g = sgn s * sgn t.
Proof. by rewrite /sgn odd_permM; case: (odd_perm s); case: (odd_perm t) => /=; ring. Qed.

Lemma sgn_inv n (s : 'S_n) : sgn (s^-1)%g = sgn s.
Proof. by rewrite /sgn odd_permV. Qed.

(** ** The determinant *)

Definition det n (A : 'M[R]_n) : R :=
  \big[Rplus/0]_(s : 'S_n) (sgn s * \rprod_(i < n) A i (s i)).

Lemma det_idR n : det (idR n) = 1.
Proof.
rewrite /det (rsum_one (i0 := 1%g)) => [|s s_ne1].
  by rewrite sgn_1 big1 ?R_mul1 // => i _; rewrite mxE perm1 eqxx.
have [i moved] : exists i, s i != i.
  apply/existsP; rewrite -negb_forall; apply: contra s_ne1 => /forallP fixes.
  by apply/eqP/permP => i; rewrite perm1; apply/eqP.
by rewrite (bigD1 i) //= mxE eq_sym (negPf moved) R_mul0 R_mulr0.
Qed.

Lemma det_tr n (A : 'M[R]_n) : det A^T = det A.
Proof.
rewrite /det (reindex_inj (@invg_inj _)) /=; apply: eq_bigr => s _.
rewrite sgn_inv; congr (_ * _); rewrite (reindex_inj (@perm_inj _ s)) /=.
by apply: eq_bigr => i _; rewrite mxE permK.
Qed.

Section Product.

Variables (n : nat) (B : 'M[R]_n).

(** The determinant of B with row i replaced by row f i. *)
Let rows_chosen (f : {ffun 'I_n -> 'I_n}) : R :=
  \big[Rplus/0]_(s : 'S_n) (sgn s * \rprod_(i < n) B (f i) (s i)).

Lemma rows_repeated (f : {ffun 'I_n -> 'I_n}) : ~~ injectiveb f -> rows_chosen f = 0.
Proof.
case/injectivePn => i [j i_ne_j same_row].
have f_tperm k : f (tperm i j k) = f k by case: tpermP => // ->.
suff : rows_chosen f = - rows_chosen f by lra.
rewrite -[in RHS]rsum_opp {1}/rows_chosen (reindex_inj (mulgI (tperm i j))) /=.
apply: eq_bigr => s _; rewrite sgn_mul {1}/sgn odd_tperm i_ne_j /=.
set product := (X in _ = - (_ * X)).
transitivity (-1 * sgn s * product); last by ring.
congr (_ * _); rewrite /product (reindex_inj (@perm_inj _ (tperm i j))) /=.
by apply: eq_bigr => k _; rewrite f_tperm permM tpermK.
Qed.

Lemma rows_permuted (t : 'S_n) : rows_chosen (val t) = sgn t * det B.
Proof.
rewrite /rows_chosen (reindex_inj (mulgI t)) /det -rsum_mull; apply: eq_bigr => s _.
rewrite sgn_mul -R_mulA; congr (_ * (_ * _)); rewrite [RHS](reindex_inj (@perm_inj _ t)) /=.
by apply: eq_bigr => i _; rewrite permM pvalE.
Qed.

Lemma det_mulR (A : 'M[R]_n) : det (A *m B) = det A * det B.
Proof.
transitivity (\big[Rplus/0]_(f : {ffun 'I_n -> 'I_n}) ((\rprod_(i < n) A i (f i)) * rows_chosen f)).
  under [RHS]eq_bigr do rewrite -rsum_mull.
  rewrite exchange_big; apply: eq_bigr => s _ /=.
  under eq_bigr do rewrite mxE.
  rewrite bigA_distr_bigA -rsum_mull; apply: eq_bigr => f _ /=.
  by rewrite big_split /=; ring.
rewrite (bigID (fun f : {ffun _} => injectiveb f)) /= [X in _ + X]big1 => [|f repeated].
  rewrite R_addr0 (reindex (fun t : 'S_n => val t)) /=; last first.
    exists (insubd (1%g : 'S_n)) => [t _|f inj]; first exact: valKd.
    exact: insubdK.
  rewrite /det -rsum_mulr; apply: eq_big => [t|t _]; first exact: (valP t).
  rewrite rows_permuted R_mulA [X in X * _]R_mulC; congr (_ * _ * _).
  by apply: eq_bigr => i _; rewrite pvalE.
by rewrite rows_repeated ?R_mulr0.
Qed.

End Product.

(** ** More unknowns than equations *)

(** The solution can be chosen with its nonzero entries in any set of more
    columns than there are rows. *)
Lemma underdetermined_in m n (A : 'I_n -> 'I_m -> R) (S : {set 'I_m}) :
  (n < #|S|)%N ->
  exists v : 'I_m -> R, (exists j, v j <> 0) /\ (forall j, j \notin S -> v j = 0) /\
    (forall i, \rsum_j (A i j * v j) = 0).
Proof.
elim: n A S => [|n IHn] A S more_columns.
  have [j0 j0_in] : exists j, j \in S by apply/set0Pn; rewrite -card_gt0.
  exists (fun j => if j == j0 then 1 else 0); split; last split.
  - by exists j0; rewrite eqxx; lra.
  - by move=> j j_out; case: eqP => // j_j0; rewrite j_j0 j0_in in j_out.
  - by case.
pose upper i := A (lift ord_max i).
have by_rows v : (forall i, \rsum_j (upper i j * v j) = 0) ->
    \rsum_j (A ord_max j * v j) = 0 -> forall i, \rsum_j (A i j * v j) = 0.
  by move=> upper0 last0 i; case: (unliftP ord_max i) => [k ->|-> //]; apply: upper0.
have [v [[j0 vj0] [v_out v_zero]]] := IHn upper S (ltnW more_columns).
have j0_in : j0 \in S by apply/negPn/negP => /v_out.
have [|w [[j1 wj1] [w_out w_zero]]] := IHn upper (S :\ j0).
  by move: more_columns; rewrite (cardsD1 j0 S) j0_in.
have w_j0 : w j0 = 0 by apply: w_out; rewrite !inE eqxx.
set a := \rsum_j (A ord_max j * v j); set b := \rsum_j (A ord_max j * w j).
case: (Req_EM_T a 0) => [a0|a_ne0].
  by exists v; split; [exists j0 | split => //; apply: by_rows].
(* a w - b v satisfies the last equation too *)
have combine c : \rsum_j (c j * (a * w j - b * v j)) =
    a * (\rsum_j (c j * w j)) - b * (\rsum_j (c j * v j)).
  by rewrite -!rsum_mull -rsum_sub; apply: eq_bigr => j _; ring.
exists (fun j => a * w j - b * v j); split; last split.
- case: (Req_EM_T b 0) => [b0|b_ne0].
    by exists j1; rewrite b0 R_mul0 Rminus_0_r; apply: Rmult_integral_contrapositive_currified.
  exists j0; rewrite w_j0 R_mulr0 Rminus_0_l; apply: Ropp_neq_0_compat.
  exact: Rmult_integral_contrapositive_currified.
- move=> j j_out; rewrite v_out // w_out; first by ring.
  by rewrite !inE negb_and j_out orbT.
- apply: by_rows => [i|]; rewrite combine; first by rewrite v_zero w_zero; ring.
  by rewrite -/a -/b; ring.
Qed.

Lemma underdetermined m n (A : 'M[R]_(n, m)) :
  (n < m)%N -> exists v : 'cV[R]_m, v <> zeroR /\ A *m v = zeroR.
Proof.
move=> more_unknowns.
have [|v [[j0 v_j0] [_ v_zero]]] := @underdetermined_in m n A setT; first by rewrite cardsT card_ord.
exists (\matrix_(j, k) v j); split.
  by move=> /matrixP/(_ j0 ord0); rewrite !mxE.
by entries; under eq_bigr do rewrite mxE; apply: v_zero.
Qed.
