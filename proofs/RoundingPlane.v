(** * Lengths in the plane

  What is claimed.  The facts about sqrt(a² + b²) that bound the errors of a
  pair (sin, cos) and of a rotated pair.

  Dictionary:
  - [plane_norm a b] == sqrt(a² + b²).

  Formulas:
    ‖z + w‖ <= ‖z‖ + ‖w‖                               [plane_norm_triangle]
    |ac| + |bd| <= ‖(a, b)‖ ‖(c, d)‖                     [plane_norm_cauchy]
    ‖(xc - ys, xs + yc)‖ = ‖(x, y)‖ ‖(c, s)‖            [plane_norm_product]
    |x|, |y| <= b implies ‖(x, y)‖ <= √2 b                  [plane_norm_box]
    ‖(cos a - cos x, sin a - sin x)‖ <= |a - x|           [plane_norm_chord] *)

From Coq Require Import Reals Lra.
From mathcomp Require Import ssreflect.

Open Scope R_scope.

Definition plane_norm (a b : R) : R := sqrt (a ^ 2 + b ^ 2).

Lemma squares_ge_0 a b : 0 <= a ^ 2 + b ^ 2.
Proof. by have := pow2_ge_0 a; have := pow2_ge_0 b; lra. Qed.

Lemma plane_norm_ge_0 a b : 0 <= plane_norm a b.
Proof. exact: sqrt_pos. Qed.

Lemma plane_norm_square a b : plane_norm a b * plane_norm a b = a ^ 2 + b ^ 2.
Proof. by apply: sqrt_sqrt; exact: squares_ge_0. Qed.

Lemma square_le x y : 0 <= y -> x * x <= y * y -> x <= y.
Proof. by move=> y_ge0 le; exact: Rsqr_incr_0_var. Qed.

Lemma pow2_abs_le x y : Rabs x <= y -> x ^ 2 <= y ^ 2.
Proof. by move=> le; exact: (pow_maj_Rabs y x 2). Qed.

Lemma plane_norm_le a b c d : Rabs a <= c -> Rabs b <= d ->
  plane_norm a b <= plane_norm c d.
Proof.
move=> a_le b_le; apply: sqrt_le_1_alt.
by have := pow2_abs_le _ _ a_le; have := pow2_abs_le _ _ b_le; lra.
Qed.

Lemma plane_norm_abs a b : plane_norm (Rabs a) (Rabs b) = plane_norm a b.
Proof. by rewrite /plane_norm !pow2_abs. Qed.

Lemma plane_norm_swap a b : plane_norm a b = plane_norm b a.
Proof. by rewrite /plane_norm Rplus_comm. Qed.

Lemma plane_norm_scale k a b : plane_norm (k * a) (k * b) = Rabs k * plane_norm a b.
Proof.
rewrite /plane_norm; have -> : (k * a) ^ 2 + (k * b) ^ 2 = k ^ 2 * (a ^ 2 + b ^ 2) by ring.
by rewrite sqrt_mult_alt; [rewrite -Rsqr_pow2 sqrt_Rsqr_abs | exact: pow2_ge_0].
Qed.

Lemma plane_norm_cauchy a b c d :
  Rabs (a * c) + Rabs (b * d) <= plane_norm a b * plane_norm c d.
Proof.
apply: square_le; first by apply: Rmult_le_pos; exact: plane_norm_ge_0.
have -> : plane_norm a b * plane_norm c d * (plane_norm a b * plane_norm c d) =
    plane_norm a b * plane_norm a b * (plane_norm c d * plane_norm c d) by ring.
rewrite !plane_norm_square !Rabs_mult -(pow2_abs a) -(pow2_abs b) -(pow2_abs c) -(pow2_abs d).
by have := pow2_ge_0 (Rabs a * Rabs d - Rabs b * Rabs c); lra.
Qed.

Lemma plane_norm_triangle a b c d :
  plane_norm (a + c) (b + d) <= plane_norm a b + plane_norm c d.
Proof.
apply: square_le; first by have := plane_norm_ge_0 a b; have := plane_norm_ge_0 c d; lra.
rewrite plane_norm_square; have := plane_norm_square a b; have := plane_norm_square c d.
by have := plane_norm_cauchy a b c d; have := Rle_abs (a * c); have := Rle_abs (b * d); lra.
Qed.

Lemma plane_norm_box x y b : Rabs x <= b -> Rabs y <= b -> plane_norm x y <= sqrt 2 * b.
Proof.
move=> x_le y_le; have b_ge0 : 0 <= b by have := Rabs_pos x; lra.
apply: Rle_trans (plane_norm_le _ _ _ _ x_le y_le) _.
rewrite /plane_norm; have -> : b ^ 2 + b ^ 2 = 2 * b ^ 2 by ring.
by rewrite sqrt_mult_alt; [rewrite sqrt_pow2 //; exact: Rle_refl | lra].
Qed.

(** Multiplying by (c, s) as a complex number. *)
Lemma plane_norm_product x y c s :
  plane_norm (x * c - y * s) (x * s + y * c) = plane_norm x y * plane_norm c s.
Proof.
by rewrite /plane_norm -sqrt_mult; [congr sqrt; ring | exact: squares_ge_0 | exact: squares_ge_0].
Qed.

(** The same with absolute values inside loses at most √2. *)
Lemma plane_norm_product_abs x y c s :
  plane_norm (Rabs (x * c) + Rabs (y * s)) (Rabs (x * s) + Rabs (y * c))
  <= sqrt 2 * (plane_norm x y * plane_norm c s).
Proof.
apply: plane_norm_box.
  rewrite Rabs_pos_eq; first exact: plane_norm_cauchy.
  by have := Rabs_pos (x * c); have := Rabs_pos (y * s); lra.
rewrite Rabs_pos_eq; first by rewrite (plane_norm_swap c); exact: plane_norm_cauchy.
by have := Rabs_pos (x * s); have := Rabs_pos (y * c); lra.
Qed.

Lemma plane_norm_unit x : plane_norm (cos x) (sin x) = 1.
Proof.
by rewrite /plane_norm -!Rsqr_pow2 Rplus_comm sin2_cos2; exact: sqrt_1.
Qed.

(** ** sin and cos *)

Lemma abs_sin_le x : Rabs (sin x) <= Rabs x.
Proof.
have positive y : 0 < y -> Rabs (sin y) <= y.
  move=> y_gt0; have := PI2_1; have := SIN_bound y; have := sin_lt_x y y_gt0 => *.
  case: (Rle_lt_dec y 1) => y_1; last by apply: Rabs_le; lra.
  by rewrite Rabs_pos_eq; [lra | apply: sin_ge_0; lra].
case: (Rtotal_order x 0) => [x_lt0 | [-> | x_gt0]].
- rewrite -(Rabs_Ropp x) -(Rabs_Ropp (sin x)) -sin_neg (Rabs_pos_eq (- x)); last by lra.
  by apply: positive; lra.
- by rewrite sin_0; exact: Rle_refl.
- by rewrite (Rabs_pos_eq x); [exact: positive | lra].
Qed.

Lemma plane_norm_chord a x : plane_norm (cos a - cos x) (sin a - sin x) <= Rabs (a - x).
Proof.
rewrite form2 form4; set half_sum := (a + x) / 2; set half := (a - x) / 2.
have -> : -2 * sin half * sin half_sum = 2 * sin half * - sin half_sum by ring.
have -> : 2 * cos half_sum * sin half = 2 * sin half * cos half_sum by ring.
rewrite plane_norm_scale plane_norm_swap -(plane_norm_abs (cos _)) Rabs_Ropp plane_norm_abs plane_norm_unit.
rewrite Rabs_mult (Rabs_pos_eq 2); last by lra.
have := abs_sin_le half; rewrite /half /Rdiv (Rabs_mult (a - x)) (Rabs_pos_eq (/ 2)); last by lra.
by lra.
Qed.
