(** * Choosing the base of rotary encoding

  A context of length L is said to be served by a base b when the score of q = k = (1, 0, 1, 0, ...)
  is not negative at any distance m from 0 to L: sum_i cos (m b^(-2i/d)) >= 0.

  half_rotated h omega == the frequencies omega for the first h pairs, and 0 for all others
  printed_least        == the lengths and the printed least bases, (2^10, 4300) ... (2^20, 5.1 10^8)

  Main results: base.partial-rotation, base.six-percent, precision.aliasing-limit, and what refutes
  base.minimum. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
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

(** With any frequencies of which at least half are 0, for every m and every base. *)
Corollary base_partial_rotation_half (h : nat) (omega : nat -> R) (zero : pred nat) (m : R) :
  (forall i, (i < h)%N -> zero i -> omega i = 0) -> (h <= (\sum_(i < h) zero i).*2)%N ->
  0 <= dot (rotary omega (ones h) m) (rotary omega (ones h) 0).
Proof.
move=> zeros half; rewrite dot_ones Rminus_0_r /unit_score.
have count : INR (\sum_(i < h) zero i) = \rsum_(i < h) (if zero i then 1 else 0).
  rewrite (big_morph INR plus_INR (erefl : INR 0 = 0)).
  by apply: eq_bigr => i _; case: (zero i).
have enough : INR h <= 2 * (\rsum_(i < h) (if zero i then 1 else 0)).
  have -> : 2 * (\rsum_(i < h) (if zero i then 1 else 0)) = INR (\sum_(i < h) zero i).*2.
    by rewrite -addnn plus_INR count; ring.
  by apply: le_INR; apply/leP.
have terms : \rsum_(i < h) (2 * (if zero i then 1 else 0) - 1) <= \rsum_(i < h) cos (m * omega i).
  apply: rsum_le => i; case: ifP => [zero_i|_]; last by have := COS_bound (m * omega i); lra.
  by rewrite (zeros i (ltn_ord i) zero_i) Rmult_0_r cos_0; lra.
rewrite rsum_sub rsum_mull rsum_const Rmult_1_r in terms; apply: Rle_trans terms.
by apply/Rge_le/Rge_minus/Rle_ge; exact: enough.
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

(** ** The range of the frequencies *)

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

(** ** The printed least bases *)

Definition printed_least : seq (nat * R) :=
  [:: (10%N, 4300); (11%N, 16000); (12%N, 27000); (13%N, 84000); (14%N, 310000); (15%N, 640000);
      (16%N, 2100000); (17%N, 7800000); (18%N, 36000000); (19%N, 64000000); (20%N, 510000000)].

Lemma power_2 (k : nat) : Z.of_nat (2 ^ k) = (2 ^ Z.of_nat k)%Z.
Proof. by elim: k => [//|k IHk]; rewrite expnS mul2n -addnn Nat2Z.inj_add IHk Nat2Z.inj_succ Z.pow_succ_r; lia. Qed.

Lemma not_serving_at (base : positive) (h : nat) (m : Z) (k : nat) : (0 < h)%N -> (0 <= m <= 2 ^ Z.of_nat k)%Z ->
  is_positive_interval (I.neg (score_enclosure base h m)) -> ~ serves (IZR (Zpos base)) h (2 ^ k).
Proof.
move=> h_pos [m_ge0 m_le]; rewrite -{1}(Z2Nat.id m) //; apply: not_serving => //.
by apply/leP/Nat2Z.inj_le; rewrite power_2 Z2Nat.id.
Qed.

(** Seven of the eleven printed bases fail within their own length. *)
Corollary base_minimum_printed :
  ~ serves 27000 64 (2 ^ 12) /\ ~ serves 310000 64 (2 ^ 14) /\ ~ serves 640000 64 (2 ^ 15) /\
  ~ serves 7800000 64 (2 ^ 17) /\ ~ serves 36000000 64 (2 ^ 18) /\ ~ serves 64000000 64 (2 ^ 19) /\
  ~ serves 510000000 64 (2 ^ 20).
Proof.
split; first by apply: (@not_serving_at 27000 64 4080 12 isT ltac:(lia)); vm_cast_no_check (erefl true).
split; first by apply: (@not_serving_at 310000 64 14894 14 isT ltac:(lia)); vm_cast_no_check (erefl true).
split; first by apply: (@not_serving_at 640000 64 30929 15 isT ltac:(lia)); vm_cast_no_check (erefl true).
split; first by apply: (@not_serving_at 7800000 64 128915 17 isT ltac:(lia)); vm_cast_no_check (erefl true).
split; first by apply: (@not_serving_at 36000000 64 207456 18 isT ltac:(lia)); vm_cast_no_check (erefl true).
split; first by apply: (@not_serving_at 64000000 64 511210 19 isT ltac:(lia)); vm_cast_no_check (erefl true).
by apply: (@not_serving_at 510000000 64 874868 20 isT ltac:(lia)); vm_cast_no_check (erefl true).
Qed.

(** base.minimum, as written: The least bases for L = 1k, 2k, 4k, … 1M are 4.3e3, 1.6e4, 2.7e4,
    8.4e4, 3.1e5, 6.4e5, 2.1e6, 7.8e6, 3.6e7, 6.4e7 and 5.1e8. *)
Theorem base_minimum_as_written_false :
  ~ (forall exponent least, List.In (exponent, least) printed_least -> serves least 64 (2 ^ exponent)).
Proof.
move=> /(_ 12%N 27000) claimed; have listed : List.In (12%N, 27000) printed_least by right; right; left.
by have [fails _] := base_minimum_printed; exact: fails (claimed listed).
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
