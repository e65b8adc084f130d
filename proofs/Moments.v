(** * Scores of random queries and keys

  A random variable is a function on some space; its mean is given by an operator that is linear on
  the variables that have one. Every probability space gives such an operator. Of independence only
  this is used: that moments of first and second order factor.

  expectation Omega   == which functions on Omega have a mean, and their means
  integrable, mean    == its parts
  entry x i           == component i of the random column x
  form A x y          == the random variable x^T A y
  standard E x        == the components of x have mean 0 and variance 1 and are uncorrelated
  factor E x y        == means of products of at most two components of x and as many of y are
                         products of means

  Main results: attention.score-variance, base.expectation. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra FunctionalExtensionality.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary UnitScore.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Record expectation (Omega : Type) := Expectation {
  integrable : (Omega -> R) -> Prop;
  mean : (Omega -> R) -> R;
  integrable_1 : integrable (fun=> 1);
  mean_1 : mean (fun=> 1) = 1;
  integrable_scale : forall a X, integrable X -> integrable (fun w => a * X w);
  mean_scale : forall a X, integrable X -> mean (fun w => a * X w) = a * mean X;
  integrable_add : forall X Y, integrable X -> integrable Y -> integrable (fun w => X w + Y w);
  mean_add : forall X Y, integrable X -> integrable Y -> mean (fun w => X w + Y w) = mean X + mean Y
}.

Section Means.

Variables (Omega : Type) (E : expectation Omega).

Definition entry n (x : Omega -> 'cV[R]_n) (i : 'I_n) (w : Omega) : R := x w i ord0.

Definition form n (A : 'M[R]_n) (x y : Omega -> 'cV[R]_n) (w : Omega) : R := dot (x w) (A *m y w).

Definition standard n (x : Omega -> 'cV[R]_n) : Prop :=
  forall i, integrable E (entry x i) /\ mean E (entry x i) = 0 /\
  forall j, mean E (fun w => entry x i w * entry x j w) = if i == j then 1 else 0.

Definition factor n (x y : Omega -> 'cV[R]_n) : Prop :=
  (forall i j, let X w := entry x i w * entry y j w in
     integrable E X /\ mean E X = mean E (entry x i) * mean E (entry y j)) /\
  (forall i j k l, let X w := entry x i w * entry x j w in let Y w := entry y k w * entry y l w in
     integrable E (fun w => X w * Y w) /\ mean E (fun w => X w * Y w) = mean E X * mean E Y).

(** Means of sums. *)
Lemma mean_sum (I : finType) (F : I -> Omega -> R) : (forall i, integrable E (F i)) ->
  integrable E (fun w => \rsum_i F i w) /\ mean E (fun w => \rsum_i F i w) = \rsum_i mean E (F i).
Proof.
move=> F_in; suff over r : integrable E (fun w => \big[Rplus/0]_(i <- r) F i w) /\
    mean E (fun w => \big[Rplus/0]_(i <- r) F i w) = \big[Rplus/0]_(i <- r) mean E (F i) by exact: over.
elim: r => [|i r [r_in r_mean]].
  have -> : (fun w => \big[Rplus/0]_(i <- [::]) F i w) = (fun w => 0 * 1).
    by apply: functional_extensionality => w; rewrite big_nil; ring.
  rewrite big_nil mean_scale; last exact: integrable_1.
  by split; [apply: integrable_scale; exact: integrable_1 | ring].
have -> : (fun w => \big[Rplus/0]_(j <- i :: r) F j w) = (fun w => F i w + \big[Rplus/0]_(j <- r) F j w).
  by apply: functional_extensionality => w; rewrite big_cons.
by rewrite big_cons mean_add // r_mean; split=> //; apply: integrable_add.
Qed.

Lemma formE n (A : 'M[R]_n) x y :
  form A x y = fun w => \rsum_i \rsum_j (A i j * (entry x i w * entry y j w)).
Proof.
apply: functional_extensionality => w; apply: eq_bigr => i _; rewrite mxE -rsum_mull.
by apply: eq_bigr => j _; rewrite /entry; ring.
Qed.

(** The mean of a bilinear form from those of products of components. *)
Lemma mean_form n (A : 'M[R]_n) x y (m : 'I_n -> 'I_n -> R) :
  (forall i j, let X w := entry x i w * entry y j w in integrable E X /\ mean E X = m i j) ->
  integrable E (form A x y) /\ mean E (form A x y) = \rsum_i \rsum_j (A i j * m i j).
Proof.
move=> products; rewrite formE.
have inner i := mean_sum (F := fun j w => A i j * (entry x i w * entry y j w))
  (fun j => integrable_scale (A i j) (proj1 (products i j))).
have [form_in form_mean] := mean_sum (F := fun i w => \rsum_j (A i j * (entry x i w * entry y j w)))
  (fun i => proj1 (inner i)).
split=> //; rewrite form_mean; apply: eq_bigr => i _; rewrite (proj2 (inner i)).
by apply: eq_bigr => j _; have [X_in X_mean] := products i j; rewrite mean_scale // X_mean.
Qed.

Lemma mean_form_0 n (A : 'M[R]_n) x y : standard x -> factor x y -> mean E (form A x y) = 0.
Proof.
move=> x_std [first _]; rewrite (proj2 (mean_form A (m := fun _ _ => 0) _)).
  rewrite big1 // => i _; rewrite big1 // => j _; ring.
move=> i j; have [X_in X_mean] := first i j; split=> //.
by rewrite X_mean (proj1 (proj2 (x_std i))) R_mul0.
Qed.

(** The mean square of a form is the sum of the squares of its coefficients. *)
Lemma mean_square n (A : 'M[R]_n) x y : standard x -> standard y -> factor x y ->
  mean E (fun w => form A x y w * form A x y w) = \rsum_i \rsum_j (A i j * A i j).
Proof.
move=> x_std y_std [_ second].
pose F (p : ('I_n * 'I_n) * ('I_n * 'I_n)) w :=
  A p.1.1 p.1.2 * A p.2.1 p.2.2 * (entry x p.1.1 w * entry x p.2.1 w * (entry y p.1.2 w * entry y p.2.2 w)).
have -> : (fun w => form A x y w * form A x y w) = (fun w => \rsum_p F p w).
  apply: functional_extensionality => w; rewrite formE pair_bigA big_distrlr pair_bigA /=.
  by apply: eq_bigr => p _; rewrite /F; ring.
rewrite (proj2 (mean_sum (F := F) _)); last first.
  by move=> p; apply: integrable_scale; have [] := second p.1.1 p.2.1 p.1.2 p.2.2.
pose G (a b : 'I_n * 'I_n) :=
  A a.1 a.2 * A b.1 b.2 * ((if a.1 == b.1 then 1 else 0) * (if a.2 == b.2 then 1 else 0)).
have termE p : mean E (F p) = G p.1 p.2.
  have [X_in X_mean] := second p.1.1 p.2.1 p.1.2 p.2.2; rewrite mean_scale // X_mean.
  by rewrite (proj2 (proj2 (x_std _))) (proj2 (proj2 (y_std _))).
under eq_bigr do rewrite termE.
rewrite -(pair_bigA _ G) [RHS]pair_bigA /=; apply: eq_bigr => a _.
rewrite (rsum_one (i0 := a)) /G ?eqxx; first by ring.
move=> b; rewrite -[b != a]/(~~ ((b.1 == a.1) && (b.2 == a.2))) => /nandP[]; rewrite eq_sym => /negPf ->; ring.
Qed.

End Means.

(** The score of rotated vectors is a form whose matrix is a rotation. *)
Lemma rotated_form Omega h (omega : nat -> R) (q k : Omega -> 'cV[R]_(h.*2)) m n :
  (fun w => dot (rotary omega (q w) m) (rotary omega (k w) n)) = form (rotary_matrix h omega (n - m)) q k.
Proof.
apply: functional_extensionality => w; rewrite dot_rotary /form.
by rewrite dot_mulR mulR_A.
Qed.

Lemma plain_form Omega d (q k : Omega -> 'cV[R]_d) : (fun w => dot (q w) (k w)) = form (idR d) q k.
Proof. by apply: functional_extensionality => w; rewrite /form mul1R. Qed.

Lemma squares_rotation h omega m :
  \rsum_i \rsum_j (rotary_matrix h omega m i j * rotary_matrix h omega m i j) = INR h.*2.
Proof.
have unit_matrix : rotary_matrix h omega m *m (rotary_matrix h omega m)^T = idR h.*2.
  by rewrite rotary_matrix_tr rotary_matrix_mul Rplus_opp_r rotary_matrix_0.
rewrite -[INR _]Rmult_1_r -rsum_const; apply: eq_bigr => i _.
have := congr1 (fun M : 'M_(h.*2) => M i i) unit_matrix; rewrite [LHS]mxE [RHS]mxE eqxx => <-.
by apply: eq_bigr => j _; rewrite [_^T _ _]mxE.
Qed.

Lemma squares_id d : \rsum_i \rsum_j (idR d i j * idR d i j) = INR d.
Proof.
rewrite -[INR _]Rmult_1_r -rsum_const; apply: eq_bigr => i _.
rewrite (rsum_one (i0 := i)) ?mxE ?eqxx ?R_mul1 // => j.
by rewrite mxE eq_sym => /negPf ->; ring.
Qed.

(** attention.score-variance: If the components of q and k are independent with mean 0 and variance
    1, q·k has mean 0 and variance d; and so has the score (R(m)q)·(R(n)k) after rotation, at all
    positions m and n. *)
Theorem attention_score_variance (Omega : Type) (E : expectation Omega) :
  (forall d (q k : Omega -> 'cV[R]_d), standard E q -> standard E k -> factor E q k ->
     let score w := dot (q w) (k w) in
     mean E score = 0 /\ mean E (fun w => score w * score w) = INR d) /\
  (forall h (omega : nat -> R) (m n : R) (q k : Omega -> 'cV[R]_(h.*2)),
     standard E q -> standard E k -> factor E q k ->
     let score w := dot (rotary omega (q w) m) (rotary omega (k w) n) in
     mean E score = 0 /\ mean E (fun w => score w * score w) = INR h.*2).
Proof.
split=> [d q k q_std k_std qk score | h omega m n q k q_std k_std qk score].
  have -> : score = form (idR d) q k := plain_form q k.
  by rewrite mean_form_0 // mean_square // squares_id.
have -> : score = form (rotary_matrix h omega (n - m)) q k := rotated_form omega q k m n.
by rewrite mean_form_0 // mean_square // squares_rotation.
Qed.

(** ** The similar token *)

Lemma trace_rotation h omega m :
  \rsum_i rotary_matrix h omega m i i = 2 * unit_score h omega m.
Proof.
rewrite rsum_pairs /unit_score -rsum_mull; apply: eq_bigr => i _.
by rewrite !block_diagE eqxx !mx22E; ring.
Qed.

(** base.expectation: For q and k with independent components of one mean vector μ and variance σ²,
    k independent of q, and k* = q + ε with ε independent of q and of mean 0: E[qᵀR(m)k*] −
    E[qᵀR(m)k] = 2σ²·B(m), B(m) = Σ_i cos(mθ_i), for all m and frequencies. *)
Theorem base_expectation (Omega : Type) (E : expectation Omega) (h : nat) (omega : nat -> R) (m : R)
    (mu : 'I_(h.*2) -> R) (sigma : R) (q k noise : Omega -> 'cV[R]_(h.*2)) :
  (forall i j, let X w := entry q i w * entry q j w in
     integrable E X /\ mean E X = mu i * mu j + if i == j then sigma ^ 2 else 0) ->
  (forall i j, let X w := entry q i w * entry k j w in integrable E X /\ mean E X = mu i * mu j) ->
  (forall i j, let X w := entry q i w * entry noise j w in integrable E X /\ mean E X = mu i * 0) ->
  let preferred k w := dot (q w) (rotary omega (k w) m) in
  mean E (preferred (fun w => q w +m noise w)) - mean E (preferred k) =
  2 * sigma ^ 2 * unit_score h omega m.
Proof.
move=> qq qk q_noise preferred.
have formed k' : preferred k' = form (rotary_matrix h omega m) q k' by [].
rewrite !formed; set A := rotary_matrix h omega m.
have -> : form A q (fun w => q w +m noise w) = fun w => form A q q w + form A q noise w.
  apply: functional_extensionality => w; rewrite /form mulR_Dr /dot -rsum_add.
  by apply: eq_bigr => i _; rewrite [in LHS]mxE; ring.
have [qq_in qq_mean] := mean_form A qq; have [qn_in qn_mean] := mean_form A q_noise.
have [_ qk_mean] := mean_form A qk.
rewrite mean_add // qq_mean qn_mean qk_mean.
have -> : \rsum_i \rsum_j (A i j * (mu i * 0)) = 0.
  by rewrite big1 // => i _; rewrite big1 // => j _; ring.
rewrite Rplus_0_r -rsum_sub.
have -> : 2 * sigma ^ 2 * unit_score h omega m = sigma ^ 2 * (2 * unit_score h omega m) by ring.
rewrite -trace_rotation -rsum_mull -/A; apply: eq_bigr => i _.
rewrite -rsum_sub (rsum_one (i0 := i)) ?eqxx; first by ring.
by move=> j; rewrite eq_sym => /negPf ne; rewrite ne; ring.
Qed.
