(** * Error-free sums and products, and the product of complex numbers in double-word arithmetic

  What is claimed.  A table is made of points of circles whose parts are unevaluated sums of two numbers of binary64.  The
  traced kernels that multiply them (RoundingTraces.v) keep the errors of sums exactly and those of products but for
  underflow, and a part of a product is within 2^-102 of the sum of its terms' magnitudes: with a fused multiply-add or without.

  Dictionary (a, al: the two numbers of a part, |al| <= u |a|):
  - [two_sum], [two_difference], [two_product], [double_product] == traces (RoundingTraces.v), over [reals fused];
  - [double a al] == both are numbers of binary64 and |al| <= u |a|.

  Formulas, u = 2^-53, η = 2^-1074:
    two_sum x y = [fl(x + y), x + y - fl(x + y)]                                     [rounding_trace_two_sum]
    two_product x y = [p, e] with p = fl(x y), |p + e - x y| <= 4η, and 0 where
      x y = 0 or |x y| >= 2^-969                                                 [rounding_trace_two_product]
    double_product: |h + l - (A C - B D)| <= 2^-102 (|A C| + |B D|) + 2^-1069, the same of A D + B C,
      and |l| <= u |h|, |l'| <= u |h'|                                        [rounding_trace_double_product]
      for A = a + al and so on.

  Assumes: nothing overflows. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core Mult_error Pff2Flocq.
From Posproof Require Import RoundingFormat RoundingModel RoundingRope RoundingTrace RoundingTraces.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).
Local Notation float := (is_float binary64).
Local Notation eta64 := (eta binary64).

Lemma even_symmetric (z : Z) : negb (Z.even z) = negb (negb (Z.even (- (z + 1)))).
Proof. by rewrite Z.even_opp Z.even_add; case: (Z.even z). Qed.

Lemma emin_nonpositive : (emin binary64 <= 0)%Z.
Proof. by apply/Z.leb_le. Qed.

(** ** Sums *)

Definition sum_error (x y : R) : R := x + y - fl64 (x + y).

Lemma two_sum_error x y : float x -> float y ->
  fl64 (fl64 (x - fl64 (fl64 (x + y) - fl64 (fl64 (x + y) - x))) + fl64 (y - fl64 (fl64 (x + y) - x))) = sum_error x y.
Proof.
move=> x_float y_float; rewrite /sum_error.
have : fl64 (x + y) + fl64 (fl64 (x - fl64 (fl64 (x + y) - fl64 (fl64 (x + y) - x)))
  + fl64 (y - fl64 (fl64 (x + y) - x))) = x + y.
  exact: (TwoSum_correct (emin binary64) (precision binary64) (fun z => negb (Z.even z)) (precision_above_one binary64)
    emin_nonpositive even_symmetric x y x_float y_float).
by lra.
Qed.

(** rounding.trace-two-sum: the traced sum and its error are exact together. *)
Theorem rounding_trace_two_sum (fused : bool) (x y : R) : float x -> float y ->
  two_sum (reals fused) x y = [:: fl64 (x + y); sum_error x y].
Proof. by move=> x_float y_float; rewrite /two_sum /= two_sum_error. Qed.

Lemma two_difference_error x y : float x -> float y ->
  fl64 (fl64 (x - fl64 (fl64 (x - y) - fl64 (fl64 (x - y) - x))) - fl64 (y + fl64 (fl64 (x - y) - x))) = sum_error x (- y).
Proof.
move=> x_float y_float; rewrite -(two_sum_error x (- y)) //; last exact: is_float_opp.
congr (fl64 _); rewrite /Rminus; congr (_ + _); rewrite -fl_opp; congr (fl64 _); ring.
Qed.

(** rounding.trace-two-difference: the same of the difference. *)
Theorem rounding_trace_two_difference (fused : bool) (x y : R) : float x -> float y ->
  two_difference (reals fused) x y = [:: fl64 (x + - y); sum_error x (- y)].
Proof. by move=> x_float y_float; rewrite /two_difference /= two_difference_error. Qed.

Lemma sum_error_float x y : float x -> float y -> float (sum_error x y).
Proof. by move=> x_float y_float; rewrite -two_sum_error //; exact: fl_float. Qed.

Lemma unit_value : u binary64 = / 9007199254740992.
Proof. by rewrite /u /= /Z.pow_pos /=; lra. Qed.

(** The error by the exact sum, and by the rounded one. *)
Lemma sum_error_small x y : float x -> float y ->
  Rabs (sum_error x y) <= u binary64 * Rabs (x + y) /\ Rabs (sum_error x y) <= u binary64 * Rabs (fl64 (x + y)).
Proof.
move=> x_float y_float; have small := addition_relative binary64 x y x_float y_float.
have v_le := v_le_u binary64; have v_gt0 := v_pos binary64; have unit := v_identity binary64.
have sum_ge0 := Rabs_pos (x + y).
have -> : sum_error x y = - (fl64 (x + y) - (x + y)) by rewrite /sum_error; ring.
rewrite Rabs_Ropp; split; first by apply: Rle_trans small _; exact: Rmult_le_compat_r.
have size := Rabs_by_diff (x + y) (fl64 (x + y)); rewrite Rabs_minus_sym in size.
by set e := Rabs (fl64 (x + y) - (x + y)) in small size *; nra.
Qed.

(** ** Products *)

Definition exactly (x y : R) : Prop := x * y = 0 \/ bpow radix2 (- 969) <= Rabs (x * y).

Lemma upper_half_odd x : upper_half x = fl64 (fl64 (x - fl64 (x * (bpow radix2 27 + 1))) + fl64 (x * (bpow radix2 27 + 1))).
Proof.
rewrite /upper_half; have -> : 134217729 * x = x * (bpow radix2 27 + 1) by rewrite /= /Z.pow_pos /=; ring.
set p := fl64 (x * (bpow radix2 27 + 1)); have -> : fl64 (p - x) = - fl64 (x - p) by rewrite -fl_opp; congr (fl64 _); ring.
by congr (fl64 _); ring.
Qed.

Lemma dekker_error x y : float x -> float y ->
  (exactly x y -> x * y = fl64 (x * y) + dekker x y (fl64 (x * y))) /\
  Rabs (x * y - (fl64 (x * y) + dekker x y (fl64 (x * y)))) <= 7 / 2 * eta64.
Proof.
move=> x_float y_float.
have := Dekker radix2 (emin binary64) (precision binary64) (fun z => negb (Z.even z)) _ _ x y x_float y_float (or_introl erefl).
rewrite /dekker /lower_half !upper_half_odd.
rewrite -/(fl64 (x * y)) => Dekker.
have first : fl64 (fl64 (upper_half x * upper_half y) - fl64 (x * y)) = fl64 (- fl64 (x * y) + fl64 (upper_half x * upper_half y)).
  by congr (fl64 _); ring.
by move: first; rewrite !upper_half_odd => ->; apply: Dekker; apply/Z.leb_le + apply/Z.ltb_lt.
Qed.

Lemma eta_value : eta64 = bpow radix2 (- 1074).
Proof. by []. Qed.

Lemma product_error_float (fused : bool) (x y p : R) : float (product_error (reals fused) x y p).
Proof. by rewrite /= /dekker; case: fused; exact: fl_float. Qed.

Lemma product_error_near (fused : bool) (x y : R) : float x -> float y ->
  let p := fl64 (x * y) in let e := product_error (reals fused) x y p in
  (exactly x y -> p + e = x * y) /\ Rabs (p + e - x * y) <= 4 * eta64.
Proof.
move=> x_float y_float p; have eta_gt0 := eta_pos binary64.
have [exact near] := dekker_error x y x_float y_float.
case: fused => /=; last first.
  split=> [/exact <- //|]; rewrite -/p in near *.
  by rewrite Rabs_minus_sym; apply: Rle_trans near _; lra.
have kept : exactly x y -> fl64 (x * y + - p) = x * y - p.
  move=> large; apply: fl_exact.
  have -> : x * y + - p = - (p - x * y) by ring.
  apply: is_float_opp; apply: mult_error_FLT => // product_neq0.
  by case: large => // /product_neq0.
split=> [/kept ->|]; first by ring.
case: (Rle_or_lt (bpow radix2 (- 969)) (Rabs (x * y))) => [large|small].
  by rewrite kept; [have -> : p + (x * y - p) - x * y = 0 by ring | right]; rewrite ?Rabs_R0; lra.
have [first _] := rounding_standard_model binary64 (x * y).
have [second _] := rounding_standard_model binary64 (x * y + - p).
have -> : p + fl64 (x * y + - p) - x * y = fl64 (x * y + - p) - (x * y + - p) by ring.
have lost : x * y + - p = - (fl64 (x * y) - x * y) by rewrite /p; ring.
rewrite {3}lost Rabs_Ropp in second.
have v_le := v_le_u binary64; have v_gt0 := v_pos binary64; rewrite unit_value in v_le.
have eta_scale : bpow radix2 (- 969) = 9007199254740992 * 4503599627370496 * eta64.
  by rewrite eta_value -[9007199254740992]/(bpow radix2 53) -[4503599627370496]/(bpow radix2 52) -!bpow_plus.
rewrite eta_scale in small.
have w_le : Rabs (fl64 (x * y) - x * y) <= 4503599627370497 * eta64.
  have := Rmult_le_compat _ _ _ _ (Rlt_le _ _ v_gt0) (Rabs_pos (x * y)) v_le (Rlt_le _ _ small); lra.
by have := Rmult_le_compat _ _ _ _ (Rlt_le _ _ v_gt0) (Rabs_pos _) v_le w_le; lra.
Qed.

(** rounding.trace-two-product: the traced product p = fl(x y) and its error e have p + e = x y where x y = 0 or
    |x y| >= 2^-969, and |p + e - x y| <= 4η in any case: by Dekker's algorithm, and by a fused multiply-add. *)
Theorem rounding_trace_two_product (fused : bool) (x y : R) : float x -> float y ->
  let e := product_error (reals fused) x y (fl64 (x * y)) in
  two_product (reals fused) x y = [:: fl64 (x * y); e] /\
  (exactly x y -> fl64 (x * y) + e = x * y) /\ Rabs (fl64 (x * y) + e - x * y) <= 4 * eta64.
Proof. by move=> x_float y_float e; split=> //; exact: product_error_near. Qed.

(** rounding.trace-product-error: the portable error of a product, traced by itself, is Dekker's. *)
Theorem rounding_trace_product_error (fused : bool) (x y p : R) :
  product_error_by_halves (reals fused) x y p = [:: dekker x y p].
Proof.
have scale : constant (reals fused) 134217729 0 = 134217729.
  rewrite /= Rmult_1_r; apply: fl_exact; apply: generic_format_FLT.
  by exists (Float radix2 134217729 0) => //; rewrite /F2R /= Rmult_1_r.
by rewrite /product_error_by_halves scale.
Qed.

(** ** A part of a product *)

(** Bounds on magnitudes that follow from such bounds by adding them. *)
Ltac absolutely :=
  repeat match goal with |- Rabs _ <= _ -> _ => let H := fresh in intro H; apply Rabs_le_inv in H; destruct H end;
  apply: Rabs_le; lra.

(** Two products t1, t2 of high parts, known as p + e, and the products k1, k2 of high and low parts, known as x. *)
Section Part.
Variables t1 t2 p1 p2 e1 e2 k1 k2 x1 x2 : R.
Hypotheses (p1_float : float p1) (p2_float : float p2) (e1_float : float e1) (e2_float : float e2).
Hypotheses (x1_float : float x1) (x2_float : float x2).
Let w := / 9007199254740992.
Hypothesis p1_near : Rabs (p1 - t1) <= w * Rabs t1 + eta64.
Hypothesis p2_near : Rabs (p2 - t2) <= w * Rabs t2 + eta64.
Hypothesis e1_near : Rabs (p1 + e1 - t1) <= 4 * eta64.
Hypothesis e2_near : Rabs (p2 + e2 - t2) <= 4 * eta64.
Hypothesis k1_small : Rabs k1 <= 2 * w * Rabs t1.
Hypothesis k2_small : Rabs k2 <= 2 * w * Rabs t2.
Hypothesis x1_near : Rabs (x1 - k1) <= 4 * w * w * Rabs t1 + 2 * eta64.
Hypothesis x2_near : Rabs (x2 - k2) <= 4 * w * w * Rabs t2 + 2 * eta64.

Let s := fl64 (p1 + p2).
Let low := fl64 (fl64 (fl64 (e1 + e2) + fl64 (x1 + x2)) + sum_error p1 p2).

Lemma part_near :
  Rabs (s + low - (t1 + t2 + (k1 + k2))) <= (14 * w * w + 40 * w * w * w) * (Rabs t1 + Rabs t2) + 13 * eta64.
Proof.
have eta_gt0 := eta_pos binary64; have v_le := v_le_u binary64; rewrite unit_value -/w in v_le.
have t1_ge0 := Rabs_pos t1; have t2_ge0 := Rabs_pos t2; have w_ge0 : 0 <= w by rewrite /w; lra.
have [t1_above t1_below] := Rabs_le_inv t1 (Rabs t1) (Rle_refl _).
have [t2_above t2_below] := Rabs_le_inv t2 (Rabs t2) (Rle_refl _).
have rounded a b : float a -> float b -> Rabs (fl64 (a + b) - (a + b)) <= w * Rabs (a + b).
  move=> a_float b_float; apply: Rle_trans (addition_relative binary64 a b a_float b_float) _.
  by apply: Rmult_le_compat_r => //; exact: Rabs_pos.
have err : s + sum_error p1 p2 = p1 + p2 by rewrite /sum_error -/s; ring.
have err_float : float (sum_error p1 p2) by exact: sum_error_float.
have [err_small _] := sum_error_small p1 p2 p1_float p2_float; rewrite unit_value -/w in err_small.
have E := rounded e1 e2 e1_float e2_float; have X := rounded x1 x2 x1_float x2_float.
set E' := fl64 (e1 + e2) in E *; set X' := fl64 (x1 + x2) in X *.
have L := rounded E' X' (fl_float _ _) (fl_float _ _); set L' := fl64 (E' + X') in L *.
have H := rounded L' (sum_error p1 p2) (fl_float _ _) err_float; rewrite -/low in H.
set r := sum_error p1 p2 in err err_small H *.
have e1_le : Rabs e1 <= w * Rabs t1 + 5 * eta64 by move: p1_near e1_near; absolutely.
have e2_le : Rabs e2 <= w * Rabs t2 + 5 * eta64 by move: p2_near e2_near; absolutely.
have x1_le : Rabs x1 <= (2 * w + 4 * w * w) * Rabs t1 + 2 * eta64 by move: k1_small x1_near; absolutely.
have x2_le : Rabs x2 <= (2 * w + 4 * w * w) * Rabs t2 + 2 * eta64 by move: k2_small x2_near; absolutely.
set m := Rabs t1 + Rabs t2.
have E_le : Rabs (e1 + e2) <= w * m + 10 * eta64 by rewrite /m; move: e1_le e2_le; absolutely.
have X_le : Rabs (x1 + x2) <= (2 * w + 4 * w * w) * m + 4 * eta64 by rewrite /m; move: x1_le x2_le; absolutely.
have p_le : Rabs (p1 + p2) <= (1 + w) * m + 2 * eta64.
  by rewrite /m; move: p1_near p2_near; absolutely.
have r_le : Rabs r <= (w + w * w) * m + 2 * w * eta64.
  by apply: Rle_trans err_small _; have := Rmult_le_compat_l w _ _ w_ge0 p_le; lra.
have E_err : Rabs (E' - (e1 + e2)) <= w * w * m + 10 * w * eta64.
  by apply: Rle_trans E _; have := Rmult_le_compat_l w _ _ w_ge0 E_le; lra.
have X_err : Rabs (X' - (x1 + x2)) <= (2 * w * w + 4 * w * w * w) * m + 4 * w * eta64.
  by apply: Rle_trans X _; have := Rmult_le_compat_l w _ _ w_ge0 X_le; lra.
have m_ge0 : 0 <= m by rewrite /m; lra.
have EX_le : Rabs (E' + X') <= (3 * w + 8 * w * w) * m + 15 * eta64.
  by move: E_le X_le E_err X_err; rewrite /w; absolutely.
have L_err : Rabs (L' - (E' + X')) <= (3 * w * w + 8 * w * w * w) * m + 15 * w * eta64.
  by apply: Rle_trans L _; have := Rmult_le_compat_l w _ _ w_ge0 EX_le; lra.
have Lr_le : Rabs (L' + r) <= (4 * w + 14 * w * w) * m + 17 * eta64.
  by move: EX_le L_err r_le; rewrite /w; absolutely.
have low_err : Rabs (low - (L' + r)) <= (4 * w * w + 14 * w * w * w) * m + 17 * w * eta64.
  by apply: Rle_trans H _; have := Rmult_le_compat_l w _ _ w_ge0 Lr_le; lra.
have t_sum : Rabs t1 + Rabs t2 = m by [].
have s_eq : s = p1 + p2 - r by lra.
rewrite s_eq; move: e1_near e2_near x1_near x2_near E_err X_err L_err low_err; rewrite /w; absolutely.
Qed.

End Part.

(** ** The product *)

Lemma multiply_add_float (fused : bool) (x y z : R) : float (real_multiply_add fused x y z).
Proof. by rewrite /real_multiply_add; case: fused; exact: fl_float. Qed.

Definition double (x xl : R) : Prop := float x /\ float xl /\ Rabs xl <= u binary64 * Rabs x.

(** What is needed of two high parts and their low parts. *)
Section Factors.
Variable fused : bool.
Variables a al c cl : R.
Hypotheses (A_double : double a al) (C_double : double c cl).
Let w := / 9007199254740992.
Let p : R := fl64 (a * c).
Let e : R := product_error (reals fused) a c p.
Let x : R := multiply_add (reals fused) a cl (multiply (reals fused) al c).

Lemma factors_near :
  [/\ Rabs (p - a * c) <= w * Rabs (a * c) + eta64, Rabs (p + e - a * c) <= 4 * eta64,
      Rabs (a * cl + al * c) <= 2 * w * Rabs (a * c) &
      Rabs (x - (a * cl + al * c)) <= 4 * w * w * Rabs (a * c) + 2 * eta64].
Proof.
have [a_float [al_float al_small]] := A_double; have [c_float [cl_float cl_small]] := C_double.
rewrite unit_value -/w in al_small cl_small; have w_ge0 : 0 <= w by rewrite /w; lra.
have eta_gt0 := eta_pos binary64; have v_le := v_le_u binary64; have v_gt0 := v_pos binary64.
rewrite unit_value -/w in v_le.
have one : Rabs (a * cl) <= w * Rabs (a * c).
  by rewrite !Rabs_mult; have := Rmult_le_compat_l _ _ _ (Rabs_pos a) cl_small; lra.
have two : Rabs (al * c) <= w * Rabs (a * c).
  by rewrite !Rabs_mult; have := Rmult_le_compat_r _ _ _ (Rabs_pos c) al_small; lra.
split.
- have [standard _] := rounding_standard_model binary64 (a * c).
  by have := Rmult_le_compat_r _ _ _ (Rabs_pos (a * c)) v_le; rewrite -/p in standard *; lra.
- by have [_] := product_error_near fused a c a_float c_float.
- by apply: Rle_trans (Rabs_triang _ _) _; lra.
- have := rounding_two_products binary64 fused a cl al c.
  have -> : two_products binary64 fused a cl al c = x by rewrite /x /two_products /= /real_multiply_add; case: fused.
  move=> near; apply: Rle_trans near _; rewrite unit_value -/w.
  have small : (1 + v binary64) * eta64 <= 2 * eta64 by apply: Rmult_le_compat_r; rewrite /w in v_le *; lra.
  by have := Rmult_le_compat_l _ _ _ w_ge0 (Rplus_le_compat _ _ _ _ one two); lra.
Qed.

Lemma low_factors : Rabs (al * cl) <= w * w * Rabs (a * c).
Proof.
have [_ [_ al_small]] := A_double; have [_ [_ cl_small]] := C_double.
rewrite unit_value -/w in al_small cl_small; rewrite !Rabs_mult.
by have := Rmult_le_compat _ _ _ _ (Rabs_pos al) (Rabs_pos cl) al_small cl_small; lra.
Qed.

(** High parts are near the whole. *)
Lemma whole_factors : (1 - 3 * w) * Rabs (a * c) <= Rabs ((a + al) * (c + cl)).
Proof.
have [_ _ cross _] := factors_near; have low := low_factors; have size := Rabs_pos (a * c).
have -> : (a + al) * (c + cl) = a * c + (a * cl + al * c + al * cl) by ring.
have := Rabs_by_diff (a * c) (a * c + (a * cl + al * c + al * cl)).
have -> : a * c - (a * c + (a * cl + al * c + al * cl)) = - (a * cl + al * c + al * cl) by ring.
rewrite Rabs_Ropp; have := Rabs_triang (a * cl + al * c) (al * cl).
by rewrite /w in cross low *; lra.
Qed.

End Factors.

(** A part h + l of a product, from its two terms. *)
Lemma part_of_product (t1 t2 k1 k2 q1 q2 M1 M2 s low : R) :
  let w := / 9007199254740992 in
  Rabs (s + low - (t1 + t2 + (k1 + k2))) <= (14 * w * w + 40 * w * w * w) * (Rabs t1 + Rabs t2) + 13 * eta64 ->
  Rabs q1 <= w * w * Rabs t1 -> Rabs q2 <= w * w * Rabs t2 ->
  (1 - 3 * w) * Rabs t1 <= M1 -> (1 - 3 * w) * Rabs t2 <= M2 ->
  Rabs (s + low - (t1 + t2 + (k1 + k2) + (q1 + q2))) <= bpow radix2 (- 102) * (M1 + M2) + 32 * eta64.
Proof.
move=> w near q1_small q2_small M1_ge M2_ge.
have -> : bpow radix2 (- 102) = 16 * w * w by rewrite /w /= /Z.pow_pos /=; lra.
have eta_gt0 := eta_pos binary64; have t1_ge0 := Rabs_pos t1; have t2_ge0 := Rabs_pos t2.
have more : (15 * w * w + 40 * w * w * w) * (Rabs t1 + Rabs t2) <= 16 * w * w * (M1 + M2) by rewrite /w in M1_ge M2_ge *; lra.
by move: near q1_small q2_small; absolutely.
Qed.

(** rounding.trace-double-product: each part of the traced product is within 2^-102 of the sum of its terms' magnitudes, and
    2^-1069 for underflow; and its low number is at most u times its high one. *)
Theorem rounding_trace_double_product (fused : bool) (a al b bl c cl d dl : R) :
  double a al -> double b bl -> double c cl -> double d dl ->
  let A := a + al in let B := b + bl in let C := c + cl in let D := d + dl in
  exists h l h' l', double_product (reals fused) a al b bl c cl d dl = [:: h; l; h'; l'] /\
    double h l /\ double h' l' /\
    Rabs (h + l - (A * C - B * D)) <= bpow radix2 (- 102) * (Rabs (A * C) + Rabs (B * D)) + 32 * eta64 /\
    Rabs (h' + l' - (A * D + B * C)) <= bpow radix2 (- 102) * (Rabs (A * D) + Rabs (B * C)) + 32 * eta64.
Proof.
move=> A_double B_double C_double D_double A B C D.
have floats x y : double x y -> float x by case.
have ends_double x y : float x -> float y -> double (fl64 (x + y)) (sum_error x y).
  move=> x_float y_float; split; first exact: fl_float; split; first exact: sum_error_float.
  by have [] := sum_error_small x y x_float y_float.
have error_float x y p : float (product_error (reals fused) x y p) by exact: product_error_float.
have cross_float x y z : float (real_multiply_add fused x y z) by exact: multiply_add_float.
have joined x y : fl64 (x + y) + sum_error x y = x + y by rewrite /sum_error; ring.
rewrite /double_product.
have [ac1 ac2 ac3 ac4] := factors_near fused a al c cl A_double C_double.
have [bd1 bd2 bd3 bd4] := factors_near fused b bl d dl B_double D_double.
have [ad1 ad2 ad3 ad4] := factors_near fused a al d dl A_double D_double.
have [bc1 bc2 bc3 bc4] := factors_near fused b bl c cl B_double C_double.
have p_float x y : float (multiply (reals fused) x y) by exact: fl_float.
have x_float x xl y yl : float (multiply_add (reals fused) x yl (multiply (reals fused) xl y)) by exact: cross_float.
rewrite -[fl64 (a * c)]/(multiply (reals fused) a c) in ac1 ac2.
rewrite -[fl64 (b * d)]/(multiply (reals fused) b d) in bd1 bd2.
rewrite -[fl64 (a * d)]/(multiply (reals fused) a d) in ad1 ad2.
rewrite -[fl64 (b * c)]/(multiply (reals fused) b c) in bc1 bc2.
move: (p_float a c) (p_float b d) (p_float a d) (p_float b c) ac1 ac2 bd1 bd2 ad1 ad2 bc1 bc2.
move: (multiply (reals fused) a c) (multiply (reals fused) b d) (multiply (reals fused) a d) (multiply (reals fused) b c) => p1 p2 p3 p4.
move=> p1_float p2_float p3_float p4_float.
move: (error_float a c p1) (error_float b d p2) (error_float a d p3) (error_float b c p4).
move: (product_error (reals fused) a c p1) (product_error (reals fused) b d p2) (product_error (reals fused) a d p3) (product_error (reals fused) b c p4) => e1 e2 e3 e4.
move=> e1_float e2_float e3_float e4_float ac1 ac2 bd1 bd2 ad1 ad2 bc1 bc2.
move: (x_float a al c cl) (x_float b bl d dl) (x_float a al d dl) (x_float b bl c cl) ac4 bd4 ad4 bc4.
move: (multiply_add (reals fused) a cl (multiply (reals fused) al c)) => x1.
move: (multiply_add (reals fused) b dl (multiply (reals fused) bl d)) => x2.
move: (multiply_add (reals fused) a dl (multiply (reals fused) al d)) => x3.
move: (multiply_add (reals fused) b cl (multiply (reals fused) bl c)) => x4.
move=> x1_float x2_float x3_float x4_float ac4 bd4 ad4 bc4 /=.
rewrite (two_difference_error p1 p2) // (two_sum_error p3 p4) // !two_sum_error; try exact: fl_float.
do 4! eexists; split; first by reflexivity.
split; first by apply: ends_double; exact: fl_float.
split; first by apply: ends_double; exact: fl_float.
rewrite !joined.
rewrite -[/ IZR _]/(bpow radix2 (- 102)).
have negated x y z : Rabs (x - y) <= z -> Rabs (- x - - y) <= z.
  by move=> near; (have -> : - x - - y = - (x - y) by ring); rewrite Rabs_Ropp.
split.
- have -> : A * C - B * D = a * c + - (b * d) + ((a * cl + al * c) + - (b * dl + bl * d)) + (al * cl + - (bl * dl)).
    by rewrite /A /B /C /D; ring.
  apply: part_of_product; last 4 first.
  + exact: low_factors.
  + by rewrite !Rabs_Ropp; exact: low_factors.
  + exact: (whole_factors fused).
  + by rewrite Rabs_Ropp; exact: (whole_factors fused).
  apply: (part_near (a * c) (- (b * d)) p1 (- p2) e1 (- e2) _ _ x1 (- x2)) => //; try exact: is_float_opp.
  + by rewrite Rabs_Ropp; exact: negated.
  + by (have -> : - p2 + - e2 - - (b * d) = - (p2 + e2 - b * d) by ring); rewrite Rabs_Ropp.
  + by rewrite !Rabs_Ropp.
  + by rewrite Rabs_Ropp; exact: negated.
- have -> : A * D + B * C = a * d + b * c + ((a * dl + al * d) + (b * cl + bl * c)) + (al * dl + bl * cl).
    by rewrite /A /B /C /D; ring.
  apply: part_of_product; last 4 first.
  + exact: low_factors.
  + exact: low_factors.
  + exact: (whole_factors fused).
  + exact: (whole_factors fused).
  exact: (part_near (a * d) (b * c) p3 p4 e3 e4 _ _ x3 x4).
Qed.
