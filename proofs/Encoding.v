(** * The sinusoidal positional encoding

  Definitions that the rest of the development speaks of, and their first properties.
  The dimension is even: d = h.*2, that is h pairs of coordinates. The frequencies are any
  function ω of the number of the pair; the documents' are [frequency base d].

  Frequencies
    frequency base d i  == base^(-2i/d), the angular frequency of pair i, i = 0 ... d/2-1
    frequency_from_1 base d i == base^(-2(i+1)/d), that of pair i where the pairs are
                           counted m = 1 ... d/2
    wavelength ω        == 2π/ω
  Encoding of the real position t
    sin_cos a           == the column (sin a, cos a)
    pe ω t j            == component j: sin (t ω_(j/2)) for even j, cos (t ω_(j/2)) for odd j
    PE h ω t            == the vector whose pair i is (sin (t ω_i), cos (t ω_i)), in 'cV_(h.*2)
  Shifts and rotations
    rotation a          == R(a) = [[cos a, -sin a], [sin a, cos a]]
    shift_block a       == R(a)^T
    shift_matrix h ω k  == T(k), block-diagonal, with block i equal to R(ω_i k)^T
  Lengths
    distance2 x y       == the squared distance of two columns
    distance x y        == their distance

  Main results: components ([PE_component]), inner product ([dot_PE]), length ([norm2_PE]),
  shift ([shift_matrix_PE]), distance ([distance2_PE]), and the first frequency is 1
  ([frequency_0]). *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Frequencies *)

Definition frequency (base : R) (d i : nat) : R := Rpower base (- (2 * INR i / INR d)).
Definition frequency_from_1 (base : R) (d i : nat) : R := frequency base d i.+1.
Definition wavelength (omega : R) : R := 2 * PI / omega.

Lemma frequency_gt0 base d i : 0 < frequency base d i.
Proof. exact: exp_pos. Qed.

(** The first frequency is 1 for every base and dimension. *)
Lemma frequency_0 base d : 0 < base -> frequency base d 0 = 1.
Proof.
move=> base_gt0; rewrite /frequency.
have -> : - (2 * INR 0 / INR d) = 0 by rewrite /= /Rdiv; ring.
exact: Rpower_O.
Qed.

(** In dimension d = h.*2 the exponent 2i/d is i/h. *)
Lemma frequency_pairs base h i : frequency base h.*2 i = Rpower base (- (INR i / INR h)).
Proof.
rewrite /frequency; congr Rpower; congr Ropp.
case: h => [|h]; first by rewrite /Rdiv /= Rinv_0 !R_mulr0.
have h_gt0 : 0 < INR h.+1 by apply: lt_0_INR; apply/ltP.
by rewrite -muln2 mult_INR [INR 2]/=; field; lra.
Qed.

(** Counted from 1, the last frequency is 1/base. *)
Lemma frequency_from_1_last base h : 0 < base -> frequency_from_1 base h.+1.*2 h = / base.
Proof.
move=> base_gt0; rewrite /frequency_from_1 frequency_pairs.
have h_gt0 : 0 < INR h.+1 by apply: lt_0_INR; apply/ltP.
have -> : INR h.+1 / INR h.+1 = 1 by field; lra.
by rewrite Rpower_Ropp Rpower_1.
Qed.

(** Greater i, lower frequency, when the base exceeds 1. *)
Lemma frequency_lt base d i j :
  1 < base -> (0 < d)%N -> (i < j)%N -> frequency base d j < frequency base d i.
Proof.
move=> base_gt1 d_pos /ltP /lt_INR lt_ij; apply: Rpower_lt => //; apply: Ropp_lt_contravar.
have d_gt0 : 0 < INR d by apply: lt_0_INR; apply/ltP.
apply: Rmult_lt_compat_r; [exact: Rinv_0_lt_compat | lra].
Qed.

(** ** The encoding *)

Definition sin_cos (a : R) : 'cV[R]_2 := col2 (sin a) (cos a).

Definition pe (omega : nat -> R) (t : R) (j : nat) : R :=
  if odd j then cos (t * omega j./2) else sin (t * omega j./2).

Definition PE (h : nat) (omega : nat -> R) (t : R) : 'cV[R]_(h.*2) :=
  join_pairs (fun i => sin_cos (t * omega i)).

Lemma PE_component h omega t (j : 'I_(h.*2)) : PE h omega t j ord0 = pe omega t j.
Proof. by rewrite mxE col2E. Qed.

Lemma pair_of_PE h omega t i : pair_of (PE h omega t) i = sin_cos (t * omega i).
Proof. exact: pair_of_join. Qed.

Lemma pe_even omega t i : pe omega t i.*2 = sin (t * omega i).
Proof. by rewrite /pe odd_double doubleK. Qed.

Lemma pe_odd omega t i : pe omega t i.*2.+1 = cos (t * omega i).
Proof. by rewrite /pe /= odd_double uphalf_double. Qed.

(** Positions have one encoding exactly when every pair agrees. *)
Lemma PE_eq h omega s t :
  PE h omega s = PE h omega t <->
  (forall i : 'I_h, sin (s * omega i) = sin (t * omega i) /\ cos (s * omega i) = cos (t * omega i)).
Proof.
split=> [eq_PE i | eq_pairs].
  have : sin_cos (s * omega i) = sin_cos (t * omega i) by rewrite -!pair_of_PE eq_PE.
  move=> eq_pair; split.
    by move/matrixP: eq_pair => /(_ (bit false) ord0); rewrite !col2E.
  by move/matrixP: eq_pair => /(_ (bit true) ord0); rewrite !col2E.
apply: pairs_eq => i; rewrite !pair_of_PE /sin_cos.
by have [-> ->] := eq_pairs i.
Qed.

(** ** Inner product and length *)

Lemma dot_sin_cos a b : dot (sin_cos a) (sin_cos b) = cos (a - b).
Proof. by rewrite dot_col2 cos_minus; ring. Qed.

Lemma dot_PE h omega s t :
  dot (PE h omega s) (PE h omega t) = \rsum_(i < h) cos ((s - t) * omega i).
Proof.
rewrite dot_pairs; apply: eq_bigr => i _.
by rewrite !pair_of_PE dot_sin_cos; congr cos; ring.
Qed.

Lemma norm2_PE h omega t : norm2 (PE h omega t) = INR h.
Proof.
rewrite /norm2 dot_PE -[RHS]Rmult_1_r -rsum_const; apply: eq_bigr => i _.
by rewrite Rminus_diag_eq // R_mul0 cos_0.
Qed.

Lemma INR_half_double h : INR h.*2 / 2 = INR h.
Proof. by rewrite -muln2 mult_INR [INR 2]/=; field. Qed.

(** ** Shifts *)

Definition rotation (a : R) : 'M[R]_2 := mx22 (cos a) (- sin a) (sin a) (cos a).
Definition shift_block (a : R) : 'M[R]_2 := (rotation a)^T.
Definition shift_matrix (h : nat) (omega : nat -> R) (k : R) : 'M[R]_(h.*2) :=
  block_diag (fun i => shift_block (omega i * k)).

Lemma shift_blockE a : shift_block a = mx22 (cos a) (sin a) (- sin a) (cos a).
Proof. exact: mx22_tr. Qed.

(** R(a)^T turns (sin b, cos b) into (sin (b+a), cos (b+a)): the addition theorems. *)
Lemma shift_block_sin_cos a b : shift_block a *m sin_cos b = sin_cos (b + a).
Proof. by rewrite shift_blockE mx22_col2 /sin_cos sin_plus cos_plus; congr col2; ring. Qed.

Lemma shift_matrix_PE h omega k t : shift_matrix h omega k *m PE h omega t = PE h omega (t + k).
Proof.
apply: pairs_eq => i; rewrite pair_of_block_diag !pair_of_PE shift_block_sin_cos.
by congr sin_cos; ring.
Qed.

(** ** Distances *)

Definition distance2 n (x y : 'cV[R]_n) : R := \rsum_i (x i ord0 - y i ord0) ^ 2.
Definition distance n (x y : 'cV[R]_n) : R := sqrt (distance2 x y).

Arguments distance2 {n} x%R y%R.
Arguments distance {n} x%R y%R.

Lemma distance2_norm2 n (x y : 'cV[R]_n) : distance2 x y = norm2 (x +m (-1 *: y)).
Proof. by apply: eq_bigr => i _; rewrite !mxE; ring. Qed.

Lemma distance2_ge0 n (x y : 'cV[R]_n) : 0 <= distance2 x y.
Proof. by apply: rsum_ge0 => i; apply: pow2_ge_0. Qed.

Lemma distance2_dot n (x y : 'cV[R]_n) : distance2 x y = norm2 x + norm2 y - 2 * dot x y.
Proof.
rewrite /norm2 /dot -rsum_add -rsum_mull -rsum_sub.
by apply: eq_bigr => i _; ring.
Qed.

(** The distance of two encodings depends on the difference of the positions alone. *)
Lemma distance2_PE h omega s t :
  distance2 (PE h omega s) (PE h omega t) = \rsum_(i < h) (2 - 2 * cos ((s - t) * omega i)).
Proof.
rewrite distance2_dot !norm2_PE dot_PE rsum_sub rsum_mull rsum_const.
by congr (_ - _); ring.
Qed.
