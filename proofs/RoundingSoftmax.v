(** * The error of a softmax

  What is claimed.  The shifted softmax that software computes, d_j = fl(s_j - max s), E_j = exp(d_j)
  within κ ulp, S = the sum of the E_j, p_j = E_j/S rounded, is within a stated bound of the exact
  softmax of the computed scores, weight by weight and in the sum over all weights.

  Dictionary (see RoundingSoftmaxScores.v):
  - [growth F κ x] == (1 + 2κu) e^(v x) - 1;
  - [normaliser F κ n θ] == (1 + θ)(1 + growth(ln n) + nκη) - 1, written R;
  - [weight_bound F κ n θ ω χ D p] == (1 + ω)((growth(D) + R)p + κη)/(1 - R) + ω p + χ;
  - [weights_bound F κ n θ ω χ] == (1 + ω)(growth(ln n) + R + nκη)/(1 - R) + ω + nχ.

  Formulas:
    |p_j - weight_j(s)| <= weight_bound(max s - s_j, weight_j(s))                 [rounding_softmax]
    Σ_j |p_j - weight_j(s)| <= weights_bound                                      [rounding_softmax]
  where the sum errs by at most θ times itself ((n - 1) v in any order) and each quotient by at most
  ω times itself and χ (v and η/2; more with a cast).

  The spread of the scores does not enter the sum over all weights: Σ_j p_j e^(v D_j) <= n^v, by the
  convexity of the exponential.

  Assumes: no overflow; R < 1; exponentials within κ ulp, for the sum in any order not negative. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingSoftmaxScores.

Open Scope R_scope.

Definition growth (F : format) (kappa x : R) : R := (1 + 2 * kappa * u F) * exp (v F * x) - 1.

Definition normaliser (F : format) (kappa : R) (n : nat) (theta : R) : R :=
  (1 + theta) * (1 + (growth F kappa (ln (INR n)) + INR n * (kappa * eta F))) - 1.

Definition weight_bound (F : format) (kappa : R) (n : nat) (theta omega chi D p : R) : R :=
  let R := normaliser F kappa n theta in
  (1 + omega) * (((growth F kappa D + R) * p + kappa * eta F) / (1 - R)) + omega * p + chi.

Definition weights_bound (F : format) (kappa : R) (n : nat) (theta omega chi : R) : R :=
  let R := normaliser F kappa n theta in
  (1 + omega) * ((growth F kappa (ln (INR n)) + R + INR n * (kappa * eta F)) / (1 - R))
  + omega + INR n * chi.

(** ** The computed softmax *)

(** The tangent of the exponential: Young's inequality. *)
Lemma exp_convex v a b : 0 <= v <= 1 -> exp ((1 - v) * a + v * b) <= (1 - v) * exp a + v * exp b.
Proof.
move=> [v_ge0 v_le1]; set m := (1 - v) * a + v * b.
have tangent c : exp m * (1 + (c - m)) <= exp c.
  have -> : exp c = exp m * exp (c - m) by rewrite -exp_plus; congr exp; ring.
  by apply: Rmult_le_compat_l; [apply: Rlt_le; exact: exp_pos | exact: exp_ineq1_le].
have left_le := Rmult_le_compat_l (1 - v) _ _ ltac:(lra) (tangent a).
have right_le := Rmult_le_compat_l v _ _ ltac:(lra) (tangent b).
have -> : exp m = (1 - v) * (exp m * (1 + (a - m))) + v * (exp m * (1 + (b - m))) by rewrite /m; ring.
by lra.
Qed.

(** A sum of numbers of the format that are not negative, in any order: θ = (n - 1) v. *)
Lemma normaliser_any_order F n (E : nat -> R) o : perm_eq (terms o) (iota 0 n) ->
  (forall j, is_float F (E j)) -> (forall j, 0 <= E j) ->
  Rabs (computed_sum F E o - \rsum_(j < n) E j) <= (INR n - 1) * v F * \rsum_(j < n) E j.
Proof.
move=> each_once floats E_ge0; have sum_le := rounding_sum_any_order F E o floats.
rewrite (exact_sum_ext (fun j => Rabs (E j)) E) in sum_le; last by move=> j; exact: Rabs_pos_eq.
by rewrite (exact_sum_permutation _ _ _ each_once) (count_permutation _ _ each_once) in sum_le.
Qed.

Section Softmax.
Variable F : format.
Variables (kappa theta omega chi : R) (n : nat) (s : nat -> R) (t : 'I_n).
Hypothesis kappa_ge0 : 0 <= kappa.
Hypothesis theta_ge0 : 0 <= theta.
Hypothesis omega_ge0 : 0 <= omega.
Hypothesis score_float : forall j, (j < n)%N -> is_float F (s j).
Hypothesis largest : forall j, (j < n)%N -> s j <= s t.

Variables (E p : nat -> R) (S : R).
Hypothesis exp_accurate : forall j, (j < n)%N -> accurate F kappa (E j) (exp (fl F (s j - s t))).
Hypothesis summed : Rabs (S - \rsum_(j < n) E j) <= theta * \rsum_(j < n) E j.
Hypothesis divided : forall j, (j < n)%N -> near omega chi (p j) (E j / S).

Let g j := exp (s j - s t).
Let G := \rsum_(j < n) g j.
Let tiny := kappa * eta F.
Let spread := growth F kappa (ln (INR n)).
Let R0 := normaliser F kappa n theta.
Hypothesis normal : R0 < 1.

Lemma tiny_ge0 : 0 <= tiny.
Proof. by apply: Rmult_le_pos => //; apply: Rlt_le; exact: eta_pos. Qed.

Lemma G_ge1 : 1 <= G.
Proof.
have -> : 1 = g t by rewrite /g Rminus_eq_0 exp_0.
by apply: (exp_ge n (fun j => s j - s t)).
Qed.

Lemma g_weight j : g j = G * weight n s j.
Proof.
by rewrite (weight_shift n s (s t)) /weight -/G /g; field; have := G_ge1; lra.
Qed.

Lemma library_ge0 : 0 <= 2 * kappa * u F.
Proof. by have := u_pos F; nra. Qed.

Lemma growth_ge0 D : 0 <= D -> 0 <= growth F kappa D.
Proof.
move=> D_ge0; rewrite /growth; have lib := library_ge0; have v0 := v_pos F.
have : 1 <= exp (v F * D) by rewrite -exp_0; apply: exp_le_1; nra.
by nra.
Qed.

(** One exponential. *)
Lemma exp_error j : (j < n)%N -> Rabs (E j - g j) <= growth F kappa (s t - s j) * g j + tiny.
Proof.
move=> lt_jn; have v0 := v_pos F.
have shifted : Rabs (fl F (s j - s t) - (s j - s t)) <= v F * (s t - s j).
  have opposite : is_float F (- s t) by apply: generic_format_opp; exact: score_float.
  have := addition_relative F _ _ (score_float j lt_jn) opposite.
  by rewrite [X in _ <= _ * X]Rabs_left1 ?Ropp_plus_distr ?Ropp_involutive; have := largest j lt_jn; rewrite /Rminus; lra.
have library := accurate_near F kappa _ _ kappa_ge0 (exp_accurate j lt_jn).
have := near_trans _ _ _ _ _ _ _ library_ge0 library (exp_near _ _ _ shifted).
rewrite /near /growth Rmult_0_r Rplus_0_r (Rabs_pos_eq (exp _)); last by apply: Rlt_le; exact: exp_pos.
by rewrite -/(g j) -/tiny; congr (_ <= _ * _ + _); ring.
Qed.

(** The errors of the exponents average out: Σ g_j e^(v D_j) <= n^v G. *)
Lemma spread_sum : \rsum_(j < n) (g j * exp (v F * (s t - s j))) <= exp (v F * ln (INR n)) * G.
Proof.
have [v0 v1] := (v_pos F, v_lt_1 F); have G1 := G_ge1.
have n_gt0 : 0 < INR n by apply: lt_0_INR; apply/ltP; exact: leq_ltn_trans (ltn_ord t).
pose y := ln (G / INR n); have exp_y : exp y = G / INR n.
  by apply: exp_ln; apply: Rdiv_lt_0_compat; lra.
have term (j : 'I_n) : g j * exp (v F * (s t - s j)) * exp (v F * y) <= (1 - v F) * g j + v F * (G / INR n).
  rewrite -exp_y /g -!exp_plus; set a := s j - s t.
  have -> : a + v F * (s t - s j) + v F * y = (1 - v F) * a + v F * y by rewrite /a; ring.
  by apply: exp_convex; lra.
have total := rsum_le term; rewrite rsum_mulr in total.
have right_eq : \rsum_(j < n) ((1 - v F) * g j + v F * (G / INR n)) = G.
  by rewrite rsum_add rsum_mull rsum_const -/G; field; lra.
rewrite right_eq in total; apply: (Rmult_le_reg_r (exp (v F * y))); first exact: exp_pos.
apply: Rle_trans total _.
have -> : exp (v F * ln (INR n)) * G * exp (v F * y) = exp (v F * ln (INR n) + v F * y) * G.
  by rewrite exp_plus; ring.
have -> : v F * ln (INR n) + v F * y = v F * ln G.
  by rewrite /y /Rdiv ln_mult ?ln_Rinv //; [ring | lra | exact: Rinv_0_lt_compat].
have lnG : 0 <= ln G by rewrite -ln_1; case: (Req_dec 1 G) => [<- | ?]; [lra | apply: Rlt_le; apply: ln_increasing; lra].
have : 1 <= exp (v F * ln G) by rewrite -exp_0; apply: exp_le_1; nra.
by nra.
Qed.

Lemma growth_sum : \rsum_(j < n) (growth F kappa (s t - s j) * g j) <= spread * G.
Proof.
have lib := library_ge0.
have -> : \rsum_(j < n) (growth F kappa (s t - s j) * g j) =
  (1 + 2 * kappa * u F) * (\rsum_(j < n) (g j * exp (v F * (s t - s j)))) - G.
  by rewrite -rsum_mull -rsum_sub; apply: eq_bigr => j _; rewrite /growth; ring.
have := Rmult_le_compat_l (1 + 2 * kappa * u F) _ _ ltac:(lra) spread_sum.
by rewrite /spread /growth; lra.
Qed.

Lemma sum_error : Rabs (S - G) <= R0 * G.
Proof.
have [G1 tiny0] := (G_ge1, tiny_ge0).
have n_ge0 := pos_INR n; have ntiny := Rmult_le_pos _ _ n_ge0 tiny0.
have exps : Rabs (\rsum_(j < n) E j - G) <= (spread + INR n * tiny) * G.
  rewrite -rsum_sub; apply: (Rle_trans _ (\rsum_(j < n) (growth F kappa (s t - s j) * g j + tiny))).
    exact: (rsum_abs_le (fun j => E j - g j) (fun j => growth F kappa (s t - s j) * g j + tiny) n exp_error).
  rewrite rsum_add rsum_const; apply: Rle_trans (Rplus_le_compat_r _ _ _ growth_sum) _.
  by have := Rmult_le_compat_l _ 1 G ntiny G1; lra.
have E_le : \rsum_(j < n) E j <= (1 + (spread + INR n * tiny)) * G by move/Rabs_le_inv: exps; lra.
move: (Rabs_diff_triangle S (\rsum_(j < n) E j) G) (Rmult_le_compat_l _ _ _ theta_ge0 E_le).
by rewrite /R0 /normaliser -/spread -/tiny; lra.
Qed.

Lemma S_ge : (1 - R0) * G <= S.
Proof. by move/Rabs_le_inv: sum_error; lra. Qed.

Lemma normaliser_ge0 : 0 <= R0.
Proof. by have := Rabs_pos (S - G); have := sum_error; have := G_ge1; nra. Qed.

(** The quotient, before it is rounded. *)
Lemma quotient_error (j : 'I_n) : Rabs (E j / S - weight n s j)
  <= ((growth F kappa (s t - s j) + R0) * weight n s j + tiny) / (1 - R0).
Proof.
have [G1 tiny0] := (G_ge1, tiny_ge0); have Sge := S_ge; have p_gt0 := weight_gt0 n s j.
have S_gt0 : 0 < S by apply: Rlt_le_trans Sge; apply: Rmult_lt_0_compat; lra.
have D_ge0 : 0 <= s t - s j by have := largest j (ltn_ord j); lra.
have grow0 := growth_ge0 _ D_ge0; have R_ge0 := normaliser_ge0.
have -> : E j / S - weight n s j = ((E j - g j) + weight n s j * (G - S)) / S.
  by rewrite g_weight; field; lra.
rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ S)); last by apply: Rlt_le; exact: Rinv_0_lt_compat.
have top : Rabs ((E j - g j) + weight n s j * (G - S))
    <= G * ((growth F kappa (s t - s j) + R0) * weight n s j + tiny).
  apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_mult (Rabs_pos_eq (weight n s j)); last by lra.
  have first := exp_error j (ltn_ord j); rewrite g_weight in first.
  have second := sum_error; rewrite Rabs_minus_sym in second.
  have third := Rmult_le_compat_l _ _ _ (Rlt_le _ _ p_gt0) second.
  have fourth : tiny <= G * tiny by nra.
  by rewrite g_weight; lra.
have inverse : / S <= / ((1 - R0) * G) by apply: Rinv_le_contravar => //; apply: Rmult_lt_0_compat; lra.
have top_ge0 := Rle_trans _ _ _ (Rabs_pos _) top.
apply: Rle_trans (Rmult_le_compat _ _ _ _ (Rabs_pos _) _ top inverse) _.
  by apply: Rlt_le; exact: Rinv_0_lt_compat.
by right; field; split; lra.
Qed.

(** rounding.softmax: scores of a format, the largest subtracted, exponentials within κ ulp, a sum that errs by
    at most θ times itself, quotients that err by at most ω times themselves and χ: each weight is within
    (1 + ω)((growth(D) + R)p + κη)/(1 - R) + ω p + χ of the softmax p of these scores, D below the largest,
    and all weights together are within (1 + ω)(growth(ln n) + R + nκη)/(1 - R) + ω + nχ. *)
Theorem rounding_softmax :
  (forall j, (j < n)%N -> Rabs (p j - weight n s j)
     <= weight_bound F kappa n theta omega chi (s t - s j) (weight n s j)) /\
  \rsum_(j < n) Rabs (p j - weight n s j) <= weights_bound F kappa n theta omega chi.
Proof.
have one (j : 'I_n) : Rabs (p j - weight n s j)
    <= weight_bound F kappa n theta omega chi (s t - s j) (weight n s j).
  have rounded := divided j (ltn_ord j); have quotient := quotient_error j.
  have p_gt0 := weight_gt0 n s j.
  have size := Rabs_by_diff (E j / S) (weight n s j); rewrite (Rabs_pos_eq (weight n s j)) in size; last by lra.
  rewrite /weight_bound -/R0 -/tiny; set q := _ / (1 - R0) in quotient *.
  have q_le := Rmult_le_compat_l _ _ _ omega_ge0 (Rle_trans _ _ _ size (Rplus_le_compat_l _ _ _ quotient)).
  by move: (Rabs_diff_triangle (p j) (E j / S) (weight n s j)) rounded; rewrite /near; lra.
split=> [j lt_jn | ]; first exact: (one (Ordinal lt_jn)).
apply: Rle_trans (rsum_le one) _; rewrite /weight_bound -/R0 -/tiny.
have G1 := G_ge1; have sum1 := weights_sum n s t.
have -> : \rsum_(j < n) ((1 + omega) * (((growth F kappa (s t - s j) + R0) * weight n s j + tiny) / (1 - R0))
    + omega * weight n s j + chi) =
  (1 + omega) / (1 - R0) * (\rsum_(j < n) (growth F kappa (s t - s j) * g j)) / G
  + (1 + omega) * ((R0 + INR n * tiny) / (1 - R0)) + omega + INR n * chi.
  transitivity (\rsum_(j < n) ((1 + omega) / (1 - R0) / G * (growth F kappa (s t - s j) * g j)
    + ((1 + omega) * R0 / (1 - R0) + omega) * weight n s j + ((1 + omega) * tiny / (1 - R0) + chi))).
    by apply: eq_bigr => j _; rewrite g_weight; field; split; lra.
  transitivity ((1 + omega) / (1 - R0) / G * (\rsum_(j < n) (growth F kappa (s t - s j) * g j))
    + ((1 + omega) * R0 / (1 - R0) + omega) * (\rsum_(j < n) weight n s j)
    + INR n * ((1 + omega) * tiny / (1 - R0) + chi)).
    by rewrite 2!rsum_add 2!rsum_mull rsum_const.
  by rewrite sum1; field; split; lra.
have factor_ge0 : 0 <= (1 + omega) / (1 - R0) / G.
  by apply: Rlt_le; apply: Rdiv_lt_0_compat; [apply: Rdiv_lt_0_compat | ]; lra.
have := Rmult_le_compat_l _ _ _ factor_ge0 growth_sum.
have -> : (1 + omega) / (1 - R0) / G * (spread * G) = (1 + omega) * (spread / (1 - R0)) by field; split; lra.
rewrite /weights_bound -/R0 -/tiny -/spread.
have -> : (spread + R0 + INR n * tiny) / (1 - R0) = spread / (1 - R0) + (R0 + INR n * tiny) / (1 - R0) by field; lra.
have -> : (1 + omega) / (1 - R0) * (\rsum_(j < n) (growth F kappa (s t - s j) * g j)) / G =
  (1 + omega) / (1 - R0) / G * (\rsum_(j < n) (growth F kappa (s t - s j) * g j)) by field; split; lra.
by lra.
Qed.

End Softmax.
