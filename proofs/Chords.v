(** * Sums of squared chords, for every distance at once

  The squared distance of two encodings, and half the squared distance of two rotary maps, is the
  sum of the squared chords 2 - 2 cos (x w_i), where x is the distance of the positions and w_i =
  r^i with r = base^(-1/h).  Here such sums are bounded from below for all x of a long range.

  Argument.  Let A be some angle.  If A <= x, then the first of the angles x, x r, x r^2, ... that
  is at most A, call it y, lies in [A r, A], and the next angles are y r, y r^2, ...  So a bound
  on the sum of 2 - 2 cos (y r^i) over i < width, for y in that one short interval, is a bound on
  the whole sum for every x >= A that still has [width] pairs from y on.

  ratio base h          == base^(-1/h), so that frequency base (2h) i = ratio^i
  chords base h x       == the sum of 2 - 2 cos (x ratio^i) over i < h

  Main results: [chords_enclosed], a sum at one distance; [chords_range], the bound for all
  distances of a range. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Sinusoid IntervalTactic Figures.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Sums over a range of pairs *)

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

(** ** Chords *)

Definition ratio (base : positive) (h : nat) : R := Rpower (IZR (Zpos base)) (- (1 / INR h)).

Definition chords (base : positive) (h : nat) (x : R) : R :=
  \rsum_(i < h) (2 - 2 * cos (x * ratio base h ^ i)).

Section Chords.

Variables (base : positive) (h : nat).
Hypotheses (h_gt0 : (0 < h)%N) (base_gt1 : 1 < IZR (Zpos base)).

Lemma frequency_is_power i : frequency (IZR (Zpos base)) h.*2 i = ratio base h ^ i.
Proof. by apply: frequency_ratio => //; lra. Qed.

Lemma ratio_power n : ratio base h ^ n = exp (- (INR n / INR h * ln (IZR (Zpos base)))).
Proof.
have hR_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
rewrite -Rpower_pow; last exact: exp_pos.
by rewrite /ratio Rpower_mult /Rpower; congr exp; field; lra.
Qed.

Lemma ratio_range : 0 < ratio base h < 1.
Proof.
have hR_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
split; first exact: exp_pos.
rewrite -(Rpower_O (IZR (Zpos base))); last lra.
by apply: Rpower_lt => //; have := Rdiv_lt_0_compat 1 _ Rlt_0_1 hR_gt0; lra.
Qed.

Lemma distance2_chords s t :
  distance2 (PE h (frequency (IZR (Zpos base)) h.*2) s) (PE h (frequency (IZR (Zpos base)) h.*2) t) =
  chords base h (s - t).
Proof. by rewrite distance2_PE; apply: eq_bigr => i _; rewrite frequency_is_power. Qed.

Lemma chords_even x : chords base h (- x) = chords base h x.
Proof. by apply: eq_bigr => i _; rewrite Ropp_mult_distr_l_reverse cos_neg. Qed.

Lemma chords_enclosed (n : nat) lo hi den : between lo hi den (similarity_enclosure base h 0 n) ->
  2 * (INR h - IZR hi / IZR (Zpos den)) < chords base h (INR n) < 2 * (INR h - IZR lo / IZR (Zpos den)).
Proof.
move=> enclosed; have sum_range := @similarity_between base h 0 n lo hi den h_gt0 enclosed.
rewrite /chords rsum_sub rsum_const rsum_mull.
have -> : \rsum_(i < h) cos (INR n * ratio base h ^ i) =
          \rsum_(i < h) cos (INR n * frequency (IZR (Zpos base)) h.*2 (0 + i)).
  by apply: eq_bigr => i _; rewrite add0n frequency_is_power.
lra.
Qed.

(** Some angle x ratio^i lies in [A ratio, A]. *)
Lemma window_start A x n : 0 <= A <= x -> x * ratio base h ^ n <= A ->
  exists first, (first <= n)%N /\ A * ratio base h <= x * ratio base h ^ first <= A.
Proof.
move=> [A_ge0 x_ge]; have := ratio_range; move: (ratio base h) => r r_range.
elim: n => [|n IHn] small.
  by exists 0%N; rewrite /= Rmult_1_r in small *; split=> //; nra.
have [below | above] := Rle_or_lt (x * r ^ n) A.
  by have [first [le_n range]] := IHn below; exists first; rewrite ltnW.
exists n.+1; split=> //; split=> //.
have -> : x * r ^ n.+1 = x * r ^ n * r by rewrite /=; ring.
by nra.
Qed.

Lemma chords_window A x width c : (width <= h)%N -> 0 <= A <= x ->
  x * ratio base h ^ (h - width) <= A ->
  (forall y, A * ratio base h <= y <= A -> \rsum_(i < width) cos (y * ratio base h ^ i) < c) ->
  2 * (INR width - c) < chords base h x.
Proof.
move=> width_le x_ge x_le small; have [first [first_le range]] := window_start x_ge x_le.
have fits : (first + width <= h)%N by rewrite addnC -leq_subRL.
apply: Rlt_le_trans
  (rsum_window (F := fun i => 2 - 2 * cos (x * ratio base h ^ i)) fits (fun i => chord_ge0 _)).
move/small: range; rewrite rsum_sub rsum_const rsum_mull.
have -> : \rsum_(i < width) cos (x * ratio base h ^ first * ratio base h ^ i) =
          \rsum_(i < width) cos (x * ratio base h ^ (first + i)%N).
  by apply: eq_bigr => i _; rewrite pow_add Rmult_assoc.
move=> below; apply: (Rle_lt_trans _ (INR width * 2 - 2 * c)); first lra.
by apply: Rplus_lt_compat_l; apply: Ropp_lt_contravar; apply: Rmult_lt_compat_l; [lra | exact: below].
Qed.

(** From A = (lo+n)/den on, as far as [width] pairs remain at x. *)
Lemma chords_range (x : R) (width : nat) (c : Z) (den : positive) (lo : Z) (n : nat) :
  (width <= h)%N -> (0 < n)%N -> cosines_below base h width c den lo n ->
  let A := IZR (lo + Z.of_nat n) / IZR (Zpos den) in
  IZR lo / IZR (Zpos den) <= A * ratio base h -> 0 <= A <= x ->
  x * ratio base h ^ (h - width) <= A ->
  2 * (INR width - IZR c) < chords base h x.
Proof.
move=> width_le n_gt0 cosines A start x_ge x_le; apply: (chords_window width_le x_ge x_le) => y y_range.
by apply: (cosines_belowP h_gt0 n_gt0 cosines); rewrite -/A; lra.
Qed.

End Chords.
