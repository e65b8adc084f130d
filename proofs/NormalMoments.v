(** * Scores of normal keys, by their moments

  Independent standard normal variables are known by their moments: Isserlis' formula takes one factor of
  a product and pairs it with each of the others. A score of such a key has the same moments at every
  distance, whatever the query is.

  word x l w            == the product of the components of the random column x whose indices l lists
  without_one f i l     == the sum of f over the lists that are l without one occurrence of i
  normal_beside E q k   == the moments of q and k are those of a standard normal k that is independent of q:
                           all of them are finite, and Isserlis' formula holds of k beside products of
                           components of q

  Main results: the moments of decay.gaussian. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra FunctionalExtensionality.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary Moments ScoreLaw.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Fixpoint word Omega n (x : Omega -> 'cV[R]_n) (l : seq 'I_n) (w : Omega) : R :=
  match l with
  | [::] => 1
  | i :: r => entry x i w * word x r w
  end.

Fixpoint without_one n (f : seq 'I_n -> R) (i : 'I_n) (l : seq 'I_n) : R :=
  match l with
  | [::] => 0
  | j :: r => (if i == j then f r else 0) + without_one (fun t => f (j :: t)) i r
  end.

Definition normal_beside Omega (E : expectation Omega) n (q k : Omega -> 'cV[R]_n) : Prop :=
  forall (m l : seq 'I_n),
    integrable E (fun w => word q m w * word k l w) /\
    forall i, mean E (fun w => word q m w * word k (i :: l) w) =
              without_one (fun t => mean E (fun w => word q m w * word k t w)) i l.

Lemma without_one_ext n (f g : seq 'I_n -> R) i l : (forall t, f t = g t) -> without_one f i l = without_one g i l.
Proof.
elim: l f g => [|j r IHr] f g same //=.
by rewrite same (IHr (fun t => f (j :: t)) (fun t => g (j :: t))).
Qed.

Lemma without_one_sum (I : finType) n (c : I -> R) (f : I -> seq 'I_n -> R) i l :
  without_one (fun t => \rsum_a (c a * f a t)) i l = \rsum_a (c a * without_one (f a) i l).
Proof.
elim: l f => [|j r IHr] f /=.
  by rewrite -[LHS](rsum_0 I); apply: eq_bigr => a _; ring.
rewrite (IHr (fun a t => f a (j :: t))).
transitivity (\rsum_a (c a * (if i == j then f a r else 0) + c a * without_one (fun t => f a (j :: t)) i r));
  last by apply: eq_bigr => a _; ring.
rewrite rsum_add; congr (_ + _); case: (i == j) => //.
by rewrite -[LHS](rsum_0 I); apply: eq_bigr => a _; ring.
Qed.

Section Powers.

Variables (Omega : Type) (E : expectation Omega) (d : nat) (q k : Omega -> 'cV[R]_d).
Hypothesis normal : normal_beside E q k.
Variable A : 'M[R]_d.

(** Products of components of both, and a power of the score. *)
Definition power (m : seq 'I_d) (n : nat) (l : seq 'I_d) (w : Omega) : R :=
  word q m w * (form A q k w ^ n * word k l w).

Lemma powerS m n l :
  power m n.+1 l = fun w => \big[Rplus/0]_(p : 'I_d * 'I_d) (A p.1 p.2 * power (p.1 :: m) n (p.2 :: l) w).
Proof.
apply: functional_extensionality => w; rewrite /power -tech_pow_Rmult.
have -> : form A q k w = \big[Rplus/0]_(p : 'I_d * 'I_d) (A p.1 p.2 * (entry q p.1 w * entry k p.2 w)).
  by rewrite formE pair_bigA.
set S := \big[Rplus/0]_p _; transitivity (S * (word q m w * (S ^ n * word k l w))); first by ring.
by rewrite /S -rsum_mulr; apply: eq_bigr => p _ /=; ring.
Qed.

Lemma power_integrable m n l : integrable E (power m n l).
Proof.
elim: n m l => [|n IHn] m l.
  have -> : power m 0 l = fun w => word q m w * word k l w.
    by apply: functional_extensionality => w; rewrite /power /=; ring.
  exact: (proj1 (normal m l)).
rewrite powerS; apply: (proj1 (mean_sum (F := fun p w => A p.1 p.2 * power (p.1 :: m) n (p.2 :: l) w) _)) => p.
exact: integrable_scale.
Qed.

Lemma mean_powerS m n l :
  mean E (power m n.+1 l) = \big[Rplus/0]_(p : 'I_d * 'I_d) (A p.1 p.2 * mean E (power (p.1 :: m) n (p.2 :: l))).
Proof.
rewrite powerS (proj2 (mean_sum (F := fun p w => A p.1 p.2 * power (p.1 :: m) n (p.2 :: l) w) _)).
  by apply: eq_bigr => p _; rewrite mean_scale //; exact: power_integrable.
by move=> p; apply: integrable_scale; exact: power_integrable.
Qed.

Lemma power_swap m n a b l : power m n (a :: b :: l) = power m n (b :: a :: l).
Proof. by apply: functional_extensionality => w; rewrite /power /=; ring. Qed.

Lemma power_swap_left m n a b l : power (a :: b :: m) n l = power (b :: a :: m) n l.
Proof. by apply: functional_extensionality => w; rewrite /power /=; ring. Qed.

(** A component of k beside a power of the score: Isserlis' formula, once more. *)
Lemma mean_beside n : forall m a l,
  mean E (power m n (a :: l)) =
  INR n * (\rsum_i (A i a * mean E (power (i :: m) n.-1 l))) + without_one (fun t => mean E (power m n t)) a l.
Proof.
elim: n => [|n IHn] m a l.
  have plain t : power m 0 t = fun w => word q m w * word k t w.
    by apply: functional_extensionality => w; rewrite /power /=; ring.
  rewrite (without_one_ext (g := fun t => mean E (fun w => word q m w * word k t w))); last by move=> t; rewrite plain.
  by rewrite plain (proj2 (normal m l)) /=; ring.
rewrite mean_powerS [_.+1.-1]/=.
have step (p : 'I_d * 'I_d) : mean E (power (p.1 :: m) n (p.2 :: a :: l)) =
    INR n * (\rsum_i (A i a * mean E (power (i :: p.1 :: m) n.-1 (p.2 :: l)))) +
    ((if a == p.2 then mean E (power (p.1 :: m) n l) else 0) +
     without_one (fun t => mean E (power (p.1 :: m) n (p.2 :: t))) a l).
  by rewrite power_swap IHn.
transitivity (\big[Rplus/0]_(p : 'I_d * 'I_d)
  (INR n * (\rsum_i (A i a * (A p.1 p.2 * mean E (power (i :: p.1 :: m) n.-1 (p.2 :: l))))) +
   (A p.1 p.2 * (if a == p.2 then mean E (power (p.1 :: m) n l) else 0) +
    A p.1 p.2 * without_one (fun t => mean E (power (p.1 :: m) n (p.2 :: t))) a l))).
  apply: eq_bigr => p _; rewrite step; set S := \rsum_i (A i a * mean E (power (i :: p.1 :: m) n.-1 (p.2 :: l))).
  have -> : \rsum_i (A i a * (A p.1 p.2 * mean E (power (i :: p.1 :: m) n.-1 (p.2 :: l)))) = A p.1 p.2 * S.
    by rewrite -rsum_mull; apply: eq_bigr => i _; ring.
  by rewrite !R_mulDr (R_mulA (A _ _) (INR n)) (R_mulC (A _ _) (INR n)) -R_mulA.
rewrite !rsum_add.
(* The occurrences in l. *)
have -> : \big[Rplus/0]_(p : 'I_d * 'I_d) (A p.1 p.2 * without_one (fun t => mean E (power (p.1 :: m) n (p.2 :: t))) a l) =
    without_one (fun t => mean E (power m n.+1 t)) a l.
  rewrite -(without_one_sum (fun p : 'I_d * 'I_d => A p.1 p.2)
    (fun p t => mean E (power (p.1 :: m) n (p.2 :: t)))).
  by apply: without_one_ext => t; rewrite mean_powerS.
(* The component that the first factor of the score has. *)
have -> : \big[Rplus/0]_(p : 'I_d * 'I_d) (A p.1 p.2 * (if a == p.2 then mean E (power (p.1 :: m) n l) else 0)) =
    \rsum_i (A i a * mean E (power (i :: m) n l)).
  rewrite -(pair_bigA _ (fun i j => A i j * (if a == j then mean E (power (i :: m) n l) else 0))) /=.
  apply: eq_bigr => i _; rewrite (rsum_one (i0 := a)) ?eqxx // => j.
  by rewrite eq_sym => /negPf ->; ring.
(* Those of the others. *)
have -> : \big[Rplus/0]_(p : 'I_d * 'I_d) (INR n *
      (\rsum_i (A i a * (A p.1 p.2 * mean E (power (i :: p.1 :: m) n.-1 (p.2 :: l)))))) =
    INR n * (\rsum_i (A i a * mean E (power (i :: m) n l))).
  rewrite rsum_mull; case: n {IHn step} => [|n]; first by rewrite /=; ring.
  congr (_ * _); rewrite rsum_exchange; apply: eq_bigr => i _; rewrite rsum_mull mean_powerS /=.
  by congr (_ * _); apply: eq_bigr => p _; rewrite power_swap_left.
by rewrite S_INR; ring.
Qed.

Hypothesis orthogonal : A *m A^T = idR d.

(** Two factors of a score leave the length of q, whatever the matrix is. *)
Lemma mean_power_two m n :
  mean E (power m n.+2 [::]) = INR n.+1 * (\rsum_i mean E (power (i :: i :: m) n [::])).
Proof.
rewrite mean_powerS; transitivity (\big[Rplus/0]_(p : 'I_d * 'I_d)
  (A p.1 p.2 * (INR n.+1 * (\rsum_b (A b p.2 * mean E (power (b :: p.1 :: m) n [::])))))).
  by apply: eq_bigr => p _; rewrite mean_beside [without_one _ _ _]/= Rplus_0_r.
transitivity (INR n.+1 * (\rsum_(i < d) \rsum_(b < d) ((A *m A^T) i b * mean E (power (b :: i :: m) n [::])))).
  rewrite -(pair_bigA _ (fun i j => A i j * (INR n.+1 * (\rsum_b (A b j * mean E (power (b :: i :: m) n [::])))))) /=.
  rewrite -rsum_mull; apply: eq_bigr => i _.
  transitivity (\rsum_(j < d) \rsum_(b < d) (INR n.+1 * (A i j * A b j * mean E (power (b :: i :: m) n [::])))).
    apply: eq_bigr => j _; rewrite -!rsum_mull; apply: eq_bigr => b _; set M := mean _ _.
    by rewrite !R_mulA (R_mulC (A i j)).
  rewrite rsum_exchange -rsum_mull; apply: eq_bigr => b _; rewrite mxE -rsum_mulr -rsum_mull.
  by apply: eq_bigr => j _; rewrite !mxE.
congr (_ * _); apply: eq_bigr => i _; rewrite orthogonal (rsum_one (i0 := i)).
  by rewrite mxE eqxx /=; ring.
by move=> b; rewrite mxE eq_sym => /negPf ->; rewrite /=; ring.
Qed.

End Powers.

(** Powers of scores by orthogonal matrices have the same means. *)
Lemma mean_power_orthogonal Omega (E : expectation Omega) d (q k : Omega -> 'cV[R]_d) (A B : 'M[R]_d) :
  normal_beside E q k -> A *m A^T = idR d -> B *m B^T = idR d ->
  forall n m, mean E (power q k A m n [::]) = mean E (power q k B m n [::]).
Proof.
move=> normal A_orth B_orth n; suff both : forall m,
    mean E (power q k A m n [::]) = mean E (power q k B m n [::]) /\
    mean E (power q k A m n.+1 [::]) = mean E (power q k B m n.+1 [::]) by move=> m; exact: (proj1 (both m)).
have none C m : mean E (power q k C m 1 [::]) = 0.
  rewrite (mean_powerS normal) -[RHS](rsum_0 (prod_finType (ordinal_finType d) (ordinal_finType d))).
  by apply: eq_bigr => p _; rewrite (mean_beside normal) /= !R_mul0; ring.
elim: n => [|n IHn] m; first by rewrite !none.
split; first exact: (proj2 (IHn m)).
rewrite (mean_power_two normal A_orth) (mean_power_two normal B_orth); congr (_ * _); apply: eq_bigr => i _.
exact: (proj1 (IHn _)).
Qed.

(** For a key k that is standard normal and independent of q, as far as moments tell, every moment of the score qᵀR(s)k
    is the same at every distance s. *)
Corollary decay_gaussian_moments (Omega : Type) (E : expectation Omega) (h : nat) (omega : nat -> R)
    (q k : Omega -> 'cV[R]_(h.*2)) : normal_beside E q k -> forall (n : nat) (s s' : R),
  mean E (fun w => distance_score omega q k s w ^ n) = mean E (fun w => distance_score omega q k s' w ^ n).
Proof.
move=> normal n s s'.
have orthogonal t : rotary_matrix h omega t *m (rotary_matrix h omega t)^T = idR h.*2.
  by rewrite rotary_matrix_tr rotary_matrix_mul Rplus_opp_r rotary_matrix_0.
have plain t : (fun w => distance_score omega q k t w ^ n) = power q k (rotary_matrix h omega t) [::] n [::].
  by apply: functional_extensionality => w; rewrite /power /= R_mul1 R_mulr1.
by rewrite !plain; apply: mean_power_orthogonal.
Qed.

Lemma without_one_scale n (c : R) (f g : seq 'I_n -> R) i l :
  (forall t, (size t < size l)%N -> f t = c * g t) -> without_one f i l = c * without_one g i l.
Proof.
elim: l f g => [|j r IHr] f g same /=; first by ring.
rewrite (IHr (fun t => f (j :: t)) (fun t => g (j :: t))); last by move=> t t_short; exact: same.
by case: (i == j); rewrite ?same //=; ring.
Qed.

(** Such moments are those of independent columns: that of a product of components of both is the product of two. *)
Corollary decay_gaussian_independent (Omega : Type) (E : expectation Omega) (d : nat) (q k : Omega -> 'cV[R]_d) :
  normal_beside E q k -> forall m l,
  mean E (fun w => word q m w * word k l w) = mean E (word q m) * mean E (word k l).
Proof.
move=> normal m l; have [b] := ubnP (size l); elim: b l => [|b IHb] [|i l] //= short.
  rewrite mean_1 R_mulr1; congr mean.
  by apply: functional_extensionality => w; rewrite R_mulr1.
rewrite (proj2 (normal m l) i).
have alone t : mean E (fun w => word q [::] w * word k t w) = mean E (word k t).
  by congr mean; apply: functional_extensionality => w; rewrite R_mul1.
rewrite -[mean E (word k (i :: l))]alone (proj2 (normal [::] l) i).
by apply: without_one_scale => t t_short; rewrite alone IHb //; exact: ltn_trans t_short short.
Qed.
