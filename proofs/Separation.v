(** * Positions are told apart: distances of encodings for d = 512, base 10000

  What is claimed.  Of all pairs of distinct positions below 2^20 neighbours are nearest, and
  only neighbours are as near: 3.71427... apart.  The positions 1 and 513 are 19.249... apart.

  Argument.  At distances 1 and 512 the 256 cosines are enclosed (Figures). At distances from 2
  to 2^20 some twenty pairs alone, whose angles are near 2 or near 220, contribute more than all
  pairs do at distance 1, and one computation shows it for every distance (Chords).

  least_at_neighbours h w L == of all integer positions s <> t in [0, L), neighbours are nearest,
                               and only neighbours are as near

  Main results: sinusoid.separation and its corollaries.

  Not claimed: anything at distances above 2^20. Without end the distances have no positive
  bound: cosines of any frequencies return as near to 1 as one likes (Gram).

  Assumptions: the axioms of Coq's real numbers and excluded middle. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Sinusoid PiIrrational RationalPower.
From Posproof Require Import Wavelengths Cycles IntervalTactic Figures UnitScore Chords.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Distances 1 and 512 *)

Lemma base_gt1 : 1 < 10000.
Proof. lra. Qed.

Lemma chords_score x : chords 10000 256 x = 2 * (INR 256 - unit_score 256 (frequency 10000 256.*2) x).
Proof.
have same i := @frequency_is_power 10000 256 isT base_gt1 i; rewrite /chords rsum_sub rsum_const rsum_mull.
by rewrite /unit_score; under [in RHS]eq_bigr do rewrite same; ring.
Qed.

Lemma chords_1 : 3.71427036512 ^ 2 < chords 10000 256 1 < 3.71427036513 ^ 2.
Proof.
have enclosed := @score_encloses_to (StdZFloat.PtoP 54) 10000 256 1 isT.
have : 24910209782736 / 100000000000 < unit_score 256 (frequency 10000 256.*2) 1 < 24910209782739 / 100000000000.
  by apply: (@betweenP 24910209782736 24910209782739 100000000000 _ _ enclosed); vm_cast_no_check (erefl true).
by rewrite chords_score [INR 256]INR_IZR_INZ -[IZR (Z.of_nat _)]/256; lra.
Qed.

Lemma chords_512 : 19.2490906392 ^ 2 < chords 10000 256 512 < 19.2490906393 ^ 2.
Proof.
have enclosed := @score_encloses_to (StdZFloat.PtoP 52) 10000 256 512 isT.
have : 707362547801 / 10000000000 < unit_score 256 (frequency 10000 256.*2) 512 < 707362547819 / 10000000000.
  by apply: (@betweenP 707362547801 707362547819 10000000000 _ _ enclosed); vm_cast_no_check (erefl true).
by rewrite chords_score [INR 256]INR_IZR_INZ -[IZR (Z.of_nat _)]/256; lra.
Qed.

(** ** Distances from 2 to 2^20 *)

(** The powers of the ratio, ready for interval arithmetic. *)
Lemma ratio_power_256 n : ratio 10000 256 ^ n = exp (- (IZR (Z.of_nat n) / 256 * ln 10000)).
Proof. by rewrite (@ratio_power 10000 256) // !INR_IZR_INZ. Qed.

Lemma ratio_ge : 0.964 <= ratio 10000 256.
Proof. by rewrite -(pow_1 (ratio _ _)) ratio_power_256 /=; interval with (i_prec 60). Qed.

Lemma chords_near x : 2 <= x <= 10000 -> 14 < chords 10000 256 x.
Proof.
move=> x_range; have r_ge := ratio_ge.
have cosines : cosines_below 10000 256 19 12 25 48 2 by vm_cast_no_check (erefl true).
have small : x * ratio 10000 256 ^ (256 - 19) <= 2.
  by rewrite ratio_power_256 -[IZR (Z.of_nat _)]/237; interval with (i_prec 60).
have := @chords_range 10000 256 isT base_gt1 x 19 12 25 48 2 isT isT cosines.
rewrite [INR 19]INR_IZR_INZ -[IZR (48 + _)]/50 -[IZR (Z.of_nat 19)]/19 => bound.
by apply: Rle_lt_trans (bound _ _ _); lra.
Qed.

Lemma chords_far x : 220 <= x <= 1048576 -> 16 < chords 10000 256 x.
Proof.
move=> x_range; have r_ge := ratio_ge.
have cosines : cosines_below 10000 256 20 12 2 424 16 by vm_cast_no_check (erefl true).
have small : x * ratio 10000 256 ^ (256 - 20) <= 220.
  by rewrite ratio_power_256 -[IZR (Z.of_nat _)]/236; interval with (i_prec 60).
have := @chords_range 10000 256 isT base_gt1 x 20 12 2 424 16 isT isT cosines.
rewrite [INR 20]INR_IZR_INZ -[IZR (424 + _)]/440 -[IZR (Z.of_nat 20)]/20 => bound.
by apply: Rle_lt_trans (bound _ _ _); lra.
Qed.

(** ** The claim *)

Definition encoding (t : Z) : 'cV[R]_(256.*2) := PE 256 (frequency 10000 512) (IZR t).

Definition least_at_neighbours (length : Z) (least : R) : Prop :=
  forall s t : Z, (0 <= s < length)%Z -> (0 <= t < length)%Z -> s <> t ->
    least <= distance (encoding s) (encoding t) /\
    (distance (encoding s) (encoding t) = least <-> Z.abs (s - t) = 1%Z).

Lemma distance_chords s t : distance (encoding s) (encoding t) = sqrt (chords 10000 256 (IZR (Z.abs (s - t)))).
Proof.
rewrite /distance (@distance2_chords 10000 256 isT base_gt1) -minus_IZR.
by case: (Z.abs_spec (s - t)) => -[_ ->] //; rewrite opp_IZR chords_even.
Qed.

Lemma sqrt_range a b x : 0 <= a -> 0 <= b -> a ^ 2 < x < b ^ 2 -> a < sqrt x < b.
Proof.
move=> a_ge0 b_ge0 [above below]; have := pow2_ge_0 a.
by split; [rewrite -(sqrt_pow2 a a_ge0) | rewrite -(sqrt_pow2 b b_ge0)]; apply: sqrt_lt_1; lra.
Qed.

Lemma chords_beyond_1 (n : Z) : (2 <= n <= 1048576)%Z -> chords 10000 256 1 < chords 10000 256 (IZR n).
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
have less : sqrt (chords 10000 256 1) < sqrt (chords 10000 256 (IZR (Z.abs (s - t)))).
  by apply: sqrt_lt_1_alt; have := chords_beyond_1 far; lra.
by split; [exact: Rlt_le | split=> [same | one]; [lra | lia]].
Qed.

(** Its value: 3.71427... *)
Lemma least_value :
  3.71427036512 < distance (encoding 0) (encoding 1) < 3.71427036513.
Proof. by rewrite distance_chords; apply: sqrt_range chords_1; lra. Qed.

(** The documents' lengths, 500 and 1000, and 131072. *)
Corollary sinusoid_separation_lengths (length : Z) : List.In length [:: 500; 1000; 131072]%Z ->
  exists least, least_at_neighbours length least /\ 3.71427036512 < least < 3.71427036513.
Proof.
move=> listed; exists (distance (encoding 0) (encoding 1)).
split; last exact: least_value.
by apply: sinusoid_separation_least; case: listed => [|[|[|[]]]] <-.
Qed.

(** Neighbours, wherever they stand. *)
Corollary sinusoid_neighbours_value (t : R) : let omega := frequency 10000 512 in
  3.71427036512 < distance (PE 256 omega (t + 1)) (PE 256 omega t) < 3.71427036513.
Proof.
rewrite /= /distance (@distance2_chords 10000 256 isT base_gt1); have -> : t + 1 - t = 1 by ring.
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
by have := least_value; move: least; rewrite /encoding; lra.
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
