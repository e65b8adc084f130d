(** * Heads and tails: entries of a binary64 table that the fast test accepts

  What is claimed.  For a binary64 table the traced kernel multiplies points whose parts are a head, a multiple of a grid, and
  a tail: products of heads and their sum are exact, and the tails are added in binary64.  If the ends H + (T - e) and
  H + (T + e) round to one number, that is the rounding of the exact entry: with a fused multiply-add or without.

  Dictionary (w = 2^-53, η = 2^-1074; P = 2^k, a power of two that is not below the amplitude):
  - [head k x] == x is a multiple m 2^(k - 26) with |m| <= 2^26: a part's head on the grid of P;
  - [ends_of_binary64], [head_and_tail] == traces (RoundingTraces.v);
  - [enough_tails k δ e] == (1 + 8w)(δ + 18.2·2^(k - 80) + 11η) <= e.

  Main results: [rounding_trace_heads], the exact sum; [rounding_trace_ends_of_binary64]; [rounding_trace_head_and_tail].

  Assumes: nothing overflows or leaves the range of heads (k >= -1022); a bound δ on what else the factors leave open. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingTrace RoundingTraces RoundingDouble RoundingAccepted.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).
Local Notation float := (is_float binary64).
Local Notation eta64 := (eta binary64).
Local Notation w := (/ 9007199254740992).

(** ** Heads *)

Definition head (k : Z) (x : R) : Prop := exists m : Z, x = IZR m * bpow radix2 (k - 26) /\ (Z.abs m <= 2 ^ 26)%Z.

Lemma whole_float (m e : Z) : (Z.abs m <= 2 ^ 53)%Z -> (- 1074 <= e)%Z -> float (IZR m * bpow radix2 e).
Proof.
move=> m_le e_ge; case: (Z.eq_dec (Z.abs m) (2 ^ 53)) => [m_eq|m_neq].
  have power : float (bpow radix2 (53 + e)) by apply: bpow_float; change (- 1074 <= 53 + e)%Z; lia.
  have [->|->] : m = (2 ^ 53)%Z \/ m = (- 2 ^ 53)%Z by lia.
    by rewrite -[IZR _]/(bpow radix2 53) -bpow_plus.
  rewrite opp_IZR Ropp_mult_distr_l_reverse; apply: is_float_opp.
  by rewrite -[IZR _]/(bpow radix2 53) -bpow_plus.
apply: generic_format_FLT; exists (Float radix2 m e) => //.
by change (Z.abs m < 2 ^ 53)%Z; lia.
Qed.

Section Heads.
Variable k : Z.
Hypothesis k_ge : (- 1022 <= k)%Z.

Lemma heads_product x y : head k x -> head 0 y ->
  exists m, x * y = IZR m * bpow radix2 (k - 52) /\ (Z.abs m <= 2 ^ 52)%Z.
Proof.
move=> [m [-> m_le]] [n [-> n_le]]; exists (m * n)%Z; split.
  by rewrite mult_IZR (_ : k - 52 = k - 26 + (0 - 26))%Z ?bpow_plus; [ring | lia].
by rewrite Z.abs_mul (_ : 2 ^ 52 = 2 ^ 26 * 2 ^ 26)%Z //; apply: Z.mul_le_mono_nonneg; lia.
Qed.

(** rounding.trace-heads: the sum of two products of heads is exact, fused or not. *)
Theorem rounding_trace_heads (fused : bool) (x y z t : R) : head k x -> head 0 y -> head k z -> head 0 t ->
  real_multiply_add fused x y (fl64 (z * t)) = x * y + z * t.
Proof.
move=> x_head y_head z_head t_head.
have [m [xy m_le]] := heads_product x y x_head y_head.
have [n [zt n_le]] := heads_product z t z_head t_head.
have xy_float : float (x * y) by rewrite xy; apply: whole_float; lia.
have zt_float : float (z * t) by rewrite zt; apply: whole_float; lia.
have sum_float : float (x * y + z * t).
  by rewrite xy zt -Rmult_plus_distr_r -plus_IZR; apply: whole_float; lia.
by rewrite /real_multiply_add; case: fused; rewrite !fl_exact // fl_exact.
Qed.

End Heads.

(** ** Tails *)

Section Tails.
Variable fused : bool.
Variables x1 y1 x2 y2 x3 y3 x4 y4 e Q : R.
Hypothesis e_float : float e.
Hypothesis e_ge0 : 0 <= e.
Hypothesis Q1 : Rabs (x1 * y1) <= Q.
Hypothesis Q2 : Rabs (x2 * y2) <= Q.
Hypothesis Q3 : Rabs (x3 * y3) <= Q.
Hypothesis Q4 : Rabs (x4 * y4) <= Q.
Let ma := real_multiply_add fused.
Let tail : R := ma x4 y4 (ma x3 y3 (ma x2 y2 (ma x1 y1 (- e)))).
Let above : R := fl64 (tail + 2 * e).

Lemma tails_around (rest delta : R) : Rabs (x1 * y1 + x2 * y2 + x3 * y3 + x4 * y4 - rest) <= delta ->
  (1 + 8 * w) * (delta + 181 / 10 * w * Q + 11 * eta64) <= e -> tail <= rest <= above.
Proof.
move=> near e_ge; have eta_gt0 := eta_pos binary64; have Q_ge0 := Rle_trans _ _ _ (Rabs_pos _) Q1.
have float_ma x y z : float (ma x y z) by exact: multiply_add_float.
have step x y z : float z -> Rabs (x * y) <= Q ->
    Rabs (ma x y z - (x * y + z)) <= w * (2 + w) * Q + w * Rabs z + 2 * eta64.
  move=> z_float xy_le; apply: Rle_trans (multiply_add_near fused x y z z_float) _.
  have slope_ge0 : 0 <= w * (2 + w) by lra.
  by have := Rmult_le_compat_l _ _ _ slope_ge0 xy_le; lra.
have grow x y z s B : Rabs (ma x y z - (x * y + z)) <= w * (2 + w) * Q + w * B + 2 * eta64 ->
    Rabs (x * y) <= Q -> Rabs z <= B -> s = ma x y z -> Rabs s <= (1 + 3 * w) * Q + (1 + w) * B + 2 * eta64.
  by move=> ma_near xy_le z_le ->; move: ma_near xy_le z_le; absolutely.
have less_float : float (- e) by exact: is_float_opp.
have n1 := step x1 y1 (- e) less_float Q1; rewrite Rabs_Ropp (Rabs_pos_eq e) // in n1.
have b1 := grow x1 y1 (- e) _ e n1 Q1 ltac:(rewrite Rabs_Ropp Rabs_pos_eq; lra) erefl.
set r1 := ma x1 y1 (- e) in n1 b1 *.
have n2 := step x2 y2 r1 (float_ma _ _ _) Q2.
set B1 := (1 + 3 * w) * Q + (1 + w) * e + 2 * eta64 in b1.
have m2 : Rabs (ma x2 y2 r1 - (x2 * y2 + r1)) <= w * (2 + w) * Q + w * B1 + 2 * eta64 by lra.
have b2 := grow x2 y2 r1 _ B1 m2 Q2 b1 erefl.
set r2 := ma x2 y2 r1 in n2 m2 b2 *; set B2 := _ + (1 + w) * B1 + _ in b2.
have n3 := step x3 y3 r2 (float_ma _ _ _) Q3.
have m3 : Rabs (ma x3 y3 r2 - (x3 * y3 + r2)) <= w * (2 + w) * Q + w * B2 + 2 * eta64 by lra.
have b3 := grow x3 y3 r2 _ B2 m3 Q3 b2 erefl.
set r3 := ma x3 y3 r2 in n3 m3 b3 *; set B3 := _ + (1 + w) * B2 + _ in b3.
have n4 := step x4 y4 r3 (float_ma _ _ _) Q4.
have m4 : Rabs (ma x4 y4 r3 - (x4 * y4 + r3)) <= w * (2 + w) * Q + w * B3 + 2 * eta64 by lra.
have b4 := grow x4 y4 r3 _ B3 m4 Q4 b3 erefl.
have tail_eq : tail = ma x4 y4 r3 by [].
rewrite -tail_eq in m4 b4.
have tail_near : Rabs (tail - (x1 * y1 + x2 * y2 + x3 * y3 + x4 * y4 - e)) <= 1401 / 100 * w * Q + 401 / 100 * w * e + 9 * eta64.
  by move: n1 m2 m3 m4; rewrite /B3 /B2 /B1; absolutely.
have tail_float : float tail by exact: float_ma.
have last := addition_relative binary64 tail (2 * e) tail_float (twice_float e e_float); rewrite -/above in last.
have v_le := v_le_u binary64; rewrite unit_value in v_le; have v_gt0 := v_pos binary64.
have size : Rabs (tail + 2 * e) <= 401 / 100 * Q + 101 / 100 * e + 9 * eta64.
  by move: tail_near Q1 Q2 Q3 Q4; absolutely.
have above_near : Rabs (above - (tail + 2 * e)) <= w * (401 / 100 * Q + 101 / 100 * e + 9 * eta64).
  by apply: Rle_trans last _; apply: Rmult_le_compat => //; [exact: Rlt_le | exact: Rabs_pos].
move: near tail_near above_near => /Rabs_le_inv [near1 near2] /Rabs_le_inv [low1 low2] /Rabs_le_inv [high1 high2].
by split; lra.
Qed.

End Tails.

(** ** The head and the tail of a part *)

Lemma multiple_float x e : float x -> bpow radix2 e <= Rabs x -> exists n : Z, x = IZR n * bpow radix2 (e - 52).
Proof.
move=> x_float large; set c := cexp radix2 (FLT_exp (emin binary64) (precision binary64)) x.
have c_ge : (e - 52 <= c)%Z.
  have := mag_ge_bpow radix2 x (e + 1); rewrite (_ : e + 1 - 1 = e)%Z; last by lia.
  move=> /(_ large); rewrite /c /cexp /FLT_exp; change (precision binary64) with 53%Z; lia.
exists (Ztrunc (scaled_mantissa radix2 (FLT_exp (emin binary64) (precision binary64)) x) * 2 ^ (c - (e - 52)))%Z.
have power : IZR (2 ^ (c - (e - 52))) = bpow radix2 (c - (e - 52)) by rewrite -(IZR_Zpower radix2) //; lia.
rewrite mult_IZR power Rmult_assoc -bpow_plus (_ : c - (e - 52) + (e - 52) = c)%Z; last by lia.
exact: x_float.
Qed.

(** rounding.trace-head-and-tail: a part high + low of magnitude at most 2^k, with |low| <= w 2^k, has a head on the grid of 2^k
    and a tail of at most 1.001·2^(k - 27), which together are within 1.001 w 2^(k - 27) of it. *)
Theorem rounding_trace_head_and_tail (fused : bool) (k : Z) (high low : R) : (- 1022 <= k)%Z ->
  float high -> Rabs high <= bpow radix2 k -> float low -> Rabs low <= w * bpow radix2 k ->
  exists h t, head_and_tail (reals fused) high low (3 * bpow radix2 (k + 25)) = [:: h; t] /\
    head k h /\ Rabs t <= 1001 / 1000 * bpow radix2 (k - 27) /\
    Rabs (h + t - (high + low)) <= w * (1001 / 1000 * bpow radix2 (k - 27)).
Proof.
move=> k_ge high_float high_le low_float low_le; set shift := 3 * bpow radix2 (k + 25).
have power n m : (n + m = k)%Z -> bpow radix2 k = bpow radix2 n * bpow radix2 m by move=> <-; rewrite bpow_plus.
set g := bpow radix2 (k - 26); have g_gt0 : 0 < g by exact: bpow_gt_0.
have P_eq : bpow radix2 k = 67108864 * g by rewrite (power 26%Z (k - 26)%Z) //; lia.
have half_eq : bpow radix2 (k - 27) = g / 2.
  rewrite (_ : k - 27 = - 1 + (k - 26))%Z ?(bpow_plus radix2 (- 1) (k - 26)); last by lia.
  by change (bpow radix2 (- 1)) with (/ 2); rewrite -/g; lra.
have shift_eq : shift = IZR (3 * 2 ^ 51) * g.
  rewrite /shift (_ : k + 25 = 51 + (k - 26))%Z ?(bpow_plus radix2 51 (k - 26)); last by lia.
  by change (bpow radix2 51) with (IZR (2 ^ 51)); rewrite mult_IZR -/g; ring.
have g_ge : (- 1074 <= k - 26)%Z by lia.
have shift_float : float shift.
  rewrite /shift; apply: (whole_float 3) => //; lia.
have shift_large : IZR (3 * 2 ^ 51) = 6755399441055744 by [].
move: high_le low_le => /Rabs_le_inv [high1 high2] /Rabs_le_inv [low1 low2].
rewrite P_eq in high1 high2 low1 low2.
have near := rounding_half_spacing binary64 (high + shift).
have size : Rabs (high + shift) <= bpow radix2 (k + 27).
  rewrite (_ : k + 27 = 53 + (k - 26))%Z ?(bpow_plus radix2 (53) (k - 26)); last by lia.
  change (bpow radix2 53) with 9007199254740992; rewrite -/g; apply: Rabs_le; rewrite shift_eq shift_large; lra.
have fine : spacing binary64 (high + shift) <= g.
  apply: Rle_trans (spacing_le_bpow binary64 _ _ size) _; apply: bpow_le.
  by change (Z.max (k + 27 - 53) (- 1074) <= k - 26)%Z; lia.
set s := fl64 (high + shift) in near.
have s_near : Rabs (s - (high + shift)) <= g / 2 by lra.
have s_large : bpow radix2 (k + 26) <= Rabs s.
  rewrite (_ : k + 26 = 52 + (k - 26))%Z ?(bpow_plus radix2 52 (k - 26)); last by lia.
  change (bpow radix2 52) with 4503599627370496; rewrite -/g; apply: Rle_trans (Rle_abs _).
  by move: s_near => /Rabs_le_inv []; rewrite shift_eq shift_large; lra.
have [n s_eq] := multiple_float s (k + 26) (fl_float _ _) s_large.
rewrite (_ : k + 26 - 52 = k - 26)%Z in s_eq; last by lia.
rewrite -/g in s_eq.
set h := s - shift.
have h_eq : h = IZR (n - 3 * 2 ^ 51) * g by rewrite /h s_eq shift_eq minus_IZR; ring.
have h_near : Rabs (h - high) <= g / 2.
  by rewrite (_ : h - high = s - (high + shift)) //; rewrite /h; ring.
have m_le : (Z.abs (n - 3 * 2 ^ 51) <= 2 ^ 26)%Z.
  set m := (n - 3 * 2 ^ 51)%Z in h_eq *.
  have upper : IZR m < IZR (2 ^ 26 + 1).
    apply: (Rmult_lt_reg_r g) => //; rewrite -h_eq plus_IZR -[IZR (2 ^ 26)]/67108864.
    by move: h_near => /Rabs_le_inv []; lra.
  have lower : IZR (- (2 ^ 26 + 1)) < IZR m.
    apply: (Rmult_lt_reg_r g) => //; rewrite -h_eq opp_IZR plus_IZR -[IZR (2 ^ 26)]/67108864.
    by move: h_near => /Rabs_le_inv []; lra.
  by move: upper lower => /lt_IZR upper /lt_IZR lower; lia.
have h_float : float h by rewrite h_eq; apply: whole_float => //; lia.
have rest_float : float (high - h).
  rewrite (_ : high - h = sum_error high shift); first exact: sum_error_float.
  by rewrite /sum_error /h /s; ring.
have head_eq : fl64 (s - shift) = h by exact: fl_exact.
exists h, (fl64 (high - h + low)); split; first by rewrite /head_and_tail /= -/s head_eq (fl_exact binary64 (high - h)).
split; first by exists (n - 3 * 2 ^ 51)%Z.
have last := addition_relative binary64 (high - h) low rest_float low_float.
have v_le := v_le_u binary64; rewrite unit_value in v_le; have v_gt0 := v_pos binary64.
have sum_le : Rabs (high - h + low) <= g / 2 + w * (67108864 * g).
  by move: h_near => /Rabs_le_inv [? ?]; apply: Rabs_le; lra.
have error : Rabs (fl64 (high - h + low) - (high - h + low)) <= w * (g / 2 + w * (67108864 * g)).
  by apply: Rle_trans last _; apply: Rmult_le_compat => //; [exact: Rlt_le | exact: Rabs_pos].
rewrite half_eq; split; first by move: sum_le error; absolutely.
rewrite (_ : h + fl64 (high - h + low) - (high + low) = fl64 (high - h + low) - (high - h + low)); last by ring.
by apply: Rle_trans error _; lra.
Qed.

(** ** Both ends *)

Definition enough_tails (k : Z) (delta e : R) : Prop :=
  (1 + 8 * w) * (delta + 182 / 10 * bpow radix2 (k - 80) + 11 * eta64) <= e.

(** Where H is exact, a sum that rounds alike at both ends of the rest rounds so between them. *)
Lemma between_sums (H low rest high : R) : low <= rest <= high -> fl64 (H + low) = fl64 (H + high) ->
  fl64 (H + rest) = fl64 (H + low).
Proof. by move=> [above below] alike; apply: (between binary64 _ (H + high)) => //; lra. Qed.

(** rounding.trace-ends-of-binary64: heads on their grids, products of a tail with a part at most 1.001·2^(k - 27) each, and e
    as large as [enough_tails] asks of what else is open: where both ends of the traced kernel are one number, it is the rounding of
    the exact sine; the same of the cosine. *)
Theorem rounding_trace_ends_of_binary64 (fused : bool) (k : Z)
    (ch1 ct1 sh1 st1 c1 s1 ch2 ct2 sh2 st2 e sine cosine delta : R) :
  (- 1022 <= k)%Z -> head k ch1 -> head k sh1 -> head 0 ch2 -> head 0 sh2 -> float e -> 0 <= e ->
  let Q := 1001 / 1000 * bpow radix2 (k - 27) in
  Rabs (st1 * ch2) <= Q -> Rabs (ct1 * sh2) <= Q -> Rabs (s1 * ct2) <= Q -> Rabs (c1 * st2) <= Q ->
  Rabs (ct1 * ch2) <= Q -> Rabs (st1 * sh2) <= Q -> Rabs (c1 * ct2) <= Q -> Rabs (s1 * st2) <= Q ->
  Rabs (ch1 * sh2 + sh1 * ch2 + (st1 * ch2 + ct1 * sh2 + s1 * ct2 + c1 * st2) - sine) <= delta ->
  Rabs (ch1 * ch2 - sh1 * sh2 + (ct1 * ch2 - st1 * sh2 + c1 * ct2 - s1 * st2) - cosine) <= delta ->
  enough_tails k delta e ->
  exists s s' c c', ends_of_binary64 (reals fused) ch1 ct1 sh1 st1 c1 s1 ch2 ct2 sh2 st2 (- e) (2 * e) = [:: s; s'; c; c'] /\
    (s = s' -> fl64 sine = s) /\ (c = c' -> fl64 cosine = c).
Proof.
move=> k_ge ch1_head sh1_head ch2_head sh2_head e_float e_ge0 Q q1 q2 q3 q4 q5 q6 q7 q8 sine_near cosine_near e_ge.
have asked : (1 + 8 * w) * (delta + 181 / 10 * w * Q + 11 * eta64) <= e.
  apply: Rle_trans e_ge; have -> : bpow radix2 (k - 80) = w * bpow radix2 (k - 27).
    by rewrite (_ : k - 80 = - 53 + (k - 27))%Z ?(bpow_plus radix2 (- 53) (k - 27)); [rewrite -unit_value | lia].
  by rewrite /Q; have := bpow_gt_0 radix2 (k - 27); lra.
do 4! eexists; split; first by reflexivity.
have opposite x y : Rabs (- x * y) = Rabs (x * y) by rewrite (_ : - x * y = - (x * y)) ?Rabs_Ropp //; ring.
have sh1_opposite : head k (- sh1).
  by case: sh1_head => m [-> m_le]; exists (- m)%Z; split; [rewrite opp_IZR; ring | rewrite Z.abs_opp].
split; rewrite /=.
  rewrite (rounding_trace_heads k k_ge fused ch1 sh2 sh1 ch2) //; set H := ch1 * sh2 + sh1 * ch2.
  have -> : sine = H + (sine - H) by ring.
  apply: between_sums; apply: (tails_around fused st1 ch2 ct1 sh2 s1 ct2 c1 st2 e Q e_float e_ge0 q1 q2 q3 q4 _ delta) => //.
  by rewrite (_ : _ - (sine - H) = H + (st1 * ch2 + ct1 * sh2 + s1 * ct2 + c1 * st2) - sine) //; ring.
rewrite (rounding_trace_heads k k_ge fused (- sh1) sh2 ch1 ch2) //; set H := - sh1 * sh2 + ch1 * ch2.
have -> : cosine = H + (cosine - H) by ring.
apply: between_sums.
apply: (tails_around fused ct1 ch2 (- st1) sh2 c1 ct2 (- s1) st2 e Q e_float e_ge0 q5 _ q7 _ _ delta) => //; rewrite ?opposite //.
by rewrite (_ : _ - (cosine - H) = ch1 * ch2 - sh1 * sh2 + (ct1 * ch2 - st1 * sh2 + c1 * ct2 - s1 * st2) - cosine) //; rewrite /H; ring.
Qed.

(** rounding.trace-tail-error: the e that the program takes, the rounding of 25·2^-80 P + factors, is as large as
    rounding.trace-ends-of-binary64 asks for δ = 6·2^(k - 80) + E: two for parts taken as single numbers, four for the rounding of
    tails, and what the factors' errors come to, with a margin of 2^-29. *)
Theorem rounding_trace_tail_error (fused : bool) (k : Z) (E factors : R) :
  (- 900 <= k)%Z -> 0 <= E -> E <= bpow radix2 (k - 60) -> (1 + / 536870912) * E + bpow radix2 (- 1060) <= factors ->
  exists e, tail_error (reals fused) (bpow radix2 k) factors = [:: e] /\ float e /\
    enough_tails k (6 * bpow radix2 (k - 80) + E) e.
Proof.
move=> k_ge E_ge0 E_le factors_ge; eexists; split; first by reflexivity.
split; first exact: fl_float.
have eta_gt0 := eta_pos binary64; rewrite /enough_tails /=.
have tiny : bpow radix2 (- 1060) = 16384 * eta64 by rewrite eta_value -[16384]/(bpow radix2 14) -bpow_plus.
rewrite tiny in factors_ge; set U := bpow radix2 (k - 80) in E_le *.
have U_gt0 : 0 < U by exact: bpow_gt_0.
have E_small : E <= 1048576 * U.
  apply: Rle_trans E_le _; right; rewrite (_ : k - 60 = 20 + (k - 80))%Z ?(bpow_plus radix2 20 (k - 80)) //; lia.
have -> : fl64 (25 * / IZR (Z.pow_pos 2 80)) = 25 * bpow radix2 (- 80).
  apply: fl_exact; exact: (whole_float 25 (- 80)).
have -> : 25 * bpow radix2 (- 80) * bpow radix2 k = 25 * U.
  by rewrite Rmult_assoc -bpow_plus; congr (25 * bpow radix2 _); lia.
have -> : fl64 (25 * U) = 25 * U by apply: fl_exact; apply: (whole_float 25) => //; lia.
have sum_ge0 : 0 <= 25 * U + factors by lra.
have [standard _] := rounding_standard_model binary64 (25 * U + factors); have v_le := v_le_u binary64.
rewrite unit_value in v_le; rewrite (Rabs_pos_eq _ sum_ge0) in standard.
have scaled := Rmult_le_compat_r _ _ _ sum_ge0 v_le.
by move: standard => /Rabs_le_inv []; lra.
Qed.
