(** * Which positions determine the shift matrix

    T(k) shifts every encoding by k.  Is it the only matrix that does?  A pair's
    block is, as soon as all integer positions are tested and sin w is not 0.  The
    d x d matrix is determined by any d consecutive integer positions when the d
    numbers e^(+-i w_j) are pairwise distinct, and by no fewer than d positions.

    Dictionary (PE, shift_block and shift_matrix are in Encoding.v)
      PE h w t           == the encoding of position t in dimension d = h.*2
      shift_matrix h w k == T(k)
      exponential w j    == e^(i w_(j/2)) for even j, e^(-i w_(j/2)) for odd j
      shifts_pair_at M w k t == M turns (sin w t, cos w t) into (sin w(t+k), cos w(t+k))
      shifts_at M w k t  == M turns PE(t) into PE(t+k)

    Main results: [block_unique], [shift_matrix_unique], [too_few_positions], and
    [frequency_exponentials]: the documents' frequencies meet the hypothesis. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Determinant Vandermonde.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** One pair *)

Definition shifts_pair_at (M : 'M[R]_2) (omega k t : R) : Prop :=
  M *m sin_cos (omega * t) = sin_cos (omega * (t + k)).

Lemma block_shifts omega k t : shifts_pair_at (shift_block (omega * k)) omega k t.
Proof. by rewrite /shifts_pair_at shift_block_sin_cos; congr sin_cos; ring. Qed.

(** Two positions suffice: 0 gives the second column, 1 then gives the first. *)
Lemma block_unique M omega k : sin omega <> 0 ->
  shifts_pair_at M omega k 0 -> shifts_pair_at M omega k 1 -> M = shift_block (omega * k).
Proof.
move=> sin_ne0 at_0 at_1; set B := shift_block _.
have agree t : shifts_pair_at M omega k t -> M *m sin_cos (omega * t) = B *m sin_cos (omega * t).
  by move=> ->; rewrite block_shifts.
have {agree at_0 at_1} := (agree _ at_0, agree _ at_1).
rewrite (mx22_of M) (mx22_of B); set a := M _ _; set b := M _ _; set c := M _ _; set d := M _ _.
set a' := B _ _; set b' := B _ _; set c' := B _ _; set d' := B _ _.
rewrite Rmult_0_r Rmult_1_r /sin_cos !mx22_col2 sin_0 cos_0.
move=> [/matrixP at_0 /matrixP at_1].
have := (at_0 (bit false) ord0, at_0 (bit true) ord0); rewrite !col2E => -[b_eq d_eq].
have := (at_1 (bit false) ord0, at_1 (bit true) ord0); rewrite !col2E => -[a_eq c_eq].
have cancel_sin x y : (x - y) * sin omega = 0 -> x = y by case/Rmult_integral; lra.
have b_b' : b = b' by lra.
have d_d' : d = d' by lra.
have -> : a = a' by apply: cancel_sin; rewrite b_b' in a_eq; lra.
have -> : c = c' by apply: cancel_sin; rewrite d_d' in c_eq; lra.
by rewrite b_b' d_d'.
Qed.

(** ** The whole matrix *)

Section Matrix.

Variables (h : nat) (omega : nat -> R) (k : R).

Definition shifts_at (M : 'M[R]_(h.*2)) (t : R) : Prop :=
  M *m PE h omega t = PE h omega (t + k).

(** A row that annihilates the encodings of d consecutive integer positions is zero. *)
Lemma row_zero (v : 'I_(h.*2) -> R) (t0 : Z) :
  {in [pred j | (j < h.*2)%N] &, injective (exponential omega)} ->
  (forall s, (s < h.*2)%N -> \rsum_j (v j * PE h omega (IZR t0 + INR s) j ord0) = 0) ->
  forall j, v j = 0.
Proof.
move=> distinct sum0.
pose coordinate (b : bool) (i : nat) : R := if insub i is Some i' then v (at_pair i' b) else 0.
have coordinateE b (i : 'I_h) : coordinate b i = v (at_pair i b).
  by rewrite /coordinate valK.
suff zero i : (i < h)%N -> coordinate false i = 0 /\ coordinate true i = 0.
  move=> j; have [i [b ->]] := pairP j; have [even0 odd0] := zero i (ltn_ord i).
  by rewrite -coordinateE; case: b.
move=> lt_ih; move: i lt_ih.
apply: (@sin_cos_independent h omega _ _ (IZR t0)) => [j l lt_j lt_l|s lt_s].
  exact: distinct.
rewrite -[RHS](sum0 s lt_s) rsum_pairs; apply: eq_bigr => i _.
by rewrite !PE_component !coordinateE /= addn0 addn1 pe_even pe_odd.
Qed.

Lemma shift_matrix_unique (M : 'M[R]_(h.*2)) (t0 : Z) :
  {in [pred j | (j < h.*2)%N] &, injective (exponential omega)} ->
  (forall s, (s < h.*2)%N -> shifts_at M (IZR t0 + INR s)) ->
  M = shift_matrix h omega k.
Proof.
move=> distinct shifts; apply/matrixP => i j.
suff : M i j - shift_matrix h omega k i j = 0 by lra.
move: j; apply: (row_zero (t0 := t0) distinct) => s lt_s.
have := shifts s lt_s; rewrite /shifts_at -(shift_matrix_PE h omega k) => /matrixP/(_ i ord0).
rewrite [LHS]mxE [RHS]mxE => rows_agree.
rewrite -[RHS](Rminus_diag_eq _ _ rows_agree) -rsum_sub; apply: eq_bigr => j _.
by ring.
Qed.

(** Fewer than d positions leave a direction that no tested encoding has: a multiple of it
    can be added to a row. *)
Lemma too_few_positions n (t : 'I_n -> R) : (n < h.*2)%N ->
  exists M, M <> shift_matrix h omega k /\ forall i, shifts_at M (t i).
Proof.
move=> few; pose A : 'M[R]_(n, h.*2) := \matrix_(i, j) PE h omega (t i) j ord0.
have [v [v_ne0 v_orthogonal]] := underdetermined A few.
pose extra : 'M[R]_(h.*2) := \matrix_(i, j) v j ord0.
exists (shift_matrix h omega k +m extra); split.
  move=> same; apply: v_ne0; apply/matrixP => j l; rewrite (ord1 l) [RHS]mxE.
  by move/matrixP: same => /(_ j j); rewrite !mxE; lra.
move=> i; rewrite /shifts_at mulR_Dl shift_matrix_PE.
suff -> : extra *m PE h omega (t i) = zeroR by rewrite addR0.
apply/matrixP => l m; rewrite (ord1 m) [LHS]mxE [RHS]mxE.
move/matrixP: v_orthogonal => /(_ i ord0); rewrite [LHS]mxE [RHS]mxE => v_zero.
by rewrite -[RHS]v_zero; apply: eq_bigr => j _; rewrite !mxE; ring.
Qed.

End Matrix.

(** The frequencies of the documents: for base > 1 they lie in (0, 1] and decrease, so that
    the numbers e^(+-i w_j) are pairwise distinct. *)
Lemma frequency_exponentials base h : 1 < base ->
  {in [pred j | (j < h.*2)%N] &, injective (exponential (frequency base h.*2))}.
Proof.
move=> base_gt1 j l lt_j lt_l.
have h_pos : (0 < h.*2)%N by apply: leq_ltn_trans lt_j.
have freq_inj i i' : frequency base h.*2 i = frequency base h.*2 i' -> i = i'.
  case: (ltngtP i i') => // /(frequency_lt base_gt1 h_pos); lra.
apply: exponential_distinct lt_j lt_l => [i _ | i i' _ _]; last exact: freq_inj.
split; first exact: frequency_gt0.
apply: (Rle_lt_trans _ 1); last by have := PI2_1; lra.
rewrite -(@frequency_0 base h.*2); last by lra.
case: i => [|i]; first exact: Rle_refl.
exact/Rlt_le/frequency_lt.
Qed.

(** ** The claim *)

(** shift.unique: If sin ω ≠ 0, the block R(ωk)ᵀ is the only 2×2 matrix that shifts
    (sin ωt, cos ωt) by k at all t; the d×d matrix T(k) is the only one that shifts PE(t) by k
    at d consecutive integers t when the numbers e^(±iω_j) are pairwise distinct, and with fewer
    than d positions another matrix does it too. *)
Theorem shift_unique :
  (forall omega k : R, sin omega <> 0 ->
     (forall t : R, shifts_pair_at (shift_block (omega * k)) omega k t) /\
     (forall M, (forall t : Z, shifts_pair_at M omega k (IZR t)) -> M = shift_block (omega * k))) /\
  (forall (h : nat) (omega : nat -> R) (k : R),
     {in [pred j | (j < h.*2)%N] &, injective (exponential omega)} ->
     (forall t, shifts_at omega k (shift_matrix h omega k) t) /\
     (forall (M : 'M[R]_(h.*2)) (t0 : Z),
        (forall s, (s < h.*2)%N -> shifts_at omega k M (IZR t0 + INR s)) ->
        M = shift_matrix h omega k)) /\
  (forall (h : nat) (omega : nat -> R) (k : R) (n : nat) (t : 'I_n -> R), (n < h.*2)%N ->
     exists M, M <> shift_matrix h omega k /\ forall i, shifts_at omega k M (t i)).
Proof.
split; last split.
- move=> omega k sin_ne0; split=> [t | M shifts]; first exact: block_shifts.
  exact: block_unique sin_ne0 (shifts 0%Z) (shifts 1%Z).
- move=> h omega k distinct; split=> [t | M t0]; first exact: shift_matrix_PE.
  exact: shift_matrix_unique.
- by move=> h omega k n t; apply: too_few_positions.
Qed.

(** shift.unique, as written: T(k) is the only matrix with T(k) PE(t) = PE(t+k) at the
    positions 1 … n−k, for every n. *)
Theorem shift_unique_as_written_false :
  ~ (forall h n k : nat, (0 < h)%N -> (0 < k)%N -> (k <= n)%N ->
     let omega := frequency 10000 h.*2 in
     forall M : 'M[R]_(h.*2),
       (forall t : nat, (1 <= t)%N -> (t <= n - k)%N -> shifts_at omega (INR k) M (INR t)) ->
       M = shift_matrix h omega (INR k)).
Proof.
(* the witness: d = 4, n = 4, k = 1: the 3 positions 1, 2, 3 *)
move=> /(_ 2%N 4%N 1%N isT isT isT) /= only.
pose positions (i : 'I_3) := INR i.+1.
have [M [M_other M_shifts]] :=
  @too_few_positions 2 (frequency 10000 4) (INR 1) 3 positions isT.
apply: M_other; apply: only => -[//|t] _ lt_t.
exact: (M_shifts (Ordinal lt_t)).
Qed.
