(** * The score as the dimension grows

  With more and more pairs the mean of the cosines becomes an integral, and that integral is a
  difference of two values of the cosine integral.

  mean_score base h m == the score of q = k = (1, 0, 1, 0, ...) at distance m over the number h of pairs,
                         (2/d) B(m) for d = 2h
  angle base m x      == m base^(-x), the angle at distance m of the pair that stands at x of [0, 1]

  Main results: base.integral-limit. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding UnitScore CosineIntegral.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Sums of values at equal steps *)

(** Over a step from [a] on, a function that changes by no more than [u] does upwards and [v] downwards. *)
Lemma step_integral (f u v : R -> R) (a step : R) : 0 <= step ->
  (forall x, continuous f x) ->
  (forall x, a <= x <= a + step -> - (v (a + step) - v a) <= f x - f a <= u (a + step) - u a) ->
  - (step * (v (a + step) - v a)) <= RInt f a (a + step) - step * f a <= step * (u (a + step) - u a).
Proof.
move=> step_ge0 f_continuous change; have integrable b c : ex_RInt f b c by apply: ex_RInt_continuous.
have constant k : RInt (fun=> k) a (a + step) = step * k.
  by rewrite RInt_const /scal /= /mult /=; ring.
have up : RInt f a (a + step) <= RInt (fun=> f a + (u (a + step) - u a)) a (a + step).
  by apply: RInt_le; [lra | by [] | exact: ex_RInt_const | move=> x range; have := change x; lra].
have down : RInt (fun=> f a - (v (a + step) - v a)) a (a + step) <= RInt f a (a + step).
  by apply: RInt_le; [lra | exact: ex_RInt_const | by [] | move=> x range; have := change x; lra].
by move: up down; rewrite !constant; lra.
Qed.

Lemma sum_integral (f u v : R -> R) (step : R) (n : nat) : 0 <= step ->
  (forall x, continuous f x) ->
  (forall x y z, 0 <= x -> x <= y -> y <= z -> - (v z - v x) <= f y - f x <= u z - u x) ->
  - (step * (v (INR n * step) - v 0)) <=
    RInt f 0 (INR n * step) - step * (\rsum_(i < n) f (INR i * step)) <= step * (u (INR n * step) - u 0).
Proof.
move=> step_ge0 f_continuous change; have integrable b c : ex_RInt f b c by apply: ex_RInt_continuous.
elim: n => [|n IHn].
  by rewrite big_ord0 /= Rmult_0_l RInt_point /zero /=; lra.
rewrite big_ord_recr S_INR Rmult_plus_distr_r Rmult_1_l /=.
set a := INR n * step in IHn *; have a_ge0 : 0 <= a by apply: Rmult_le_pos => //; exact: pos_INR.
have change_a x (range : a <= x <= a + step) := change _ _ _ a_ge0 (proj1 range) (proj2 range).
have := @step_integral f u v a step step_ge0 f_continuous change_a.
rewrite -(RInt_Chasles f 0 a (a + step)) // /plus /=; move: IHn.
by set total := \rsum_(i < n) _; rewrite !Rmult_minus_distr_l Rmult_plus_distr_l; lra.
Qed.

(** ** The score over the number of pairs *)

Definition mean_score (base : R) (h : nat) (m : R) : R := unit_score h (frequency base h.*2) m / INR h.

Definition angle (base m x : R) : R := m * Rpower base (- x).

Lemma angle_derive base m x : 0 < base -> is_derive (angle base m) x (- ln base * angle base m x).
Proof. by move=> base_gt0; rewrite /angle /Rpower; auto_derive => //; ring. Qed.

Lemma angle_falls base m x y : 1 < base -> 0 <= m -> x <= y -> 0 <= angle base m y <= angle base m x.
Proof.
move=> base_gt1 m_ge0 x_le_y; split; first by apply: Rmult_le_pos => //; exact/Rlt_le/exp_pos.
by apply: Rmult_le_compat_l => //; apply: Rle_Rpower; lra.
Qed.

Lemma mean_score_sum base h m : (0 < h)%N ->
  mean_score base h m = / INR h * \rsum_(i < h) cos (angle base m (INR i * / INR h)).
Proof.
by move=> h_pos; rewrite /mean_score /Rdiv Rmult_comm; congr (_ * _); apply: eq_bigr => i _; rewrite frequency_pairs.
Qed.

Lemma cosine_change a b : 0 <= b <= a -> - (a - b) <= cos b - cos a <= a - b.
Proof.
move=> range; pose f t := cos t + t; pose g t := t - cos t.
have f_rises : f b <= f a.
  apply: (rises (df := fun t => 1 - sin t)) => [|t _|t _]; first by lra.
    by rewrite /f; auto_derive => //; ring.
  by have := SIN_bound t; lra.
have g_rises : g b <= g a.
  apply: (rises (df := fun t => 1 + sin t)) => [|t _|t _]; first by lra.
    by rewrite /g; auto_derive => //; ring.
  by have := SIN_bound t; lra.
by move: f_rises g_rises; rewrite /f /g; lra.
Qed.

(** ** Means of waves at these angles *)

Section Waves.

Variables (wave : R -> R) (base m : R).
Hypotheses (base_gt1 : 1 < base) (m_gt0 : 0 < m) (wave_continuous : forall x, continuous wave x).

Let base_gt0 : 0 < base. Proof. by apply: Rlt_trans base_gt1; exact: Rlt_0_1. Qed.

Lemma wave_at_angle_continuous x : continuous (fun t => wave (angle base m t)) x.
Proof.
apply: (continuous_comp (angle base m) wave); last exact: wave_continuous.
by apply: ex_derive_continuous; eexists; exact: angle_derive.
Qed.

(** For every distance: a wave that changes by no more than its angle, which falls by less than m in all. *)
Lemma waves_near_integral (h : nat) : (0 < h)%N ->
  (forall a b, 0 <= b <= a -> - (a - b) <= wave b - wave a <= a - b) ->
  Rabs (RInt (fun x => wave (angle base m x)) 0 1 - / INR h * \rsum_(i < h) wave (angle base m (INR i * / INR h))) <=
  m / INR h.
Proof.
move=> h_pos wave_change; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
pose g x := - angle base m x; have step_gt0 := Rinv_0_lt_compat _ h_gt0.
have change x y z : 0 <= x -> x <= y -> y <= z ->
    - (g z - g x) <= wave (angle base m y) - wave (angle base m x) <= g z - g x.
  move=> _ x_le_y y_le_z; have first_falls := angle_falls base_gt1 (Rlt_le _ _ m_gt0) x_le_y.
  have then_falls := angle_falls base_gt1 (Rlt_le _ _ m_gt0) y_le_z.
  by have := wave_change _ _ first_falls; rewrite /g; lra.
set total := \rsum_(i < h) _; have bounds : - (/ INR h * (g (INR h * / INR h) - g 0)) <=
    RInt (fun x => wave (angle base m x)) 0 (INR h * / INR h) - / INR h * total <=
    / INR h * (g (INR h * / INR h) - g 0).
  exact: sum_integral (Rlt_le _ _ step_gt0) wave_at_angle_continuous change.
rewrite Rinv_r in bounds; last by lra.
have [last_ge0 _] := angle_falls base_gt1 (Rlt_le _ _ m_gt0) (Rle_0_1).
have at_0 : angle base m 0 = m by rewrite /angle Ropp_0 Rpower_O // Rmult_1_r.
have : / INR h * (g 1 - g 0) <= m / INR h.
  by rewrite Rmult_comm; apply: Rmult_le_compat_r; [lra | rewrite /g at_0; lra].
by move=> gap; apply/Rabs_le_between; lra.
Qed.

(** The mean by an antiderivative of wave x / x. *)
Lemma waves_integral (G : R -> R) : (forall x, 0 < x -> is_derive G x (wave x / x)) ->
  RInt (fun x => wave (angle base m x)) 0 1 = (G m - G (m / base)) / ln base.
Proof.
move=> derived; have ln_gt0 : 0 < ln base by rewrite -ln_1; apply: ln_increasing; lra.
pose F x := - (G (angle base m x) / ln base).
have angle_gt0 x : 0 < angle base m x by apply: Rmult_lt_0_compat => //; exact: exp_pos.
have F_derive x : is_derive F x (wave (angle base m x)).
  have inner := angle_derive m x base_gt0; have outer := derived _ (angle_gt0 x).
  rewrite /F; auto_derive; first by split; [eexists; exact: outer | split=> //; eexists; exact: inner].
  rewrite (is_derive_unique _ _ _ inner) (is_derive_unique _ _ _ outer).
  by field; split; [lra | have := angle_gt0 x; lra].
apply: is_RInt_unique; have -> : (G m - G (m / base)) / ln base = minus (F 1) (F 0).
  rewrite /F /angle Ropp_0 Rpower_O // Rmult_1_r Rpower_Ropp Rpower_1 // /minus /plus /opp /=.
  by rewrite -/(m / base); field; lra.
by apply: is_RInt_derive => x _; [exact: F_derive | exact: wave_at_angle_continuous].
Qed.

End Waves.

(** ** The mean of the cosines *)

Lemma cosine_continuous x : continuous cos x.
Proof. by apply: ex_derive_continuous; auto_derive. Qed.

Section Mean.

Variables (base m : R) (h : nat).
Hypotheses (base_gt1 : 1 < base) (m_gt0 : 0 < m) (h_pos : (0 < h)%N).

Let mean_integral : R := RInt (fun x => cos (angle base m x)) 0 1.

Let h_gt0 : 0 < INR h. Proof. by apply: lt_0_INR; apply/ltP. Qed.

Lemma mean_near_integral : Rabs (mean_integral - mean_score base h m) <= m / INR h.
Proof. by rewrite mean_score_sum //; apply: waves_near_integral cosine_change => //; exact: cosine_continuous. Qed.

(** Up to pi the cosines rise over the pairs, so that the sum is below the integral. *)
Lemma mean_below_integral : m <= PI -> 0 <= mean_integral - mean_score base h m <= (1 - cos m) / INR h.
Proof.
move=> m_le; pose f x := cos (angle base m x); have base_gt0 : 0 < base by lra.
have step_gt0 := Rinv_0_lt_compat _ h_gt0.
have at_0 : angle base m 0 = m by rewrite /angle Ropp_0 Rpower_O // Rmult_1_r.
have f_rises x y : 0 <= x -> x <= y -> f x <= f y.
  move=> x_ge0 x_le_y; have below := angle_falls base_gt1 (Rlt_le _ _ m_gt0) x_le_y.
  by have := angle_falls base_gt1 (Rlt_le _ _ m_gt0) x_ge0; rewrite at_0 => ?; apply: cos_decr_1; lra.
have change x y z : 0 <= x -> x <= y -> y <= z -> - (0 - 0) <= f y - f x <= f z - f x.
  by move=> x_ge0 x_le_y y_le_z; have := f_rises x y x_ge0 x_le_y; have := f_rises y z ltac:(lra) y_le_z; lra.
have f_continuous := wave_at_angle_continuous (m := m) base_gt1 cosine_continuous.
have := sum_integral h (u := f) (v := fun=> 0) (Rlt_le _ _ step_gt0) f_continuous change.
rewrite -mean_score_sum // Rinv_r; last by lra.
have : / INR h * (f 1 - f 0) <= (1 - cos m) / INR h.
  rewrite Rmult_comm; apply: Rmult_le_compat_r; first by lra.
  by rewrite /f at_0; have := COS_bound (angle base m 1); lra.
by rewrite -/mean_integral; lra.
Qed.

Lemma mean_integral_Ci Ci : cosine_integral Ci -> mean_integral = (Ci m - Ci (m / base)) / ln base.
Proof. by move=> [derived _]; apply: waves_integral => //; exact: cosine_continuous. Qed.

End Mean.

(** What differs from a number by at most k over the number of pairs tends to it. *)
Lemma limit_near (u : nat -> R) (limit k : R) :
  (forall h, (0 < h)%N -> Rabs (limit - u h) <= k / INR h) -> is_lim_seq u limit.
Proof.
move=> near; have tends : is_lim_seq (fun h => k / INR h) 0.
  have -> : Rbar.Finite 0 = Rbar_mult k 0 by rewrite /= Rmult_0_r.
  apply: (is_lim_seq_scal_l (fun h => / INR h)); have -> : Rbar.Finite 0 = Rbar_inv p_infty by [].
  exact: (is_lim_seq_inv INR p_infty is_lim_seq_INR).
apply: (is_lim_seq_le_le_loc (fun h => limit - k / INR h) _ (fun h => limit + k / INR h)).
- by exists 1%N => h /leP h_pos; have /Rabs_le_between := near h h_pos; lra.
- rewrite -[limit in X in is_lim_seq _ X]Rminus_0_r.
  by apply: is_lim_seq_minus'; [exact: is_lim_seq_const | exact: tends].
- rewrite -[limit in X in is_lim_seq _ X]Rplus_0_r.
  by apply: is_lim_seq_plus'; [exact: is_lim_seq_const | exact: tends].
Qed.

(** base.integral-limit: As d → ∞, (2/d)·B(m) tends to (Ci(m) − Ci(m/b))/ln b, for every m > 0 and b
    > 1, and differs from it by at most 2m/d; for m = 1 and b = 10000 it is below the limit by at
    most (2/d)·(1 − cos 1). The first zero x_0 of Ci is between 1/1.623 and 1/1.622, so that the
    rule b ≥ L/x_0 is b ≥ 1.622…·L and not 2L; and Ci is below 1/2 at its maximum, π/2, and from 1
    on at most 1/2 in modulus. *)
Theorem base_integral_limit :
  (exists Ci, cosine_integral Ci) /\
  forall Ci : R -> R, cosine_integral Ci ->
  (forall base m : R, 1 < base -> 0 < m ->
    let limit := (Ci m - Ci (m / base)) / ln base in
    is_lim_seq (fun h => mean_score base h m) limit /\
    forall h : nat, (0 < h)%N -> Rabs (limit - mean_score base h m) <= m / INR h) /\
  (forall h : nat, (0 < h)%N ->
    0 <= (Ci 1 - Ci (1 / 10000)) / ln 10000 - mean_score 10000 h 1 <= (1 - cos 1) / INR h) /\
  (exists x0, 1 / 1.623 < x0 < 1 / 1.622 /\ Ci x0 = 0 /\ forall x, 0 < x < x0 -> Ci x < 0) /\
  (forall x, 0 < x -> Ci x <= Ci (PI / 2)) /\ Ci (PI / 2) < 1 / 2 /\
  (forall x, 1 <= x -> Rabs (Ci x) <= 1 / 2).
Proof.
split=> [ | Ci Ci_cosint]; first exact: cosine_integral_exists.
have near base m h : 1 < base -> 0 < m -> (0 < h)%N ->
    Rabs ((Ci m - Ci (m / base)) / ln base - mean_score base h m) <= m / INR h.
  by move=> *; rewrite -mean_integral_Ci //; exact: mean_near_integral.
split=> [base m base_gt1 m_gt0 limit | ].
  have near_limit h h_pos : Rabs (limit - mean_score base h m) <= m / INR h := near base m h base_gt1 m_gt0 h_pos.
  by split; first exact: limit_near near_limit.
split=> [h h_pos | ].
  rewrite -(@mean_integral_Ci 10000 1) //; try lra.
  by apply: mean_below_integral => //; [lra | lra | have := PI2_1; lra].
split; first exact: first_zero.
split; first exact: largest.
by split; [have [] := Ci_half Ci_cosint | exact: modulus].
Qed.

(** base.integral-limit, as written: b ≥ L/x_0 ≈ 2L: Ci is not negative at 1/1.8. *)
Theorem base_integral_limit_as_written_false : forall Ci : R -> R, cosine_integral Ci -> ~ 0 <= Ci (1 / 1.8).
Proof.
move=> Ci Ci_cosint not_negative; have := Ci_low Ci_cosint; have PI_half := PI2_1.
by have := @Ci_rises_strictly Ci Ci_cosint (1 / 1.8) (1 / 1.623) ltac:(lra) ltac:(lra) ltac:(lra); lra.
Qed.
