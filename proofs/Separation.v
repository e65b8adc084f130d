(** * Positions are told apart: distances of encodings for d = 512, base 10000

  What is claimed.  Any two of the positions 0 ... 999 have encodings more than 3.714
  apart, and the positions 1 and 513 are more than 19.249 apart.

  Argument.  The squared distance at distance x is
    chords x == the sum over the 256 pairs of 2 - 2 cos (x ratio^i),
  where ratio = 10000^(-1/256), so that the i-th frequency is ratio^i.
  - x = 1: 2 - 2 cos y >= y^2 - y^4/12 + y^6/360 - y^8/20160 for 0 <= y <= 1, and the
    four sums over the pairs are geometric.
  - 2 <= x <= 10000: some pair has its angle in (2 ratio, 2], and the 18 pairs after it have
    theirs in [1, 2]; these 19 pairs alone contribute more than 19 (2 - 2 cos 1) > 17.
  - x = 512: interval arithmetic, 32 pairs at a time.

  Main results: sinusoid.separation; [chords_1] and [chords_window], the two bounds.

  Not claimed: anything at distances above 10000, where the angles of the slowest pairs
  pass 2 and the second bound ends.

  Assumptions: the axioms of Coq's real numbers and excluded middle. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Sinusoid PiIrrational RationalPower.
From Posproof Require Import Wavelengths Cycles IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Sums over a range of pairs *)

Lemma rsum_split (F : nat -> R) m n :
  \rsum_(i < m + n) F i = \rsum_(i < m) F i + \rsum_(i < n) F (m + i)%N.
Proof. by rewrite big_split_ord. Qed.

(** A sum of non-negative terms is at least what a window of it contributes. *)
Lemma rsum_window (F : nat -> R) (first width n : nat) (c : R) :
  (first + width <= n)%N -> (forall i, 0 <= F i) ->
  (forall i, (i < width)%N -> c <= F (first + i)%N) -> INR width * c <= \rsum_(i < n) F i.
Proof.
move=> fits F_ge0 F_window; rewrite -(subnKC fits) !rsum_split.
have before : 0 <= \rsum_(i < first) F i by apply: rsum_ge0.
have after : 0 <= \rsum_(i < n - (first + width)) F (first + width + i)%N by apply: rsum_ge0.
have window : INR width * c <= \rsum_(i < width) F (first + i)%N.
  by rewrite -rsum_const; apply: rsum_le => i; apply: F_window.
lra.
Qed.

Lemma rsum_geometric (r : R) n : r <> 1 -> \rsum_(i < n) r ^ i = (1 - r ^ n) / (1 - r).
Proof.
move=> r_neq1; elim: n => [|n IHn]; first by rewrite big_ord0 /=; field; lra.
by rewrite big_ord_recr /= IHn; field; lra.
Qed.

(** ** The squared distance of two encodings *)

Definition ratio : R := exp (- (1 / 256 * ln 10000)).

Definition chords (x : R) : R := \rsum_(i < 256) (2 - 2 * cos (x * ratio ^ i)).

Lemma ratio_gt0 : 0 < ratio.
Proof. exact: exp_pos. Qed.

Lemma ratio_lt1 : ratio < 1.
Proof. by rewrite /ratio; interval with (i_prec 60). Qed.

Lemma ratio_power n : ratio ^ n = exp (- (INR n / 256 * ln 10000)).
Proof.
rewrite -Rpower_pow ?/Rpower; last exact: ratio_gt0.
by rewrite /ratio ln_exp; congr exp; field.
Qed.

Lemma ratio_power_range n : 0 < ratio ^ n <= 1.
Proof.
split; first exact: pow_lt ratio_gt0.
by rewrite -(pow1 n); apply: pow_incr; have := ratio_gt0; have := ratio_lt1; lra.
Qed.

Lemma frequency_ratio i : frequency 10000 512 i = ratio ^ i.
Proof.
rewrite (frequency_pairs 10000 256) ratio_power /Rpower; congr exp.
have -> : INR 256 = 256 by rewrite INR_IZR_INZ.
by ring.
Qed.

Lemma distance2_chords s t :
  distance2 (PE 256 (frequency 10000 512) s) (PE 256 (frequency 10000 512) t) = chords (s - t).
Proof. by rewrite distance2_PE; apply: eq_bigr => i _; rewrite frequency_ratio. Qed.

Lemma chords_even x : chords (- x) = chords x.
Proof. by apply: eq_bigr => i _; rewrite Ropp_mult_distr_l_reverse cos_neg. Qed.

(** ** Distance 1 *)

Lemma cos_approx_8 y : cos_approx y 4 = 1 - y ^ 2 / 2 + y ^ 4 / 24 - y ^ 6 / 720 + y ^ 8 / 40320.
Proof.
have fact_value n (z : Z) : Z.of_nat (fact n) = z -> INR (fact n) = IZR z.
  by move=> <-; apply: INR_IZR_INZ.
have fact_8 : INR (fact (2 * 4)) = 40320 by apply: fact_value; vm_compute.
have fact_6 : INR (fact (2 * 3)) = 720 by apply: fact_value; vm_compute.
have fact_4 : INR (fact (2 * 2)) = 24 by apply: fact_value; vm_compute.
rewrite /cos_approx !tech5 /cos_term fact_8 fact_6 fact_4 /=; field.
Qed.

Lemma chord_taylor y : 0 <= y <= 1 ->
  y ^ 2 - y ^ 4 / 12 + y ^ 6 / 360 - y ^ 8 / 20160 <= 2 - 2 * cos y.
Proof.
move=> y_range; have [||_ ] := pre_cos_bound y 1; [lra | lra |].
by rewrite -[(2 * (1 + 1))%coq_nat]/4%N cos_approx_8; lra.
Qed.

Lemma rsum_ratio_power k : (0 < k)%N ->
  \rsum_(i < 256) (ratio ^ i) ^ k = (1 - (/ 10000) ^ k) / (1 - ratio ^ k).
Proof.
move=> k_gt0.
have ratio_256 : ratio ^ 256 = / 10000.
  rewrite ratio_power (_ : INR 256 / 256 * ln 10000 = ln 10000).
    by rewrite exp_Ropp exp_ln //; lra.
  by rewrite INR_IZR_INZ /=; field.
rewrite -ratio_256 -pow_mult Nat.mul_comm pow_mult -rsum_geometric.
  by apply: eq_bigr => i _; rewrite -!pow_mult Nat.mul_comm.
by have := pow_lt_1_compat ratio k (conj (Rlt_le _ _ ratio_gt0) ratio_lt1) (ltP k_gt0); lra.
Qed.

Lemma chords_1 : 3.714 ^ 2 < chords 1.
Proof.
have taylor (i : 'I_256) : (ratio ^ i) ^ 2 - (ratio ^ i) ^ 4 * / 12 +
    ((ratio ^ i) ^ 6 * / 360 - (ratio ^ i) ^ 8 * / 20160) <= 2 - 2 * cos (1 * ratio ^ i).
  have [power_gt0 power_le1] := ratio_power_range i.
  by have := chord_taylor (conj (Rlt_le _ _ power_gt0) power_le1); rewrite Rmult_1_l; lra.
apply: (Rlt_le_trans _ _ _ _ (rsum_le taylor)).
rewrite rsum_add !rsum_sub !rsum_mulr !rsum_ratio_power //.
by rewrite /ratio; interval with (i_prec 60).
Qed.

(** ** Distances from 2 to 10000 *)

(** Some angle x ratio^i lies in (2 ratio, 2], or is x itself. *)
Lemma window_start x n : 2 <= x -> x * ratio ^ n <= 2 ->
  exists first, (first <= n)%N /\ 2 * ratio <= x * ratio ^ first <= 2.
Proof.
move=> x_ge2; have r_gt0 := ratio_gt0; have r_lt1 := ratio_lt1.
elim: n => [|n IHn] small; first by exists 0%N; rewrite /= in small *; split=> //; lra.
have [below | above] := Rle_or_lt (x * ratio ^ n) 2.
  by have [first [le_n range]] := IHn below; exists first; rewrite ltnW.
exists n.+1; split=> //; split=> //; rewrite /=.
by have := Rmult_lt_compat_r ratio _ _ r_gt0 above; lra.
Qed.

Lemma chords_window x : 2 <= x <= 10000 -> 17 < chords x.
Proof.
move=> [x_ge2 x_le]; have r_gt0 := ratio_gt0; have r_lt1 := ratio_lt1.
have [|first [first_le range]] := @window_start x 237 x_ge2.
  apply: (Rle_trans _ (10000 * ratio ^ 237)).
    by apply: Rmult_le_compat_r => //; apply/Rlt_le/pow_lt.
  by rewrite ratio_power INR_IZR_INZ /=; interval with (i_prec 60).
have chord_large i : (i < 19)%N -> 2 - 2 * cos 1 <= 2 - 2 * cos (x * ratio ^ (first + i)).
  move=> lt_i19; have [power_gt0 power_le1] := ratio_power_range i.
  have power_ge : ratio ^ 18 <= ratio ^ i.
    have [power_rest_gt0 power_rest_le1] := ratio_power_range (18 - i).
    have le_i18 : (i <= 18)%N by [].
    by rewrite -(subnK le_i18) -plusE pow_add; nra.
  have power_18 : 1 <= 2 * ratio * ratio ^ 18.
    by rewrite Rmult_assoc -/(ratio ^ 19) ratio_power INR_IZR_INZ /=; interval with (i_prec 60).
  rewrite -plusE pow_add -Rmult_assoc.
  have upper : x * ratio ^ first * ratio ^ i <= 2 by nra.
  have lower : 1 <= x * ratio ^ first * ratio ^ i.
    apply: (Rle_trans _ (2 * ratio * ratio ^ 18)) => //.
    by apply: Rmult_le_compat; have [] := ratio_power_range 18; lra.
  have PI_large := PI2_1.
  have : cos (x * ratio ^ first * ratio ^ i) <= cos 1 by apply: cos_decr_1; lra.
  by lra.
have fits : (first + 19 <= 256)%N by rewrite (leq_trans (leq_add first_le (leqnn 19))).
have := @rsum_window (fun i => 2 - 2 * cos (x * ratio ^ i)) first 19 256 _ fits
  (fun i => chord_ge0 _) chord_large.
apply: Rlt_le_trans; rewrite INR_IZR_INZ /=; interval with (i_prec 60).
Qed.

(** ** Distance 512 *)

(** The sum of cos (512 ω_i) over the [n] pairs from number [first] on. *)
Fixpoint block_sum (first : Z) (n : nat) : R :=
  if n is m.+1 then
    cos (512 * exp (- (IZR first / 256 * ln 10000))) + block_sum (first + 1) m
  else 0.

Lemma block_sum_add first m n :
  block_sum first (m + n) = block_sum first m + block_sum (first + Z.of_nat m) n.
Proof.
elim: m first => [|m IHm] first; first by rewrite Z.add_0_r /= Rplus_0_l.
by rewrite addSn /= IHm Rplus_assoc Zpos_P_of_succ_nat Z.add_succ_r -Z.add_succ_l.
Qed.

Lemma rsum_block_sum (first n : nat) :
  \rsum_(i < n) cos (512 * ratio ^ (first + i)) = block_sum (Z.of_nat first) n.
Proof.
elim: n => [|n IHn]; first by rewrite big_ord0.
rewrite big_ord_recr -[in RHS]addn1 block_sum_add IHn /= ratio_power Rplus_0_r.
by rewrite INR_IZR_INZ -plusE Nat2Z.inj_add.
Qed.

(** Enclose the 32 cosines of a block. *)
Ltac sum_upper := cbv [block_sum Z.add Pos.add Pos.succ Pos.add_carry]; interval with (i_prec 40).

Lemma chords_512 : 19.249 ^ 2 < chords 512.
Proof.
rewrite /chords rsum_sub rsum_const rsum_mull (rsum_block_sum 0 256).
have -> : INR 256 = 256 by rewrite INR_IZR_INZ.
have block_0 : block_sum 0 32 <= 3.0932 by sum_upper.
have block_32 : block_sum 32 32 <= 0.9647 by sum_upper.
have block_64 : block_sum 64 32 <= 1.7161 by sum_upper.
have block_96 : block_sum 96 32 <= 3.7257 by sum_upper.
have block_128 : block_sum 128 32 <= - 17.9152 by sum_upper.
have block_160 : block_sum 160 32 <= 16.9998 by sum_upper.
have block_192 : block_sum 192 32 <= 30.3220 by sum_upper.
have block_224 : block_sum 224 32 <= 31.8304 by sum_upper.
have -> : block_sum (Z.of_nat 0) 256 =
    block_sum 0 32 + (block_sum 32 32 + (block_sum 64 32 + (block_sum 96 32 +
    (block_sum 128 32 + (block_sum 160 32 + (block_sum 192 32 + block_sum 224 32)))))).
  by rewrite -!block_sum_add.
lra.
Qed.

(** ** The claim *)

Lemma distance_gt (n : nat) (x y : 'cV[R]_n) (a : R) :
  0 <= a -> a ^ 2 < distance2 x y -> a < distance x y.
Proof.
move=> a_ge0 far; rewrite -(sqrt_pow2 a a_ge0).
by apply: sqrt_lt_1 => //; [apply: pow2_ge_0 | apply: distance2_ge0].
Qed.

(** sinusoid.separation: For d = 512 and base 10000, ‖PE(s) − PE(t)‖ > 3.714 for all
    integers s ≠ t with 0 ≤ s, t < 1000; no length limit is needed to tell position 1 from
    position 513, which are more than 19.249 apart. *)
Theorem sinusoid_separation :
  let encoding (t : Z) := PE 256 (frequency 10000 512) (IZR t) in
  (forall s t : Z, (0 <= s < 1000)%Z -> (0 <= t < 1000)%Z -> s <> t ->
     distance (encoding s) (encoding t) > 3.714) /\
  distance (encoding 1%Z) (encoding 513%Z) > 19.249.
Proof.
move=> encoding; split=> [s t s_range t_range s_neq_t|]; apply: distance_gt; try lra.
  rewrite distance2_chords.
  wlog lt_ts : s t s_range t_range s_neq_t / (t < s)%Z.
    move=> sym; have [lt_ts | lt_st] : (t < s)%Z \/ (s < t)%Z by lia.
      exact: sym.
    by rewrite -chords_even Ropp_minus_distr; apply: sym => //; apply: not_eq_sym.
  rewrite -minus_IZR; have [-> | ge2] : (s - t = 1)%Z \/ (2 <= s - t <= 10000)%Z by lia.
    exact: chords_1.
  have [/IZR_le at_least /IZR_le at_most] := ge2.
  by have := chords_window (conj at_least at_most); lra.
rewrite distance2_chords -minus_IZR -chords_even -opp_IZR.
exact: chords_512.
Qed.

(** sinusoid.separation, as written: Without a length limit the model cannot distinguish
    position 1 from position 513. *)
Theorem sinusoid_separation_as_written_false :
  ~ (exists h : nat, (0 < h)%N /\
       PE h (frequency 10000 h.*2) 1 = PE h (frequency 10000 h.*2) 513).
Proof.
move=> [h [h_gt0 same]].
have base_gt0 : 0 < 10000 by lra.
by have := @no_integer_cycle 10000 h 1 513 base_gt0 h_gt0 same.
Qed.
