(** * Entries of a table that the fast test accepts are correctly rounded

  What is claimed.  For an entry of a binary32 table the traced kernel computes, in binary64, a number below the exact entry
  and one above it, and rounds both to binary32.  If both roundings are one number, that is the rounding of the exact entry,
  ties included: with a fused multiply-add or without.

  Dictionary (w = 2^-53, η = 2^-1074):
  - [ends_of_binary32 c1 s1 c2 s2 less_s twice_s less_c twice_c] == the trace (RoundingTraces.v): both ends of the sine
    s1 c2 + c1 s2 and of the cosine c1 c2 - s1 s2, moved by less = -e and by twice = 2e;
  - [enough δ M e] == (1 + 4w)(δ + (402/100) w M + 6η) <= e, for what the factors leave open (δ) and the sum M of the
    magnitudes of the two terms.

  Main results: [rounding_trace_ends_of_binary32]; [rounding_trace_turned_anchor], by which the factor (c1, s1), itself a
  product, is bounded; and [rounding_trace_errors], the e that the program takes.

  Assumes: nothing overflows; a bound δ on what the factors' errors come to. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingPlane RoundingRope RoundingTrace RoundingTraces RoundingTraced.
From Posproof Require Import RoundingDouble.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).
Local Notation float := (is_float binary64).
Local Notation eta64 := (eta binary64).
Local Notation w := (/ 9007199254740992).

Definition enough (delta M e : R) : Prop := (1 + 4 * w) * (delta + 402 / 100 * w * M + 6 * eta64) <= e.

(** ** One multiplication and addition *)

Lemma multiply_add_near (fused : bool) (x y z : R) : float z ->
  Rabs (real_multiply_add fused x y z - (x * y + z)) <= w * (2 + w) * Rabs (x * y) + w * Rabs z + 2 * eta64.
Proof.
move=> z_float; have eta_gt0 := eta_pos binary64; have v_gt0 := v_pos binary64.
have v_le := v_le_u binary64; rewrite unit_value in v_le.
have xy_ge0 := Rabs_pos (x * y); have z_ge0 := Rabs_pos z.
rewrite /real_multiply_add; case: fused.
  have [near _] := rounding_standard_model binary64 (x * y + z).
  have size := Rmult_le_compat _ _ _ _ (Rlt_le _ _ v_gt0) (Rabs_pos _) v_le (Rabs_triang (x * y) z).
  by lra.
have [near _] := rounding_standard_model binary64 (x * y); set p := fl64 (x * y) in near *.
have sum := addition_relative binary64 p z (fl_float _ _) z_float.
have p_near : Rabs (p - x * y) <= w * Rabs (x * y) + eta64.
  by have := Rmult_le_compat_r _ _ _ xy_ge0 v_le; lra.
have p_le : Rabs (p + z) <= (1 + w) * Rabs (x * y) + eta64 + Rabs z.
  have := Rabs_triang p z; have := Rabs_by_diff p (x * y); lra.
have sum_le : Rabs (fl64 (p + z) - (p + z)) <= w * ((1 + w) * Rabs (x * y) + eta64 + Rabs z).
  apply: Rle_trans sum _; apply: Rmult_le_compat => //; [exact: Rlt_le | exact: Rabs_pos].
by move: p_near sum_le; absolutely.
Qed.

Lemma twice_float e : float e -> float (2 * e).
Proof.
move=> /FLT_format_generic [f -> small deep]; apply: generic_format_FLT.
exists (Float radix2 (Fnum f) (Fexp f + 1)) => //=; last by lia.
by rewrite /F2R /= bpow_plus; change (bpow radix2 1) with 2; ring.
Qed.

(** ** Both ends *)

Section Ends.
Variable fused : bool.
Variables x y z t e : R.
Hypothesis e_float : float e.
Hypothesis e_ge0 : 0 <= e.
Let low : R := real_multiply_add fused x y (real_multiply_add fused z t (- e)).
Let high : R := fl64 (low + 2 * e).

Lemma ends_around (exact delta M : R) : Rabs (x * y + z * t - exact) <= delta -> Rabs (x * y) + Rabs (z * t) <= M ->
  enough delta M e -> low <= exact <= high.
Proof.
move=> near M_ge; rewrite /enough => e_ge.
have eta_gt0 := eta_pos binary64; have delta_ge0 := Rle_trans _ _ _ (Rabs_pos _) near.
have xy_ge0 := Rabs_pos (x * y); have zt_ge0 := Rabs_pos (z * t).
have less_float : float (- e) by exact: is_float_opp.
have first := multiply_add_near fused z t (- e) less_float; rewrite Rabs_Ropp (Rabs_pos_eq e) // in first.
have inner_float := multiply_add_float fused z t (- e).
have second := multiply_add_near fused x y _ inner_float; rewrite -/low in second.
set inner := real_multiply_add fused z t (- e) in first second inner_float.
have inner_le : Rabs inner <= (1 + 3 * w) * Rabs (z * t) + (1 + w) * e + 2 * eta64.
  have size := Rabs_by_diff inner (z * t + - e).
  by have := Rabs_triang (z * t) (- e); rewrite Rabs_Ropp (Rabs_pos_eq e) //; lra.
have low_near : Rabs (low - (x * y + z * t - e)) <= 301 / 100 * w * M + 201 / 100 * w * e + 5 * eta64.
  have w_ge0 : 0 <= w by lra.
  have scaled := Rmult_le_compat_l _ _ _ w_ge0 inner_le; move: first second; absolutely.
have low_float : float low by exact: multiply_add_float.
have third := addition_relative binary64 low (2 * e) low_float (twice_float e e_float); rewrite -/high in third.
have v_le := v_le_u binary64; rewrite unit_value in v_le; have v_gt0 := v_pos binary64.
have [t1_above t1_below] := Rabs_le_inv (x * y) (Rabs (x * y)) (Rle_refl _).
have [t2_above t2_below] := Rabs_le_inv (z * t) (Rabs (z * t)) (Rle_refl _).
have high_le : Rabs (low + 2 * e) <= 101 / 100 * M + 101 / 100 * e + 5 * eta64.
  by move: low_near; absolutely.
have high_near : Rabs (high - (low + 2 * e)) <= w * (101 / 100 * M + 101 / 100 * e + 5 * eta64).
  by apply: Rle_trans third _; apply: Rmult_le_compat => //; [exact: Rlt_le | exact: Rabs_pos].
move: near low_near high_near => /Rabs_le_inv [near1 near2] /Rabs_le_inv [low1 low2] /Rabs_le_inv [high1 high2].
by split; lra.
Qed.

(** Rounding is monotone, so that what lies between two ends that round alike rounds alike. *)
Lemma between (F : format) (a b exact : R) : a <= exact <= b -> fl F a = fl F b -> fl F exact = fl F a.
Proof.
move=> [above below] alike; apply: Rle_antisym; last exact: fl_le.
by rewrite alike; exact: fl_le.
Qed.

End Ends.

(** rounding.trace-ends-of-binary32: where both ends of the traced kernel round to one number of binary32, that is the
    rounding of the exact sine, and of the exact cosine, for e as large as [enough] asks. *)
Theorem rounding_trace_ends_of_binary32 (fused : bool) (c1 s1 c2 s2 es ec sine cosine deltas deltac Ms Mc : R) :
  float es -> 0 <= es -> float ec -> 0 <= ec ->
  Rabs (c1 * s2 + s1 * c2 - sine) <= deltas -> Rabs (c1 * s2) + Rabs (s1 * c2) <= Ms -> enough deltas Ms es ->
  Rabs (c1 * c2 - s1 * s2 - cosine) <= deltac -> Rabs (c1 * c2) + Rabs (s1 * s2) <= Mc -> enough deltac Mc ec ->
  exists s s' c c', ends_of_binary32 (reals fused) c1 s1 c2 s2 (- es) (2 * es) (- ec) (2 * ec) = [:: s; s'; c; c'] /\
    (s = s' -> fl binary32 sine = s) /\ (c = c' -> fl binary32 cosine = c).
Proof.
move=> es_float es_ge0 ec_float ec_ge0 s_near Ms_ge es_ge c_near Mc_ge ec_ge.
rewrite /ends_of_binary32 !simulated_rounded; try by have [_ [_ []]] := simulated_formats.
do 4! eexists; split; first by reflexivity.
split; apply: between.
  exact: (ends_around fused c1 s2 s1 c2 es es_float es_ge0 sine deltas Ms).
apply: (ends_around fused c1 c2 (- s1) s2 ec ec_float ec_ge0 cosine deltac Mc) => //.
  by have -> : c1 * c2 + - s1 * s2 - cosine = c1 * c2 - s1 * s2 - cosine by ring.
by rewrite (_ : - s1 * s2 = - (s1 * s2)) ?Rabs_Ropp //; ring.
Qed.

(** ** The factors *)

Lemma part_le_norm a b : Rabs a <= plane_norm a b /\ Rabs b <= plane_norm a b.
Proof.
have one x y : Rabs x <= plane_norm x y.
  apply: square_le; first exact: plane_norm_ge_0.
  by rewrite plane_norm_square -(pow2_abs x); have := pow2_ge_0 y; lra.
by split; [| rewrite plane_norm_swap]; exact: one.
Qed.

(** Products of nearby complex numbers. *)
Lemma products_apart a b c d a0 b0 c0 d0 :
  plane_norm (a * c - b * d - (a0 * c0 - b0 * d0)) (a * d + b * c - (a0 * d0 + b0 * c0))
  <= plane_norm (a - a0) (b - b0) * plane_norm c d + plane_norm a0 b0 * plane_norm (c - c0) (d - d0).
Proof.
rewrite -!plane_norm_product; apply: Rle_trans (plane_norm_triangle _ _ _ _); right.
by congr plane_norm; ring.
Qed.

Lemma norm_by_apart a b a0 b0 : plane_norm a b <= plane_norm a0 b0 + plane_norm (a - a0) (b - b0).
Proof. by apply: Rle_trans (plane_norm_triangle _ _ _ _); right; congr plane_norm; ring. Qed.

(** rounding.trace-turned-anchor: the traced product of two points is within 2√2 w of their lengths' product of the exact
    one. *)
Theorem rounding_trace_turned_anchor (fused : bool) (c1 s1 c2 s2 : R) :
  exists c s, turned_anchor (reals fused) c1 s1 c2 s2 = [:: c; s] /\
    plane_norm (c - (c1 * c2 - s1 * s2)) (s - (c1 * s2 + s1 * c2))
    <= 283 / 100 * w * (plane_norm c1 s1 * plane_norm c2 s2) + 3 * eta64.
Proof.
do 2! eexists; split; first by reflexivity.
have eta_gt0 := eta_pos binary64; have v_le := v_le_u binary64; rewrite unit_value in v_le.
have near x y z t : Rabs (real_multiply_add fused x y (fl64 (z * t)) - (x * y + z * t)) <=
    2 * w * (Rabs (x * y) + Rabs (z * t)) + 2 * eta64.
  have := rounding_two_products binary64 fused x y z t; rewrite unit_value.
  have -> : two_products binary64 fused x y z t = real_multiply_add fused x y (fl64 (z * t)).
    by rewrite /two_products /real_multiply_add; case: fused.
  have : (1 + v binary64) * eta64 <= 2 * eta64 by apply: Rmult_le_compat_r; lra.
  by lra.
have cosine := near (- s1) s2 c1 c2; have sine := near c1 s2 s1 c2.
have cauchy := plane_norm_cauchy c1 s1 c2 s2; have crossed := plane_norm_cauchy c1 s1 s2 c2.
rewrite (plane_norm_swap s2) in crossed.
have opposite : Rabs (- s1 * s2) = Rabs (s1 * s2) by rewrite (_ : - s1 * s2 = - (s1 * s2)) ?Rabs_Ropp //; ring.
rewrite opposite in cosine.
set N := plane_norm c1 s1 * plane_norm c2 s2 in cauchy crossed *.
apply: Rle_trans (plane_norm_box _ _ (2 * w * N + 2 * eta64) _ _) _.
- rewrite (_ : c1 * c2 - s1 * s2 = - s1 * s2 + c1 * c2); last by ring.
  by apply: Rle_trans cosine _; lra.
- by apply: Rle_trans sine _; lra.
have N_ge0 : 0 <= N by apply: Rmult_le_pos; exact: plane_norm_ge_0.
have root : sqrt 2 <= 1415 / 1000.
  rewrite -(sqrt_square (1415 / 1000)); last by lra.
  by apply: sqrt_le_1_alt; lra.
have small_ge0 : 0 <= 2 * w * N + 2 * eta64 by lra.
by have := Rmult_le_compat_r _ _ _ small_ge0 root; lra.
Qed.

(** rounding.trace-table-binary32: a position is cut in three, and the entry's point X e^(i(a + b + g)) is a product of points
    known to within w and E, relatively.  With e >= 10 w X + (1 + 2^-30) E X + 16η, where both ends of the traced kernel on the
    traced product round to one number of binary32, that is the rounding of X sin(a + b + g), or X cos(a + b + g). *)
Theorem rounding_trace_table_binary32 (fused : bool) (X a b g c1 s1 c2 s2 c3 s3 E1 E2 E3 e : R) :
  0 < X -> 0 <= E1 -> 0 <= E2 -> 0 <= E3 -> E1 + E2 + E3 <= w / 16 -> float e ->
  plane_norm (c1 - X * cos a) (s1 - X * sin a) <= (w + E1) * X ->
  plane_norm (c2 - cos b) (s2 - sin b) <= w + E2 ->
  plane_norm (c3 - cos g) (s3 - sin g) <= w + E3 ->
  10 * w * X + (1 + / 1073741824) * ((E1 + E2 + E3) * X) + 16 * eta64 <= e ->
  exists c s x x' y y', turned_anchor (reals fused) c1 s1 c2 s2 = [:: c; s] /\
    ends_of_binary32 (reals fused) c s c3 s3 (- e) (2 * e) (- e) (2 * e) = [:: x; x'; y; y'] /\
    (x = x' -> fl binary32 (X * sin (a + b + g)) = x) /\ (y = y' -> fl binary32 (X * cos (a + b + g)) = y).
Proof.
move=> X_gt0 E1_ge0 E2_ge0 E3_ge0 E_le e_float near1 near2 near3 e_ge.
have eta_gt0 := eta_pos binary64.
have [c [s [turned turned_near]]] := rounding_trace_turned_anchor fused c1 s1 c2 s2; exists c, s.
set G1 := E1 * X; set G2 := E2 * X; set G3 := E3 * X.
have bounded E : 0 <= E -> E <= w / 16 -> 0 <= E * X <= w / 16 * X.
  by move=> E_ge0 E_small; split; [apply: Rmult_le_pos; lra | apply: Rmult_le_compat_r; lra].
have [G1_ge0 G1_le] : 0 <= G1 <= w / 16 * X by apply: bounded; lra.
have [G2_ge0 G2_le] : 0 <= G2 <= w / 16 * X by apply: bounded; lra.
have [G3_ge0 G3_le] : 0 <= G3 <= w / 16 * X by apply: bounded; lra.
have G_eq : (E1 + E2 + E3) * X = G1 + G2 + G3 by rewrite /G1 /G2 /G3; ring.
rewrite G_eq in e_ge; rewrite Rmult_plus_distr_r -/G1 in near1.
have length1 : plane_norm (X * cos a) (X * sin a) = X by rewrite plane_norm_scale plane_norm_unit Rabs_pos_eq; lra.
have size1 := norm_by_apart c1 s1 (X * cos a) (X * sin a); rewrite length1 in size1.
have size2 := norm_by_apart c2 s2 (cos b) (sin b); rewrite plane_norm_unit in size2.
have size3 := norm_by_apart c3 s3 (cos g) (sin g); rewrite plane_norm_unit in size3.
have norm2_le : plane_norm c2 s2 <= 1 + 2 * w by lra.
have norm3_le : plane_norm c3 s3 <= 1 + 2 * w by lra.
have norm1_le : plane_norm c1 s1 <= (1 + 2 * w) * X by lra.
have norm_ge0 := plane_norm_ge_0.
(* the turned point *)
have N_le : plane_norm c1 s1 * plane_norm c2 s2 <= (1 + 2 * w) * X * (1 + 2 * w) by apply: Rmult_le_compat.
have apart := products_apart c1 s1 c2 s2 (X * cos a) (X * sin a) (cos b) (sin b); rewrite length1 in apart.
have first : plane_norm (c1 - X * cos a) (s1 - X * sin a) * plane_norm c2 s2 <= (w * X + G1) * (1 + 2 * w).
  by apply: Rmult_le_compat.
have second : X * plane_norm (c2 - cos b) (s2 - sin b) <= w * X + G2.
  by have := Rmult_le_compat_l X _ _ (Rlt_le _ _ X_gt0) near2; rewrite /G2; lra.
set C := X * cos (a + b); set S := X * sin (a + b).
have C_eq : X * cos a * cos b - X * sin a * sin b = C by rewrite /C cos_plus; ring.
have S_eq : X * cos a * sin b + X * sin a * cos b = S by rewrite /S sin_plus; ring.
rewrite C_eq S_eq in apart.
have V_near : plane_norm (c - C) (s - S) <= 484 / 100 * w * X + (1 + 2 * w) * (G1 + G2) + 3 * eta64.
  have := plane_norm_triangle (c - (c1 * c2 - s1 * s2)) (s - (c1 * s2 + s1 * c2)) (c1 * c2 - s1 * s2 - C) (c1 * s2 + s1 * c2 - S).
  rewrite (_ : c - (c1 * c2 - s1 * s2) + (c1 * c2 - s1 * s2 - C) = c - C); last by ring.
  rewrite (_ : s - (c1 * s2 + s1 * c2) + (c1 * s2 + s1 * c2 - S) = s - S); last by ring.
  by move=> triangle; apply: Rle_trans triangle _; lra.
have lengthV : plane_norm C S = X by rewrite /C /S plane_norm_scale plane_norm_unit Rabs_pos_eq; lra.
have sizeV := norm_by_apart c s C S; rewrite lengthV in sizeV.
(* the entry *)
have last := products_apart c s c3 s3 C S (cos g) (sin g); rewrite lengthV in last.
have third : plane_norm (c - C) (s - S) * plane_norm c3 s3 <=
    (484 / 100 * w * X + (1 + 2 * w) * (G1 + G2) + 3 * eta64) * (1 + 2 * w) by apply: Rmult_le_compat.
have fourth : X * plane_norm (c3 - cos g) (s3 - sin g) <= w * X + G3.
  by have := Rmult_le_compat_l X _ _ (Rlt_le _ _ X_gt0) near3; rewrite /G3; lra.
set delta := 585 / 100 * w * X + (1 + 5 * w) * (G1 + G2 + G3) + 4 * eta64.
have all_near : plane_norm (c * c3 - s * s3 - (C * cos g - S * sin g)) (c * s3 + s * c3 - (C * sin g + S * cos g)) <= delta.
  by apply: Rle_trans last _; rewrite /delta; lra.
have cosine_eq : C * cos g - S * sin g = X * cos (a + b + g) by rewrite /C /S (cos_plus (a + b)); ring.
have sine_eq : C * sin g + S * cos g = X * sin (a + b + g) by rewrite /C /S (sin_plus (a + b)); ring.
rewrite cosine_eq sine_eq in all_near.
have [cosine_le sine_le] := part_le_norm (c * c3 - s * s3 - X * cos (a + b + g)) (c * s3 + s * c3 - X * sin (a + b + g)).
set M := 1001 / 1000 * X + 4 * eta64.
have M_ge : plane_norm c s * plane_norm c3 s3 <= M.
  set V_le := X + (484 / 100 * w * X + (1 + 2 * w) * (G1 + G2) + 3 * eta64).
  have VV : plane_norm c s * plane_norm c3 s3 <= V_le * (1 + 2 * w) by apply: Rmult_le_compat => //; rewrite /V_le; lra.
  by apply: Rle_trans VV _; rewrite /V_le /M; lra.
have e_ge0 : 0 <= e by lra.
have asked : enough delta M e by rewrite /enough /delta /M; lra.
have [x [x' [y [y' [ends [sine cosine]]]]]] := rounding_trace_ends_of_binary32 fused c s c3 s3 e e
  (X * sin (a + b + g)) (X * cos (a + b + g)) delta delta M M e_float e_ge0 e_float e_ge0
  (Rle_trans _ _ _ sine_le all_near) (Rle_trans _ _ _ (plane_norm_cauchy c s s3 c3)
     ltac:(by rewrite (plane_norm_swap s3); exact: M_ge)) asked
  (Rle_trans _ _ _ cosine_le all_near) (Rle_trans _ _ _ (plane_norm_cauchy c s c3 s3) M_ge) asked.
by exists x, x', y, y'.
Qed.

(** rounding.trace-errors: the e that the program takes, the rounding of 10.8 w X + factors, is as large as
    rounding.trace-table-binary32 asks where factors >= E X + 2^-1060. *)
Theorem rounding_trace_errors (fused : bool) (X E factors : R) :
  0 < X -> 0 <= E -> E <= w / 16 -> E * X + bpow radix2 (- 1060) <= factors ->
  exists e, cosine_error (reals fused) X factors = [:: e] /\ float e /\
    10 * w * X + (1 + / 1073741824) * (E * X) + 16 * eta64 <= e.
Proof.
move=> X_gt0 E_ge0 E_le factors_ge; eexists; split; first by reflexivity.
split; first exact: fl_float.
have eta_gt0 := eta_pos binary64; have v_gt0 := v_pos binary64.
have v_le := v_le_u binary64; rewrite unit_value in v_le.
have EX_ge0 : 0 <= E * X by apply: Rmult_le_pos; lra.
have EX_le : E * X <= w / 16 * X by apply: Rmult_le_compat_r; lra.
have tiny : bpow radix2 (- 1060) = 16384 * eta64.
  by rewrite eta_value -[16384]/(bpow radix2 14) -bpow_plus.
rewrite tiny in factors_ge.
have near x : 0 <= x -> x - w * x - eta64 <= fl64 x.
  move=> x_ge0; have [standard _] := rounding_standard_model binary64 x.
  rewrite (Rabs_pos_eq x) // in standard; have := Rmult_le_compat_r _ _ _ x_ge0 v_le.
  by move: standard => /Rabs_le_inv []; lra.
rewrite /=; set K := fl64 (3039929748475085 * / IZR (Z.pow_pos 2 101)).
have K_ge : 1079 / 100 * w <= K.
  have -> : K = 3039929748475085 * / IZR (Z.pow_pos 2 101); last by rewrite /Z.pow_pos /=; lra.
  apply: fl_exact; apply: generic_format_FLT; exists (Float radix2 3039929748475085 (- 101)) => //.
have KX_ge := Rmult_le_compat_r _ _ _ (Rlt_le _ _ X_gt0) K_ge.
have wX_gt0 : 0 < w * X by apply: Rmult_lt_0_compat; lra.
have first := near (K * X) ltac:(lra); set p := fl64 (K * X) in first *.
have p_ge : 1078 / 100 * (w * X) - eta64 <= p by lra.
by have := near (p + factors) ltac:(lra); lra.
Qed.
