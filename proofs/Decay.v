(** * Long-term decay of RoPE scores

  Neither a score nor its bound A(s) by summation by parts (AbelBound.v) decays: by Dirichlet's
  theorem both return as near as one likes to their values at distance 0, at distances as great as
  one likes.

  partial_sum, amplitude, rope_score == S_j, A(s) and a(s) (ComplexSum.v)

  Main results: decay.limit, and what refutes decay.monotone and interpolation.sum-exceeds-d. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Toeplitz Gram Rotary Phasor IntervalTactic Figures.
From Posproof Require Import UnitScore ComplexSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** At single distances *)

(** A(s) is above d at distance 4860, and below it at 4861. *)
Corollary interpolation_sum_exceeds_d_ends :
  128 < amplitude 64 (frequency 10000 128) 4860 /\ amplitude 64 (frequency 10000 128) 4861 < 128.
Proof.
have above : between 128 150 1 (amplitude_enclosure 10000 64 4860) by vm_cast_no_check (erefl true).
have below : between 127 128 1 (amplitude_enclosure 10000 64 4861) by vm_cast_no_check (erefl true).
have : 128 / 1 < amplitude 64 (frequency 10000 128) 4860 < 150 / 1 :=
  @amplitude_between 10000 64 4860 _ _ _ isT above.
have : 127 / 1 < amplitude 64 (frequency 10000 128) 4861 < 128 / 1 :=
  @amplitude_between 10000 64 4861 _ _ _ isT below.
by lra.
Qed.

(** interpolation.sum-exceeds-d, as written: A(s) is at least larger than d. *)
Theorem interpolation_sum_exceeds_d_as_written_false :
  ~ (forall s : Z, (0 <= s)%Z -> 128 < amplitude 64 (frequency 10000 128) (IZR s)).
Proof.
by have [_ below] := interpolation_sum_exceeds_d_ends; move=> /(_ 4861%Z ltac:(lia)); lra.
Qed.

(** The score rises from distance 11 to 12, and A from 18 to 19. *)
Corollary decay_monotone_rises :
  let omega := frequency 10000 128 in
  let score x := dot (rotary omega (ones 64) x) (rotary omega (ones 64) 0) in
  score 11 < score 12 /\ amplitude 64 omega 18 < amplitude 64 omega 19.
Proof.
split.
  have enclosed n := @score_encloses_to coarse 10000 64 n isT.
  rewrite !dot_ones !Rminus_0_r; apply: Rminus_gt_0_lt.
  apply: (positive_interval (encloses_sub (p := coarse) (enclosed 12%Z) (enclosed 11%Z))).
  by vm_cast_no_check (erefl true).
have below : between 98231 98233 100 (amplitude_enclosure 10000 64 18) by vm_cast_no_check (erefl true).
have above : between 98500 98502 100 (amplitude_enclosure 10000 64 19) by vm_cast_no_check (erefl true).
have : 98231 / 100 < amplitude 64 (frequency 10000 128) 18 < 98233 / 100 :=
  @amplitude_between 10000 64 18 _ _ _ isT below.
have : 98500 / 100 < amplitude 64 (frequency 10000 128) 19 < 98502 / 100 :=
  @amplitude_between 10000 64 19 _ _ _ isT above.
by lra.
Qed.

(** decay.monotone, as written: The inner product decays when the relative position increases. *)
Theorem decay_monotone_as_written_false :
  let omega := frequency 10000 128 in
  let score x := dot (rotary omega (ones 64) x) (rotary omega (ones 64) 0) in
  ~ (forall m : Z, (0 <= m)%Z -> score (IZR (m + 1)) <= score (IZR m)) /\
  ~ (forall m : Z, (0 <= m)%Z -> amplitude 64 omega (IZR (m + 1)) <= amplitude 64 omega (IZR m)).
Proof.
have [score_rises bound_rises] := decay_monotone_rises; cbv zeta.
by split=> decays; [have := decays 11%Z ltac:(lia) | have := decays 18%Z ltac:(lia)]; apply: Rlt_not_le.
Qed.

(** ** Returns *)

(** At distances as great as one likes all pairs are near their first angles at once. *)
Lemma all_return h (omega : nat -> R) (delta : R) (N : nat) : 0 < delta -> exists s : nat,
  (N <= s)%N /\ forall i, (i < h)%N -> Cmod (phasor (INR s * omega i) - RtoC 1)%C <= delta.
Proof.
move=> delta_gt0; have pi_gt0 := PI_RGT_0.
have [M above] := INR_unbounded (2 * PI / delta).
have M_gt0 : 0 < INR M by apply: Rlt_trans above; apply: Rdiv_lt_0_compat; lra.
have M_pos : (0 < M)%N by apply/ltP/INR_lt.
have [n [n_pos near]] := dirichlet (fun i : 'I_h => INR N * omega i / (2 * PI)) M_pos.
exists (n * N)%N; split=> [|i lt_i]; first by rewrite leq_pmull.
have [k close] := near (Ordinal lt_i); rewrite /= in close; set r := _ - IZR k in close.
have -> : INR (n * N) * omega i = 2 * PI * r + 2 * PI * IZR k.
  by rewrite mult_INR /r; field; lra.
rewrite phasor_add_turns; apply: Rle_trans (Cmod_chord_le _) _.
rewrite Rabs_mult (Rabs_pos_eq (2 * PI)); last by lra.
apply: (Rle_trans _ (2 * PI * / INR M)); first by apply: Rmult_le_compat_l; lra.
apply: (Rmult_le_reg_r (INR M / delta)); first exact: Rdiv_lt_0_compat.
have -> : 2 * PI * / INR M * (INR M / delta) = 2 * PI / delta by field; lra.
have -> : delta * (INR M / delta) = INR M by field; lra.
exact: Rlt_le.
Qed.

Lemma phasor_0_times x : phasor (0 * x) = RtoC 1.
Proof. by rewrite R_mul0 phasorE cos_0 sin_0. Qed.

(** The score at such a distance. *)
Lemma score_returns h c omega s delta : 0 <= delta ->
  (forall i, (i < h)%N -> Cmod (phasor (s * omega i) - RtoC 1)%C <= delta) ->
  Rabs (rope_score h c omega s - rope_score h c omega 0) <= delta * (\rsum_(i < h) Cmod (c i)).
Proof.
move=> delta_ge0 close; rewrite /rope_score.
have -> z w : Re z - Re w = Re (z + - w)%C by [].
rewrite -csum_opp -csum_add; apply: Rle_trans (Re_le_Cmod _) _; rewrite -rsum_mull.
apply: (Cmod_csum_le (b := fun i => delta * Cmod (c i))) => i lt_i; cbv beta.
rewrite phasor_0_times.
have -> : (c i * phasor (s * omega i) + - (c i * RtoC 1) = (phasor (s * omega i) - RtoC 1) * c i)%C by ring.
rewrite Cmod_mult; apply: Rmult_le_compat_r; [exact: Cmod_ge_0 | exact: close].
Qed.

(** Its bound at such a distance. *)
Lemma amplitude_returns h omega s delta : 0 <= delta ->
  (forall i, (i < h)%N -> Cmod (phasor (s * omega i) - RtoC 1)%C <= delta) ->
  amplitude h omega 0 - delta * (INR h * INR h) <= amplitude h omega s.
Proof.
move=> delta_ge0 close.
suff : amplitude h omega 0 <= \rsum_(j < h) (Cmod (partial_sum omega s j.+1) + delta * INR h).
  by rewrite rsum_add rsum_const -/(amplitude h omega s); lra.
apply: rsum_le => j.
have -> : partial_sum omega 0 j.+1 =
    (partial_sum omega s j.+1 + csum j.+1 (fun i => - (phasor (s * omega i) - RtoC 1)))%C.
  by rewrite -csum_add; apply: eq_csum => i; rewrite phasor_0_times; ring.
apply: Rle_trans (Cmod_triangle _ _) _; apply: Rplus_le_compat_l.
apply: (Rle_trans _ (\rsum_(i < j.+1) delta)).
  apply: (Cmod_csum_le (b := fun=> delta)) => i lt_i; cbv beta; rewrite Cmod_opp; apply: close.
  by apply: leq_trans lt_i _.
rewrite rsum_const Rmult_comm; apply: Rmult_le_compat_l => //; apply: le_INR; exact/leP.
Qed.

Lemma returned_735761 : 2 - 15 / 10 ^ 8 < unit_score 2 (frequency 10000 4) 735761.
Proof.
have enclosed : between 199999985 200000001 100000000 (score_enclosure 10000 2 735761).
  by vm_cast_no_check (erefl true).
have : 199999985 / 100000000 < unit_score 2 (frequency 10000 4) 735761 < 200000001 / 100000000 :=
  @unit_score_between 10000 2 735761 _ _ _ isT enclosed.
by lra.
Qed.

Lemma score_at_1 : unit_score 2 (frequency 10000 4) 1 < 1.6.
Proof.
have enclosed : between 1 16 10 (score_enclosure 10000 2 1) by vm_cast_no_check (erefl true).
have : 1 / 10 < unit_score 2 (frequency 10000 4) 1 < 16 / 10 :=
  @unit_score_between 10000 2 1 _ _ _ isT enclosed.
by lra.
Qed.

(** decay.limit: Neither the score nor its bound A tends to anything below its value at distance 0:
    for all frequencies, all h and every ε > 0 infinitely many integers s have |a(s) − a(0)| < ε and
    A(s) > A(0) − ε; for d = 4 and base 10000 the score B(s) = Σ_i cos(sθ_i) at distance 735761 is
    within 15·10^(−8) of B(0) = 2, and above B(1). *)
Theorem decay_limit :
  (forall (h : nat) (omega : nat -> R) (c : nat -> C) (epsilon : R) (N : nat), 0 < epsilon ->
     exists s : nat, (N <= s)%N /\
       Rabs (rope_score h c omega (INR s) - rope_score h c omega 0) < epsilon /\
       amplitude h omega 0 - epsilon < amplitude h omega (INR s)) /\
  (let omega := frequency 10000 4 in
   let score x := dot (rotary omega (ones 2) x) (rotary omega (ones 2) 0) in
   Rabs (score 735761 - score 0) < 15 / 10 ^ 8 /\ score 0 = 2 /\ score 1 < score 735761).
Proof.
split=> [h omega c epsilon N eps_gt0 | omega score].
  set total := \rsum_(i < h) Cmod (c i); have total_ge0 : 0 <= total.
    by apply: rsum_ge0 => i; exact: Cmod_ge_0.
  have h_ge0 := pos_INR h; have h2_ge0 : 0 <= INR h * INR h by nra.
  set size := total + INR h * INR h + 1; have size_gt0 : 0 < size by rewrite /size; lra.
  set delta := epsilon / size; have delta_gt0 : 0 < delta by exact: Rdiv_lt_0_compat.
  have delta_size : delta * size = epsilon by rewrite /delta; field; lra.
  have [s [le_s close]] := all_return h omega N delta_gt0; exists s; split=> //.
  have := score_returns c (Rlt_le _ _ delta_gt0) close; rewrite -/total.
  have := amplitude_returns (Rlt_le _ _ delta_gt0) close.
  by rewrite /size in delta_size; split; nra.
have score_0 : score 0 = 2.
  rewrite /score dot_ones Rminus_0_r /unit_score -[RHS]Rmult_1_r -[2]/(INR 2) -rsum_const.
  by apply: eq_bigr => i _; rewrite R_mul0 cos_0.
rewrite score_0 /score !dot_ones !Rminus_0_r; have le_2 := unit_score_le 2 omega 735761.
have low := score_at_1; have high := returned_735761; rewrite [INR 2]/= in le_2.
rewrite -/omega in low high; split; first by apply: Rabs_def1; lra.
by split; last by lra.
Qed.

(** decay.limit, as written: Long-term decay: the score at distance 735761 is at most that at
    distance 1. *)
Theorem decay_limit_as_written_false :
  let omega := frequency 10000 4 in
  let score x := dot (rotary omega (ones 2) x) (rotary omega (ones 2) 0) in
  ~ (score 735761 <= score 1).
Proof. by have [_ [_ [_ rises]]] := decay_limit; apply: Rlt_not_le. Qed.
