(** * The linear relation between encodings: the shift matrix T(k)

    T(k) turns the encoding of every position t into that of t + k.  This file
    settles what T(k) is, which laws it obeys, which rates the derivation allows,
    why sine alone would not do, and how the derived block relates to the rotation
    of rotary encoding.  That T(k) is the only such matrix is in ShiftUnique.v.

    Dictionary (PE, rotation, shift_block and shift_matrix are in Encoding.v)
      PE h w t             == the encoding of position t: h pairs, frequencies w 0 ... w (h-1)
      shift_matrix h w k   == T(k), of dimension d = h.*2
      rotation a           == R(a) = [[cos a, -sin a], [sin a, cos a]]
      shift_block a        == R(a)^T, the block that acts on a pair (sin, cos)
      at_pair i b          == coordinate 2i (b = false) or 2i+1 (b = true)
      det A                == the determinant of A (Determinant.v)
      shifts_at_rate r l k == the block with rate r shifts the pair of frequency l by k at
                              every t: equation (6)
      derived_matrix a     == the matrix of step 5 of the derivation of RoPE
      swap                 == [[0, 1], [1, 0]], which exchanges the two components of a pair
      sine_only h w t      == the encoding made of sines alone: (sin (t w_0) ... sin (t w_(h-1)))

    Everything holds for arbitrary real frequencies, positions and offsets. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect perm matrix.
From Posproof Require Import RealMatrix Pairs Encoding Determinant Sinusoid Wavelengths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** What T(k) is and does *)

(** shift.addition-theorems: sin(α+β) = sin α cos β + cos α sin β and
    cos(α+β) = cos α cos β − sin α sin β, for all real α and β. *)
Theorem shift_addition_theorems (alpha beta : R) :
  sin (alpha + beta) = sin alpha * cos beta + cos alpha * sin beta /\
  cos (alpha + beta) = cos alpha * cos beta - sin alpha * sin beta.
Proof. by rewrite sin_plus cos_plus. Qed.

(** shift.linearity: T(k) PE(t) = PE(t+k) for every d, all frequencies and all real t and k. *)
Theorem shift_linearity (h : nat) (omega : nat -> R) (t k : R) :
  shift_matrix h omega k *m PE h omega t = PE h omega (t + k).
Proof. exact: shift_matrix_PE. Qed.

(** shift.block-structure: T(k) is the d×d block-diagonal matrix whose block i is R(ω_i·k)ᵀ =
    [[cos ω_i·k, sin ω_i·k], [−sin ω_i·k, cos ω_i·k]], exactly 0 off the blocks, and
    T(k) PE(t) = PE(t+k) at every t with no t in T(k). *)
Theorem shift_block_structure (h : nat) (omega : nat -> R) (k : R) :
  (forall (i i' : 'I_h) (b b' : bool),
     shift_matrix h omega k (at_pair i b) (at_pair i' b') =
     if i == i' then (rotation (omega i * k))^T (bit b) (bit b') else 0) /\
  (forall i : 'I_h,
     (rotation (omega i * k))^T = mx22 (cos (omega i * k)) (sin (omega i * k))
                                       (- sin (omega i * k)) (cos (omega i * k))) /\
  (forall t, shift_matrix h omega k *m PE h omega t = PE h omega (t + k)).
Proof.
split; last split.
- by move=> i i' b b'; apply: block_diagE.
- by move=> i; apply: mx22_tr.
- by move=> t; apply: shift_matrix_PE.
Qed.

(** ** The rates that equation (6) allows *)

Definition shifts_at_rate (r lambda k : R) : Prop :=
  forall t, shift_block (r * k) *m sin_cos (lambda * t) = sin_cos (lambda * (t + k)).

Lemma sin_cos_eq a b : sin_cos a = sin_cos b <-> sin a = sin b /\ cos a = cos b.
Proof.
split=> [/matrixP eq_ab | [sin_eq cos_eq]]; last by rewrite /sin_cos sin_eq cos_eq.
by have := eq_ab (bit false) ord0; have := eq_ab (bit true) ord0; rewrite !col2E.
Qed.

Lemma shifts_at_rateE r lambda k :
  shifts_at_rate r lambda k <-> sin (r * k) = sin (lambda * k) /\ cos (r * k) = cos (lambda * k).
Proof.
split=> [/(_ 0) | [sin_eq cos_eq] t].
  rewrite shift_block_sin_cos => /sin_cos_eq.
  by rewrite Rmult_0_r !Rplus_0_l.
by rewrite shift_blockE sin_eq cos_eq -shift_blockE shift_block_sin_cos; congr sin_cos; ring.
Qed.

(** shift.rate: The rates r for which the block with rate r shifts frequency λ by k ≠ 0 at
    every t are exactly r = λ + 2πn/k for integers n; r = λ is one of them and all give the
    same block. *)
Theorem shift_rate (lambda k : R) : k <> 0 ->
  (forall r, shifts_at_rate r lambda k <-> exists n : Z, r = lambda + 2 * PI * IZR n / k) /\
  shifts_at_rate lambda lambda k /\
  (forall r, shifts_at_rate r lambda k -> shift_block (r * k) = shift_block (lambda * k)).
Proof.
move=> k_ne0; split; last split.
- move=> r; rewrite shifts_at_rateE same_angle; split=> -[n r_eq]; exists n.
    by apply: (Rmult_eq_reg_r k) => //; rewrite r_eq; field.
  by rewrite r_eq; field.
- by apply/shifts_at_rateE.
- by move=> r /shifts_at_rateE [sin_eq cos_eq]; rewrite !shift_blockE sin_eq cos_eq.
Qed.

(** shift.rate, as written: r = λ is the only rate that satisfies equation (6). *)
Theorem shift_rate_as_written_false :
  ~ (forall (lambda : R) (k : nat), (1 <= k)%N ->
     forall r, shifts_at_rate r lambda (INR k) -> r = lambda).
Proof.
(* the witness: lambda = 1, k = 1 and r = 1 + 2 pi *)
move=> /(_ 1 1%N isT (1 + 2 * PI)) only; have [rates _] := @shift_rate 1 1 R1_neq_R0.
have := PI_RGT_0; suff : 1 + 2 * PI = 1 by lra.
by apply: only; apply/rates; exists 1%Z; field.
Qed.

(** ** The group laws *)

Lemma shift_block_0 : shift_block 0 = idR 2.
Proof. by rewrite shift_blockE cos_0 sin_0 Ropp_0 mx22_id. Qed.

Lemma shift_block_mul a b : shift_block a *m shift_block b = shift_block (a + b).
Proof. by rewrite !shift_blockE mx22_mul sin_plus cos_plus; congr mx22; ring. Qed.

Lemma shift_block_tr a : (shift_block a)^T = shift_block (- a).
Proof. by rewrite !shift_blockE mx22_tr cos_neg sin_neg Ropp_involutive. Qed.

Section Group.

Variables (h : nat) (omega : nat -> R).
Notation T k := (shift_matrix h omega k).

Lemma shift_matrix_0 : T 0 = idR h.*2.
Proof.
rewrite -block_diag_id; apply: eq_block_diag => i.
by rewrite Rmult_0_r shift_block_0.
Qed.

Lemma shift_matrix_add j k : T j *m T k = T (j + k).
Proof.
rewrite block_diag_mul; apply: eq_block_diag => i.
by rewrite shift_block_mul; congr shift_block; ring.
Qed.

Lemma shift_matrix_tr k : (T k)^T = T (- k).
Proof.
rewrite block_diag_tr; apply: eq_block_diag => i.
by rewrite shift_block_tr; congr shift_block; ring.
Qed.

(** T(k) is the square of T(k/2), so its determinant is not negative, and T(k) T(k)^T = I,
    so its square is 1. *)
Lemma det_shift_matrix k : det (T k) = 1.
Proof.
have nonneg : 0 <= det (T k).
  have -> : k = k / 2 + k / 2 by field.
  by rewrite -shift_matrix_add det_mulR; nra.
have : det (T k) * det (T k) = 1.
  rewrite -{2}det_tr -det_mulR shift_matrix_tr shift_matrix_add Rplus_opp_r shift_matrix_0.
  exact: det_idR.
by nra.
Qed.

End Group.

(** shift.group: T(0) = I, T(j) T(k) = T(j+k), T(−k) = T(k)ᵀ = T(k)⁻¹ and det T(k) = 1, for
    all real j and k, every d and all frequencies. *)
Theorem shift_group (h : nat) (omega : nat -> R) (j k : R) :
  let T := shift_matrix h omega in
  T 0 = idR h.*2 /\ T j *m T k = T (j + k) /\
  (T (- k) = (T k)^T /\ T (- k) *m T k = idR h.*2 /\ T k *m T (- k) = idR h.*2) /\
  det (T k) = 1.
Proof.
rewrite /= !shift_matrix_add shift_matrix_tr Rplus_opp_l Rplus_opp_r shift_matrix_0.
by do !split; apply: det_shift_matrix.
Qed.

(** ** Why both sine and cosine *)

(** shift.needs-both: A factor c with c·sin(ωt) = sin(ω(t+k)) for all t exists only if sin(ωk) = 0:
    for every other k sine alone has no linear shift. *)
Theorem shift_needs_both :
  (forall omega k c : R, (forall t, c * sin (omega * t) = sin (omega * (t + k))) ->
     sin (omega * k) = 0) /\
  (forall (h : nat) (omega : nat -> R) (k : R) (M : 'M[R]_h),
     (forall t, M *m sine_only h omega t = sine_only h omega (t + k)) ->
     forall i : 'I_h, sin (omega i * k) = 0) /\
  (forall c : R, exists t : R, c * sin (PI / 2 * t) <> sin (PI / 2 * (t + 1))).
Proof.
have factor omega k c : (forall t, c * sin (omega * t) = sin (omega * (t + k))) ->
    sin (omega * k) = 0.
  by move=> /(_ 0); rewrite Rmult_0_r sin_0 Rmult_0_r Rplus_0_l.
split; first by []; split=> [h omega k M /(_ 0) at_0 i | c].
  have : (M *m sine_only h omega 0) i ord0 = 0.
    by rewrite mxE big1 // => j _; rewrite mxE Rmult_0_l sin_0 R_mulr0.
  by rewrite at_0 mxE Rplus_0_l Rmult_comm.
by exists 0; rewrite Rmult_0_r sin_0 Rmult_0_r Rplus_0_l Rmult_1_r sin_PI2; lra.
Qed.

(** ** The derived matrix and RoPE's *)

Definition derived_matrix (alpha : R) : 'M[R]_2 :=
  mx22 (cos alpha) (sin alpha) (- sin alpha) (cos alpha).
Definition swap : 'M[R]_2 := mx22 0 1 1 0.

(** shift.rotary-transpose: The matrix derived for (sin, cos) is R(α)ᵀ; exchanging the two
    components turns it into R(α), RoPE's matrix. *)
Theorem shift_rotary_transpose (alpha : R) :
  derived_matrix alpha = (rotation alpha)^T /\
  (forall beta, derived_matrix alpha *m col2 (sin beta) (cos beta) =
                col2 (sin (beta + alpha)) (cos (beta + alpha))) /\
  (forall a b, swap *m col2 a b = col2 b a) /\
  swap *m derived_matrix alpha *m swap = rotation alpha /\
  (forall beta, rotation alpha *m col2 (cos beta) (sin beta) =
                col2 (cos (beta + alpha)) (sin (beta + alpha))).
Proof.
split; first by rewrite mx22_tr.
split; first by move=> beta; rewrite mx22_col2 sin_plus cos_plus; congr col2; ring.
split; first by move=> a b; rewrite mx22_col2; congr col2; ring.
split; first by rewrite !mx22_mul; congr mx22; ring.
by move=> beta; rewrite mx22_col2 sin_plus cos_plus; congr col2; ring.
Qed.

(** shift.rotary-transpose, as written: The derived matrix is RoPE's rotation matrix R(α). *)
Theorem shift_rotary_transpose_as_written_false :
  ~ (forall alpha, derived_matrix alpha = rotation alpha).
Proof.
(* the witness: alpha = pi/2 *)
move=> /(_ (PI / 2)) /matrixP /(_ (bit false) (bit true)).
by rewrite !mx22E sin_PI2; lra.
Qed.

(** ** The base in the derivation *)

Lemma frequency_1_range base : 1 < base -> 0 < frequency base 512 1 < 1.
Proof.
move=> base_gt1; split; first exact: frequency_gt0.
by rewrite -(@frequency_0 base 512); [apply: frequency_lt | lra].
Qed.

Lemma frequency_1000_gt : frequency 10000 512 1 < frequency 1000 512 1.
Proof.
rewrite /frequency !Rpower_Ropp; apply: Rinv_lt_contravar.
  by apply: Rmult_lt_0_compat; apply: exp_pos.
by apply: Rlt_Rpower_l; rewrite ?(INR_IZR_INZ 512) /=; lra.
Qed.

(** shift.base-1000: The derivation is valid for every base, 1000 and 10000 alike, but the
    encodings differ: for d = 512 they differ at t = 1 in pair 1. *)
Theorem shift_base_1000 :
  (forall (base : R) (h : nat) (t k : R), let omega := frequency base h.*2 in
     shift_matrix h omega k *m PE h omega t = PE h omega (t + k)) /\
  pe (frequency 1000 512) 1 2 <> pe (frequency 10000 512) 1 2 /\
  pe (frequency 1000 512) 1 3 <> pe (frequency 10000 512) 1 3.
Proof.
split; first by move=> base h t k; apply: shift_matrix_PE.
have [a_gt0 a_lt1] : 0 < frequency 1000 512 1 < 1 by apply: frequency_1_range; lra.
have [b_gt0 b_lt1] : 0 < frequency 10000 512 1 < 1 by apply: frequency_1_range; lra.
have lt_ab := frequency_1000_gt; have pi_gt := PI2_1.
have pair_1 omega : pe omega 1 2 = sin (omega 1%N) /\ pe omega 1 3 = cos (omega 1%N).
  by rewrite /pe /= !Rmult_1_l.
rewrite !(proj1 (pair_1 _)) !(proj2 (pair_1 _)); split.
  by apply: Rgt_not_eq; apply: sin_increasing_1; lra.
by apply: Rlt_not_eq; apply: cos_decreasing_1; lra.
Qed.

(** shift.base-1000, as written: The derivation's encoding with 1000 is the encoding defined
    with 10000. *)
Theorem shift_base_1000_as_written_false :
  ~ (forall t, PE 256 (frequency 1000 512) t = PE 256 (frequency 10000 512) t).
Proof.
(* the witness: t = 1, component 2 *)
move=> /(_ 1) /matrixP /(_ (@Ordinal 256.*2 2 isT) ord0); rewrite !PE_component.
by have [_ [differ _]] := shift_base_1000.
Qed.
