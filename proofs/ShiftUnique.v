(** * Which positions determine the shift matrix

    T(k) shifts every encoding by k.  Is it the only matrix that does?  A pair's
    block is, when all integer positions are tested, exactly if sin w is not 0.  The
    d x d matrix is determined by n consecutive integer positions exactly when n >= d
    and the d numbers e^(+-i w_j) are pairwise distinct, as they are for the documents'
    frequencies in either counting.

    Dictionary (PE, shift_block and shift_matrix are in Encoding.v)
      PE h w t           == the encoding of position t in dimension d = h.*2
      shift_matrix h w k == T(k)
      exponential w j    == e^(i w_(j/2)) for even j, e^(-i w_(j/2)) for odd j
      shifts_pair_at M w k t == M turns (sin w t, cos w t) into (sin w(t+k), cos w(t+k))
      shifts_at M w k t  == M turns PE(t) into PE(t+k)
      distinct h w       == the numbers e^(+-i w_j), j < h, are pairwise distinct
      only_shift w k P   == T(k) is the only matrix that shifts at the positions P

    Main results: [block_unique], [shift_matrix_unique], [too_few_positions], and
    [frequency_exponentials]: the documents' frequencies meet the hypothesis; the
    corollaries of shift.unique, which say when and only when T(k) is unique. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Determinant Vandermonde Wavelengths.

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

(** A direction that no tested encoding has can be added to every row. *)
Lemma other_matrix (P : R -> Prop) (v : 'cV[R]_(h.*2)) : v <> zeroR ->
  (forall t, P t -> dot v (PE h omega t) = 0) ->
  exists M, M <> shift_matrix h omega k /\ forall t, P t -> shifts_at M t.
Proof.
move=> v_ne0 v_orthogonal; pose extra : 'M[R]_(h.*2) := \matrix_(i, j) v j ord0.
exists (shift_matrix h omega k +m extra); split.
  move=> same; apply: v_ne0; apply/matrixP => j l; rewrite (ord1 l) [RHS]mxE.
  by move/matrixP: same => /(_ j j); rewrite !mxE; lra.
move=> t t_tested; rewrite /shifts_at mulR_Dl shift_matrix_PE.
suff -> : extra *m PE h omega t = zeroR by rewrite addR0.
apply/matrixP => l m; rewrite (ord1 m) [LHS]mxE [RHS]mxE -[RHS](v_orthogonal t t_tested).
by rewrite /dot; apply: eq_bigr => j _; rewrite !mxE.
Qed.

(** Fewer than d positions leave such a direction. *)
Lemma too_few_positions n (t : 'I_n -> R) : (n < h.*2)%N ->
  exists M, M <> shift_matrix h omega k /\ forall i, shifts_at M (t i).
Proof.
move=> few; pose A : 'M[R]_(n, h.*2) := \matrix_(i, j) PE h omega (t i) j ord0.
have [v [v_ne0 v_orthogonal]] := underdetermined A few.
have [s [i ->]|M [M_other M_shifts]] := @other_matrix (fun s => exists i, s = t i) v v_ne0.
  move/matrixP: v_orthogonal => /(_ i ord0); rewrite [LHS]mxE [RHS]mxE => v_zero.
  by rewrite -[RHS]v_zero; apply: eq_bigr => j _; rewrite !mxE; ring.
by exists M; split=> // i; apply: M_shifts; exists i.
Qed.

Definition distinct : Prop := {in [pred j | (j < h.*2)%N] &, injective (exponential omega)}.

Lemma exponentialE j : exponential omega j =
  (cos (omega j./2), if odd j then - sin (omega j./2) else sin (omega j./2)).
Proof. by rewrite /exponential /expi; case: odd; rewrite ?cos_neg ?sin_neg. Qed.

(** Two equal exponentials make two sines one function of the integers, up to sign. *)
Lemma equal_sines j l (t : Z) : exponential omega j = exponential omega l ->
  let sine m := (if odd m then -1 else 1) * sin (IZR t * omega m./2) in sine j = sine l.
Proof.
pose sign m := if odd m then -1 else 1.
have exp_sign m : exponential omega m = (cos (sign m * omega m./2), sin (sign m * omega m./2)).
  by rewrite exponentialE /sign; case: odd;
    rewrite ?Rmult_1_l // -Ropp_mult_distr_l Rmult_1_l cos_neg sin_neg.
rewrite !exp_sign => -[cos_eq sin_eq] /=.
have [n turns] := proj1 (same_angle _ _) (conj sin_eq cos_eq).
have sine m : (if odd m then -1 else 1) * sin (IZR t * omega m./2) = sin (IZR t * (sign m * omega m./2)).
  rewrite /sign; case: odd; last by rewrite !Rmult_1_l.
  by rewrite -!Ropp_mult_distr_l !Rmult_1_l -Ropp_mult_distr_r sin_neg.
rewrite !sine turns Rmult_plus_distr_l.
have -> : IZR t * (2 * PI * IZR n) = 2 * PI * IZR (t * n) by rewrite mult_IZR; ring.
by rewrite sin_add_turns.
Qed.

(** Without distinct exponentials no number of integer positions is enough. *)
Lemma indistinct j l : (j < h.*2)%N -> (l < h.*2)%N -> j <> l ->
  exponential omega j = exponential omega l ->
  exists M, M <> shift_matrix h omega k /\ forall t : Z, shifts_at M (IZR t).
Proof.
move=> lt_j lt_l j_neq_l same; pose sign m := if odd m then -1 else 1.
pose pair_j := pair_no (Ordinal lt_j); pose pair_l := pair_no (Ordinal lt_l).
pose v : 'cV[R]_(h.*2) := join_pairs (fun i =>
  col2 ((if i == pair_j then sign j else 0) - (if i == pair_l then sign l else 0)) 0).
have v_ne0 : v <> zeroR.
  move/matrixP => /(_ (at_pair pair_j false) ord0).
  rewrite -(pair_ofE _ pair_j false ord0) pair_of_join col2E eqxx [RHS]mxE /sign.
  case: eqP => [pairs_eq | _]; last by case: odd; lra.
  have half_eq : j./2 = l./2 by move/(congr1 (@nat_of_ord _)): pairs_eq.
  case odd_j : (odd j); case odd_l : (odd l); try lra; case: j_neq_l;
    by rewrite -(odd_double_half j) -(odd_double_half l) odd_j odd_l half_eq.
have [s [t ->]|M [M_other M_shifts]] := @other_matrix (fun s => exists t : Z, s = IZR t) v v_ne0; last first.
  by exists M; split=> // t; apply: M_shifts; exists t.
have sines := equal_sines t same; rewrite /= in sines.
have pick (p : 'I_h) (c : R) (f : 'I_h -> R) : \rsum_i ((if i == p then c else 0) * f i) = c * f p.
  rewrite (rsum_one (i0 := p)) ?eqxx // => i /negPf ->; ring.
rewrite dot_pairs; transitivity (\rsum_i ((if i == pair_j then sign j else 0) * sin (IZR t * omega i)) -
    \rsum_i ((if i == pair_l then sign l else 0) * sin (IZR t * omega i))); last first.
  by rewrite !pick /sign /= sines; ring.
rewrite -rsum_sub; apply: eq_bigr => i _.
rewrite pair_of_join pair_of_PE /sin_cos dot_col2.
by case: (i == pair_j); case: (i == pair_l); ring.
Qed.

Definition only_shift (P : R -> Prop) : Prop :=
  forall M, (forall t, P t -> shifts_at M t) -> M = shift_matrix h omega k.

End Matrix.

(** The frequencies of the documents: for base > 1 they lie in (0, 1] and decrease, so that
    the numbers e^(+-i w_j) are pairwise distinct. *)
Lemma frequency_exponentials base h : 1 < base -> distinct h (frequency base h.*2).
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

Lemma frequency_exponentials_from_1 base h : 1 < base -> distinct h (frequency_from_1 base h.*2).
Proof.
move=> base_gt1 j l lt_j lt_l.
have h_pos : (0 < h.*2)%N by apply: leq_ltn_trans lt_j.
apply: exponential_distinct lt_j lt_l => [i _ | i i' _ _].
  split; first exact: frequency_gt0.
  have := frequency_lt base_gt1 h_pos (ltn0Sn i); rewrite frequency_0; last lra.
  by rewrite /frequency_from_1; have := PI2_1; lra.
rewrite /frequency_from_1 => freq_eq; case: (ltngtP i i') => // lt_ii'.
  by have := @frequency_lt base h.*2 i.+1 i'.+1 base_gt1 h_pos lt_ii'; lra.
by have := @frequency_lt base h.*2 i'.+1 i.+1 base_gt1 h_pos lt_ii'; lra.
Qed.

(** ** The claim *)

(** The positions t0, t0 + 1, ... t0 + n - 1. *)
Definition consecutive (t0 : Z) (n : nat) (t : R) : Prop :=
  exists s : nat, (s < n)%N /\ t = IZR t0 + INR s.

(** T(k) is the only matrix that shifts at n consecutive integers exactly when n >= d and the
    exponentials are pairwise distinct. *)
Corollary shift_unique_exactly (h : nat) (omega : nat -> R) (k : R) (t0 : Z) (n : nat) :
  only_shift h omega k (consecutive t0 n) <-> ((h.*2 <= n)%N /\ distinct h omega).
Proof.
split=> [only | [enough all_distinct] M shifts]; last first.
  apply: (shift_matrix_unique (t0 := t0) all_distinct) => s lt_s.
  by apply: shifts; exists s; rewrite (leq_trans lt_s).
split=> [|j l lt_j lt_l same].
  case: (leqP h.*2 n) => // few; exfalso.
  have [M [M_other M_shifts]] := too_few_positions omega k (fun i : 'I_n => IZR t0 + INR i) few.
  by apply/M_other/only => _ [s [lt_s ->]]; apply: (M_shifts (Ordinal lt_s)).
case: (j =P l) => // j_neq_l; exfalso.
have [M [M_other M_shifts]] := indistinct k lt_j lt_l j_neq_l same.
by apply/M_other/only => _ [s [_ ->]]; rewrite INR_IZR_INZ -plus_IZR; apply: M_shifts.
Qed.

(** The documents' frequencies, counted from 0 or from 1, and the documents' positions
    1 ... n-k: T(k) is the only matrix exactly when n - k >= d. *)
Corollary shift_unique_documents (base : R) (h n k : nat) : 1 < base ->
  let tested := consecutive 1 (n - k) in
  (only_shift h (frequency base h.*2) (INR k) tested <-> (h.*2 <= n - k)%N) /\
  (only_shift h (frequency_from_1 base h.*2) (INR k) tested <-> (h.*2 <= n - k)%N).
Proof.
move=> base_gt1 /=; rewrite !shift_unique_exactly.
have from_0 : distinct h (frequency base h.*2) by exact: frequency_exponentials.
have from_1 : distinct h (frequency_from_1 base h.*2) by exact: frequency_exponentials_from_1.
by split; split=> [[] | enough].
Qed.

(** The block of one pair is the only one at all integers exactly when sin w is not 0. *)
Corollary shift_unique_block (omega k : R) :
  (forall M, (forall t : Z, shifts_pair_at M omega k (IZR t)) -> M = shift_block (omega * k)) <->
  sin omega <> 0.
Proof.
split=> [only sin_0 | sin_ne0 M shifts]; last first.
  exact: block_unique sin_ne0 (shifts 0%Z) (shifts 1%Z).
have [n turns] := sin_eq_0_0 _ sin_0.
have sin_t (t : Z) : sin (omega * IZR t) = 0.
  by apply: sin_eq_0_1; exists (n * t)%Z; rewrite turns mult_IZR; ring.
have other (t : Z) : shifts_pair_at (shift_block (omega * k) +m mx22 1 0 0 0) omega k (IZR t).
  rewrite /shifts_pair_at mulR_Dl block_shifts /sin_cos mx22_col2 sin_t.
  by apply: rows2P => b j; rewrite mxE !col2E; case: b; ring.
by have /matrixP/(_ (bit false) (bit false)) := only _ other; rewrite mxE mx22E; lra.
Qed.

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
  let unique (omega : nat -> nat -> R) := forall h n k : nat, (0 < h)%N -> (0 < k)%N -> (k <= n)%N ->
    forall M : 'M[R]_(h.*2),
      (forall t : nat, (1 <= t)%N -> (t <= n - k)%N -> shifts_at (omega h.*2) (INR k) M (INR t)) ->
      M = shift_matrix h (omega h.*2) (INR k) in
  ~ unique (frequency 10000) /\ (* counted from 1, as the document does: *) ~ unique (frequency_from_1 10000).
Proof.
(* the witness: d = 4, n = 4, k = 1: the 3 positions 1, 2, 3 *)
have other (omega : nat -> R) : exists M, M <> shift_matrix 2 omega (INR 1) /\
    forall t : nat, (1 <= t)%N -> (t <= 4 - 1)%N -> shifts_at omega (INR 1) M (INR t).
  have [M [M_other M_shifts]] := @too_few_positions 2 omega (INR 1) 3 (fun i => INR i.+1) isT.
  by exists M; split=> // -[//|t] _ lt_t; apply: (M_shifts (Ordinal lt_t)).
split=> /(_ 2%N 4%N 1%N isT isT isT) only.
  by have [M [M_other /only]] := other (frequency 10000 4).
by have [M [M_other /only]] := other (frequency_from_1 10000 4).
Qed.
