(** * The error of a rotated pair

  What is claimed.  A program rotates the pair (x, y) by tabulated values c' of
  cos and s' of sin as X = fl(fl(x c') - fl(y s')), Y = fl(fl(x s') + fl(y c')), or with
  the first product fused into the addition.  Its distance from the exact
  rotation is bounded componentwise and in length.

  Dictionary (F: format, [fused]: whether fused multiply-add is used):
  - [two_products F fused a b c d] == fl(fl(ab) + fl(cd)), or fl(ab + fl(cd)) if fused;
  - [rotated_x F fused x y c s], [rotated_y F fused x y c s] == the computed X and Y;
  - [rotation_relative F fused] == (1 + √2) u, or 2u if fused;
  - [rotation_absolute F] == √2 (1 + v) η;
  - [pair_bound F fused τ r] == (τ + rotation_relative (1 + τ)) r + rotation_absolute.

  Formulas:
    |fl(fl(ab) + fl(cd)) - (ab + cd)| <= 2u (|ab| + |cd|) + (1 + v) η    [rounding_two_products]
    |X - (x c - y s)| <= 2u (|x c'| + |y s'|) + |x| |c' - c| + |y| |s' - s| + (1+v) η
                                                                        [rounding_rotated_pair]
    ‖(X, Y) - (x c - y s, x s + y c)‖ <= (τ + (1 + √2) u (1 + τ)) ‖(x, y)‖ + √2 (1+v) η
      where (c, s) = (cos θ, sin θ), ‖(c', s') - (c, s)‖ <= τ   [rounding_rotated_pair_length]
    cast to a format S: a becomes a + v_S (‖(x, y)‖ + a) + √2 η_S/2    [rounding_rotated_pair_cast]

  The constant 1 + √2 is that of the complex product; √5 is the best possible
  (Brent, Percival and Zimmermann 2007) and 2 with fused multiply-add.
  Assumes: no overflow (see rounding_two_products_range).
  Not claimed: the constant √5. *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingPlane.

Open Scope R_scope.

Definition two_products (F : format) (fused : bool) (a b c d : R) : R :=
  if fused then fl F (a * b + fl F (c * d)) else fl F (fl F (a * b) + fl F (c * d)).

Definition rotated_x (F : format) (fused : bool) (x y c s : R) : R :=
  two_products F fused x c (- y) s.
Definition rotated_y (F : format) (fused : bool) (x y c s : R) : R :=
  two_products F fused x s y c.

Definition rotation_relative (F : format) (fused : bool) : R :=
  if fused then 2 * u F else (1 + sqrt 2) * u F.
Definition rotation_absolute (F : format) : R := sqrt 2 * ((1 + v F) * eta F).

Section Rotation.
Variable F : format.
Variable fused : bool.

(** Negating a factor negates the rounded product, so X is the difference of rounded products. *)
Lemma rotated_x_difference x y c s :
  rotated_x F false x y c s = fl F (fl F (x * c) - fl F (y * s)).
Proof. unfold rotated_x, two_products. now rewrite Ropp_mult_distr_l_reverse, fl_opp. Qed.

(** The error of two products and their sum, product errors and addition error apart:
    e1 bounds what the products do, e2 what the last rounding does. *)
Lemma two_products_split a b c d :
  exists p, Rabs (p - (a * b + c * d))
            <= v F * ((if fused then 0 else Rabs (a * b)) + Rabs (c * d))
               + (if fused then eta F / 2 else eta F) /\
            Rabs (two_products F fused a b c d - p)
            <= v F * Rabs p + (if fused then eta F / 2 else 0).
Proof.
  generalize (proj1 (rounding_standard_model F (a * b))) (proj1 (rounding_standard_model F (c * d))).
  intros Hab Hcd. unfold two_products. destruct fused.
  - exists (a * b + fl F (c * d)). split.
    + replace (a * b + fl F (c * d) - (a * b + c * d)) with (fl F (c * d) - c * d) by ring. lra.
    + apply (rounding_standard_model F).
  - exists (fl F (a * b) + fl F (c * d)). split.
    + replace (fl F (a * b) + fl F (c * d) - (a * b + c * d))
        with ((fl F (a * b) - a * b) + (fl F (c * d) - c * d)) by ring.
      generalize (Rabs_triang (fl F (a * b) - a * b) (fl F (c * d) - c * d)). lra.
    + rewrite Rplus_0_r. apply addition_relative; apply fl_float.
Qed.

(** rounding.two-products: |fl(fl(ab) + fl(cd)) - (ab + cd)| <= 2u(|ab| + |cd|) + (1 + v)η, and the
    same for fl(ab + fl(cd)). *)
Theorem rounding_two_products (a b c d : R) :
  Rabs (two_products F fused a b c d - (a * b + c * d))
  <= 2 * u F * (Rabs (a * b) + Rabs (c * d)) + (1 + v F) * eta F.
Proof.
  destruct (two_products_split a b c d) as (p & H1 & H2).
  generalize (v_pos F) (eta_pos F) (v_le_u F) (v_twice F) (Rabs_pos (a * b)) (Rabs_pos (c * d)).
  intros Hv He Hvu Hvv Hab Hcd.
  assert (H1' : Rabs (p - (a * b + c * d))
    <= v F * (Rabs (a * b) + Rabs (c * d)) + (if fused then eta F / 2 else eta F)).
  { destruct fused; [|lra].
    assert (0 <= v F * Rabs (a * b)) by (apply Rmult_le_pos; lra). lra. }
  generalize (Rabs_diff_triangle (two_products F fused a b c d) p (a * b + c * d)). intro Ht.
  set (S := Rabs (a * b) + Rabs (c * d)) in *.
  assert (HS : Rabs (a * b + c * d) <= S) by apply Rabs_triang.
  assert (Hp : Rabs p <= S + (v F * S + (if fused then eta F / 2 else eta F)))
    by (generalize (Rabs_by_diff p (a * b + c * d)); lra).
  assert (Hvp := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hv) Hp).
  assert (HS0 : 0 <= S) by (unfold S; lra).
  assert (Hrel : (v F * (1 + v F)) * S <= u F * S) by (apply Rmult_le_compat_r; lra).
  assert (Hrel' : v F * S <= u F * S) by (apply Rmult_le_compat_r; lra).
  assert (Hve : 0 <= v F * eta F) by (apply Rmult_le_pos; lra).
  destruct fused; lra.
Qed.

(** rounding.two-products-range: if (1 + 2u)(|ab| + |cd|) + 2η <= Ω then neither the products nor their
    sum overflow. *)
Theorem rounding_two_products_range (a b c d : R) :
  (1 + 2 * u F) * (Rabs (a * b) + Rabs (c * d)) + 2 * eta F <= largest F ->
  Rabs (fl F (a * b)) <= largest F /\ Rabs (fl F (c * d)) <= largest F /\
  Rabs (two_products F fused a b c d) <= largest F.
Proof.
  intro H.
  generalize (rounding_two_products a b c d) (Rabs_triang (a * b) (c * d))
    (Rabs_by_diff (two_products F fused a b c d) (a * b + c * d)).
  generalize (Rabs_pos (a * b)) (Rabs_pos (c * d)) (u_pos F) (v_pos F) (v_lt_1 F) (eta_pos F).
  intros Pab Pcd Hu Hv Hv1 He Ht Htri Hd.
  assert (Hve : v F * eta F <= 1 * eta F) by (apply Rmult_le_compat_r; lra).
  assert (Huab : 0 <= u F * Rabs (a * b)) by (apply Rmult_le_pos; lra).
  assert (Hucd : 0 <= u F * Rabs (c * d)) by (apply Rmult_le_pos; lra).
  split; [|split; [|lra]]; apply rounding_overflow; lra.
Qed.

(** rounding.rotated-pair: X = fl(fl(xc') - fl(ys')) satisfies |X - (xc - ys)| <=
    2u(|xc'| + |ys'|) + (1 + v)η + |x||c' - c| + |y||s' - s|, likewise Y = fl(fl(xs') + fl(yc')), with or
    without fusing the first product into the addition. *)
Theorem rounding_rotated_pair (x y c' c s' s : R) :
  Rabs (rotated_x F fused x y c' s' - (x * c - y * s))
  <= 2 * u F * (Rabs (x * c') + Rabs (y * s')) + (1 + v F) * eta F
     + Rabs x * Rabs (c' - c) + Rabs y * Rabs (s' - s) /\
  Rabs (rotated_y F fused x y c' s' - (x * s + y * c))
  <= 2 * u F * (Rabs (x * s') + Rabs (y * c')) + (1 + v F) * eta F
     + Rabs x * Rabs (s' - s) + Rabs y * Rabs (c' - c).
Proof.
  assert (H : forall z a' a b' b, Rabs (two_products F fused x a' z b' - (x * a + z * b))
    <= 2 * u F * (Rabs (x * a') + Rabs (z * b')) + (1 + v F) * eta F
       + Rabs x * Rabs (a' - a) + Rabs z * Rabs (b' - b)).
  { intros z a' a b' b.
    generalize (rounding_two_products x a' z b')
      (Rabs_diff_triangle (two_products F fused x a' z b') (x * a' + z * b') (x * a + z * b)).
    replace (x * a' + z * b' - (x * a + z * b)) with (x * (a' - a) + z * (b' - b)) by ring.
    generalize (Rabs_triang (x * (a' - a)) (z * (b' - b))). rewrite (Rabs_mult x), (Rabs_mult z).
    lra. }
  split; [|apply H].
  generalize (H (- y) c' c s' s). unfold rotated_x.
  rewrite !Ropp_mult_distr_l_reverse, !Rabs_Ropp. intro HX. exact HX.
Qed.

(** rounding.rotated-pair-running: |X - (xc - ys)| <= spacing(xc')/2 + spacing(ys')/2
    + spacing(fl(xc') - fl(ys'))/2 + |x||c' - c| + |y||s' - s|. *)
Theorem rounding_rotated_pair_running (x y c' c s' s : R) :
  Rabs (rotated_x F false x y c' s' - (x * c - y * s))
  <= / 2 * spacing F (x * c') + / 2 * spacing F (y * s')
     + / 2 * spacing F (fl F (x * c') - fl F (y * s'))
     + Rabs x * Rabs (c' - c) + Rabs y * Rabs (s' - s).
Proof.
  rewrite rotated_x_difference.
  set (P := fl F (x * c')). set (Q := fl F (y * s')).
  replace (fl F (P - Q) - (x * c - y * s))
    with ((fl F (P - Q) - (P - Q)) + ((P - x * c') + (- (Q - y * s')
          + (x * (c' - c) + - (y * (s' - s)))))) by ring.
  generalize (rounding_half_spacing F (x * c')) (rounding_half_spacing F (y * s'))
    (rounding_half_spacing F (P - Q)). fold P Q. intros H1 H2 H3.
  apply Rle_trans with (1 := Rabs_triang _ _).
  generalize (Rabs_triang (P - x * c') (- (Q - y * s') + (x * (c' - c) + - (y * (s' - s)))))
    (Rabs_triang (- (Q - y * s')) (x * (c' - c) + - (y * (s' - s))))
    (Rabs_triang (x * (c' - c)) (- (y * (s' - s)))).
  rewrite !Rabs_Ropp, (Rabs_mult x), (Rabs_mult y). lra.
Qed.

(** ** In length *)

Lemma sqrt_2_bounds : 1 <= sqrt 2.
Proof. rewrite <- sqrt_1 at 1. apply sqrt_le_1_alt. lra. Qed.

(** What products and last additions add: absolutely, and k by which sizes of products exceed N. *)
Let product_eta : R := if fused then eta F / 2 else eta F.
Let last_eta : R := if fused then eta F / 2 else 0.
Let spread : R := if fused then 1 else sqrt 2.

Lemma eta_parts : 0 <= product_eta /\ 0 <= last_eta /\ product_eta + last_eta = eta F.
Proof. generalize (eta_pos F). unfold product_eta, last_eta. destruct fused; lra. Qed.

Lemma spread_ge_1 : 1 <= spread.
Proof. generalize sqrt_2_bounds. unfold spread. destruct fused; lra. Qed.

(** Both coordinates before their last rounding. *)
Lemma products_rounding x y c s p q :
  Rabs (p - (x * c + - y * s)) <= v F * ((if fused then 0 else Rabs (x * c)) + Rabs (- y * s)) + product_eta ->
  Rabs (q - (x * s + y * c)) <= v F * ((if fused then 0 else Rabs (x * s)) + Rabs (y * c)) + product_eta ->
  plane_norm (p - (x * c - y * s)) (q - (x * s + y * c))
  <= v F * (spread * (plane_norm x y * plane_norm c s)) + sqrt 2 * product_eta.
Proof.
  rewrite (Ropp_mult_distr_l_reverse y s), Rabs_Ropp. intros Hp Hq.
  destruct eta_parts as (Hh & _). generalize (v_pos F). intro Hv.
  set (a := (if fused then 0 else Rabs (x * c)) + Rabs (y * s)) in *.
  set (b := (if fused then 0 else Rabs (x * s)) + Rabs (y * c)) in *.
  apply Rle_trans with (plane_norm (v F * a + product_eta) (v F * b + product_eta)).
  { apply plane_norm_le; [|exact Hq].
    replace (x * c - y * s) with (x * c + - (y * s)) by ring. exact Hp. }
  apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
  rewrite plane_norm_scale, (Rabs_pos_eq (v F)) by lra.
  apply Rplus_le_compat; [|apply plane_norm_box; rewrite Rabs_pos_eq; lra].
  apply Rmult_le_compat_l; [lra|]. unfold a, b, spread. destruct fused.
  - rewrite !Rplus_0_l, plane_norm_abs, (plane_norm_swap (y * s)), plane_norm_scale, Rmult_1_l.
    apply Rmult_le_compat_r; [apply plane_norm_ge_0|].
    rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. unfold Rsqr. generalize (pow2_ge_0 x). lra.
  - apply plane_norm_product_abs.
Qed.

(** The last rounding of both. *)
Lemma last_rounding X Y p q :
  Rabs (X - p) <= v F * Rabs p + last_eta -> Rabs (Y - q) <= v F * Rabs q + last_eta ->
  plane_norm (X - p) (Y - q) <= v F * plane_norm p q + sqrt 2 * last_eta.
Proof.
  intros HX HY. destruct eta_parts as (_ & Hh & _). generalize (v_pos F). intro Hv.
  apply Rle_trans with (plane_norm (v F * Rabs p + last_eta) (v F * Rabs q + last_eta)).
  { now apply plane_norm_le. }
  apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
  rewrite plane_norm_scale, plane_norm_abs, (Rabs_pos_eq (v F)) by lra.
  apply Rplus_le_compat_l. apply plane_norm_box; rewrite Rabs_pos_eq; lra.
Qed.

(** The two together, for N = ‖(x, y)‖‖(c, s)‖. *)
Lemma rotation_total N pq : 0 <= N -> 
  pq <= N + (v F * (spread * N) + sqrt 2 * product_eta) ->
  v F * pq + sqrt 2 * last_eta + (v F * (spread * N) + sqrt 2 * product_eta)
  <= rotation_relative F fused * N + rotation_absolute F.
Proof.
  intros HN Hpq. destruct eta_parts as (Hh0 & Hh'0 & Hh).
  generalize (v_pos F) (v_le_u F) (v_twice F) spread_ge_1 sqrt_2_bounds. intros Hv Hle Htw Hk H2.
  assert (Hvpq := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hv) Hpq).
  assert (Hrel : (v F * (1 + spread + v F * spread)) * N <= rotation_relative F fused * N).
  { apply Rmult_le_compat_r; [exact HN|].
    assert (v F * (1 + v F) * spread <= u F * spread) by (apply Rmult_le_compat_r; lra).
    unfold rotation_relative, spread in *. destruct fused; lra. }
  assert (Habs : sqrt 2 * last_eta + (1 + v F) * (sqrt 2 * product_eta) <= rotation_absolute F).
  { unfold rotation_absolute. rewrite <- Hh.
    assert (0 <= v F * (sqrt 2 * last_eta)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    lra. }
  lra.
Qed.

(** Rounding alone: rotation by the tabulated pair itself. *)
Lemma rotation_rounding x y c s :
  plane_norm (rotated_x F fused x y c s - (x * c - y * s))
             (rotated_y F fused x y c s - (x * s + y * c))
  <= rotation_relative F fused * (plane_norm x y * plane_norm c s) + rotation_absolute F.
Proof.
  destruct (two_products_split x c (- y) s) as (p & Hp & HX).
  destruct (two_products_split x s y c) as (q & Hq & HY).
  assert (Hproducts := products_rounding x y c s p q Hp Hq).
  assert (Hlast := last_rounding (rotated_x F fused x y c s) (rotated_y F fused x y c s) p q HX HY).
  set (N := plane_norm x y * plane_norm c s) in *.
  assert (HN : 0 <= N) by (apply Rmult_le_pos; apply plane_norm_ge_0).
  assert (Hpq : plane_norm p q <= N + (v F * (spread * N) + sqrt 2 * product_eta)).
  { replace p with ((x * c - y * s) + (p - (x * c - y * s))) by ring.
    replace q with ((x * s + y * c) + (q - (x * s + y * c))) by ring.
    apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
    rewrite plane_norm_product. fold N. lra. }
  set (X := rotated_x F fused x y c s) in *. set (Y := rotated_y F fused x y c s) in *.
  replace (X - (x * c - y * s)) with ((X - p) + (p - (x * c - y * s))) by ring.
  replace (Y - (x * s + y * c)) with ((Y - q) + (q - (x * s + y * c))) by ring.
  apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
  generalize (rotation_total N _ HN Hpq). lra.
Qed.

Definition pair_bound (tau r : R) : R :=
  (tau + rotation_relative F fused * (1 + tau)) * r + rotation_absolute F.

Lemma rotation_relative_ge_0 : 0 <= rotation_relative F fused.
Proof.
  generalize (u_pos F) sqrt_2_bounds. unfold rotation_relative. intros.
  destruct fused; [lra|]. apply Rmult_le_pos; lra.
Qed.

(** rounding.rotated-pair-length: for ‖(c', s') - (cos θ, sin θ)‖ <= τ the computed pair is within
    (τ + (1 + √2)u(1 + τ))‖(x, y)‖ + √2(1 + v)η of the pair rotated by θ; with fused multiply-add,
    2u replaces (1 + √2)u. *)
Theorem rounding_rotated_pair_length (x y c' s' theta tau : R) :
  plane_norm (c' - cos theta) (s' - sin theta) <= tau ->
  plane_norm (rotated_x F fused x y c' s' - (x * cos theta - y * sin theta))
             (rotated_y F fused x y c' s' - (x * sin theta + y * cos theta))
  <= pair_bound tau (plane_norm x y).
Proof.
  intro Htau. set (c := cos theta) in *. set (s := sin theta) in *.
  assert (Hcs : plane_norm c' s' <= 1 + tau).
  { replace c' with (c + (c' - c)) by ring. replace s' with (s + (s' - s)) by ring.
    apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
    generalize (plane_norm_unit theta). fold c s. lra. }
  generalize (plane_norm_ge_0 x y). intro Hxy.
  set (X := rotated_x F fused x y c' s'). set (Y := rotated_y F fused x y c' s').
  replace (X - (x * c - y * s))
    with ((X - (x * c' - y * s')) + (x * (c' - c) - y * (s' - s))) by ring.
  replace (Y - (x * s + y * c))
    with ((Y - (x * s' + y * c')) + (x * (s' - s) + y * (c' - c))) by ring.
  apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
  rewrite plane_norm_product.
  assert (H1 := Rmult_le_compat_l _ _ _ Hxy Htau).
  assert (H2 := Rmult_le_compat_l _ _ _ rotation_relative_ge_0 (Rmult_le_compat_l _ _ _ Hxy Hcs)).
  generalize (rotation_rounding x y c' s'). fold X Y. unfold pair_bound. lra.
Qed.

End Rotation.

(** rounding.rotated-pair-cast: a computed pair (X, Y) within a of a point of length r, cast to a format S, is
    within a + v_S(r + a) + √2 η_S/2 of it. *)
Theorem rounding_rotated_pair_cast (S : format) (X Y x y a : R) :
  plane_norm (X - x) (Y - y) <= a ->
  plane_norm (fl S X - x) (fl S Y - y)
  <= a + v S * (plane_norm x y + a) + sqrt 2 * (eta S / 2).
Proof.
  intro Ha. generalize (v_pos S) (eta_pos S). intros Hv He.
  assert (HXY : plane_norm X Y <= plane_norm x y + a).
  { replace X with (x + (X - x)) by ring. replace Y with (y + (Y - y)) by ring.
    apply Rle_trans with (1 := plane_norm_triangle _ _ _ _). lra. }
  assert (Hfl : plane_norm (fl S X - X) (fl S Y - Y)
                <= v S * plane_norm X Y + sqrt 2 * (eta S / 2)).
  { apply Rle_trans with (plane_norm (v S * Rabs X + eta S / 2) (v S * Rabs Y + eta S / 2)).
    - apply plane_norm_le; apply (rounding_standard_model S).
    - apply Rle_trans with (1 := plane_norm_triangle _ _ _ _).
      rewrite plane_norm_scale, plane_norm_abs, (Rabs_pos_eq (v S)) by lra.
      apply Rplus_le_compat_l, plane_norm_box; rewrite Rabs_pos_eq; lra. }
  assert (HvXY := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hv) HXY).
  replace (fl S X - x) with ((fl S X - X) + (X - x)) by ring.
  replace (fl S Y - y) with ((fl S Y - Y) + (Y - y)) by ring.
  apply Rle_trans with (1 := plane_norm_triangle _ _ _ _). lra.
Qed.
