(** * The error of linear interpolation in every dimension up to 1746

  The sums of the powers of the frequencies are geometric, so that Taylor's polynomial of the cosine bounds the error
  in the middle of a unit interval from below by a function of the dimension alone.

  Main results: the dimensions of interpolation.error-bound. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding Phasor IntervalTactic Figures ComplexSum Interpolation AbelBound ErrorBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** The powers of the frequencies are a geometric progression. *)
Lemma powers_sum base h (k : nat) : 1 < base -> (0 < h)%N ->
  (1 - Rpower base (- (INR k / INR h))) * (\rsum_(j < h) frequency base h.*2 j ^ k) = 1 - Rpower base (- INR k).
Proof.
move=> base_gt1 h_pos; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
set r := Rpower base _; have r_gt0 : 0 < r by exact: exp_pos.
have terms (j : nat) : frequency base h.*2 j ^ k = r ^ j.
  rewrite frequency_pairs -!Rpower_pow; [| exact: exp_pos | exact: exp_pos].
  by rewrite !Rpower_mult; congr Rpower; field; lra.
have sum n : (1 - r) * (\rsum_(j < n) frequency base h.*2 j ^ k) = 1 - r ^ n.
  elim: n => [|n IHn]; first by rewrite big_ord0 /=; ring.
  by rewrite big_ord_recr Rmult_plus_distr_l IHn terms /=; ring.
rewrite sum -Rpower_pow // Rpower_mult; congr (1 - Rpower _ _); field; lra.
Qed.

(** 1 − cos x ≥ x²/2 − x⁴/24 + x⁶/720 − x⁸/40320. *)
Lemma versine_ge x : -2 <= x <= 2 -> x ^ 2 / 2 - x ^ 4 / 24 + x ^ 6 / 720 - x ^ 8 / 40320 <= 1 - cos x.
Proof.
move=> x_range; have [_] := pre_cos_bound x 1 (proj1 x_range) (proj2 x_range).
have fact_is (n : nat) (z : Z) : Z.of_nat (fact n) = z -> INR (fact n) = IZR z by move=> <-; exact: INR_IZR_INZ.
have five (f : nat -> R) : sum_f_R0 f (2 * (1 + 1))%coq_nat = f 0%N + f 1%N + f 2%N + f 3%N + f 4%N by [].
rewrite /cos_approx five.
rewrite /cos_term (fact_is (2 * 0)%coq_nat 1%Z) // (fact_is (2 * 1)%coq_nat 2%Z) // (fact_is (2 * 2)%coq_nat 24%Z) //.
rewrite (fact_is (2 * 3)%coq_nat 720%Z) ?(fact_is (2 * 4)%coq_nat 40320%Z); try by vm_compute.
by move: (cos x) => c; rewrite /=; lra.
Qed.

(** What is more than enough for the error, as a function of the number of pairs. *)
Lemma enough (x : R) : 1 <= x <= 873 ->
  x / (16 * ln 10000) <
  (1 - 1 / 10000000) / (8 * (1 - exp (- (2 * ln 10000 / x)))) - 1 / (384 * (1 - exp (- (4 * ln 10000 / x))))
    + (1 - 1 / 10000000) / (46080 * (1 - exp (- (6 * ln 10000 / x)))) - 1 / (10321920 * (1 - exp (- (8 * ln 10000 / x)))).
Proof.
move=> [x_ge x_le]; apply: Rminus_gt_0_lt.
interval with (i_prec 25, i_bisect x, i_autodiff x, i_depth 20).
Qed.

(** The printed bound is exceeded in the middle of a unit interval in every even dimension up to 1746, for c = 10000. *)
Corollary interpolation_error_bound_dimensions (h : nat) : (0 < h <= 873)%N -> allowed h < midpoint h.
Proof.
case/andP=> h_pos h_le; have h_ge1 : 1 <= INR h by apply: (le_INR 1); apply/leP.
have h_le873 : INR h <= 873 by rewrite (_ : 873 = INR 873); [apply: le_INR; apply/leP | rewrite INR_IZR_INZ].
have ln_gt0 : 0 < ln 10000 by interval with (i_prec 30).
pose S k := \rsum_(j < h) frequency 10000 h.*2 j ^ k.
pose r k := exp (- (INR k * ln 10000 / INR h)).
have r_lt1 k : (0 < k)%N -> r k < 1.
  move=> k_pos; rewrite -exp_0; apply: exp_increasing; apply: Ropp_lt_gt_0_contravar.
  by apply: Rdiv_lt_0_compat; [apply: Rmult_lt_0_compat => //; apply: lt_0_INR; apply/ltP | lra].
have S_is k : (0 < k)%N -> S k = (1 - exp (- (INR k * ln 10000))) / (1 - r k).
  move=> k_pos; have := powers_sum (base := 10000) k ltac:(lra) h_pos; have := r_lt1 k k_pos.
  have -> : Rpower 10000 (- (INR k / INR h)) = r k by rewrite /Rpower /r; congr exp; field; lra.
  have -> : Rpower 10000 (- INR k) = exp (- (INR k * ln 10000)) by rewrite /Rpower; congr exp; ring.
  by move=> lt1 <-; rewrite /S; field; lra.
have below : S 2%N / 8 - S 4%N / 384 + S 6%N / 46080 - S 8%N / 10321920 <= midpoint h.
  rewrite midpointE /S /Rdiv -!rsum_mulr -rsum_sub -rsum_add -rsum_sub.
  rewrite (_ : INR h = \rsum_(j < h) 1); last by rewrite rsum_const Rmult_1_r.
  rewrite -rsum_sub; apply: rsum_le => j.
  have [t_gt0 t_le1] : 0 < frequency 10000 h.*2 j <= 1.
    split; first exact: frequency_gt0.
    by rewrite frequency_pairs -(Rpower_O 10000); [apply: Rle_Rpower; [lra | ] | lra];
      have := pos_INR j; have : 0 <= INR j / INR h by [apply: Rdiv_le_0_compat; [exact: pos_INR | lra]]; lra.
  set t := frequency _ _ _ in t_gt0 t_le1 *; have := versine_ge (x := 1 / 2 * t) ltac:(lra); lra.
have printed : allowed h = INR h / (16 * ln 10000).
  by rewrite /allowed -muln2 mult_INR [INR 2]/=; field; lra.
rewrite printed; apply: Rlt_le_trans below; apply: Rlt_le_trans (enough (conj h_ge1 h_le873)) _.
have parts (k : nat) (c : R) : (0 < k)%N -> 0 < c -> exp (- (INR k * ln 10000)) <= 1 / 10000000 ->
    S k / c <= 1 / (c * (1 - r k)) /\ (1 - 1 / 10000000) / (c * (1 - r k)) <= S k / c.
  move=> k_pos c_gt0 small; rewrite S_is //; have lt1 := r_lt1 k k_pos; have e_gt0 := exp_pos (- (INR k * ln 10000)).
  have inv_ge0 : 0 <= / (c * (1 - r k)) by apply/Rlt_le/Rinv_0_lt_compat/Rmult_lt_0_compat; lra.
  have -> : (1 - exp (- (INR k * ln 10000))) / (1 - r k) / c =
      (1 - exp (- (INR k * ln 10000))) * / (c * (1 - r k)) by field; lra.
  by split; apply: Rmult_le_compat_r => //; lra.
have at_2 := parts 2%N 8 isT ltac:(lra) ltac:(rewrite /=; interval with (i_prec 60)).
have at_4 := parts 4%N 384 isT ltac:(lra) ltac:(rewrite /=; interval with (i_prec 60)).
have at_6 := parts 6%N 46080 isT ltac:(lra) ltac:(rewrite /=; interval with (i_prec 60)).
have at_8 := parts 8%N 10321920 isT ltac:(lra) ltac:(rewrite /=; interval with (i_prec 60)).
have r_is (k : nat) (c : R) : INR k = c -> r k = exp (- (c * ln 10000 / INR h)) by move=> <-.
by move: at_2 at_4 at_6 at_8; rewrite (r_is 2%N 2) ?(r_is 4%N 4) ?(r_is 6%N 6) ?(r_is 8%N 8) /=; lra.
Qed.
