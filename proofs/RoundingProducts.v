(** * Dot products in a format of twice the precision

  What is claimed.  Accumulated in a format with twice the digits of its factors, a product has no
  rounding error but what underflow takes, so that the dot product errs as one with exact products
  does, and by half of the smallest positive number for each term besides.

  Dictionary: [computed_dot] and orders as in RoundingDot.v.

  Formulas, with S = Σ|x_i y_i| over i < n:
    (n-1) v S + n (1 + (n-1) v) η/2                             [rounding_dot_double_products]
  The hypothesis is that of factors of half the precision (product_underflow): bfloat16 in
  binary32, whose products underflow where both are small, as well as binary16 in binary32,
  whose products never do (product_exact).

  Assumes: no overflow (see rounding_dot_range). *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingAngle RoundingSum RoundingDot.

Open Scope R_scope.

(** Products of numbers of F in a format G of twice the precision err by what underflow takes alone. *)
Lemma product_underflow (F G : format) (a b : R) :
  (2 * precision F <= precision G)%Z -> is_float F a -> is_float F b ->
  Rabs (fl G (a * b) - a * b) <= eta G / 2.
Proof.
move=> wide a_float b_float.
have [fa [fb [product_eq [digits _]]]] := product_digits F G a b wide a_float b_float.
case: (Z_le_gt_dec (emin G) (Fexp fa + Fexp fb)) => deep.
  rewrite (fl_exact G (a * b)); first by rewrite Rminus_eq_0 Rabs_R0; move: (eta_pos G); lra.
  by rewrite product_eq; apply: generic_format_FLT; exists (Float radix2 (Fnum fa * Fnum fb) (Fexp fa + Fexp fb)).
apply: (proj2 (proj2 (rounding_standard_model G _))).
rewrite product_eq -F2R_Zabs /smallest_normal; apply: Rlt_le.
have -> : (emin G + precision G - 1 = precision G + (emin G - 1))%Z by ring.
have power : bpow radix2 (precision G) = IZR (2 ^ precision G).
  by symmetry; apply: (IZR_Zpower radix2); move: (precision_above_one G); lia.
rewrite bpow_plus power /F2R /=.
apply: Rlt_le_trans (_ : IZR (2 ^ precision G) * bpow radix2 (Fexp fa + Fexp fb) <= _).
  by apply: Rmult_lt_compat_r; [exact: bpow_gt_0 | exact: IZR_lt].
apply: Rmult_le_compat_l; first by apply: IZR_le; apply: Z.pow_nonneg.
by apply: bpow_le; lia.
Qed.

(** rounding.dot-double-products: where every product x_i y_i errs by at most η/2, as those of numbers of a format of half
    the precision do (product_underflow), a dot product of length n, summed in any order, errs by at most
    (n - 1) v Σ|x_i y_i| + n(1 + (n - 1)v)η/2. *)
Theorem rounding_dot_double_products (G : format) (x y : nat -> R) (n : nat) (o : order) :
  perm_eq (terms o) (iota 0 n) -> (forall i, Rabs (fl G (x i * y i) - x i * y i) <= eta G / 2) ->
  Rabs (computed_dot G x y o - \rsum_(i < n) (x i * y i))
  <= (INR n - 1) * v G * (\rsum_(i < n) Rabs (x i * y i)) + INR n * (1 + (INR n - 1) * v G) * (eta G / 2).
Proof.
move=> each_once underflow.
have [<- [<- <-]] := sums_of_order x y n o each_once.
have near_products i : near 0 (eta G / 2) (product G x y i) (x i * y i).
  by rewrite /near Rmult_0_l Rplus_0_l; exact: underflow.
have products_le := exact_sum_near _ _ _ _ o near_products.
have abs_le : exact_sum (fun i => Rabs (product G x y i)) o
    <= 1 * exact_sum (fun i => Rabs (x i * y i)) o + INR (count o) * (eta G / 2).
  rewrite -(exact_sum_affine 1 (eta G / 2)).
  apply: exact_sum_le => i; rewrite Rmult_1_l.
  by move: (Rabs_by_diff (product G x y i) (x i * y i)) (underflow i); rewrite /product; lra.
have sum_le := rounding_sum_any_order G (product G x y) o (products_float G x y).
have slope_ge0 : 0 <= (INR (count o) - 1) * v G.
  by apply: Rmult_le_pos; [move: (count_pos o) | move: (v_pos G)]; lra.
have sum_abs_le := Rmult_le_compat_l _ _ _ slope_ge0 abs_le.
move: (Rabs_diff_triangle (computed_dot G x y o) (exact_sum (product G x y) o) (exact_sum (fun i => x i * y i) o)).
by rewrite /computed_dot; lra.
Qed.
