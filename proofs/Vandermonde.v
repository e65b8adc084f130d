(** * Sums of exponentials that vanish at consecutive integers

    Pairwise distinct complex numbers z_0 ... z_(n-1) have linearly independent
    sequences of powers: if sum_j c_j z_j^t = 0 for t = 0 ... n-1, then every
    coefficient c_j is 0.  This is the statement that a Vandermonde matrix is
    invertible, in the form in which the uniqueness of the shift matrix uses it.
    It is then read for real sums of sines and cosines, at any run of
    consecutive integers.

    Dictionary
      \csum_(i < n) F  == the sum of F over i = 0 ... n-1 in Coquelicot's C
      cpow z t         == z^t, z in C and t in nat
      expi x           == e^(i x) = cos x + i sin x
      exponential w j  == e^(i w_(j/2)) for even j, e^(-i w_(j/2)) for odd j: the
                          2h numbers e^(+-i w_0) ... e^(+-i w_(h-1))

    Main results
      vandermonde       the complex statement
      sin_cos_independent
                        if sum_(i<h) a_i sin(w_i (t0+t)) + b_i cos(w_i (t0+t)) = 0 for
                        t = 0 ... 2h-1 and the numbers e^(+-i w_j) are pairwise
                        distinct, then all a_i and b_i are 0. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Complex.
From Posproof Require Import RealMatrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.
Open Scope C_scope.

(** ** C as a semiring for big operators *)

Lemma C_addA : associative Cplus.   Proof. by move=> x y z; ring. Qed.
Lemma C_addC : commutative Cplus.   Proof. by move=> x y; ring. Qed.
Lemma C_add0 : left_id (RtoC 0) Cplus.  Proof. by move=> x; ring. Qed.
Lemma C_addr0 : right_id (RtoC 0) Cplus. Proof. by move=> x; ring. Qed.
Lemma C_mul0 : left_zero (RtoC 0) Cmult.  Proof. by move=> x; ring. Qed.
Lemma C_mulr0 : right_zero (RtoC 0) Cmult. Proof. by move=> x; ring. Qed.
Lemma C_mulDl : left_distributive Cmult Cplus. Proof. by move=> x y z; ring. Qed.
Lemma C_mulDr : right_distributive Cmult Cplus. Proof. by move=> x y z; ring. Qed.

Canonical Cplus_monoid := Monoid.Law C_addA C_add0 C_addr0.
Canonical Cplus_comoid := Monoid.ComLaw C_addC.
Canonical Cmult_muloid := Monoid.MulLaw C_mul0 C_mulr0.
Canonical Cplus_addoid := Monoid.AddLaw C_mulDl C_mulDr.

Notation "\csum_ ( i < n ) F" := (\big[Cplus/RtoC 0]_(i < n) F%C)
  (at level 41, F at level 41, i, n at level 50, format "'[' \csum_ ( i  <  n ) '/  '  F ']'") : C_scope.

Fixpoint cpow (z : C) (t : nat) : C := if t is t'.+1 then z * cpow z t' else RtoC 1.

Lemma C_integral (x y : C) : x * y = 0 -> x = 0 \/ y = 0.
Proof.
move=> xy0; case: (Ceq_dec x 0) => [|x_ne0]; first by left.
right; suff -> : y = / x * (x * y) by rewrite xy0; ring.
by field.
Qed.

Lemma C_add_eq0 (x y : C) : x + y = 0 -> x = - y.
Proof.
move=> sum0; suff -> : x = (x + y) - y by rewrite sum0; ring.
by ring.
Qed.

(** ** Powers of distinct numbers are independent *)

Lemma vandermonde n (z c : nat -> C) :
  (forall j k, (j < n)%N -> (k < n)%N -> z j = z k -> j = k) ->
  (forall t, (t < n)%N -> \csum_(j < n) (c j * cpow (z j) t) = 0) ->
  forall j, (j < n)%N -> c j = 0.
Proof.
elim: n c => [//|n IHn] c z_distinct sum0.
(* eliminating the last number: subtract z_n times one equation from the next *)
have step t : (t < n)%N -> \csum_(j < n) (c j * (z j - z n) * cpow (z j) t) = 0.
  move=> lt_tn.
  have := sum0 t.+1 lt_tn; have := sum0 t (ltnW lt_tn); rewrite !big_ord_recr /=.
  set S := \big[_/_]_(i < n) _ => sum_t; set S' := \big[_/_]_(i < n) _ => sum_t1.
  suff -> : \csum_(j < n) (c j * (z j - z n) * cpow (z j) t) = S' - z n * S.
    by rewrite (C_add_eq0 sum_t) (C_add_eq0 sum_t1); ring.
  have -> : S' - z n * S = S' + (- z n) * S by ring.
  rewrite /S /S' big_distrr -big_split /=.
  by apply: eq_bigr => j _; ring.
have first_zero j : (j < n)%N -> c j = 0.
  move=> lt_jn; have := IHn (fun j => c j * (z j - z n)) _ step j lt_jn.
  case/(_ _)/C_integral => [a b lt_a lt_b | // | z_eq].
    by apply: z_distinct; apply: ltnW.
  suff jn : j = n by move: lt_jn; rewrite jn ltnn.
  apply: z_distinct => //; first exact: ltnW.
  by rewrite -[RHS]C_add0 -z_eq; ring.
move=> j; rewrite ltnS leq_eqVlt; case/orP => [/eqP -> | ]; last exact: first_zero.
have := sum0 0%N (ltn0Sn n); rewrite big_ord_recr /= big1 => [|i _].
  by rewrite C_add0 => <-; ring.
by rewrite first_zero ?ltn_ord //; ring.
Qed.

(** ** Unit complex numbers *)

Definition expi (x : R) : C := (cos x, sin x).

Lemma expi_add x y : expi (x + y) = expi x * expi y.
Proof. by rewrite /expi /Cmult cos_plus sin_plus /=; congr pair; ring. Qed.

Lemma cpow_expi x t : cpow (expi x) t = expi (x * INR t).
Proof.
elim: t => [|t IHt]; first by rewrite Rmult_0_r /expi cos_0 sin_0.
rewrite S_INR /= IHt -expi_add; congr expi; ring.
Qed.

Definition exponential (w : nat -> R) (j : nat) : C :=
  if odd j then expi (- w j./2) else expi (w j./2).

Lemma exponential_even w i : exponential w i.*2 = expi (w i).
Proof. by rewrite /exponential odd_double doubleK. Qed.

Lemma exponential_odd w i : exponential w i.*2.+1 = expi (- w i).
Proof. by rewrite /exponential oddS odd_double /= uphalf_double. Qed.

(** Distinct frequencies between 0 and pi give pairwise distinct exponentials. *)
Lemma exponential_distinct h (w : nat -> R) :
  (forall i, (i < h)%N -> 0 < w i < PI)%R ->
  (forall i j, (i < h)%N -> (j < h)%N -> w i = w j -> i = j) ->
  forall j k, (j < h.*2)%N -> (k < h.*2)%N -> exponential w j = exponential w k -> j = k.
Proof.
move=> w_range w_inj j k lt_j lt_k exp_eq.
have half_lt m : (m < h.*2)%N -> (m./2 < h)%N by move=> lt_m; rewrite -divn2 ltn_divLR ?muln2.
have [wj wk] := (w_range _ (half_lt _ lt_j), w_range _ (half_lt _ lt_k)).
have cos_sin m : (fst (exponential w m) = cos (w m./2)) /\
    (snd (exponential w m) = if odd m then - sin (w m./2) else sin (w m./2))%R.
  by rewrite /exponential; case: (odd m); rewrite //= cos_neg sin_neg.
have [cos_j sin_j] := cos_sin j; have [cos_k sin_k] := cos_sin k.
have half_eq : j./2 = k./2.
  apply: w_inj; [exact: half_lt | exact: half_lt | apply: cos_inj; try lra].
  by rewrite -cos_j exp_eq.
have sin_pos : (0 < sin (w j./2))%R by apply: sin_gt_0; lra.
have odd_eq : odd j = odd k.
  move: sin_j; rewrite exp_eq sin_k -half_eq.
  by case: (odd j); case: (odd k) => // sin_eq; exfalso; lra.
by rewrite -(odd_double_half j) -(odd_double_half k) half_eq odd_eq.
Qed.

(** ** Sines and cosines at consecutive positions *)

Lemma csum_pairs h (F : nat -> C) :
  \csum_(j < h.*2) F j = \csum_(i < h) (F i.*2 + F i.*2.+1).
Proof.
elim: h => [|h IHh]; first by rewrite !big_ord0.
by rewrite doubleS !big_ord_recr IHh /= C_addA.
Qed.

Lemma csum_RtoC n (F : nat -> R) : \csum_(i < n) RtoC (F i) = RtoC (\rsum_(i < n) F i)%R.
Proof.
elim: n => [|n IHn]; first by rewrite !big_ord0.
by rewrite !big_ord_recr IHn /= RtoC_plus.
Qed.

Lemma sin_cos_independent h (w a b : nat -> R) (t0 : R) :
  (forall j k, (j < h.*2)%N -> (k < h.*2)%N -> exponential w j = exponential w k -> j = k) ->
  (forall t, (t < h.*2)%N ->
     \rsum_(i < h) (a i * sin ((t0 + INR t) * w i) + b i * cos ((t0 + INR t) * w i)) = 0)%R ->
  forall i, (i < h)%N -> a i = 0%R /\ b i = 0%R.
Proof.
move=> distinct sum0 i lt_ih.
(* the coefficient of e^(+-i w_i t) when the sum is written in exponentials *)
pose coefficient j : C :=
  (((b j./2 / 2)%R, if odd j then (a j./2 / 2)%R else (- a j./2 / 2)%R) : C)
  * expi (if odd j then - (t0 * w j./2) else t0 * w j./2)%R.
have coefficient_even k : coefficient k.*2 = ((b k / 2)%R, (- a k / 2)%R) * expi (t0 * w k).
  by rewrite /coefficient odd_double doubleK.
have coefficient_odd k :
    coefficient k.*2.+1 = ((b k / 2)%R, (a k / 2)%R) * expi (- (t0 * w k)).
  by rewrite /coefficient oddS odd_double /= uphalf_double.
have coefficient_zero j : (j < h.*2)%N -> coefficient j = 0.
  apply: (vandermonde distinct) => t lt_t.
  rewrite (csum_pairs h (fun j => coefficient j * cpow (exponential w j) t)).
  transitivity (RtoC (\rsum_(i < h)
    (a i * sin ((t0 + INR t) * w i) + b i * cos ((t0 + INR t) * w i)))%R); last by rewrite sum0.
  rewrite -(csum_RtoC h (fun i => a i * sin (_ * w i) + b i * cos (_ * w i))%R).
  apply: eq_bigr => k _.
  rewrite coefficient_even coefficient_odd exponential_even exponential_odd !cpow_expi.
  rewrite -!Cmult_assoc -!expi_add.
  have -> : (- (t0 * w k) + - w k * INR t = - ((t0 + INR t) * w k))%R by ring.
  have -> : (t0 * w k + w k * INR t = (t0 + INR t) * w k)%R by ring.
  rewrite /expi cos_neg sin_neg /Cmult /Cplus /RtoC /=; congr pair; field.
have := coefficient_zero i.*2; rewrite ltn_double coefficient_even => /(_ lt_ih).
case/C_integral => [[b0 a0] | [cos0 sin0]]; first by lra.
have := sin2_cos2 (t0 * w i); rewrite cos0 sin0 /Rsqr; lra.
Qed.
