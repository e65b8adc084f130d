(** * A calculus of errors with a relative and an absolute part

  What is claimed.  Errors of the form ρ|x| + σ (a relative part, and an
  absolute part that comes from underflow) pass through rounding, products,
  quotients and the exponential by simple rules; and a library function that
  is accurate to κ units in the last place has such an error.

  Dictionary:
  - [near ρ σ x' x] == |x' - x| <= ρ |x| + σ: x' is a computed value of x;
  - [accurate F κ y' y] == |y' - y| <= κ spacing(y): y' is within κ units in
    the last place of the exact value y in the format F.

  The unit in the last place of y is [spacing F y], the distance of the
  numbers of the format just below |y|.  At a power of two it is the smaller of the two
  candidates; of the values of sin and cos at rational arguments only cos 0 = 1
  is a power of two, so that the choice only says that a library's cos 0
  is within κ u of 1.  Correct rounding is κ = 1/2.

  Formulas, all with ρ, σ >= 0:
    near ρ1 σ1 of a value near ρ2 σ2:  ρ = (1+ρ1)(1+ρ2) - 1,  σ = σ1 + (1+ρ1) σ2
    rounding to F:   ρ = (1+v)(1+ρ') - 1,  σ = (1+v) σ' + η/2
    κ ulp in F:      ρ = 2κu,  σ = κη   (σ = 0 from the smallest normal up)
    sum of two numbers of F:  |fl(a + b) - (a + b)| <= v |a + b|, |a|, |b|
    exp:             |g' - g| <= Γ gives ρ = e^Γ - 1,  σ = 0

  Assumes: nothing.  Not claimed: that any library has a given κ. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core Plus_error.
From Posproof Require Import RoundingFormat.

Open Scope R_scope.

Definition near (rho sigma computed exact : R) : Prop :=
  Rabs (computed - exact) <= rho * Rabs exact + sigma.

Definition accurate (F : format) (kappa computed exact : R) : Prop :=
  Rabs (computed - exact) <= kappa * spacing F exact.

(** ** Triangle inequalities, once and for all *)

Lemma Rabs_diff_triangle x y z : Rabs (x - z) <= Rabs (x - y) + Rabs (y - z).
Proof. have -> : x - z = (x - y) + (y - z) by ring. exact: Rabs_triang. Qed.

Lemma Rabs_by_diff x y : Rabs x <= Rabs y + Rabs (x - y).
Proof. have {1}-> : x = y + (x - y) by ring. exact: Rabs_triang. Qed.

Lemma product_diff x' x y' y :
  Rabs (x' * y' - x * y) <= Rabs (x' - x) * Rabs y' + Rabs x * Rabs (y' - y).
Proof.
have -> : x' * y' - x * y = (x' - x) * y' + x * (y' - y) by ring.
by rewrite -!Rabs_mult; exact: Rabs_triang.
Qed.

(** ** The rules of [near] *)

Lemma near_exact x : near 0 0 x x.
Proof. by rewrite /near Rminus_eq_0 Rabs_R0; lra. Qed.

Lemma near_weaken rho sigma rho' sigma' x' x :
  rho <= rho' -> sigma <= sigma' -> near rho sigma x' x -> near rho' sigma' x' x.
Proof.
by rewrite /near => rho_le sigma_le; have := Rmult_le_compat_r _ _ _ (Rabs_pos x) rho_le; lra.
Qed.

Lemma near_of_difference d x' x : Rabs (x' - x) <= d -> near 0 d x' x.
Proof. by rewrite /near; lra. Qed.

Lemma near_abs rho sigma x' x :
  near rho sigma x' x -> Rabs x' <= (1 + rho) * Rabs x + sigma.
Proof. by rewrite /near; have := Rabs_by_diff x' x; lra. Qed.

Lemma near_trans rho1 sigma1 rho2 sigma2 x'' x' x : 0 <= rho1 ->
  near rho1 sigma1 x'' x' -> near rho2 sigma2 x' x ->
  near ((1 + rho1) * (1 + rho2) - 1) (sigma1 + (1 + rho1) * sigma2) x'' x.
Proof.
rewrite /near => rho1_ge0 near1 near2.
have := Rmult_le_compat_l _ _ _ rho1_ge0 (near_abs _ _ _ _ near2).
by have := Rabs_diff_triangle x'' x' x; lra.
Qed.

Lemma near_mul rho1 sigma1 rho2 sigma2 x' x y' y :
  0 <= rho1 -> 0 <= sigma1 ->
  near rho1 sigma1 x' x -> near rho2 sigma2 y' y ->
  near ((1 + rho1) * (1 + rho2) - 1)
    ((1 + rho1) * Rabs x * sigma2 + sigma1 * (1 + rho2) * Rabs y + sigma1 * sigma2)
    (x' * y') (x * y).
Proof.
rewrite /near => rho1_ge0 sigma1_ge0 near1 near2.
have error_ge0 : 0 <= rho1 * Rabs x + sigma1.
  by have := Rmult_le_pos _ _ rho1_ge0 (Rabs_pos x); lra.
have first : Rabs (x' - x) * Rabs y' <= (rho1 * Rabs x + sigma1) * ((1 + rho2) * Rabs y + sigma2).
  by apply: Rmult_le_compat => //; [exact: Rabs_pos | exact: Rabs_pos | exact: near_abs].
have second := Rmult_le_compat_l _ _ _ (Rabs_pos x) near2.
by rewrite Rabs_mult; have := product_diff x' x y' y; lra.
Qed.

(** Multiplication by an exact factor. *)
Lemma near_scale m rho sigma x' x :
  near rho sigma x' x -> near rho (Rabs m * sigma) (m * x') (m * x).
Proof.
rewrite /near => x_near; have -> : m * x' - m * x = m * (x' - x) by ring.
by rewrite !Rabs_mult; have := Rmult_le_compat_l _ _ _ (Rabs_pos m) x_near; lra.
Qed.

Lemma near_opp rho sigma x' x : near rho sigma x' x -> near rho sigma (- x') (- x).
Proof. by rewrite /near (_ : - x' - - x = - (x' - x)); [rewrite !Rabs_Ropp | ring]. Qed.

(** Quotients: 1 / x' where x' is near x with no absolute part. *)
Lemma near_inv rho x' x : 0 <= rho < 1 -> x <> 0 ->
  near rho 0 x' x -> near (/ (1 - rho) - 1) 0 (/ x') (/ x).
Proof.
rewrite /near => -[rho_ge0 rho_lt1] x_neq0 x_near.
have x_gt0 : 0 < Rabs x by exact: Rabs_pos_lt.
have x'_ge : (1 - rho) * Rabs x <= Rabs x' by have := Rabs_by_diff x x'; rewrite Rabs_minus_sym; lra.
have least_gt0 : 0 < (1 - rho) * Rabs x by apply: Rmult_lt_0_compat; lra.
have x'_neq0 : x' <> 0 by move=> x'_eq0; move: x'_ge; rewrite x'_eq0 Rabs_R0; lra.
have -> : / x' - / x = - ((x' - x) * / x' * / x) by field.
rewrite Rabs_Ropp !Rabs_mult Rplus_0_r !Rabs_inv.
apply: Rmult_le_compat_r; first by apply: Rlt_le; exact: Rinv_0_lt_compat.
apply: (Rle_trans _ (rho * Rabs x * / ((1 - rho) * Rabs x))); last by apply: Req_le; field; lra.
apply: Rmult_le_compat; [exact: Rabs_pos | | by lra | exact: Rinv_le].
by apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
Qed.

(** ** Rounding *)

Section Format.
Variable F : format.

Lemma near_fl_exact x : near (v F) (eta F / 2) (fl F x) x.
Proof. by have [bound _] := rounding_standard_model F x. Qed.

Lemma near_fl rho sigma x' x : near rho sigma x' x ->
  near ((1 + v F) * (1 + rho) - 1) ((1 + v F) * sigma + eta F / 2) (fl F x') x.
Proof.
rewrite (Rplus_comm (_ * sigma)) => x_near.
by apply: near_trans (near_fl_exact x') x_near; have := v_pos F; lra.
Qed.

(** The same where the rounded value is 0 or not below the smallest normal number. *)
Lemma near_fl_normal rho sigma x' x : x' = 0 \/ smallest_normal F <= Rabs x' ->
  near rho sigma x' x ->
  near ((1 + v F) * (1 + rho) - 1) ((1 + v F) * sigma) (fl F x') x.
Proof.
move=> x'_normal x_near; rewrite -(Rplus_0_l ((1 + v F) * sigma)).
apply: near_trans x_near; first by have := v_pos F; lra.
by rewrite /near Rplus_0_r; have [_ [normal _]] := rounding_standard_model F x'; exact: normal.
Qed.

(** ** Addition of two numbers of the format: never any underflow *)

Lemma addition_relative a b : is_float F a -> is_float F b ->
  Rabs (fl F (a + b) - (a + b)) <= v F * Rabs (a + b).
Proof.
move=> a_float b_float.
have [eps [eps_le sum]] := FLT_plus_error_N_ex radix2 (emin F) (precision F) (fun z => negb (Z.even z)) a b a_float b_float.
rewrite /fl sum; have -> : (a + b) * (1 + eps) - (a + b) = eps * (a + b) by ring.
rewrite Rabs_mult; apply: Rmult_le_compat_r; first exact: Rabs_pos.
by rewrite /v -u_ro_u.
Qed.

(** It errs by no more than either operand, each being a number of the format. *)
Lemma addition_left a b : is_float F b -> Rabs (fl F (a + b) - (a + b)) <= Rabs a.
Proof.
move=> b_float; apply: Rle_trans (fl_nearest F (a + b) b b_float) _.
have -> : b - (a + b) = - a by ring.
by rewrite Rabs_Ropp; exact: Rle_refl.
Qed.

Lemma addition_right a b : is_float F a -> Rabs (fl F (a + b) - (a + b)) <= Rabs b.
Proof. by rewrite (Rplus_comm a); exact: addition_left. Qed.

(** ** Library functions *)

(** Correct rounding is accuracy to half a unit in the last place. *)
Lemma accurate_fl x : accurate F (/ 2) (fl F x) x.
Proof. exact: rounding_half_spacing. Qed.

Lemma accurate_near kappa y' y : 0 <= kappa -> accurate F kappa y' y ->
  near (2 * kappa * u F) (kappa * eta F) y' y.
Proof.
rewrite /accurate /near => kappa_ge0.
by have := Rmult_le_compat_l _ _ _ kappa_ge0 (spacing_relative_sum F y); lra.
Qed.

Lemma accurate_near_normal kappa y' y : 0 <= kappa -> smallest_normal F <= Rabs y ->
  accurate F kappa y' y -> near (2 * kappa * u F) 0 y' y.
Proof.
rewrite /accurate /near => kappa_ge0 y_normal.
by have := Rmult_le_compat_l _ _ _ kappa_ge0 (spacing_normal F y y_normal); lra.
Qed.

End Format.

(** ** The exponential *)

Lemma exp_le_1 x y : x <= y -> exp x <= exp y.
Proof. by case=> [x_lt|->]; [apply: Rlt_le; exact: exp_increasing | exact: Rle_refl]. Qed.

Lemma exp_near g' g Gamma : Rabs (g' - g) <= Gamma ->
  near (exp Gamma - 1) 0 (exp g') (exp g).
Proof.
move=> /Rabs_le_inv [low high]; have exp_ge0 : 0 <= exp g by apply: Rlt_le; exact: exp_pos.
rewrite /near Rplus_0_r (Rabs_pos_eq (exp g)) //.
have -> : exp g' - exp g = (exp (g' - g) - 1) * exp g.
  by rewrite Rmult_minus_distr_r -exp_plus Rmult_1_l; congr (exp _ - _); ring.
rewrite Rabs_mult (Rabs_pos_eq (exp g)) //; apply: Rmult_le_compat_r => //.
have above : exp (g' - g) <= exp Gamma by exact: exp_le_1.
have below : exp (- Gamma) <= exp (g' - g) by apply: exp_le_1; lra.
have inverse : exp (- Gamma) * exp Gamma = 1 by rewrite -exp_plus Rplus_opp_l exp_0.
have := exp_pos Gamma; have := exp_pos (- Gamma) => *.
by apply: Rabs_le; split; [nra | lra].
Qed.
