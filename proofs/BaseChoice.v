(** * Choosing the base of rotary encoding

  A context of length L is said to be served by a base b when the score of q = k = (1, 0, 1, 0, ...)
  is not negative at any distance m from 0 to L: sum_i cos (m b^(-2i/d)) >= 0.

  half_rotated h omega == the frequencies omega for the first h pairs, and 0 for all others
  medium               == a precision of 40 bits
  sine_sum h b         == C_d = sum_(j<h) sin (b^(-2j/d)), d = h.*2
  printed_least        == the lengths and the printed least bases, (2^10, 4300) ... (2^20, 5.1 10^8)

  Main results: base.partial-rotation, base.six-percent, base.similarity-limit, and what refutes
  base.minimum and precision.aliasing-limit. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary IntervalTactic Figures.
From Posproof Require Import PiIrrational Wavelengths UnitScore ComplexSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Unrotated pairs *)

Definition half_rotated (h : nat) (omega : nat -> R) (i : nat) : R := if (i < h)%N then omega i else 0.

Lemma half_rotated_score h omega x :
  unit_score (h + h) (half_rotated h omega) x = INR h + unit_score h omega x.
Proof.
rewrite /unit_score big_split_ord /= Rplus_comm; congr (_ + _).
  rewrite -[RHS]Rmult_1_r -rsum_const; apply: eq_bigr => i _.
  by rewrite /half_rotated ltnNge leq_addr /= Rmult_0_r cos_0.
by apply: eq_bigr => i _; rewrite /half_rotated ltn_ord.
Qed.

(** base.partial-rotation: With n rotated pairs and as many unrotated, the score of q = k = (1, 0,
    1, 0, …) at distance 2m is n + Σ_i cos(2m·θ_i) = 2·Σ_i cos²(m·θ_i) ≥ 0, for all frequencies and
    every m, integer or not. *)
Theorem base_partial_rotation (h : nat) (omega : nat -> R) (m : R) :
  let score x :=
    dot (rotary (half_rotated h omega) (ones (h + h)) x) (rotary (half_rotated h omega) (ones (h + h)) 0) in
  score (2 * m) = INR h + \rsum_(i < h) cos (2 * m * omega i) /\
  score (2 * m) = 2 * (\rsum_(i < h) (cos (m * omega i)) ^ 2) /\
  0 <= score (2 * m).
Proof.
have squares : INR h + \rsum_(i < h) cos (2 * m * omega i) = 2 * (\rsum_(i < h) (cos (m * omega i)) ^ 2).
  rewrite -[INR h]Rmult_1_r -rsum_const -rsum_add -rsum_mull; apply: eq_bigr => i _.
  by rewrite (_ : 2 * m * omega i = 2 * (m * omega i)) ?cos_2a_cos; ring.
rewrite /= dot_ones Rminus_0_r half_rotated_score /unit_score squares; split=> //; split=> //.
apply: Rmult_le_pos; first by lra.
by apply: rsum_ge0 => i; apply: pow2_ge_0.
Qed.

(** ** A larger base *)

(** base.six-percent: At d = 128, raising the base from 10000 to 500000 lowers the frequency θ_1 by
    between 5.9 and 6 percent, and the last, θ_63, by a factor of more than 47. *)
Theorem base_six_percent :
  0.059 < (frequency 10000 128 1 - frequency 500000 128 1) / frequency 10000 128 1 < 0.06 /\
  47 < frequency 10000 128 63 / frequency 500000 128 63.
Proof.
rewrite /frequency /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
by repeat split; interval with (i_prec 60).
Qed.

(** ** The sum of sines *)

Definition sine_sum (h : nat) (b : R) : R := \rsum_(j < h) sin (frequency b h.*2 j).

Lemma frequency_range base h (i : 'I_h) : 1 < base -> / base <= frequency base h.*2 i <= 1.
Proof.
move=> base_gt1; rewrite frequency_pairs.
have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP; case: h i => [[]|].
have i_le : INR i <= INR h by apply: le_INR; apply/leP/ltnW.
have share : 0 <= INR i / INR h <= 1.
  split; first by apply: Rmult_le_pos; [exact: pos_INR | apply/Rlt_le/Rinv_0_lt_compat].
  by apply: (Rmult_le_reg_r (INR h)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have low : Rpower base (- (1)) = / base by rewrite Rpower_Ropp Rpower_1 //; lra.
have high : Rpower base 0 = 1 by apply: Rpower_O; lra.
by split; [rewrite -low | rewrite -[X in _ <= X]high]; apply: Rle_Rpower; lra.
Qed.

Lemma sine_sum_ge b h : 1 < b -> INR h * sin (1 / b) <= sine_sum h b.
Proof.
move=> b_gt1; rewrite -rsum_const; apply: rsum_le => i.
have [f_ge f_le] := frequency_range i b_gt1; have := PI2_1 => quarter.
have b_inv : 0 < / b < 1 by split; [apply: Rinv_0_lt_compat | rewrite -Rinv_1; apply: Rinv_lt_contravar]; lra.
by apply: sin_incr_1; lra.
Qed.

Lemma sine_sum_unbounded b : 1 < b -> is_lim_seq (fun h => sine_sum h b) p_infty.
Proof.
move=> b_gt1; apply: (is_lim_seq_le_p_loc (fun h => INR h * sin (1 / b))).
  by exists 0%N => h _; exact: sine_sum_ge.
have b_inv : 0 < 1 / b < 1.
  have -> : 1 / b = / b by field; lra.
  by split; [apply: Rinv_0_lt_compat | rewrite -Rinv_1; apply: Rinv_lt_contravar]; lra.
have sin_gt0 : 0 < sin (1 / b) by apply: sin_gt_0; have := PI2_1; lra.
have limit := is_lim_seq_scal_r _ (sin (1 / b)) _ is_lim_seq_INR.
move: limit; rewrite /Rbar_mult /=; case: Rle_dec => // [sin_ge0|]; last by lra.
by case: Rle_lt_or_eq_dec => // [eq0]; lra.
Qed.

Definition medium := StdZFloat.PtoP 40.

Fixpoint sine_enclosure (m : nat) (q a acc : I.type) : I.type :=
  if m is m'.+1 then sine_enclosure m' q (I.mul medium a q) (I.add medium acc (I.sin medium a)) else acc.

Lemma sine_encloses m qi ai si q a s : encloses qi q -> encloses ai a -> encloses si s ->
  encloses (sine_enclosure m qi ai si) (s + \rsum_(i < m) sin (a * q ^ i)).
Proof.
move=> q_in; elim: m ai si a s => [|m IHm] ai si a s a_in s_in /=.
  by rewrite big_ord0 Rplus_0_r.
rewrite big_ord_recl /= Rmult_1_r -Rplus_assoc.
suff -> : \rsum_(i < m) sin (a * q ^ bump 0 i) = \rsum_(i < m) sin (a * q * q ^ i).
  by apply: IHm; [exact: encloses_mul | apply: encloses_add => //; exact: encloses_sin].
by apply: eq_bigr => i _; rewrite /bump add1n /=; congr sin; ring.
Qed.

Lemma sine_sum_between base h lo hi den : (0 < h)%N ->
  between lo hi den (sine_enclosure h (ratio_enclosure base h) (I.fromZ prec 1) I.zero) ->
  IZR lo / IZR (Zpos den) < sine_sum h (IZR (Zpos base)) < IZR hi / IZR (Zpos den).
Proof.
move=> h_pos; apply: betweenP.
have := sine_encloses h (ratio_encloses base h_pos) (encloses_Z 1) encloses_0; rewrite Rplus_0_l.
set s := \rsum_(i < h) _; set s' := sine_sum _ _; suff -> : s = s' by [].
apply: eq_bigr => i _; rewrite frequency_ratio //; last exact: IZR_lt.
by rewrite Rmult_1_l.
Qed.

(** base.similarity-limit: C_d = Σ_{j<d/2} sin((bβ)^(−2j/d)) tends to infinity with d, as C_d ≥
    (d/2)·sin(1/(bβ)); for bβ = 500000 it is 5.044… at d = 128 and 37.33… at d = 1024, where the
    printed limit is 1/ln(bβ) = 0.0762…. *)
Theorem base_similarity_limit :
  (forall b : R, 1 < b ->
     is_lim_seq (fun h => sine_sum h b) p_infty /\
     (forall h, INR h * sin (1 / b) <= sine_sum h b)) /\
  5.044 < sine_sum 64 500000 < 5.045 /\ 37.33 < sine_sum 512 500000 < 37.34 /\
  0.0762 < 1 / ln 500000 < 0.0763.
Proof.
split=> [b b_gt1 | ]; first by split=> [ | h]; [exact: sine_sum_unbounded | exact: sine_sum_ge].
have at_128 : 5044 / 1000 < sine_sum 64 500000 < 5045 / 1000.
  by apply: (@sine_sum_between 500000 64 5044 5045 1000); vm_cast_no_check (erefl true).
have at_1024 : 37330 / 1000 < sine_sum 512 500000 < 37340 / 1000.
  by apply: (@sine_sum_between 500000 512 37330 37340 1000); vm_cast_no_check (erefl true).
by split; [lra | split; [lra | split; interval with (i_prec 60)]].
Qed.

(** base.similarity-limit, as written: lim C_d ≈ 1/(ln b + ln β) as d → ∞. *)
Theorem base_similarity_limit_as_written_false (b beta : R) : 1 < b -> 1 <= beta ->
  ~ is_lim_seq (fun h => sine_sum h (b * beta)) (1 / (ln b + ln beta)).
Proof.
move=> b_gt1 beta_ge1 limit; have product_gt1 : 1 < b * beta by nra.
have := is_lim_seq_unique _ _ limit.
by rewrite (is_lim_seq_unique _ _ (sine_sum_unbounded product_gt1)).
Qed.

(** ** The printed least bases *)

Definition printed_least : seq (nat * R) :=
  [:: (10%N, 4300); (11%N, 16000); (12%N, 27000); (13%N, 84000); (14%N, 310000); (15%N, 640000);
      (16%N, 2100000); (17%N, 7800000); (18%N, 36000000); (19%N, 64000000); (20%N, 510000000)].

(** base.minimum, as written: The least bases for L = 1k, 2k, 4k, … 1M are 4.3e3, 1.6e4, 2.7e4,
    8.4e4, 3.1e5, 6.4e5, 2.1e6, 7.8e6, 3.6e7, 6.4e7 and 5.1e8. *)
Theorem base_minimum_as_written_false :
  ~ (forall exponent least, List.In (exponent, least) printed_least -> serves least 64 (2 ^ exponent)).
Proof.
move=> /(_ 12%N 27000) claimed; have listed : List.In (12%N, 27000) printed_least by right; right; left.
move: (claimed listed); apply: (@not_serving 27000 64 4080 (2 ^ 12) isT isT).
by vm_cast_no_check (erefl true).
Qed.

(** ** The slowest wavelength *)

Lemma wavelength_slowest base h : 0 < base -> (0 < h)%N ->
  wavelength (frequency base h.*2 h.-1) = 2 * PI * Rpower base ((INR h.*2 - 2) / INR h.*2).
Proof.
move=> base_gt0 h_pos; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
rewrite /wavelength /frequency Rpower_Ropp /Rdiv Rinv_inv; congr (_ * Rpower _ (_ * _)).
by rewrite -muln2 mult_INR -subn1 minus_INR /=; [ring | apply/leP].
Qed.

Lemma rotary_matrix_inj base h (m n : Z) : 0 < base -> (0 < h)%N ->
  rotary_matrix h (frequency base h.*2) (IZR m) = rotary_matrix h (frequency base h.*2) (IZR n) -> m = n.
Proof.
move=> base_gt0 h_pos /matrixP same; set i0 := Ordinal h_pos.
have : rotation (IZR m) = rotation (IZR n).
  apply: mx22P => b c; have := same (at_pair i0 b) (at_pair i0 c).
  by rewrite !block_diagE eqxx /= frequency_0 // !Rmult_1_r.
move=> /rotation_eq[z turn]; have : IZR (m - n) = 2 * PI * IZR z by rewrite minus_IZR turn; ring.
by move=> /integer_turn; rewrite Z.sub_move_0_r.
Qed.

(** precision.aliasing-limit: The slowest wavelength is 2π·b^((d−2)/d), for d = 128 and b = 10000
    less than 54411 and so below 2π·b = 62831.85…; and it is no limit: no two integer positions are
    rotated alike, and the score of q = k = (1, 0, 1, 0, …) at distance 62832 is below 32, where
    that of coinciding positions is 64. *)
Theorem precision_aliasing_limit :
  (forall (base : R) (h : nat), 0 < base -> (0 < h)%N ->
     wavelength (frequency base h.*2 h.-1) = 2 * PI * Rpower base ((INR h.*2 - 2) / INR h.*2) /\
     (forall m n : Z, m <> n ->
        rotary_matrix h (frequency base h.*2) (IZR m) <> rotary_matrix h (frequency base h.*2) (IZR n))) /\
  wavelength (frequency 10000 128 63) < 54411 /\ 62831.85 < 2 * PI * 10000 < 62831.86 /\
  (let omega := frequency 10000 128 in
   let score x := dot (rotary omega (ones 64) x) (rotary omega (ones 64) 0) in
   score 62832 < 32 /\ score 0 = 64).
Proof.
split=> [base h base_gt0 h_pos | ].
  split; first exact: wavelength_slowest.
  by move=> m n m_neq_n same; apply: m_neq_n; apply: (rotary_matrix_inj base_gt0 h_pos).
split; last split; first 1 last.
- by split; interval with (i_prec 50).
- rewrite /= !dot_ones !Rminus_0_r; split.
    have enclosed : between (-64) 32 1 (score_enclosure 10000 64 62832) by vm_cast_no_check (erefl true).
    have : -64 / 1 < unit_score 64 (frequency 10000 128) 62832 < 32 / 1 :=
      @unit_score_between 10000 64 62832 _ _ _ isT enclosed.
    by lra.
  rewrite /unit_score (_ : 64 = INR 64 * 1); last by rewrite INR_IZR_INZ /=; ring.
  by rewrite -rsum_const; apply: eq_bigr => i _; rewrite R_mul0 cos_0.
- rewrite /wavelength /frequency /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
  by interval with (i_prec 50).
Qed.

(** precision.aliasing-limit, as written: L < 2π·base is a fundamental limit: positions that far
    apart alias. *)
Theorem precision_aliasing_limit_as_written_false (base : R) (h : nat) : 0 < base -> (0 < h)%N ->
  let R_at m := rotary_matrix h (frequency base h.*2) (IZR m) in
  ~ (exists m n : Z, 2 * PI * base <= IZR (Z.abs (m - n)) /\ R_at m = R_at n).
Proof.
move=> base_gt0 h_pos R_at [m [n [apart /(rotary_matrix_inj base_gt0 h_pos) same]]].
move: apart; rewrite same Z.sub_diag /=; have := PI_RGT_0; nra.
Qed.
