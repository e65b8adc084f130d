(** * Small sines of a binary32 table

  What is claimed.  For a sine the program takes an e in proportion to M = |S1| + X (|S2| + |S3|), the sines of the three factors,
  where that is smaller than the amplitude X, so that small sines are accepted too.  With that e an accepted sine is correctly
  rounded as well.

  Dictionary: as in RoundingAccepted.v; c', s' are the parts of a factor as sums of two numbers, c, s those sums rounded, and
  [rounded_part x x'] == |x - x'| <= w |x'|.

  Main results: [rounding_trace_table_sine], and [rounding_trace_sine_error], that the program's e is large enough.

  Assumes: nothing overflows; the factors as sums of two numbers are within E of the exact points, relatively. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingPlane RoundingRope RoundingTrace RoundingTraces RoundingTraced.
From Posproof Require Import RoundingDouble RoundingAccepted.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).
Local Notation float := (is_float binary64).
Local Notation eta64 := (eta binary64).
Local Notation w := (/ 9007199254740992).

Definition rounded_part (x x' : R) : Prop := Rabs (x - x') <= w * Rabs x'.

(** A product of rounded parts. *)
Lemma rounded_product x x' y y' : rounded_part x x' -> rounded_part y y' ->
  Rabs (x * y - x' * y') <= 201 / 100 * w * Rabs (x' * y') /\ Rabs (x * y) <= (1 + 3 * w) * Rabs (x' * y').
Proof.
rewrite /rounded_part => x_near y_near; have size := Rabs_pos (x' * y').
have first : Rabs (x * y - x' * y') <= 201 / 100 * w * Rabs (x' * y').
  have -> : x * y - x' * y' = (x - x') * (y - y') + ((x - x') * y' + x' * (y - y')) by ring.
  apply: Rle_trans (Rabs_triang _ _) _; have := Rabs_triang ((x - x') * y') (x' * (y - y')).
  have one := Rmult_le_compat_r _ _ _ (Rabs_pos y') x_near; have two := Rmult_le_compat_l _ _ _ (Rabs_pos x') y_near.
  have both := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) x_near y_near.
  by rewrite !Rabs_mult in size *; lra.
by split=> //; have := Rabs_by_diff (x * y) (x' * y'); lra.
Qed.

(** A rounded sum of two rounded products of rounded parts. *)
Lemma turned_part (fused : bool) x x' y y' z z' t t' :
  rounded_part x x' -> rounded_part y y' -> rounded_part z z' -> rounded_part t t' ->
  Rabs (real_multiply_add fused x y (fl64 (z * t)) - (x' * y' + z' * t'))
  <= 402 / 100 * w * (Rabs (x' * y') + Rabs (z' * t')) + 2 * eta64.
Proof.
move=> x_near y_near z_near t_near; have eta_gt0 := eta_pos binary64.
have v_le := v_le_u binary64; rewrite unit_value in v_le.
have := rounding_two_products binary64 fused x y z t; rewrite unit_value.
have -> : two_products binary64 fused x y z t = real_multiply_add fused x y (fl64 (z * t)).
  by rewrite /two_products /real_multiply_add; case: fused.
have small : (1 + v binary64) * eta64 <= 2 * eta64 by apply: Rmult_le_compat_r; lra.
have [xy_near xy_le] := rounded_product x x' y y' x_near y_near.
have [zt_near zt_le] := rounded_product z z' t t' z_near t_near.
move=> near; have close : Rabs (real_multiply_add fused x y (fl64 (z * t)) - (x * y + z * t)) <=
    2 * w * (1 + 3 * w) * (Rabs (x' * y') + Rabs (z' * t')) + 2 * eta64 by lra.
have xy_ge0 := Rabs_pos (x' * y'); have zt_ge0 := Rabs_pos (z' * t').
by move: close xy_near zt_near; absolutely.
Qed.

Lemma rounded_part_opp x x' : rounded_part x x' -> rounded_part (- x) (- x').
Proof. by rewrite /rounded_part (_ : - x - - x' = - (x - x')) ?Rabs_Ropp //; ring. Qed.

(** rounding.trace-table-sine: with e >= 10 w M + (1 + 2^-30) E X + 16η, where M is at least |s1'| + X(|s2'| + |s3'|) with
    a margin of 16w, a sine of which both ends round to one number of binary32 is the rounding of X sin(a + b + g). *)
Theorem rounding_trace_table_sine (fused : bool)
    (X a b g c1 s1 c2 s2 c3 s3 c1' s1' c2' s2' c3' s3' E1 E2 E3 M e less twice : R) :
  0 < X -> 0 <= E1 -> 0 <= E2 -> 0 <= E3 -> E1 + E2 + E3 <= w / 16 -> float e -> 0 <= e ->
  rounded_part c1 c1' -> rounded_part s1 s1' -> rounded_part c2 c2' -> rounded_part s2 s2' ->
  rounded_part c3 c3' -> rounded_part s3 s3' ->
  plane_norm (c1' - X * cos a) (s1' - X * sin a) <= E1 * X ->
  plane_norm (c2' - cos b) (s2' - sin b) <= E2 -> plane_norm (c3' - cos g) (s3' - sin g) <= E3 ->
  (1 + 16 * w) * (Rabs s1' + X * (Rabs s2' + Rabs s3')) <= M ->
  10 * w * M + (1 + / 1073741824) * ((E1 + E2 + E3) * X) + 16 * eta64 <= e ->
  exists c s x x' y y', turned_anchor (reals fused) c1 s1 c2 s2 = [:: c; s] /\
    ends_of_binary32 (reals fused) c s c3 s3 (- e) (2 * e) less twice = [:: x; x'; y; y'] /\
    (x = x' -> fl binary32 (X * sin (a + b + g)) = x).
Proof.
move=> X_gt0 E1_ge0 E2_ge0 E3_ge0 E_le e_float e_ge0 c1_near s1_near c2_near s2_near c3_near s3_near near1 near2 near3 M_ge e_ge.
have eta_gt0 := eta_pos binary64.
set G1 := E1 * X in near1; set G2 := E2 * X; set G3 := E3 * X.
have bounded E : 0 <= E -> E <= w / 16 -> 0 <= E * X <= w / 16 * X.
  by move=> E_ge0 E_small; split; [apply: Rmult_le_pos; lra | apply: Rmult_le_compat_r; lra].
have [G1_ge0 G1_le] : 0 <= G1 <= w / 16 * X by apply: bounded; lra.
have [G2_ge0 G2_le] : 0 <= G2 <= w / 16 * X by apply: bounded; lra.
have [G3_ge0 G3_le] : 0 <= G3 <= w / 16 * X by apply: bounded; lra.
have G_eq : (E1 + E2 + E3) * X = G1 + G2 + G3 by rewrite /G1 /G2 /G3; ring.
rewrite G_eq in e_ge; have norm_ge0 := plane_norm_ge_0.
have length1 : plane_norm (X * cos a) (X * sin a) = X by rewrite plane_norm_scale plane_norm_unit Rabs_pos_eq; lra.
have size1 := norm_by_apart c1' s1' (X * cos a) (X * sin a); rewrite length1 in size1.
have size2 := norm_by_apart c2' s2' (cos b) (sin b); rewrite plane_norm_unit in size2.
have size3 := norm_by_apart c3' s3' (cos g) (sin g); rewrite plane_norm_unit in size3.
have norm1_le : plane_norm c1' s1' <= (1 + w) * X by lra.
have norm2_le : plane_norm c2' s2' <= 1 + w by lra.
have norm3_le : plane_norm c3' s3' <= 1 + w by lra.
have [c1_le _] := part_le_norm c1' s1'; have [c2_le _] := part_le_norm c2' s2'; have [c3_le _] := part_le_norm c3' s3'.
(* the turned point, rounded and not *)
pose C := c1' * c2' - s1' * s2'; pose S := c1' * s2' + s1' * c2'.
have C_eq : C = - s1' * s2' + c1' * c2' by rewrite /C; ring.
set Q := Rabs (c1' * s2') + Rabs (s1' * c2').
have S_near := turned_part fused c1 c1' s2 s2' s1 s1' c2 c2' c1_near s2_near s1_near c2_near.
have C_near := turned_part fused (- s1) (- s1') s2 s2' c1 c1' c2 c2' (rounded_part_opp _ _ s1_near) s2_near c1_near c2_near.
exists (real_multiply_add fused (- s1) s2 (fl64 (c1 * c2))), (real_multiply_add fused c1 s2 (fl64 (s1 * c2))).
move: C_near S_near; set c := real_multiply_add fused (- s1) s2 _; set s := real_multiply_add fused c1 s2 _.
rewrite -C_eq -/Q -/S => C_near S_near.
have s1_ge0 := Rabs_pos s1'; have s2_ge0 := Rabs_pos s2'; have s3_ge0 := Rabs_pos s3'.
have Xs2_ge0 := Rmult_le_pos _ _ (Rlt_le _ _ X_gt0) s2_ge0; have Xs3_ge0 := Rmult_le_pos _ _ (Rlt_le _ _ X_gt0) s3_ge0.
have Q_le : Q <= (1 + w) * (Rabs s1' + X * Rabs s2').
  have one : Rabs (c1' * s2') <= (1 + w) * X * Rabs s2' by rewrite Rabs_mult; apply: Rmult_le_compat_r => //; lra.
  have two : Rabs (s1' * c2') <= Rabs s1' * (1 + w) by rewrite Rabs_mult; apply: Rmult_le_compat_l => //; lra.
  by rewrite /Q; lra.
have Q_ge0 : 0 <= Q by rewrite /Q; have := Rabs_pos (c1' * s2'); have := Rabs_pos (s1' * c2'); lra.
have N_le : plane_norm c1' s1' * plane_norm c2' s2' <= (1 + w) * X * (1 + w) by apply: Rmult_le_compat.
have C_terms : Rabs (- s1' * s2') + Rabs (c1' * c2') <= (1 + 3 * w) * X.
  rewrite (_ : - s1' * s2' = - (s1' * s2')) ?Rabs_Ropp; last by ring.
  by have := plane_norm_cauchy c1' s1' c2' s2'; lra.
have C_error : Rabs (c - C) <= 403 / 100 * w * X + 2 * eta64 by lra.
have C_le : Rabs C <= (1 + 3 * w) * X by rewrite C_eq; apply: Rle_trans (Rabs_triang _ _) _.
have S_le : Rabs S <= Q by exact: Rabs_triang.
(* the entry, rounded and not *)
have s3_le : Rabs s3 <= (1 + w) * Rabs s3' by have := Rabs_by_diff s3 s3'; rewrite /rounded_part in s3_near; lra.
have c3_small : Rabs c3 <= 1 + 3 * w by have := Rabs_by_diff c3 c3'; rewrite /rounded_part in c3_near; lra.
have term x y x0 y0 : x * y - x0 * y0 = (x - x0) * y + x0 * (y - y0) by ring.
have first : Rabs (c * s3 - C * s3') <= 505 / 100 * w * (X * Rabs s3') + 3 * eta64.
  rewrite term; apply: Rle_trans (Rabs_triang _ _) _; rewrite !Rabs_mult.
  have one := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) C_error s3_le.
  have two := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) C_le s3_near.
  have s3_1 : Rabs s3' <= 1 + w by have [_] := part_le_norm c3' s3'; lra.
  by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ eta_gt0) s3_1; lra.
have second : Rabs (s * c3 - S * c3') <= 505 / 100 * w * Q + 3 * eta64.
  rewrite term; apply: Rle_trans (Rabs_triang _ _) _; rewrite !Rabs_mult.
  have S_error : Rabs (s - S) <= 402 / 100 * w * Q + 2 * eta64 by [].
  have one := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) S_error c3_small.
  have c3_1 : Rabs (c3 - c3') <= w * (1 + w) by rewrite /rounded_part in c3_near; lra.
  have two := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) S_le c3_1.
  by lra.
(* the exact entry *)
have apart := products_apart c1' s1' c2' s2' (X * cos a) (X * sin a) (cos b) (sin b); rewrite length1 -/C -/S in apart.
have C0_eq : X * cos a * cos b - X * sin a * sin b = X * cos (a + b) by rewrite cos_plus; ring.
have S0_eq : X * cos a * sin b + X * sin a * cos b = X * sin (a + b) by rewrite sin_plus; ring.
rewrite C0_eq S0_eq in apart.
have V_near : plane_norm (C - X * cos (a + b)) (S - X * sin (a + b)) <= (1 + w) * (G1 + G2).
  have one : plane_norm (c1' - X * cos a) (s1' - X * sin a) * plane_norm c2' s2' <= G1 * (1 + w) by apply: Rmult_le_compat.
  have two : X * plane_norm (c2' - cos b) (s2' - sin b) <= G2.
    by rewrite /G2 (Rmult_comm E2); apply: Rmult_le_compat_l => //; exact: Rlt_le.
  by lra.
have lengthV : plane_norm (X * cos (a + b)) (X * sin (a + b)) = X by rewrite plane_norm_scale plane_norm_unit Rabs_pos_eq; lra.
have last := products_apart C S c3' s3' (X * cos (a + b)) (X * sin (a + b)) (cos g) (sin g); rewrite lengthV in last.
have third : plane_norm (C - X * cos (a + b)) (S - X * sin (a + b)) * plane_norm c3' s3' <= (1 + w) * (G1 + G2) * (1 + w).
  by apply: Rmult_le_compat.
have fourth : X * plane_norm (c3' - cos g) (s3' - sin g) <= G3.
  by rewrite /G3 (Rmult_comm E3); apply: Rmult_le_compat_l => //; exact: Rlt_le.
have [_ exact_near] := part_le_norm (C * c3' - S * s3' - (X * cos (a + b) * cos g - X * sin (a + b) * sin g))
  (C * s3' + S * c3' - (X * cos (a + b) * sin g + X * sin (a + b) * cos g)).
have sine_eq : X * cos (a + b) * sin g + X * sin (a + b) * cos g = X * sin (a + b + g) by rewrite (sin_plus (a + b)); ring.
rewrite sine_eq in exact_near last.
have exact_error : Rabs (C * s3' + S * c3' - X * sin (a + b + g)) <= (1 + 3 * w) * (G1 + G2 + G3).
  by apply: Rle_trans exact_near _; apply: Rle_trans last _; lra.
have M_terms : Q + X * Rabs s3' <= M by lra.
set delta := 505 / 100 * w * M + 6 * eta64 + (1 + 3 * w) * (G1 + G2 + G3).
have all_near : Rabs (c * s3 + s * c3 - X * sin (a + b + g)) <= delta.
  by rewrite /delta; move: first second exact_error; absolutely.
have all_terms : Rabs (c * s3) + Rabs (s * c3) <= 1001 / 1000 * M + 8 * eta64.
  have one := Rabs_by_diff (c * s3) (C * s3'); have two := Rabs_by_diff (s * c3) (S * c3').
  have three : Rabs (C * s3') <= (1 + 3 * w) * X * Rabs s3' by rewrite Rabs_mult; apply: Rmult_le_compat_r.
  have four : Rabs (S * c3') <= Q * (1 + w) by rewrite Rabs_mult; apply: Rmult_le_compat => //; [exact: Rabs_pos | exact: Rabs_pos | lra].
  by lra.
have asked : enough delta (1001 / 1000 * M + 8 * eta64) e by rewrite /enough /delta; lra.
rewrite /ends_of_binary32 !simulated_rounded; try by have [_ [_ []]] := simulated_formats.
do 4! eexists; split; first by reflexivity.
split; first by reflexivity.
by apply: between; exact: (ends_around fused c s3 s c3 e e_float e_ge0 _ delta _ all_near all_terms asked).
Qed.

(** Rounding loses no more than w of a number that is not negative, and η. *)
Lemma rounded_below x : 0 <= x -> x - w * x - eta64 <= fl64 x.
Proof.
move=> x_ge0; have [standard _] := rounding_standard_model binary64 x; have v_le := v_le_u binary64.
rewrite unit_value in v_le; rewrite (Rabs_pos_eq x) // in standard.
have := Rmult_le_compat_r _ _ _ x_ge0 v_le; have := eta_pos binary64.
by move: standard => /Rabs_le_inv []; lra.
Qed.

(** rounding.trace-sine-error: the e that the program takes for a sine is as large as rounding.trace-table-sine asks for
    M = (1 + 16w)(|s1'| + X B), where B bounds the sum of the two other sines, or as rounding.trace-table-binary32 asks, whichever
    is less. The factors' E is to have a margin of 2^-29, as the program's 1.5 for √2 has. *)
Theorem rounding_trace_sine_error (fused : bool) (X E factors s1 s1' sines B : R) :
  0 < X -> 0 <= E -> E <= w / 16 -> (1 + / 536870912) * (E * X) + bpow radix2 (- 1060) <= factors ->
  rounded_part s1 s1' -> 0 <= B -> B <= sines ->
  exists e, sine_error (reals fused) X factors s1 sines = [:: e] /\ float e /\
    10 * w * Rmin ((1 + 16 * w) * (Rabs s1' + X * B)) X + (1 + / 1073741824) * (E * X) + 16 * eta64 <= e.
Proof.
move=> X_gt0 E_ge0 E_le factors_ge s1_near B_ge0 B_le; eexists; split; first by reflexivity.
split; first exact: fl_float.
have eta_gt0 := eta_pos binary64; have EX_ge0 : 0 <= E * X by apply: Rmult_le_pos; lra.
have EX_le : E * X <= w / 16 * X by apply: Rmult_le_compat_r; lra.
have tiny : bpow radix2 (- 1060) = 16384 * eta64 by rewrite eta_value -[16384]/(bpow radix2 14) -bpow_plus.
rewrite tiny in factors_ge; rewrite /=.
set K := fl64 (3039929748475085 * _); set L := fl64 (281474976992131 * _).
have K_ge : 1079 / 100 * w <= K.
  have -> : K = 3039929748475085 * / IZR (Z.pow_pos 2 101); last by rewrite /Z.pow_pos /=; lra.
  by apply: fl_exact; apply: generic_format_FLT; exists (Float radix2 3039929748475085 (- 101)).
have L_ge : 1 + 9 / 10000000000 <= L.
  have -> : L = 281474976992131 * / IZR (Z.pow_pos 2 48); last by rewrite /Z.pow_pos /=; lra.
  by apply: fl_exact; apply: generic_format_FLT; exists (Float radix2 281474976992131 (- 48)).
have s1_ge0 := Rabs_pos s1'; have s1_ge : (1 - w) * Rabs s1' <= Rabs s1.
  have := Rabs_by_diff s1' s1; rewrite (_ : s1' - s1 = - (s1 - s1')) ?Rabs_Ropp; last by ring.
  by rewrite /rounded_part in s1_near; lra.
have XB_ge0 : 0 <= X * B by apply: Rmult_le_pos; lra.
have XB_le : X * B <= X * sines by apply: Rmult_le_compat_l; lra.
have one := rounded_below (X * sines) ltac:(lra); set t1 := fl64 (X * sines) in one *.
have t1_ge : (1 - w) * (X * B) - eta64 <= t1.
  by have := Rmult_le_compat_l (1 - w) _ _ ltac:(lra) XB_le; lra.
have t1_ge0 : 0 <= t1 by rewrite -(fl_0 binary64); apply: fl_le; lra.
have two := rounded_below (Rabs s1 + t1) ltac:(have := Rabs_pos s1; lra); set t2 := fl64 (Rabs s1 + t1) in two *.
have t2_ge0 : 0 <= t2 by rewrite -(fl_0 binary64); apply: fl_le; have := Rabs_pos s1; lra.
have M0_ge0 : 0 <= Rabs s1' + X * B by lra.
have t2_ge : (1 - 3 * w) * (Rabs s1' + X * B) - 2 * eta64 <= t2 by lra.
have grown : t2 * (1 + 9 / 10000000000) <= t2 * L by apply: Rmult_le_compat_l.
have three := rounded_below (t2 * L) ltac:(lra); set t3 := fl64 (t2 * L) in three *.
have t3_ge : (1 + 16 * w) * (Rabs s1' + X * B) - 4 * eta64 <= t3 by lra.
have t3_ge0 : 0 <= t3 by rewrite -(fl_0 binary64); apply: fl_le; lra.
set M := (1 + 16 * w) * (Rabs s1' + X * B) in t3_ge *.
have m_ge : Rmin M X - 4 * eta64 <= Rmin t3 X.
  by apply: Rmin_glb; have := Rmin_l M X; have := Rmin_r M X; lra.
have m_ge0 : 0 <= Rmin t3 X by apply: Rmin_glb => //; exact: Rlt_le.
have m_le : Rmin M X <= X by exact: Rmin_r.
have Km : 1079 / 100 * w * Rmin t3 X <= K * Rmin t3 X by apply: Rmult_le_compat_r.
have four := rounded_below (K * Rmin t3 X) ltac:(lra); set p := fl64 (K * Rmin t3 X) in four *.
have p_ge0 : 0 <= p by rewrite -(fl_0 binary64); apply: fl_le; lra.
have min_ge0 : 0 <= Rmin M X by apply: Rmin_glb; [rewrite /M; lra | exact: Rlt_le].
have p_ge : 1078 / 100 * w * Rmin M X - 2 * eta64 <= p by lra.
have five := rounded_below (p + factors) ltac:(lra).
by lra.
Qed.
