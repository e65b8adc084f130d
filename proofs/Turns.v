(** * Integers against turns

  Integers are no multiples of 2 pi but 0, and up to 103992 none comes as near to one as 710. Hence
  rotations by integer distances never come back, and a score can single out any distance.

  far k               == 2 pi k is at least [margin] 10^(-16) away from every integer, by integer arithmetic
                         on the digits of pi

  Main results: heads.irrational-turn, decay.any-distance. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary PiIrrational UnitScore IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** How near integers come to multiples of 2 pi *)

(** pi in units of 10^(-16), rounded down, and the distance that is kept. *)
Definition digits : Z := 31415926535897932.
Definition unit : Z := 10 ^ 16.
Definition margin : Z := 602890000000.

Definition far (k : Z) : bool :=
  let r := ((2 * k * digits) mod unit)%Z in (margin <=? r)%Z && (r + 2 * k + margin <=? unit)%Z.

Fixpoint all_far (n : nat) (k : Z) : bool := if n is n'.+1 then far k && all_far n' (Z.succ k) else true.

Lemma all_farP n k j : all_far n k -> (k <= j < k + Z.of_nat n)%Z -> far j.
Proof.
elim: n k => [|n IHn] k; first by lia.
move=> /= /andP[here later] range; have [<- // | ne] := Z.eq_dec k j.
by apply: (IHn _ later); lia.
Qed.

Lemma pi_digits : IZR digits / IZR unit < PI < (IZR digits + 1) / IZR unit.
Proof. by rewrite /digits /unit; split; interval with (i_prec 100). Qed.

Lemma far_apart k N : (0 < k)%Z -> far k -> IZR margin / IZR unit <= Rabs (IZR N - 2 * PI * IZR k).
Proof.
move=> k_gt0; set r := ((2 * k * digits) mod unit)%Z; move=> /andP[/Z.leb_le low /Z.leb_le high].
have k_real : 0 < IZR k by apply: IZR_lt.
have unit_gt0 : 0 < IZR unit by apply: IZR_lt.
have margin_ge0 : 0 <= IZR margin by apply: IZR_le.
have [pi_low pi_high] := pi_digits.
have scaled_low : IZR (2 * k * digits) <= 2 * PI * IZR k * IZR unit.
  rewrite (mult_IZR (2 * k) digits) (mult_IZR 2 k); have : IZR digits <= PI * IZR unit.
    by apply: (Rmult_le_reg_r (/ IZR unit)); [exact: Rinv_0_lt_compat | rewrite Rmult_assoc Rinv_r; lra].
  rewrite (_ : 2 * PI * IZR k * IZR unit = 2 * IZR k * (PI * IZR unit)); last by ring.
  by apply: Rmult_le_compat_l; lra.
have scaled_high : 2 * PI * IZR k * IZR unit <= IZR (2 * k * digits + 2 * k).
  rewrite plus_IZR (mult_IZR (2 * k) digits) (mult_IZR 2 k); have : PI * IZR unit <= IZR digits + 1.
    by apply: (Rmult_le_reg_r (/ IZR unit)); [exact: Rinv_0_lt_compat | rewrite Rmult_assoc Rinv_r; lra].
  rewrite (_ : 2 * PI * IZR k * IZR unit = 2 * IZR k * (PI * IZR unit)); last by ring.
  rewrite (_ : 2 * IZR k * IZR digits + 2 * IZR k = 2 * IZR k * (IZR digits + 1)); last by ring.
  by apply: Rmult_le_compat_l; lra.
rewrite -/r in low high; set q := ((2 * k * digits) / unit)%Z.
have split : (2 * k * digits = unit * q + r)%Z by apply: Z.div_mod.
suff : IZR margin <= Rabs (IZR N - 2 * PI * IZR k) * IZR unit.
  move=> wide; apply: (Rmult_le_reg_r (IZR unit)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
rewrite -(Rabs_pos_eq (IZR unit)) -?Rabs_mult; last by lra.
have [le_q | gt_q] := Z_le_gt_dec N q.
  have low_q : (N * unit <= q * unit)%Z by apply: Z.mul_le_mono_nonneg_r.
  have : (N * unit + margin <= 2 * k * digits)%Z by lia.
  by move=> /IZR_le; rewrite plus_IZR (mult_IZR N unit) => beyond; rewrite Rabs_left1; lra.
have high_q : ((q + 1) * unit <= N * unit)%Z by apply: Z.mul_le_mono_nonneg_r => //; lia.
have : (2 * k * digits + 2 * k + margin <= N * unit)%Z by lia.
by move=> /IZR_le; rewrite plus_IZR (mult_IZR N unit) => beyond; rewrite Rabs_pos_eq; lra.
Qed.

Lemma far_below : all_far 112 1.
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma far_above : all_far (Z.to_nat 16437) 114.
Proof.
(* Every (N, k) is x (710, 113) + y (103993, 16551), whose distances have opposite signs: with 113 < k < 16551 either
   x and y have too, and the distances add up, or x is at least 2. *)
have apart (N k : Z) : (114 <= k <= 16550)%Z -> (margin + 2 * 16550 <= Z.abs (N * unit - 2 * k * digits))%Z.
  pose x := (16551 * N - 103993 * k)%Z; pose y := (710 * k - 113 * N)%Z; rewrite /margin.
  have -> : (N * unit - 2 * k * digits = x * (710 * unit - 226 * digits) - y * (33102 * digits - 103993 * unit))%Z.
    by rewrite /x /y; ring.
  have kE : (k = 113 * x + 16551 * y)%Z by rewrite /x /y; ring.
  rewrite -[(710 * unit - _)%Z]/602887067368%Z -[(33102 * _ - _)%Z]/191293345064%Z.
  move: x y kE => x y -> k_range; have sign : (y < 0 \/ y = 0 \/ 0 < y)%Z by lia.
  by case: sign => [|[|]]; lia.
have far_k (k : Z) : (114 <= k <= 16550)%Z -> far k.
  move=> k_range; rewrite /far; set r := (_ mod unit)%Z; set q := ((2 * k * digits) / unit)%Z.
  have split : (2 * k * digits = unit * q + r)%Z by exact: Z.div_mod.
  have [r_ge0 r_lt] : (0 <= r < unit)%Z by exact: Z.mod_pos_bound.
  have := apart q k k_range; have := apart (q + 1)%Z k k_range => above below.
  by apply/andP; split; apply/Z.leb_le; lia.
have far_from n (k : Z) : (114 <= k)%Z -> (k + Z.of_nat n <= 16551)%Z -> all_far n k.
  by elim: n k => [//|n IHn] k k_ge k_le; apply/andP; split; [apply: far_k | apply: IHn]; lia.
by apply: far_from; [ | rewrite Z2Nat.id].
Qed.

Lemma others_apart (N k : Z) : (0 < N < 103993)%Z -> N <> 710%Z ->
  6.0289 / 10 ^ 5 <= Rabs (IZR N - 2 * PI * IZR k).
Proof.
move=> [N_gt0 N_lt] N_ne; have := IZR_le 1 N ltac:(lia); have := IZR_le N 103992 ltac:(lia) => N_le N_ge.
have [pi_low pi_high] : 3.1415926 < PI < 3.1415927 by split; interval with (i_prec 60).
have [k_le0 | k_gt0] := Z_le_gt_dec k 0.
  by have := IZR_le _ _ k_le0 => k_real; rewrite Rabs_pos_eq; nra.
have [k_big | k_le] := Z_le_gt_dec 16551 k.
  by have := IZR_le _ _ k_big => k_real; rewrite Rabs_left1; nra.
have [k_eq | k_ne] := Z.eq_dec k 113.
  rewrite k_eq; have [le_709 | gt_710] : (N <= 709)%Z \/ (711 <= N)%Z by lia.
    by have := IZR_le _ _ le_709 => ?; rewrite Rabs_left1; lra.
  by have := IZR_le _ _ gt_710 => ?; rewrite Rabs_pos_eq; lra.
have k_far : far k.
  have [k_low | k_high] : (k <= 112)%Z \/ (114 <= k)%Z by lia.
    by apply: (all_farP far_below); rewrite [Z.of_nat _]/=; lia.
  by apply: (all_farP far_above); rewrite Z2Nat.id; lia.
have k_pos : (0 < k)%Z by lia.
have := far_apart N k_pos k_far; rewrite /margin /unit.
by apply: Rle_trans; rewrite -[(10 ^ 16)%Z]/(10000000000000000)%Z; lra.
Qed.

Lemma near_710 : 6.0288 / 10 ^ 5 < Rabs (710 - 2 * PI * 113) < 6.0289 / 10 ^ 5.
Proof. by split; interval with (i_prec 80). Qed.

(** heads.irrational-turn: For a rational g ≠ 0, n·g is a multiple of 2π for no integer n but 0; for
    g = p/q, |n·g − 2πk| ≥ 6·10^(−5)/q for all integers k and n with 0 < n·p < 103993. Of the
    integers from 1 to 103992, 710 is nearest to a multiple of 2π. *)
Theorem heads_irrational_turn :
  (forall p q n k : Z, p <> 0%Z -> q <> 0%Z -> IZR n * (IZR p / IZR q) = 2 * PI * IZR k -> n = 0%Z) /\
  (forall p q n k : Z, (0 < q)%Z -> (0 < n * p < 103993)%Z ->
     6 / 10 ^ 5 / IZR q <= Rabs (IZR n * (IZR p / IZR q) - 2 * PI * IZR k)) /\
  (forall N k : Z, (0 < N < 103993)%Z -> N <> 710%Z ->
     Rabs (710 - 2 * PI * 113) < Rabs (IZR N - 2 * PI * IZR k)).
Proof.
split=> [p q n k p_ne0 q_ne0 turn | ].
  have q_real : IZR q <> 0 by apply: not_0_IZR.
  have turns : IZR (n * p) = IZR q * (2 * PI * IZR k) by rewrite mult_IZR -turn; field.
  have k_0 := rational_turn _ _ _ q_ne0 turns.
  by move: turns; rewrite k_0 Rmult_0_r Rmult_0_r => /eq_IZR; nia.
split=> [p q n k q_gt0 range | N k range N_ne].
  have q_real : 0 < IZR q by apply: IZR_lt.
  have -> : IZR n * (IZR p / IZR q) - 2 * PI * IZR k = (IZR (n * p) - 2 * PI * IZR (q * k)) / IZR q.
    by rewrite !mult_IZR; field; lra.
  rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ _)); last exact/Rlt_le/Rinv_0_lt_compat.
  apply: Rmult_le_compat_r; first exact/Rlt_le/Rinv_0_lt_compat.
  have [eq_710 | ne_710] := Z.eq_dec (n * p) 710; last first.
    by apply: Rle_trans (others_apart (q * k) range ne_710); lra.
  rewrite eq_710; have [k_eq | k_ne] := Z.eq_dec (q * k) 113.
    by rewrite k_eq; have [near _] := near_710; lra.
  have [pi_low pi_high] : 3.1415926 < PI < 3.1415927 by split; interval with (i_prec 60).
  have [low | high] : (q * k <= 112)%Z \/ (114 <= q * k)%Z by lia.
    by have := IZR_le _ _ low => ?; rewrite Rabs_pos_eq; nra.
  by have := IZR_le _ _ high => ?; rewrite Rabs_left1; nra.
by apply: Rlt_le_trans (others_apart k range N_ne); have [] := near_710.
Qed.

(** ** A score that singles out a distance *)

Lemma cos_lt_1 (n : Z) : n <> 0%Z -> cos (IZR n) < 1.
Proof.
move=> n_ne0; have [_ cos_le] := COS_bound (IZR n); case: cos_le => // cos_1; case: n_ne0.
have sin_0 : sin (IZR n / 2) = 0.
  have := cos_2a_sin (IZR n / 2); rewrite (_ : 2 * (IZR n / 2) = IZR n); last by field.
  by rewrite cos_1; nra.
have [k half] := sin_eq_0_0 _ sin_0.
by apply: (integer_turn n k); lra.
Qed.

Lemma dot_rotation_pair a b (x : 'cV[R]_2) : dot (rotation a *m x) (rotation b *m x) = norm2 x * cos (a - b).
Proof.
have -> : x = col2 (x (bit false) ord0) (x (bit true) ord0).
  by apply: rows2P => c j; rewrite (ord1 j) col2E; case: c.
by rewrite /norm2 !mx22_col2 !dot_col2 cos_minus; ring.
Qed.

(** decay.any-distance: For every q and integer r the key k = R(r)q has at distance s = m − n the
    score Σ_i |q_i|²·cos((s − r)θ_i), for all positions and frequencies, which is largest at s = r;
    if the pair of frequency θ_0 = 1 of q is not zero, it is largest there alone among the integers. *)
Theorem decay_any_distance (h : nat) (omega : nat -> R) (q : 'cV[R]_(h.*2)) (r : Z) :
  let k := rotary omega q (IZR r) in
  let score m n := dot (rotary omega q m) (rotary omega k n) in
  (forall m n : R, score m n = \rsum_(i < h) (norm2 (pair_of q i) * cos ((m - n - IZR r) * omega i))) /\
  (forall m n m' n' : R, m - n = IZR r -> score m' n' <= score m n) /\
  (forall i0 : 'I_h, omega i0 = 1 -> pair_of q i0 <> zeroR ->
     forall m n : R, m - n = IZR r -> forall m' n' : Z, (m' - n')%Z <> r ->
     score (IZR m') (IZR n') < score m n).
Proof.
move=> k score; have scoreE m n :
    score m n = \rsum_(i < h) (norm2 (pair_of q i) * cos ((m - n - IZR r) * omega i)).
  rewrite /score /k /rotary mulR_A rotary_matrix_mul dot_pairs; apply: eq_bigr => i _.
  by rewrite !pair_of_block_diag dot_rotation_pair; congr (_ * cos _); ring.
have bestE m n : m - n = IZR r -> score m n = \rsum_(i < h) norm2 (pair_of q i).
  move=> at_r; rewrite scoreE; apply: eq_bigr => i _.
  by rewrite at_r Rminus_diag_eq // R_mul0 cos_0 Rmult_1_r.
have term m n (i : 'I_h) :
    norm2 (pair_of q i) * cos ((m - n - IZR r) * omega i) <= norm2 (pair_of q i).
  by have := norm2_ge0 (pair_of q i); have [_] := COS_bound ((m - n - IZR r) * omega i); nra.
split=> //; split=> [m n m' n' at_r | i0 omega_1 pair_ne0 m n at_r m' n' away].
  by rewrite (bestE m n at_r) scoreE; apply: rsum_le.
rewrite (bestE m n at_r) scoreE (bigD1 i0) //= [X in _ < X](bigD1 i0) //=.
apply: Rplus_lt_le_compat; last first.
  by apply: (big_ind2 Rle) => //; [exact: Rle_refl | exact: Rplus_le_compat].
have norm_gt0 : 0 < norm2 (pair_of q i0).
  by case: (norm2_ge0 (pair_of q i0)) => // /esym/norm2_eq0.
rewrite omega_1 Rmult_1_r -!minus_IZR.
have : cos (IZR (m' - n' - r)) < 1 by apply: cos_lt_1; lia.
by nra.
Qed.
