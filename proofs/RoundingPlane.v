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

Open Scope R_scope.

Definition plane_norm (a b : R) : R := sqrt (a ^ 2 + b ^ 2).

Lemma squares_ge_0 a b : 0 <= a ^ 2 + b ^ 2.
Proof. generalize (pow2_ge_0 a) (pow2_ge_0 b). lra. Qed.

Lemma plane_norm_ge_0 a b : 0 <= plane_norm a b.
Proof. apply sqrt_pos. Qed.

Lemma plane_norm_square a b : plane_norm a b * plane_norm a b = a ^ 2 + b ^ 2.
Proof. apply sqrt_sqrt, squares_ge_0. Qed.

Lemma square_le x y : 0 <= y -> x * x <= y * y -> x <= y.
Proof. intros Hy H. now apply Rsqr_incr_0_var. Qed.

Lemma pow2_abs_le x y : Rabs x <= y -> x ^ 2 <= y ^ 2.
Proof. intro H. now apply (pow_maj_Rabs y x 2). Qed.

Lemma plane_norm_le a b c d : Rabs a <= c -> Rabs b <= d ->
  plane_norm a b <= plane_norm c d.
Proof.
  intros Ha Hb. apply sqrt_le_1_alt.
  generalize (pow2_abs_le _ _ Ha) (pow2_abs_le _ _ Hb). lra.
Qed.

Lemma plane_norm_abs a b : plane_norm (Rabs a) (Rabs b) = plane_norm a b.
Proof. unfold plane_norm. now rewrite !pow2_abs. Qed.

Lemma plane_norm_swap a b : plane_norm a b = plane_norm b a.
Proof. unfold plane_norm. now rewrite Rplus_comm. Qed.

Lemma plane_norm_scale k a b : plane_norm (k * a) (k * b) = Rabs k * plane_norm a b.
Proof.
  unfold plane_norm. replace ((k * a) ^ 2 + (k * b) ^ 2) with (k ^ 2 * (a ^ 2 + b ^ 2)) by ring.
  rewrite sqrt_mult_alt by apply pow2_ge_0.
  now rewrite <- Rsqr_pow2, sqrt_Rsqr_abs.
Qed.

Lemma plane_norm_cauchy a b c d :
  Rabs (a * c) + Rabs (b * d) <= plane_norm a b * plane_norm c d.
Proof.
  apply square_le; [apply Rmult_le_pos; apply plane_norm_ge_0|].
  replace (plane_norm a b * plane_norm c d * (plane_norm a b * plane_norm c d))
    with (plane_norm a b * plane_norm a b * (plane_norm c d * plane_norm c d)) by ring.
  rewrite !plane_norm_square, !Rabs_mult.
  rewrite <- (pow2_abs a), <- (pow2_abs b), <- (pow2_abs c), <- (pow2_abs d).
  generalize (pow2_ge_0 (Rabs a * Rabs d - Rabs b * Rabs c)). lra.
Qed.

Lemma plane_norm_triangle a b c d :
  plane_norm (a + c) (b + d) <= plane_norm a b + plane_norm c d.
Proof.
  apply square_le.
  - generalize (plane_norm_ge_0 a b) (plane_norm_ge_0 c d). lra.
  - rewrite plane_norm_square.
    generalize (plane_norm_square a b) (plane_norm_square c d) (plane_norm_cauchy a b c d).
    generalize (Rle_abs (a * c)) (Rle_abs (b * d)). lra.
Qed.

Lemma plane_norm_box x y b : Rabs x <= b -> Rabs y <= b -> plane_norm x y <= sqrt 2 * b.
Proof.
  intros Hx Hy. assert (Hb : 0 <= b) by (generalize (Rabs_pos x); lra).
  apply Rle_trans with (1 := plane_norm_le _ _ _ _ Hx Hy).
  unfold plane_norm. replace (b ^ 2 + b ^ 2) with (2 * b ^ 2) by ring.
  rewrite sqrt_mult_alt by lra. rewrite sqrt_pow2 by exact Hb. apply Rle_refl.
Qed.

(** Multiplying by (c, s) as a complex number. *)
Lemma plane_norm_product x y c s :
  plane_norm (x * c - y * s) (x * s + y * c) = plane_norm x y * plane_norm c s.
Proof.
  unfold plane_norm. rewrite <- sqrt_mult by apply squares_ge_0. f_equal. ring.
Qed.

(** The same with absolute values inside loses at most √2. *)
Lemma plane_norm_product_abs x y c s :
  plane_norm (Rabs (x * c) + Rabs (y * s)) (Rabs (x * s) + Rabs (y * c))
  <= sqrt 2 * (plane_norm x y * plane_norm c s).
Proof.
  apply plane_norm_box.
  - rewrite Rabs_pos_eq; [apply plane_norm_cauchy|].
    generalize (Rabs_pos (x * c)) (Rabs_pos (y * s)). lra.
  - rewrite Rabs_pos_eq; [rewrite (plane_norm_swap c); apply plane_norm_cauchy|].
    generalize (Rabs_pos (x * s)) (Rabs_pos (y * c)). lra.
Qed.

Lemma plane_norm_unit x : plane_norm (cos x) (sin x) = 1.
Proof.
  unfold plane_norm. rewrite <- !Rsqr_pow2, Rplus_comm, sin2_cos2. apply sqrt_1.
Qed.

(** ** sin and cos *)

Lemma abs_sin_le x : Rabs (sin x) <= Rabs x.
Proof.
  assert (Hpos : forall y, 0 < y -> Rabs (sin y) <= y).
  { intros y Hy. generalize (sin_lt_x y Hy) (SIN_bound y) PI2_1. intros H1 H2 Hpi.
    case (Rle_lt_dec y 1); intro Hy1.
    - rewrite Rabs_pos_eq; [lra|]. apply sin_ge_0; lra.
    - apply Rabs_le. lra. }
  destruct (Rtotal_order x 0) as [H | [H | H]].
  - rewrite <- (Rabs_Ropp x), <- (Rabs_Ropp (sin x)), <- sin_neg.
    rewrite (Rabs_pos_eq (- x)) by lra. apply Hpos. lra.
  - rewrite H, sin_0. apply Rle_refl.
  - rewrite (Rabs_pos_eq x) by lra. now apply Hpos.
Qed.

Lemma plane_norm_chord a x : plane_norm (cos a - cos x) (sin a - sin x) <= Rabs (a - x).
Proof.
  rewrite form2, form4.
  replace (-2 * sin ((a - x) / 2) * sin ((a + x) / 2))
    with ((2 * sin ((a - x) / 2)) * (- sin ((a + x) / 2))) by ring.
  replace (2 * cos ((a + x) / 2) * sin ((a - x) / 2))
    with ((2 * sin ((a - x) / 2)) * cos ((a + x) / 2)) by ring.
  rewrite plane_norm_scale, plane_norm_swap.
  rewrite <- (plane_norm_abs (cos _)), Rabs_Ropp, plane_norm_abs, plane_norm_unit.
  rewrite Rabs_mult, (Rabs_pos_eq 2) by lra.
  generalize (abs_sin_le ((a - x) / 2)).
  unfold Rdiv. rewrite (Rabs_mult (a - x)), (Rabs_pos_eq (/ 2)) by lra. lra.
Qed.
