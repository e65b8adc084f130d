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
From mathcomp Require Import ssreflect.
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
Proof. by rewrite /rotated_x /two_products Ropp_mult_distr_l_reverse fl_opp. Qed.

(** The error of two products and their sum, product errors and addition error apart:
    e1 bounds what the products do, e2 what the last rounding does. *)
Lemma two_products_split a b c d :
  exists p, Rabs (p - (a * b + c * d))
            <= v F * ((if fused then 0 else Rabs (a * b)) + Rabs (c * d))
               + (if fused then eta F / 2 else eta F) /\
            Rabs (two_products F fused a b c d - p)
            <= v F * Rabs p + (if fused then eta F / 2 else 0).
Proof.
have [ab _] := rounding_standard_model F (a * b); have [cd _] := rounding_standard_model F (c * d).
rewrite /two_products; case: fused.
  exists (a * b + fl F (c * d)); split; last by have [] := rounding_standard_model F (a * b + fl F (c * d)).
  have -> : a * b + fl F (c * d) - (a * b + c * d) = fl F (c * d) - c * d by ring.
  by lra.
exists (fl F (a * b) + fl F (c * d)); split; last by rewrite Rplus_0_r; apply: addition_relative; exact: fl_float.
have -> : fl F (a * b) + fl F (c * d) - (a * b + c * d) = (fl F (a * b) - a * b) + (fl F (c * d) - c * d) by ring.
by have := Rabs_triang (fl F (a * b) - a * b) (fl F (c * d) - c * d); lra.
Qed.

(** rounding.two-products: |fl(fl(ab) + fl(cd)) - (ab + cd)| <= 2u(|ab| + |cd|) + (1 + v)η, and the
    same for fl(ab + fl(cd)). *)
Theorem rounding_two_products (a b c d : R) :
  Rabs (two_products F fused a b c d - (a * b + c * d))
  <= 2 * u F * (Rabs (a * b) + Rabs (c * d)) + (1 + v F) * eta F.
Proof.
have [p [products sum]] := two_products_split a b c d.
set S := Rabs (a * b) + Rabs (c * d).
have ab_ge0 := Rabs_pos (a * b); have cd_ge0 := Rabs_pos (c * d).
have v_gt0 := v_pos F; have eta_gt0 := eta_pos F; have v_le := v_le_u F; have v_two := v_twice F.
have S_ge0 : 0 <= S by rewrite /S; lra.
have p_near : Rabs (p - (a * b + c * d)) <= v F * S + (if fused then eta F / 2 else eta F).
  have := Rmult_le_pos _ _ (Rlt_le _ _ v_gt0) ab_ge0.
  by move: products; rewrite /S; case: fused; lra.
have S_ge : Rabs (a * b + c * d) <= S by exact: Rabs_triang.
have p_le : Rabs p <= S + (v F * S + (if fused then eta F / 2 else eta F)).
  by have := Rabs_by_diff p (a * b + c * d); lra.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v_gt0) p_le.
have : v F * (1 + v F) * S <= u F * S by apply: Rmult_le_compat_r; lra.
have : v F * S <= u F * S by exact: Rmult_le_compat_r.
have := Rmult_le_pos _ _ (Rlt_le _ _ v_gt0) (Rlt_le _ _ eta_gt0).
have := Rabs_diff_triangle (two_products F fused a b c d) p (a * b + c * d).
by move: p_near sum; case: fused; lra.
Qed.

(** rounding.two-products-range: if (1 + 2u)(|ab| + |cd|) + 2η <= Ω then neither the products nor their
    sum overflow. *)
Theorem rounding_two_products_range (a b c d : R) :
  (1 + 2 * u F) * (Rabs (a * b) + Rabs (c * d)) + 2 * eta F <= largest F ->
  Rabs (fl F (a * b)) <= largest F /\ Rabs (fl F (c * d)) <= largest F /\
  Rabs (two_products F fused a b c d) <= largest F.
Proof.
move=> range; have rounded := rounding_two_products a b c d; have sum := Rabs_triang (a * b) (c * d).
have moved := Rabs_by_diff (two_products F fused a b c d) (a * b + c * d).
have ab_ge0 := Rabs_pos (a * b); have cd_ge0 := Rabs_pos (c * d).
have u_ge0 := Rlt_le _ _ (u_pos F); have eta_ge0 := Rlt_le _ _ (eta_pos F).
have v_eta : v F * eta F <= 1 * eta F by apply: Rmult_le_compat_r => //; exact: Rlt_le (v_lt_1 F).
have := Rmult_le_pos _ _ u_ge0 ab_ge0; have := Rmult_le_pos _ _ u_ge0 cd_ge0 => ucd_ge0 uab_ge0.
have below x : Rabs x <= largest F -> Rabs (fl F x) <= largest F by move=> /rounding_overflow [].
by split; [|split]; [apply: below; lra | apply: below; lra | lra].
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
have sum z a' a b' b : Rabs (two_products F fused x a' z b' - (x * a + z * b))
    <= 2 * u F * (Rabs (x * a') + Rabs (z * b')) + (1 + v F) * eta F
       + Rabs x * Rabs (a' - a) + Rabs z * Rabs (b' - b).
  have := rounding_two_products x a' z b'.
  have := Rabs_diff_triangle (two_products F fused x a' z b') (x * a' + z * b') (x * a + z * b).
  have -> : x * a' + z * b' - (x * a + z * b) = x * (a' - a) + z * (b' - b) by ring.
  by have := Rabs_triang (x * (a' - a)) (z * (b' - b)); rewrite (Rabs_mult x (a' - a)) (Rabs_mult z (b' - b)); lra.
split; last exact: sum.
by have := sum (- y) c' c s' s; rewrite /rotated_x !Ropp_mult_distr_l_reverse !Rabs_Ropp.
Qed.

(** rounding.rotated-pair-running: |X - (xc - ys)| <= spacing(xc')/2 + spacing(ys')/2
    + spacing(fl(xc') - fl(ys'))/2 + |x||c' - c| + |y||s' - s|. *)
Theorem rounding_rotated_pair_running (x y c' c s' s : R) :
  Rabs (rotated_x F false x y c' s' - (x * c - y * s))
  <= / 2 * spacing F (x * c') + / 2 * spacing F (y * s')
     + / 2 * spacing F (fl F (x * c') - fl F (y * s'))
     + Rabs x * Rabs (c' - c) + Rabs y * Rabs (s' - s).
Proof.
rewrite rotated_x_difference; set P := fl F (x * c'); set Q := fl F (y * s').
set moved := x * (c' - c) + - (y * (s' - s)).
have -> : fl F (P - Q) - (x * c - y * s)
    = (fl F (P - Q) - (P - Q)) + ((P - x * c') + (- (Q - y * s') + moved)) by rewrite /moved; ring.
have first : Rabs (P - x * c') <= / 2 * spacing F (x * c') by exact: rounding_half_spacing.
have second : Rabs (Q - y * s') <= / 2 * spacing F (y * s') by exact: rounding_half_spacing.
have last := rounding_half_spacing F (P - Q).
have := Rabs_triang (fl F (P - Q) - (P - Q)) ((P - x * c') + (- (Q - y * s') + moved)).
have := Rabs_triang (P - x * c') (- (Q - y * s') + moved).
have := Rabs_triang (- (Q - y * s')) moved; have := Rabs_triang (x * (c' - c)) (- (y * (s' - s))).
by rewrite -/moved !Rabs_Ropp (Rabs_mult x (c' - c)) (Rabs_mult y (s' - s)); lra.
Qed.

(** ** In length *)

Lemma sqrt_2_bounds : 1 <= sqrt 2.
Proof. by rewrite -{1}sqrt_1; apply: sqrt_le_1_alt; lra. Qed.

(** What products and last additions add: absolutely, and k by which sizes of products exceed N. *)
Let product_eta : R := if fused then eta F / 2 else eta F.
Let last_eta : R := if fused then eta F / 2 else 0.
Let spread : R := if fused then 1 else sqrt 2.

Lemma eta_parts : 0 <= product_eta /\ 0 <= last_eta /\ product_eta + last_eta = eta F.
Proof. by have := eta_pos F; rewrite /product_eta /last_eta; case: fused; lra. Qed.

Lemma spread_ge_1 : 1 <= spread.
Proof. by have := sqrt_2_bounds; rewrite /spread; case: fused; lra. Qed.

(** Both coordinates before their last rounding. *)
Lemma products_rounding x y c s p q :
  Rabs (p - (x * c + - y * s)) <= v F * ((if fused then 0 else Rabs (x * c)) + Rabs (- y * s)) + product_eta ->
  Rabs (q - (x * s + y * c)) <= v F * ((if fused then 0 else Rabs (x * s)) + Rabs (y * c)) + product_eta ->
  plane_norm (p - (x * c - y * s)) (q - (x * s + y * c))
  <= v F * (spread * (plane_norm x y * plane_norm c s)) + sqrt 2 * product_eta.
Proof.
rewrite (Ropp_mult_distr_l_reverse y s) Rabs_Ropp => p_near q_near.
have [tiny_ge0 _] := eta_parts; have v_ge0 := Rlt_le _ _ (v_pos F).
set a := (if fused then 0 else Rabs (x * c)) + Rabs (y * s) in p_near.
set b := (if fused then 0 else Rabs (x * s)) + Rabs (y * c) in q_near.
have sizes : plane_norm a b <= spread * (plane_norm x y * plane_norm c s).
  rewrite /a /b /spread; case: fused; last exact: plane_norm_product_abs.
  rewrite !Rplus_0_l plane_norm_abs (plane_norm_swap (y * s)) plane_norm_scale Rmult_1_l.
  apply: Rmult_le_compat_r; first exact: plane_norm_ge_0.
  by rewrite -sqrt_Rsqr_abs; apply: sqrt_le_1_alt; rewrite /Rsqr; have := pow2_ge_0 x; lra.
apply: (Rle_trans _ (plane_norm (v F * a + product_eta) (v F * b + product_eta))).
  apply: plane_norm_le; last exact: q_near.
  by have -> : x * c - y * s = x * c + - (y * s) by [].
apply: Rle_trans (plane_norm_triangle _ _ _ _) _.
rewrite plane_norm_scale (Rabs_pos_eq (v F)) //; apply: Rplus_le_compat; first exact: Rmult_le_compat_l.
by apply: plane_norm_box; rewrite Rabs_pos_eq //; exact: Rle_refl.
Qed.

(** The last rounding of both. *)
Lemma last_rounding X Y p q :
  Rabs (X - p) <= v F * Rabs p + last_eta -> Rabs (Y - q) <= v F * Rabs q + last_eta ->
  plane_norm (X - p) (Y - q) <= v F * plane_norm p q + sqrt 2 * last_eta.
Proof.
move=> X_near Y_near; have [_ [tiny_ge0 _]] := eta_parts; have v_ge0 := Rlt_le _ _ (v_pos F).
apply: Rle_trans (plane_norm_le _ _ _ _ X_near Y_near) _.
apply: Rle_trans (plane_norm_triangle _ _ _ _) _.
rewrite plane_norm_scale plane_norm_abs (Rabs_pos_eq (v F)) //; apply: Rplus_le_compat_l.
by apply: plane_norm_box; rewrite Rabs_pos_eq //; exact: Rle_refl.
Qed.

(** The two together, for N = ‖(x, y)‖‖(c, s)‖. *)
Lemma rotation_total N pq : 0 <= N ->
  pq <= N + (v F * (spread * N) + sqrt 2 * product_eta) ->
  v F * pq + sqrt 2 * last_eta + (v F * (spread * N) + sqrt 2 * product_eta)
  <= rotation_relative F fused * N + rotation_absolute F.
Proof.
move=> N_ge0 pq_le; have [product_ge0 [last_ge0 parts]] := eta_parts.
have v_gt0 := v_pos F; have v_le := v_le_u F; have v_two := v_twice F.
have spread_ge1 := spread_ge_1; have root_ge1 := sqrt_2_bounds.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v_gt0) pq_le.
have relative : v F * (1 + spread + v F * spread) * N <= rotation_relative F fused * N.
  apply: Rmult_le_compat_r => //; have : v F * (1 + v F) * spread <= u F * spread.
    by apply: Rmult_le_compat_r; lra.
  by rewrite /rotation_relative /spread; case: fused; lra.
have absolute : sqrt 2 * last_eta + (1 + v F) * (sqrt 2 * product_eta) <= rotation_absolute F.
  have root_ge0 : 0 <= sqrt 2 by lra.
  have := Rmult_le_pos _ _ (Rlt_le _ _ v_gt0) (Rmult_le_pos _ _ root_ge0 last_ge0).
  by rewrite /rotation_absolute -parts; lra.
by lra.
Qed.

(** Rounding alone: rotation by the tabulated pair itself. *)
Lemma rotation_rounding x y c s :
  plane_norm (rotated_x F fused x y c s - (x * c - y * s))
             (rotated_y F fused x y c s - (x * s + y * c))
  <= rotation_relative F fused * (plane_norm x y * plane_norm c s) + rotation_absolute F.
Proof.
have [p [p_near X_near]] := two_products_split x c (- y) s.
have [q [q_near Y_near]] := two_products_split x s y c.
have products := products_rounding x y c s p q p_near q_near.
have last := last_rounding (rotated_x F fused x y c s) (rotated_y F fused x y c s) p q X_near Y_near.
move: products last; set N := plane_norm x y * plane_norm c s.
set X := rotated_x F fused x y c s; set Y := rotated_y F fused x y c s => products last.
have N_ge0 : 0 <= N by apply: Rmult_le_pos; exact: plane_norm_ge_0.
have pq_le : plane_norm p q <= N + (v F * (spread * N) + sqrt 2 * product_eta).
  have := plane_norm_triangle (x * c - y * s) (x * s + y * c) (p - (x * c - y * s)) (q - (x * s + y * c)).
  by rewrite plane_norm_product -/N !Rplus_minus; lra.
have := plane_norm_triangle (X - p) (Y - q) (p - (x * c - y * s)) (q - (x * s + y * c)).
have -> : X - p + (p - (x * c - y * s)) = X - (x * c - y * s) by ring.
have -> : Y - q + (q - (x * s + y * c)) = Y - (x * s + y * c) by ring.
by have := rotation_total N _ N_ge0 pq_le; lra.
Qed.

Definition pair_bound (tau r : R) : R :=
  (tau + rotation_relative F fused * (1 + tau)) * r + rotation_absolute F.

Lemma rotation_relative_ge_0 : 0 <= rotation_relative F fused.
Proof.
have := u_pos F; have := sqrt_2_bounds; rewrite /rotation_relative => root_ge1 u_gt0.
by case: fused; [lra | apply: Rmult_le_pos; lra].
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
set c := cos theta; set s := sin theta => near_tau.
have table_le : plane_norm c' s' <= 1 + tau.
  have := plane_norm_triangle c s (c' - c) (s' - s).
  by have := plane_norm_unit theta; rewrite -/c -/s !Rplus_minus; lra.
have length_ge0 := plane_norm_ge_0 x y.
set X := rotated_x F fused x y c' s'; set Y := rotated_y F fused x y c' s'.
have := plane_norm_triangle (X - (x * c' - y * s')) (Y - (x * s' + y * c'))
  (x * (c' - c) - y * (s' - s)) (x * (s' - s) + y * (c' - c)).
rewrite plane_norm_product.
have -> : X - (x * c' - y * s') + (x * (c' - c) - y * (s' - s)) = X - (x * c - y * s) by ring.
have -> : Y - (x * s' + y * c') + (x * (s' - s) + y * (c' - c)) = Y - (x * s + y * c) by ring.
have turned := Rmult_le_compat_l _ _ _ length_ge0 near_tau.
have rounded := Rmult_le_compat_l _ _ _ rotation_relative_ge_0 (Rmult_le_compat_l _ _ _ length_ge0 table_le).
by have := rotation_rounding x y c' s'; rewrite -/X -/Y /pair_bound; lra.
Qed.

End Rotation.

(** rounding.rotated-pair-cast: a computed pair (X, Y) within a of a point of length r, cast to a format S, is
    within a + v_S(r + a) + √2 η_S/2 of it. *)
Theorem rounding_rotated_pair_cast (S : format) (X Y x y a : R) :
  plane_norm (X - x) (Y - y) <= a ->
  plane_norm (fl S X - x) (fl S Y - y)
  <= a + v S * (plane_norm x y + a) + sqrt 2 * (eta S / 2).
Proof.
move=> pair_near; have v_ge0 := Rlt_le _ _ (v_pos S); have eta_gt0 := eta_pos S.
have length_le : plane_norm X Y <= plane_norm x y + a.
  by have := plane_norm_triangle x y (X - x) (Y - y); rewrite !Rplus_minus; lra.
have cast z : Rabs (fl S z - z) <= v S * Rabs z + eta S / 2 by have [] := rounding_standard_model S z.
have cast_near : plane_norm (fl S X - X) (fl S Y - Y) <= v S * plane_norm X Y + sqrt 2 * (eta S / 2).
  apply: Rle_trans (plane_norm_le _ _ _ _ (cast X) (cast Y)) _.
  apply: Rle_trans (plane_norm_triangle _ _ _ _) _.
  rewrite plane_norm_scale plane_norm_abs (Rabs_pos_eq (v S)) //; apply: Rplus_le_compat_l.
  by apply: plane_norm_box; rewrite Rabs_pos_eq; lra.
have := Rmult_le_compat_l _ _ _ v_ge0 length_le.
have := plane_norm_triangle (fl S X - X) (fl S Y - Y) (X - x) (Y - y).
have -> : fl S X - X + (X - x) = fl S X - x by ring.
have -> : fl S Y - Y + (Y - y) = fl S Y - y by ring.
by lra.
Qed.
