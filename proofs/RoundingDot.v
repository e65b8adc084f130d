(** * The error of a dot product

  What is claimed.  A dot product of length n errs by at most n u Σ|x_i y_i|
  in any order of summation and for every n, apart from underflow of products;
  with sharper bounds for trees, for fused multiply-add, for accumulation in a
  wider format, for exact products, and for factors at most one.

  Dictionary:
  - [product F x y i] == fl(x_i y_i);
  - [computed_dot F x y o] == the sum of the rounded products in the order o;
  - [fused_dot F x y n] == n steps of acc := fl(x_i y_i + acc) from acc = 0;
  - [dot_bound F n S] == n u S + n (1 + (n - 1) u) η/2;
  - an order of n terms is given with its leaves a permutation of 0 ... n-1.

  Formulas, with s = Σ x_i y_i, S = Σ|x_i y_i| over i < n:
    any order      n u S + n (1 + (n-1)u) η/2; n u S if no product underflows  [rounding_dot]
    tree, depth h  ((1+v)^(h+1) - 1) S + (1+v)^h n η/2                     [rounding_dot_depth]
    as it runs     Σ spacing(x_i y_i)/2 + Σ spacing(partial sums)/2        [rounding_dot_running]
    |x_i y_i| <= 1, sequential, n <= 2^p
                   n u/2 + Σ_(k=2)^n spacing(k)/2                         [rounding_dot_bounded]
    fused          n v S + n (1+v)^n η/2                                   [rounding_dot_fused]
    wide G, then F v_F |s| + (1+v_F) dot_bound(G) + η_F/2                  [rounding_dot_wide]
    exact products (n-1) v S                                     [rounding_dot_exact_products]
    no overflow if (1 + (n-1) v) ((1+v) S + n η/2) <= Ω                    [rounding_dot_range]
  Exact products: binary16 factors in binary32, binary32 factors in binary64
  (product_exact); bfloat16 factors in binary32 unless they underflow, and what that
  takes is in RoundingProducts.v.

  The vectors need not be in the format.  Assumes: no overflow (see
  rounding_dot_range). *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingAngle RoundingSum.

Open Scope R_scope.

Definition product (F : format) (x y : nat -> R) (i : nat) : R := fl F (x i * y i).

Definition computed_dot (F : format) (x y : nat -> R) (o : order) : R :=
  computed_sum F (product F x y) o.

Fixpoint fused_dot (F : format) (x y : nat -> R) (n : nat) : R :=
  match n with O => 0 | S n => fl F (x n * y n + fused_dot F x y n) end.

Definition dot_relative (F : format) (n : nat) : R :=
  (INR n - 1) * v F * (1 + v F) + v F.

Definition dot_bound (F : format) (n : nat) (S : R) : R :=
  INR n * u F * S + INR n * (1 + (INR n - 1) * u F) * (eta F / 2).

Lemma rsum_last (f : nat -> R) n : \rsum_(i < n.+1) f i = \rsum_(i < n) f i + f n.
Proof. by rewrite big_ord_recr. Qed.

Section Dot.
Variable F : format.
Variables x y : nat -> R.

Local Notation exact := (exact_sum (fun i => x i * y i)).
Local Notation absolute := (exact_sum (fun i => Rabs (x i * y i))).

Lemma absolute_ge0 o : 0 <= absolute o.
Proof. by apply: exact_sum_ge0 => i; exact: Rabs_pos. Qed.

Lemma product_near i : near (v F) (eta F / 2) (product F x y i) (x i * y i).
Proof. exact: near_fl_exact. Qed.

Lemma products_float i : is_float F (product F x y i).
Proof. exact: fl_float. Qed.

(** From the products to the sum: the two errors, for products within v and iota. *)
Lemma products_error iota o :
  (forall i, near (v F) iota (product F x y i) (x i * y i)) ->
  Rabs (exact_sum (product F x y) o - exact o) <= v F * absolute o + INR (count o) * iota /\
  exact_sum (fun i => Rabs (product F x y i)) o
  <= (1 + v F) * absolute o + INR (count o) * iota.
Proof.
move=> near_products; split; first exact: exact_sum_near.
rewrite -(exact_sum_affine (1 + v F) iota).
by apply: exact_sum_le => i; exact: near_abs.
Qed.

Lemma dot_relative_le n : (0 < n)%N -> dot_relative F n <= INR n * u F.
Proof.
move=> /ltP /lt_INR /= n_gt0; rewrite /dot_relative.
have n_ge1 : 1 <= INR n.
  by apply: (le_INR 1); apply: INR_lt => /=; lra.
have : (INR n - 1) * (v F * (1 + v F)) <= (INR n - 1) * u F.
  by apply: Rmult_le_compat_l; [lra | exact: v_twice].
by move: (v_le_u F); lra.
Qed.

Lemma count_gt0 o : (0 < count o)%N.
Proof. by elim: o => [i|l IHl r IHr] //=; rewrite addn_gt0 IHl. Qed.

Lemma dot_error iota o : 0 <= iota ->
  (forall i, near (v F) iota (product F x y i) (x i * y i)) ->
  Rabs (computed_dot F x y o - exact o)
  <= INR (count o) * u F * absolute o
     + INR (count o) * (1 + (INR (count o) - 1) * u F) * iota.
Proof.
move=> iota_ge0 near_products.
have [products_le abs_le] := products_error iota o near_products.
have sum_le := rounding_sum_any_order F _ o products_float.
have n_ge1 := count_pos o; set n := INR (count o) in n_ge1 products_le abs_le sum_le *.
have v_ge0 := Rlt_le _ _ (v_pos F).
have nv_ge0 : 0 <= (n - 1) * v F by apply: Rmult_le_pos; lra.
have sum_abs_le := Rmult_le_compat_l _ _ _ nv_ge0 abs_le.
have rel_le : dot_relative F (count o) * absolute o <= n * u F * absolute o.
  apply: Rmult_le_compat_r; first exact: absolute_ge0.
  exact: dot_relative_le (count_gt0 o).
have und_le : (n - 1) * v F * (n * iota) <= (n - 1) * u F * (n * iota).
  apply: Rmult_le_compat_r; first by apply: Rmult_le_pos; lra.
  by apply: Rmult_le_compat_l; [lra | exact: v_le_u].
rewrite /dot_relative -/n in rel_le.
move: (Rabs_diff_triangle (computed_dot F x y o) (exact_sum (product F x y) o) (exact o)).
by rewrite /computed_dot; lra.
Qed.

Variables (n : nat) (o : order).
Hypothesis each_once : perm_eq (terms o) (iota 0 n).

Local Notation s := (\rsum_(i < n) (x i * y i)).
Local Notation S := (\rsum_(i < n) Rabs (x i * y i)).

Lemma sums_of_order : exact o = s /\ absolute o = S /\ count o = n.
Proof. by rewrite !(exact_sum_permutation _ _ _ each_once) (count_permutation _ _ each_once). Qed.

(** rounding.dot: a dot product of length n, summed in any order, errs by at most
    n u Σ|x_i y_i| + n(1 + (n - 1)u)η/2, and by at most n u Σ|x_i y_i| where every product x_i y_i
    is 0 or not below the smallest normal number. *)
Theorem rounding_dot :
  Rabs (computed_dot F x y o - s) <= dot_bound F n S /\
  ((forall i, x i * y i = 0 \/ smallest_normal F <= Rabs (x i * y i)) ->
   Rabs (computed_dot F x y o - s) <= INR n * u F * S).
Proof.
have [<- [<- <-]] := sums_of_order; split.
- by apply: dot_error; [move: (eta_pos F); lra | exact: product_near].
- move=> normal; rewrite -[X in _ <= X]Rplus_0_r.
  rewrite -[X in _ <= _ + X](Rmult_0_r (INR (count o) * (1 + (INR (count o) - 1) * u F))).
  apply: dot_error => [|i]; first exact: Rle_refl.
  by rewrite /near Rplus_0_r; apply: (proj1 (proj2 (rounding_standard_model F _))).
Qed.

(** rounding.dot-range: if (1 + (n - 1)v)((1 + v) Σ|x_i y_i| + nη/2) <= Ω then no product and no partial sum
    overflows. *)
Theorem rounding_dot_range :
  (1 + (INR n - 1) * v F) * ((1 + v F) * S + INR n * (eta F / 2)) <= largest F ->
  in_range F (product F x y) o.
Proof.
have [_ [<- <-]] := sums_of_order => le_largest.
apply: rounding_sum_range; first exact: products_float.
apply: Rle_trans le_largest; apply: Rmult_le_compat_l.
  have : 0 <= (INR (count o) - 1) * v F.
    by apply: Rmult_le_pos; [move: (count_pos o) | move: (v_pos F)]; lra.
  by lra.
by have [_ abs_le] := products_error _ o product_near.
Qed.

(** rounding.dot-depth: a dot product of length n, summed along a tree of depth h, errs by at most
    ((1 + v)^(h+1) - 1) Σ|x_i y_i| + (1 + v)^h nη/2. *)
Theorem rounding_dot_depth :
  Rabs (computed_dot F x y o - s)
  <= ((1 + v F) ^ (depth o).+1 - 1) * S + (1 + v F) ^ depth o * (INR n * (eta F / 2)).
Proof.
have [<- [<- <-]] := sums_of_order.
have [products_le abs_le] := products_error _ o product_near.
have sum_le := rounding_sum_depth F _ o products_float.
have g_ge1 : 1 <= (1 + v F) ^ depth o by apply: pow_R1_Rle; move: (v_pos F); lra.
have -> : (1 + v F) ^ (depth o).+1 = (1 + v F) * (1 + v F) ^ depth o by [].
set g := _ ^ depth o in g_ge1 sum_le *.
have g1_ge0 : 0 <= g - 1 by lra.
have sum_abs_le := Rmult_le_compat_l _ _ _ g1_ge0 abs_le.
move: (Rabs_diff_triangle (computed_dot F x y o) (exact_sum (product F x y) o) (exact o)).
by rewrite /computed_dot; lra.
Qed.

(** rounding.dot-running: a dot product of length n, in any order, errs by at most Σ spacing(x_i y_i)/2 + Σ
    spacing(s_j)/2 over the products and over the additions, s_j the number that addition j rounds. *)
Theorem rounding_dot_running :
  Rabs (computed_dot F x y o - s)
  <= \rsum_(i < n) (/ 2 * spacing F (x i * y i)) + running_sum F (product F x y) o.
Proof.
have [<- _] := sums_of_order.
rewrite -(exact_sum_permutation (fun i => / 2 * spacing F (x i * y i)) _ _ each_once).
have products_le : Rabs (exact_sum (product F x y) o - exact o)
    <= exact_sum (fun i => / 2 * spacing F (x i * y i)) o.
  elim: o => [i|l IHl r IHr] /=; first exact: rounding_half_spacing.
  set L := exact_sum (product F x y) l in IHl *; set Q := exact_sum (product F x y) r in IHr *.
  by apply: Rle_trans (node_error L Q _ _ _) _; rewrite Rminus_eq_0 Rabs_R0; lra.
move: (rounding_sum_running F (product F x y) o).
move: (Rabs_diff_triangle (computed_dot F x y o) (exact_sum (product F x y) o) (exact o)).
by rewrite /computed_dot; lra.
Qed.

End Dot.

(** ** Factors at most one *)

Section Bounded.
Variable F : format.
Variables x y : nat -> R.
Hypothesis products_le1 : forall i, Rabs (x i * y i) <= 1.

Lemma small_count_float n : (Z.of_nat n <= 2 ^ precision F)%Z -> is_float F (INR n).
Proof. by move=> n_small; rewrite INR_IZR_INZ; apply: small_integer_float; lia. Qed.

Lemma partial_sum_le n : (Z.of_nat n.+1 <= 2 ^ precision F)%Z ->
  Rabs (computed_dot F x y (sequential n)) <= INR n.+1.
Proof.
have product_le1 i : Rabs (product F x y i) <= 1.
  by apply: fl_abs_le => //; exact: is_float_1.
elim: n => [|n IH] n_small; first by rewrite /=; exact: product_le1.
rewrite /computed_dot; cbn [sequential computed_sum].
apply: fl_abs_le; first exact: small_count_float.
rewrite S_INR; apply: Rle_trans (Rabs_triang _ _) _.
apply: Rplus_le_compat; last exact: product_le1.
by apply: IH; lia.
Qed.

(** rounding.dot-bounded: for |x_i y_i| <= 1 and n <= 2^p, a dot product of length n, summed one after the
    other, errs by at most n u/2 + Σ_(k=2)^n spacing(k)/2. *)
Theorem rounding_dot_bounded (n : nat) :
  (Z.of_nat n.+1 <= 2 ^ precision F)%Z ->
  Rabs (computed_dot F x y (sequential n) - \rsum_(i < n.+1) (x i * y i))
  <= INR n.+1 * (u F / 2) + \rsum_(k < n) (/ 2 * spacing F (INR k.+2)).
Proof.
have product_error i : Rabs (product F x y i - x i * y i) <= u F / 2.
  move: (rounding_half_spacing F (x i * y i)) (spacing_unit F _ (products_le1 i)).
  by rewrite /product; lra.
elim: n => [|n IH] n_small.
  by rewrite big_ord_recl !big_ord0 !Rplus_0_r /computed_dot /=; move: (product_error 0%N); lra.
rewrite /computed_dot; cbn [sequential computed_sum].
rewrite -/(computed_dot F x y (sequential n)).
rewrite (rsum_last (fun i => x i * y i)) (rsum_last (fun k => / 2 * spacing F (INR k.+2))).
have prev_small : (Z.of_nat n.+1 <= 2 ^ precision F)%Z by lia.
move: (IH prev_small) => {}IH.
apply: Rle_trans (node_error (computed_dot F x y (sequential n)) (product F x y n.+1) _ _ _) _.
have sum_le : Rabs (computed_dot F x y (sequential n) + product F x y n.+1) <= Rabs (INR n.+2).
  rewrite (Rabs_pos_eq (INR n.+2)); last exact: pos_INR.
  rewrite (S_INR n.+1); apply: Rle_trans (Rabs_triang _ _) _.
  apply: Rplus_le_compat; first exact: partial_sum_le.
  by apply: fl_abs_le => //; exact: is_float_1.
move: (half_spacing_le F _ _ sum_le) (product_error n.+1) IH.
by rewrite (S_INR n.+1); lra.
Qed.

End Bounded.

(** ** Fused multiply-add *)

(** The step of the induction, in numbers only: the error e of the accumulator a, the product p. *)
Lemma fused_step (w m g h S p e d a : R) :
  0 <= w <= 1 -> 0 <= m -> 1 <= g -> 0 <= h -> 0 <= S -> 0 <= p ->
  e <= m * w * S + m * g * h -> a <= S + e ->
  d <= p -> (d <= w * (p + a) \/ d <= h) ->
  e + d <= (m + 1) * w * (S + p) + (m + 1) * ((1 + w) * g) * h.
Proof.
move=> [w0 w1] m0 g1 h0 S0 p0 e_le a_le d_p d_or.
have mw : 0 <= m * w by exact: Rmult_le_pos.
have gh : h <= g * h by nra.
have mgh : 0 <= m * (g * h) by apply: Rmult_le_pos => //; lra.
have wgh : 0 <= w * (g * h) by apply: Rmult_le_pos => //; lra.
have wmgh : 0 <= w * (m * (g * h)) by exact: Rmult_le_pos.
have mwp : 0 <= m * w * p by exact: Rmult_le_pos.
have wS : 0 <= w * S by exact: Rmult_le_pos.
have wp : 0 <= w * p by exact: Rmult_le_pos.
have split_r : (m + 1) * ((1 + w) * g) * h
  = m * (g * h) + g * h + w * (m * (g * h)) + w * (g * h) by ring.
have split_l : (m + 1) * w * (S + p) = m * w * S + m * w * p + w * (S + p) by ring.
rewrite split_r split_l.
case: d_or => d_le; last by lra.
case: (Rle_lt_dec p (w * S)) => [small|big]; first by lra.
have H1 : w * (p + a) <= w * (p + (S + (m * w * S + m * g * h))).
  by apply: Rmult_le_compat_l => //; lra.
have H2 : m * w * (w * S) <= m * w * p by apply: Rmult_le_compat_l => //; lra.
by lra.
Qed.

(** rounding.dot-fused: a dot product of length n by fused multiply-adds, one after the other, errs by at
    most n v Σ|x_i y_i| + n(1 + v)^n η/2. *)
Theorem rounding_dot_fused (F : format) (x y : nat -> R) (n : nat) :
  Rabs (fused_dot F x y n - \rsum_(i < n) (x i * y i))
  <= INR n * v F * (\rsum_(i < n) Rabs (x i * y i))
     + INR n * (1 + v F) ^ n * (eta F / 2).
Proof.
have [v0 v1] := (v_pos F, v_lt_1 F).
elim: n => [|n IH]; first by rewrite !big_ord0 /= Rminus_eq_0 Rabs_R0; lra.
rewrite (rsum_last (fun i => x i * y i)) (rsum_last (fun i => Rabs (x i * y i))) S_INR.
have -> : (1 + v F) ^ n.+1 = (1 + v F) * (1 + v F) ^ n by [].
cbn [fused_dot].
set a := fused_dot F x y n in IH *; set p := x n * y n.
set e := \rsum_(i < n) (x i * y i) in IH *.
set S := \rsum_(i < n) Rabs (x i * y i) in IH *.
have Fa : is_float F a.
  by rewrite /a; case: (n) => [|m] /=; [exact: is_float_0 | exact: fl_float].
have S_ge0 : 0 <= S by apply: rsum_ge0 => i; exact: Rabs_pos.
have e_le : Rabs e <= S.
  rewrite /e /S; elim/big_ind2: _ => [|b1 b2 c1 c2 Hb Hc|i _].
  - by rewrite Rabs_R0; exact: Rle_refl.
  - by apply: Rle_trans (Rabs_triang _ _) _; lra.
  - exact: Rle_refl.
have -> : fl F (p + a) - (e + p) = (a - e) + (fl F (p + a) - (p + a)) by ring.
apply: Rle_trans (Rabs_triang _ _) _.
apply: (fused_step _ _ _ _ _ _ _ _ (Rabs a)) => //; try lra.
- exact: pos_INR.
- by apply: pow_R1_Rle; lra.
- by move: (eta_pos F); lra.
- exact: Rabs_pos.
- by move: (Rabs_by_diff a e); lra.
- exact: addition_left.
- case: (Rle_lt_dec (smallest_normal F) (Rabs (p + a))) => [big|small]; [left|right].
  + have := proj1 (proj2 (rounding_standard_model F (p + a))) (or_intror big).
    move=> fl_le; apply: Rle_trans fl_le _.
    by apply: Rmult_le_compat_l; [lra | exact: Rabs_triang].
  + exact: proj2 (proj2 (rounding_standard_model F (p + a))) (Rlt_le _ _ small).
Qed.

(** ** Accumulation in a wider format *)

(** rounding.dot-wide: a dot product of length n, computed in a format G in any order and rounded to F, errs
    by at most v_F|s| + (1 + v_F)(n u_G Σ|x_i y_i| + n(1 + (n - 1)u_G)η_G/2) + η_F/2. *)
Theorem rounding_dot_wide (F G : format) (x y : nat -> R) (n : nat) (o : order) :
  perm_eq (terms o) (iota 0 n) ->
  Rabs (fl F (computed_dot G x y o) - \rsum_(i < n) (x i * y i))
  <= v F * Rabs (\rsum_(i < n) (x i * y i))
     + (1 + v F) * dot_bound G n (\rsum_(i < n) Rabs (x i * y i)) + eta F / 2.
Proof.
move=> each_once.
have [dot_le _] := rounding_dot G x y n o each_once.
move: (near_fl F _ _ _ _ (near_of_difference _ _ _ dot_le)).
by rewrite /near; lra.
Qed.

(** rounding.dot-exact-products: where every product x_i y_i is a number of the format, a dot product of
    length n, summed in any order, errs by at most (n - 1) v Σ|x_i y_i|. *)
Theorem rounding_dot_exact_products (G : format) (x y : nat -> R) (n : nat) (o : order) :
  perm_eq (terms o) (iota 0 n) -> (forall i, is_float G (x i * y i)) ->
  Rabs (computed_dot G x y o - \rsum_(i < n) (x i * y i))
  <= (INR n - 1) * v G * (\rsum_(i < n) Rabs (x i * y i)).
Proof.
move=> each_once exact_products.
have [<- [<- <-]] := sums_of_order x y n o each_once.
have product_exact i : product G x y i = x i * y i by exact: fl_exact.
rewrite -(exact_sum_ext _ _ o product_exact).
rewrite -(exact_sum_ext _ _ o (fun i => f_equal Rabs (product_exact i))).
apply: rounding_sum_any_order => i; exact: fl_float.
Qed.

(** A product of numbers of F has no more digits than a format G of twice the precision. *)
Lemma product_digits (F G : format) (a b : R) : (2 * precision F <= precision G)%Z ->
  is_float F a -> is_float F b ->
  exists fa fb : float radix2, a * b = F2R (Float radix2 (Fnum fa * Fnum fb) (Fexp fa + Fexp fb)) /\
    (Z.abs (Fnum fa * Fnum fb) < 2 ^ precision G)%Z /\ (emin F <= Fexp fa)%Z /\ (emin F <= Fexp fb)%Z.
Proof.
move=> wide /FLT_format_generic [fa Ea ma_lt ea_ge] /FLT_format_generic [fb Eb mb_lt eb_ge].
exists fa, fb; split; first by rewrite Ea Eb /F2R /= mult_IZR bpow_plus; ring.
split=> //; apply: Z.lt_le_trans (_ : 2 ^ (2 * precision F) <= _)%Z.
  have -> : (2 * precision F = precision F + precision F)%Z by ring.
  move: (precision_above_one F) => p_gt1.
  rewrite Z.pow_add_r ?Z.abs_mul; try lia.
  by apply: Z.mul_lt_mono_nonneg; try exact: Z.abs_nonneg.
by apply: Z.pow_le_mono_r.
Qed.

(** Products of numbers of F are exact in G when G has twice the precision and exponent range. *)
Lemma product_exact (F G : format) (a b : R) :
  (2 * precision F <= precision G)%Z -> (emin G <= 2 * emin F)%Z ->
  is_float F a -> is_float F b -> is_float G (a * b).
Proof.
move=> wide deep a_float b_float.
have [fa [fb [-> [digits [fa_ge fb_ge]]]]] := product_digits F G a b wide a_float b_float.
apply: generic_format_FLT; exists (Float radix2 (Fnum fa * Fnum fb) (Fexp fa + Fexp fb)) => //=; lia.
Qed.
