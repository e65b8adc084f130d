(** * Positions are told apart: distances of encodings for d = 512, base 10000

  What is claimed.  Of all pairs of distinct positions below 2^20 neighbours are nearest, and
  only neighbours are as near: 3.71427... apart.  The positions 1 and 513 are 19.249... apart.

  Argument.  The squared distance at distance x is
    chords x == the sum over the 256 pairs of 2 - 2 cos (x ratio^i),
  where ratio = 10000^(-1/256), so that the i-th frequency is ratio^i.
  - x = 1 and x = 512: one enclosure of the 256 cosines each (Figures).
  - 2 <= x <= 2^20: for A = 2 (x <= 10000) or A = 220 (x >= 220) some pair has its angle in
    [A ratio, A], and some twenty pairs after it follow with the angles y ratio, y ratio^2, ...
    However y lies in that short interval, these pairs alone contribute more than chords 1: that
    is enclosed once, for whole intervals of y, and serves every x.

  least_at_neighbours h w L == of all integer positions s <> t in [0, L), neighbours are nearest,
                               and only neighbours are as near

  Main results: sinusoid.separation and its corollaries; [chords_1], [chords_512] and
  [chords_far].

  Not claimed: anything at distances above 2^20. Without end the distances have no positive
  bound: cosines of any frequencies return as near to 1 as one likes (Gram).

  Assumptions: the axioms of Coq's real numbers and excluded middle. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Sinusoid PiIrrational RationalPower.
From Posproof Require Import Wavelengths Cycles IntervalTactic Figures.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The squared distance of two encodings *)

Definition ratio : R := Rpower 10000 (- (1 / INR 256)).

Definition chords (x : R) : R := \rsum_(i < 256) (2 - 2 * cos (x * ratio ^ i)).

Lemma ratio_power n : ratio ^ n = exp (- (INR n / 256 * ln 10000)).
Proof.
rewrite -Rpower_pow; last exact: exp_pos.
rewrite /ratio Rpower_mult /Rpower; congr exp.
have -> : INR 256 = 256 by rewrite INR_IZR_INZ.
by field.
Qed.

Lemma ratio_range : 0.9646 < ratio < 0.9647.
Proof. by rewrite -(pow_1 ratio) ratio_power /=; split; interval with (i_prec 60). Qed.

Lemma frequency_512 i : frequency 10000 256.*2 i = ratio ^ i.
Proof. by apply: frequency_ratio => //; lra. Qed.

Lemma distance2_chords s t :
  distance2 (PE 256 (frequency 10000 512) s) (PE 256 (frequency 10000 512) t) = chords (s - t).
Proof.
by rewrite distance2_PE; apply: eq_bigr => i _; rewrite (frequency_512 i).
Qed.

Lemma chords_even x : chords (- x) = chords x.
Proof. by apply: eq_bigr => i _; rewrite Ropp_mult_distr_l_reverse cos_neg. Qed.

(** ** Distances 1 and 512 *)

Lemma chords_enclosed (n : nat) lo hi den : between lo hi den (similarity_enclosure 10000 256 0 n) ->
  512 - 2 * (IZR hi / IZR (Zpos den)) < chords (INR n) < 512 - 2 * (IZR lo / IZR (Zpos den)).
Proof.
move=> enclosed; have sum_range := @similarity_between 10000 256 0 n lo hi den isT enclosed.
rewrite /chords rsum_sub rsum_const rsum_mull.
have -> : \rsum_(i < 256) cos (INR n * ratio ^ i) =
          \rsum_(i < 256) cos (INR n * frequency 10000 256.*2 (0 + i)).
  by apply: eq_bigr => i _; rewrite add0n frequency_512.
have -> : INR 256 = 256 by rewrite INR_IZR_INZ.
lra.
Qed.

Lemma chords_1 : 3.71427036512 ^ 2 < chords 1 < 3.71427036513 ^ 2.
Proof.
have enclosed : between 249102097827362 249102097827363 1000000000000
    (similarity_enclosure 10000 256 0 1).
  by vm_cast_no_check (erefl true).
by have := chords_enclosed enclosed; rewrite [INR 1]/=; lra.
Qed.

Lemma chords_512 : 19.2490906392 ^ 2 < chords 512 < 19.2490906393 ^ 2.
Proof.
have enclosed : between 70736254781241 70736254781242 1000000000000
    (similarity_enclosure 10000 256 0 512).
  by vm_cast_no_check (erefl true).
by have := chords_enclosed enclosed; rewrite INR_IZR_INZ -[IZR _]/512; lra.
Qed.

(** ** Distances from 2 to 2^20 *)

(** Some angle x ratio^i lies in [A ratio, A]. *)
Lemma window_start A x n : 0 <= A <= x -> x * ratio ^ n <= A ->
  exists first, (first <= n)%N /\ A * ratio <= x * ratio ^ first <= A.
Proof.
move=> [A_ge0 x_ge]; have r_range := ratio_range.
elim: n => [|n IHn] small.
  by exists 0%N; rewrite /= Rmult_1_r in small *; split=> //; nra.
have [below | above] := Rle_or_lt (x * ratio ^ n) A.
  by have [first [le_n range]] := IHn below; exists first; rewrite ltnW.
exists n.+1; split=> //; split=> //.
have -> : x * ratio ^ n.+1 = x * ratio ^ n * ratio by rewrite /=; ring.
by nra.
Qed.

Lemma rsum_split (F : nat -> R) m n :
  \rsum_(i < m + n) F i = \rsum_(i < m) F i + \rsum_(i < n) F (m + i)%N.
Proof. by rewrite big_split_ord. Qed.

(** A sum of terms that are not negative is at least what a window of it contributes. *)
Lemma rsum_window (F : nat -> R) (first width n : nat) : (first + width <= n)%N ->
  (forall i, 0 <= F i) -> \rsum_(i < width) F (first + i)%N <= \rsum_(i < n) F i.
Proof.
move=> fits F_ge0; rewrite -(subnKC fits) !rsum_split.
have before : 0 <= \rsum_(i < first) F i by apply: rsum_ge0.
have after : 0 <= \rsum_(i < n - (first + width)) F (first + width + i)%N by apply: rsum_ge0.
lra.
Qed.

Lemma chords_window A x width c : (width <= 256)%N -> 0 <= A <= x ->
  x * ratio ^ (256 - width) <= A ->
  (forall y, A * ratio <= y <= A -> \rsum_(i < width) cos (y * ratio ^ i) < c) ->
  2 * (INR width - c) < chords x.
Proof.
move=> width_le x_ge x_le small; have [first [first_le range]] := window_start x_ge x_le.
have fits : (first + width <= 256)%N by rewrite addnC -leq_subRL.
apply: Rlt_le_trans (rsum_window (F := fun i => 2 - 2 * cos (x * ratio ^ i)) fits (fun i => chord_ge0 _)).
move/small: range; rewrite rsum_sub rsum_const rsum_mull.
have -> : \rsum_(i < width) cos (x * ratio ^ first * ratio ^ i) =
          \rsum_(i < width) cos (x * ratio ^ (first + i)%N).
  by apply: eq_bigr => i _; rewrite pow_add Rmult_assoc.
move=> below; apply: (Rle_lt_trans _ (INR width * 2 - 2 * c)); first lra.
by apply: Rplus_lt_compat_l; apply: Ropp_lt_contravar; apply: Rmult_lt_compat_l; [lra | exact: below].
Qed.

Lemma chords_near x : 2 <= x <= 10000 -> 14 < chords x.
Proof.
move=> x_range; have r_range := ratio_range.
have cosines : cosines_below 10000 256 19 12 25 48 2 by vm_cast_no_check (erefl true).
have small : x * ratio ^ (256 - 19) <= 2.
  by rewrite ratio_power INR_IZR_INZ -[IZR _]/237; interval with (i_prec 60).
have start : 0 <= 2 <= x by lra.
have := @chords_window 2 x 19 12 isT start small.
have -> : 2 * (INR 19 - 12) = 14 by rewrite INR_IZR_INZ /=; ring.
apply=> y y_range; apply: (@cosines_belowP 10000 256 19 12 25 48 2 y isT isT cosines).
by rewrite -[IZR (48 + _)]/50; lra.
Qed.

Lemma chords_far x : 220 <= x <= 1048576 -> 16 < chords x.
Proof.
move=> x_range; have r_range := ratio_range.
have cosines : cosines_below 10000 256 20 12 2 424 16 by vm_cast_no_check (erefl true).
have small : x * ratio ^ (256 - 20) <= 220.
  by rewrite ratio_power INR_IZR_INZ -[IZR _]/236; interval with (i_prec 60).
have start : 0 <= 220 <= x by lra.
have := @chords_window 220 x 20 12 isT start small.
have -> : 2 * (INR 20 - 12) = 16 by rewrite INR_IZR_INZ /=; ring.
apply=> y y_range; apply: (@cosines_belowP 10000 256 20 12 2 424 16 y isT isT cosines).
by rewrite -[IZR (424 + _)]/440; lra.
Qed.

(** ** The claim *)

Definition encoding (t : Z) : 'cV[R]_(256.*2) := PE 256 (frequency 10000 512) (IZR t).

Definition least_at_neighbours (length : Z) (least : R) : Prop :=
  forall s t : Z, (0 <= s < length)%Z -> (0 <= t < length)%Z -> s <> t ->
    least <= distance (encoding s) (encoding t) /\
    (distance (encoding s) (encoding t) = least <-> Z.abs (s - t) = 1%Z).

Lemma distance_chords s t : distance (encoding s) (encoding t) = sqrt (chords (IZR (Z.abs (s - t)))).
Proof.
rewrite /distance distance2_chords -minus_IZR.
by case: (Z.abs_spec (s - t)) => -[_ ->] //; rewrite opp_IZR chords_even.
Qed.

Lemma sqrt_range a b x : 0 <= a -> 0 <= b -> a ^ 2 < x < b ^ 2 -> a < sqrt x < b.
Proof.
move=> a_ge0 b_ge0 [above below]; have := pow2_ge_0 a.
by split; [rewrite -(sqrt_pow2 a a_ge0) | rewrite -(sqrt_pow2 b b_ge0)]; apply: sqrt_lt_1; lra.
Qed.

Lemma chords_beyond_1 (n : Z) : (2 <= n <= 1048576)%Z -> chords 1 < chords (IZR n).
Proof.
move=> [/IZR_le n_ge /IZR_le n_le]; have := chords_1.
have [near | far] := Rle_or_lt (IZR n) 10000; first by have := chords_near (conj n_ge near); lra.
by have := @chords_far (IZR n); lra.
Qed.

(** sinusoid.separation: For d = 512, base 10000 and every length L from 2 to 2^20 = 1048576, the
    least of the distances ‖PE(s) − PE(t)‖ over integers s ≠ t with 0 ≤ s, t < L is that of
    neighbours, and neighbours alone attain it. *)
Corollary sinusoid_separation_least (length : Z) : (length <= 1048576)%Z ->
  least_at_neighbours length (distance (encoding 0) (encoding 1)).
Proof.
move=> length_le s t s_range t_range s_neq_t; rewrite !distance_chords [Z.abs (0 - 1)]/=.
have := chords_1 => chords_1_range.
have [-> | far] : Z.abs (s - t) = 1%Z \/ (2 <= Z.abs (s - t) <= 1048576)%Z by lia.
  by split; [exact: Rle_refl | split].
have less : sqrt (chords 1) < sqrt (chords (IZR (Z.abs (s - t)))).
  by apply: sqrt_lt_1_alt; have := chords_beyond_1 far; lra.
by split; [exact: Rlt_le | split=> [same | one]; [lra | lia]].
Qed.

(** Its value: 3.71427... *)
Corollary sinusoid_separation_least_value :
  3.71427036512 < distance (encoding 0) (encoding 1) < 3.71427036513.
Proof. by rewrite distance_chords; apply: sqrt_range chords_1; lra. Qed.

(** The documents' lengths, 500 and 1000, and 131072. *)
Corollary sinusoid_separation_lengths (length : Z) : List.In length [:: 500; 1000; 131072]%Z ->
  exists least, least_at_neighbours length least /\ 3.71427036512 < least < 3.71427036513.
Proof.
move=> listed; exists (distance (encoding 0) (encoding 1)).
split; last exact: sinusoid_separation_least_value.
by apply: sinusoid_separation_least; case: listed => [|[|[|[]]]] <-.
Qed.

(** Neighbours, wherever they stand. *)
Corollary sinusoid_neighbours_value (t : R) : let omega := frequency 10000 512 in
  3.71427036512 < distance (PE 256 omega (t + 1)) (PE 256 omega t) < 3.71427036513.
Proof.
rewrite /= /distance distance2_chords; have -> : t + 1 - t = 1 by ring.
by apply: sqrt_range chords_1; lra.
Qed.

(** Positions 1 and 513. *)
Corollary sinusoid_separation_1_and_513 :
  19.2490906392 < distance (encoding 1) (encoding 513) < 19.2490906393.
Proof. by rewrite distance_chords; apply: sqrt_range chords_512; lra. Qed.

(** sinusoid.separation: For d = 512 and base 10000, ‖PE(s) − PE(t)‖ > 3.714 for all
    integers s ≠ t with 0 ≤ s, t < 1000; no length limit is needed to tell position 1 from
    position 513, which are more than 19.249 apart. *)
Theorem sinusoid_separation :
  let encoding (t : Z) := PE 256 (frequency 10000 512) (IZR t) in
  (forall s t : Z, (0 <= s < 1000)%Z -> (0 <= t < 1000)%Z -> s <> t ->
     distance (encoding s) (encoding t) > 3.714) /\
  distance (encoding 1%Z) (encoding 513%Z) > 19.249.
Proof.
split=> [s t s_range t_range s_neq_t|]; last by have := sinusoid_separation_1_and_513; rewrite /encoding; lra.
have length_le : (1000 <= 1048576)%Z by [].
have [least _] := sinusoid_separation_least length_le s_range t_range s_neq_t.
by have := sinusoid_separation_least_value; move: least; rewrite /encoding; lra.
Qed.

(** sinusoid.separation, as written: Without a length limit the model cannot distinguish
    position 1 from position 513. *)
Theorem sinusoid_separation_as_written_false :
  (* counted from 0 *)
  ~ (exists h : nat, (0 < h)%N /\
       PE h (frequency 10000 h.*2) 1 = PE h (frequency 10000 h.*2) 513) /\
  (* counted from 1, as the document does *)
  ~ (exists h : nat, (0 < h)%N /\
       PE h (frequency_from_1 10000 h.*2) 1 = PE h (frequency_from_1 10000 h.*2) 513).
Proof.
have base_gt0 : 0 < 10000 by lra.
split=> -[h [h_gt0 same]]; first by have := @sinusoid_no_integer_cycle_any_base 10000 h 1 513 base_gt0 h_gt0 same.
by have := @sinusoid_no_integer_cycle_from_1 10000 h 1 513 base_gt0 (rational_IZR 10000) h_gt0 same.
Qed.
