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
From Flocq Require Import Core Plus_error.
From Posproof Require Import RoundingFormat.

Open Scope R_scope.

Definition near (rho sigma computed exact : R) : Prop :=
  Rabs (computed - exact) <= rho * Rabs exact + sigma.

Definition accurate (F : format) (kappa computed exact : R) : Prop :=
  Rabs (computed - exact) <= kappa * spacing F exact.

(** ** Triangle inequalities, once and for all *)

Lemma Rabs_diff_triangle x y z : Rabs (x - z) <= Rabs (x - y) + Rabs (y - z).
Proof. replace (x - z) with ((x - y) + (y - z)) by ring. apply Rabs_triang. Qed.

Lemma Rabs_by_diff x y : Rabs x <= Rabs y + Rabs (x - y).
Proof. replace x with (y + (x - y)) at 1 by ring. apply Rabs_triang. Qed.

Lemma product_diff x' x y' y :
  Rabs (x' * y' - x * y) <= Rabs (x' - x) * Rabs y' + Rabs x * Rabs (y' - y).
Proof.
  replace (x' * y' - x * y) with ((x' - x) * y' + x * (y' - y)) by ring.
  rewrite <- !Rabs_mult. apply Rabs_triang.
Qed.

(** ** The rules of [near] *)

Lemma near_exact x : near 0 0 x x.
Proof. unfold near. replace (x - x) with 0 by ring. rewrite Rabs_R0. lra. Qed.

Lemma near_weaken rho sigma rho' sigma' x' x :
  rho <= rho' -> sigma <= sigma' -> near rho sigma x' x -> near rho' sigma' x' x.
Proof. unfold near. intros Hr Hs H. generalize (Rabs_pos x). nra. Qed.

Lemma near_of_difference d x' x : Rabs (x' - x) <= d -> near 0 d x' x.
Proof. unfold near. lra. Qed.

Lemma near_abs rho sigma x' x :
  near rho sigma x' x -> Rabs x' <= (1 + rho) * Rabs x + sigma.
Proof. unfold near. intro H. generalize (Rabs_by_diff x' x). lra. Qed.

Lemma near_trans rho1 sigma1 rho2 sigma2 x'' x' x : 0 <= rho1 ->
  near rho1 sigma1 x'' x' -> near rho2 sigma2 x' x ->
  near ((1 + rho1) * (1 + rho2) - 1) (sigma1 + (1 + rho1) * sigma2) x'' x.
Proof.
  unfold near. intros Hr H1 H2.
  generalize (Rabs_diff_triangle x'' x' x) (near_abs _ _ _ _ H2). intros Ht Ha.
  assert (rho1 * Rabs x' <= rho1 * ((1 + rho2) * Rabs x + sigma2))
    by (apply Rmult_le_compat_l; assumption).
  lra.
Qed.

Lemma near_mul rho1 sigma1 rho2 sigma2 x' x y' y :
  0 <= rho1 -> 0 <= sigma1 ->
  near rho1 sigma1 x' x -> near rho2 sigma2 y' y ->
  near ((1 + rho1) * (1 + rho2) - 1)
    ((1 + rho1) * Rabs x * sigma2 + sigma1 * (1 + rho2) * Rabs y + sigma1 * sigma2)
    (x' * y') (x * y).
Proof.
  unfold near. intros Hr Hs H1 H2.
  generalize (product_diff x' x y' y) (near_abs _ _ _ _ H2). intros Hp Ha.
  rewrite Rabs_mult.
  assert (He : 0 <= rho1 * Rabs x + sigma1)
    by (generalize (Rmult_le_pos _ _ Hr (Rabs_pos x)); lra).
  assert (H3 : Rabs (x' - x) * Rabs y'
            <= (rho1 * Rabs x + sigma1) * ((1 + rho2) * Rabs y + sigma2))
    by (apply Rmult_le_compat; auto using Rabs_pos).
  assert (H4 : Rabs x * Rabs (y' - y) <= Rabs x * (rho2 * Rabs y + sigma2))
    by (apply Rmult_le_compat_l; auto using Rabs_pos).
  lra.
Qed.

(** Multiplication by an exact factor. *)
Lemma near_scale m rho sigma x' x :
  near rho sigma x' x -> near rho (Rabs m * sigma) (m * x') (m * x).
Proof.
  unfold near. intro H. replace (m * x' - m * x) with (m * (x' - x)) by ring.
  rewrite !Rabs_mult. generalize (Rabs_pos m). nra.
Qed.

Lemma near_opp rho sigma x' x : near rho sigma x' x -> near rho sigma (- x') (- x).
Proof.
  unfold near. replace (- x' - - x) with (- (x' - x)) by ring. now rewrite !Rabs_Ropp.
Qed.

(** Quotients: 1 / x' where x' is near x with no absolute part. *)
Lemma near_inv rho x' x : 0 <= rho < 1 -> x <> 0 ->
  near rho 0 x' x -> near (/ (1 - rho) - 1) 0 (/ x') (/ x).
Proof.
  unfold near. intros [Hr0 Hr1] Hx H.
  assert (Hx0 : 0 < Rabs x) by now apply Rabs_pos_lt.
  assert (Hx' : (1 - rho) * Rabs x <= Rabs x').
  { generalize (Rabs_by_diff x x'). rewrite Rabs_minus_sym. lra. }
  assert (Hpos : 0 < (1 - rho) * Rabs x) by (apply Rmult_lt_0_compat; lra).
  assert (Hx'0 : x' <> 0) by (intro E; rewrite E, Rabs_R0 in Hx'; lra).
  replace (/ x' - / x) with (- ((x' - x) * / x' * / x)) by (field; split; assumption).
  rewrite Rabs_Ropp, !Rabs_mult, Rplus_0_r, Rabs_inv.
  apply Rmult_le_compat_r; [apply Rabs_pos|].
  apply Rle_trans with (rho * Rabs x * / ((1 - rho) * Rabs x)).
  - apply Rmult_le_compat; auto using Rabs_pos.
    + apply Rlt_le, Rinv_0_lt_compat. lra.
    + lra.
    + apply Rinv_le; assumption.
  - apply Req_le. field. lra.
Qed.

(** ** Rounding *)

Section Format.
Variable F : format.

Lemma near_fl_exact x : near (v F) (eta F / 2) (fl F x) x.
Proof. apply (rounding_standard_model F x). Qed.

Lemma near_fl rho sigma x' x : near rho sigma x' x ->
  near ((1 + v F) * (1 + rho) - 1) ((1 + v F) * sigma + eta F / 2) (fl F x') x.
Proof.
  intro H. rewrite (Rplus_comm (_ * sigma)).
  apply near_trans with x'; auto using near_fl_exact. apply Rlt_le, v_pos.
Qed.

(** The same where the rounded value is 0 or not below the smallest normal number. *)
Lemma near_fl_normal rho sigma x' x : x' = 0 \/ smallest_normal F <= Rabs x' ->
  near rho sigma x' x ->
  near ((1 + v F) * (1 + rho) - 1) ((1 + v F) * sigma) (fl F x') x.
Proof.
  intros Hx' H. replace ((1 + v F) * sigma) with (0 + (1 + v F) * sigma) by ring.
  apply near_trans with x'; [apply Rlt_le, v_pos| |exact H].
  unfold near. rewrite Rplus_0_r. now apply (rounding_standard_model F x').
Qed.

(** ** Addition of two numbers of the format: never any underflow *)

Lemma addition_relative a b : is_float F a -> is_float F b ->
  Rabs (fl F (a + b) - (a + b)) <= v F * Rabs (a + b).
Proof.
  intros Ha Hb.
  destruct (FLT_plus_error_N_ex radix2 (emin F) (precision F) (fun z => negb (Z.even z)) a b Ha Hb)
    as [eps [Heps E]].
  unfold fl. rewrite E. replace ((a + b) * (1 + eps) - (a + b)) with (eps * (a + b)) by ring.
  rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
  unfold v. now rewrite <- u_ro_u.
Qed.

(** It errs by no more than either operand, each being a number of the format. *)
Lemma addition_left a b : is_float F b -> Rabs (fl F (a + b) - (a + b)) <= Rabs a.
Proof.
  intro Hb. apply Rle_trans with (1 := fl_nearest F (a + b) b Hb).
  replace (b - (a + b)) with (- a) by ring. rewrite Rabs_Ropp. apply Rle_refl.
Qed.

Lemma addition_right a b : is_float F a -> Rabs (fl F (a + b) - (a + b)) <= Rabs b.
Proof. rewrite (Rplus_comm a). apply addition_left. Qed.

(** ** Library functions *)

(** Correct rounding is accuracy to half a unit in the last place. *)
Lemma accurate_fl x : accurate F (/ 2) (fl F x) x.
Proof. apply rounding_half_spacing. Qed.

Lemma accurate_near kappa y' y : 0 <= kappa -> accurate F kappa y' y ->
  near (2 * kappa * u F) (kappa * eta F) y' y.
Proof.
  unfold accurate, near. intros Hk H.
  generalize (Rmult_le_compat_l _ _ _ Hk (spacing_relative_sum F y)). lra.
Qed.

Lemma accurate_near_normal kappa y' y : 0 <= kappa -> smallest_normal F <= Rabs y ->
  accurate F kappa y' y -> near (2 * kappa * u F) 0 y' y.
Proof.
  unfold accurate, near. intros Hk Hy H.
  generalize (Rmult_le_compat_l _ _ _ Hk (spacing_normal F y Hy)). lra.
Qed.

End Format.

(** ** The exponential *)

Lemma exp_le_1 x y : x <= y -> exp x <= exp y.
Proof. intros [H | H]; [now apply Rlt_le, exp_increasing|rewrite H; apply Rle_refl]. Qed.

Lemma exp_near g' g Gamma : Rabs (g' - g) <= Gamma ->
  near (exp Gamma - 1) 0 (exp g') (exp g).
Proof.
  intro H. unfold near. rewrite Rplus_0_r, (Rabs_pos_eq (exp g)) by apply Rlt_le, exp_pos.
  replace (exp g' - exp g) with ((exp (g' - g) - 1) * exp g).
  - rewrite Rabs_mult, (Rabs_pos_eq (exp g)) by apply Rlt_le, exp_pos.
    apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|].
    apply Rabs_le_inv in H. destruct H as [Hlow Hup].
    assert (E1 : exp (g' - g) <= exp Gamma) by now apply exp_le_1.
    assert (E2 : exp (- Gamma) <= exp (g' - g)) by (apply exp_le_1; lra).
    assert (E3 : exp (- Gamma) * exp Gamma = 1)
      by (rewrite <- exp_plus; replace (- Gamma + Gamma) with 0 by ring; apply exp_0).
    generalize (exp_pos Gamma) (exp_pos (- Gamma)). intros P1 P2.
    apply Rabs_le. split; [nra|lra].
  - rewrite Rmult_minus_distr_r, <- exp_plus, Rmult_1_l. do 2 f_equal. ring.
Qed.
