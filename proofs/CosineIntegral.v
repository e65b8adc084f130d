(** * The cosine integral

  The libraries lack this function; two properties give it: its derivative, and that it vanishes at
  infinity. Its values follow from integrals up to 30, and beyond from its asymptotic expansion.

  cosine_integral Ci  == the derivative of Ci at every x > 0 is cos x / x, and Ci tends to 0 at infinity:
                         for x > 0, Ci is the cosine integral
  expansion x         == the first four terms of the asymptotic expansion of the cosine integral

  Main results: [cosine_integral_exists], [first_zero], [largest] (its maximum is at pi/2), [Ci_half]
  and [modulus] (it is below 1/2), from which base.integral-limit follows. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Ranalysis5 Lra Lia.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Functions that rise, and functions that vanish at infinity *)

Lemma rises (f df : R -> R) (x y : R) : x <= y ->
  (forall t, x <= t <= y -> is_derive f t (df t)) -> (forall t, x <= t <= y -> 0 <= df t) -> f x <= f y.
Proof.
move=> x_le_y derived df_ge0.
have inside t : Rmin x y <= t <= Rmax x y -> x <= t <= y by rewrite Rmin_left // Rmax_right.
have [t range | t range | c [range mean]] := MVT_gen f x y df.
- by apply: derived; apply: inside; lra.
- by apply/continuity_pt_filterlim/ex_derive_continuous; exists (df t); apply/derived/inside.
- have : 0 <= df c * (y - x) by apply: Rmult_le_pos; [apply/df_ge0/inside | lra].
  by lra.
Qed.

Lemma rises_strictly (f df : R -> R) (x y : R) : x < y ->
  (forall t, x <= t <= y -> is_derive f t (df t)) -> (forall t, x <= t <= y -> 0 < df t) -> f x < f y.
Proof.
move=> x_lt_y derived df_gt0; have x_le_y := Rlt_le _ _ x_lt_y.
have inside t : Rmin x y <= t <= Rmax x y -> x <= t <= y by rewrite Rmin_left // Rmax_right.
have [t range | t range | c [range mean]] := MVT_gen f x y df.
- by apply: derived; apply: inside; lra.
- by apply/continuity_pt_filterlim/ex_derive_continuous; exists (df t); apply/derived/inside.
- have : 0 < df c * (y - x) by apply: Rmult_lt_0_compat; [apply/df_gt0/inside | lra].
  by lra.
Qed.

(** What is at most k/x beyond 1 vanishes at infinity. *)
Lemma vanishes (f : R -> R) (k : R) : (forall x, 1 <= x -> Rabs (f x) <= k / x) -> is_lim f p_infty 0.
Proof.
move=> bound; have toward c : is_lim (fun x => c / x) p_infty 0.
  have -> : Rbar.Finite 0 = Rbar_mult c 0 by rewrite /= Rmult_0_r.
  apply: (is_lim_scal_l (fun x => / x)); have -> : Rbar.Finite 0 = Rbar_inv p_infty by [].
  exact: (is_lim_inv (fun x => x) p_infty p_infty (is_lim_id _)).
apply: (is_lim_le_le_loc (fun x => - k / x) (fun x => k / x)) => //.
exists 1 => x x_gt1; have := bound x (Rlt_le _ _ x_gt1).
by rewrite /Rdiv Ropp_mult_distr_l_reverse => /Rabs_le_between.
Qed.

(** What rises towards 0 is at most 0. *)
Lemma rises_to_0 (f df : R -> R) (x : R) : 0 < x ->
  (forall t, 0 < t -> is_derive f t (df t)) -> (forall t, 0 < t -> 0 <= df t) -> is_lim f p_infty 0 -> f x <= 0.
Proof.
move=> x_gt0 derived df_ge0 limit.
have : Rbar_le (f x) 0; last by [].
apply: (is_lim_le_loc (fun=> f x) f p_infty) => //; last exact: is_lim_const.
exists x => y x_lt_y; apply: (rises (df := df)) => [|t range|t range]; first by lra.
  by apply: derived; lra.
by apply: df_ge0; lra.
Qed.

(** ** There is a cosine integral *)

Definition cosine_integral (Ci : R -> R) : Prop :=
  (forall x : R, 0 < x -> is_derive Ci x (cos x / x)) /\ is_lim Ci p_infty 0.

Lemma integrand_continuous x : 0 < x -> continuous (fun t => cos t / t) x.
Proof. by move=> x_gt0; apply: ex_derive_continuous; auto_derive; lra. Qed.

Lemma integral_derive x : 0 < x -> is_derive (RInt (fun t => cos t / t) 1) x (cos x / x).
Proof.
move=> x_gt0; apply: (is_derive_RInt (fun t => cos t / t) _ 1); last exact: integrand_continuous.
have half_gt0 : 0 < x / 2 by lra.
exists (mkposreal _ half_gt0) => y; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= => /Rabs_lt_between near.
apply: RInt_correct; apply: ex_RInt_continuous => t range; apply: integrand_continuous.
by have := Rmin_Rgt_r 1 y 0; lra.
Qed.

(** An antiderivative less sin x / x is caught between a rising and a falling function 2/x apart. *)
Lemma converges (H : R -> R) : (forall x, 0 < x -> is_derive H x (cos x / x)) ->
  exists L, forall x, 1 <= x -> Rabs (H x - sin x / x - L) <= / x.
Proof.
move=> derived; pose low x := H x - sin x / x - / x; pose high x := H x - sin x / x + / x.
have derivable t : 0 < t -> ex_derive H t by move=> t_gt0; exists (cos t / t); exact: derived.
have low_rises x y : 1 <= x -> x <= y -> low x <= low y.
  move=> x_ge1 x_le_y; apply: (rises (df := fun t => (1 + sin t) / t ^ 2)) => // t range; last first.
    by apply: Rdiv_le_0_compat; [have := SIN_bound t; lra | apply: pow_lt; lra].
  have t_gt0 : 0 < t by lra.
  rewrite /low; auto_derive; first by repeat split; [exact: derivable | lra | lra].
  by rewrite (is_derive_unique _ _ _ (derived _ t_gt0)); field; lra.
have high_falls x y : 1 <= x -> x <= y -> high y <= high x.
  move=> x_ge1 x_le_y; apply: Ropp_le_cancel.
  apply: (rises (f := fun t => - high t) (df := fun t => (1 - sin t) / t ^ 2)) => // t range; last first.
    by apply: Rdiv_le_0_compat; [have := SIN_bound t; lra | apply: pow_lt; lra].
  have t_gt0 : 0 < t by lra.
  rewrite /high; auto_derive; first by repeat split; [exact: derivable | lra | lra].
  by rewrite (is_derive_unique _ _ _ (derived _ t_gt0)); field; lra.
have low_le_high x y : 1 <= x -> 1 <= y -> low x <= high y.
  move=> x_ge1 y_ge1; apply: (Rle_trans _ _ _ (low_rises _ _ x_ge1 (Rmax_l x y))).
  apply: Rle_trans (high_falls _ _ y_ge1 (Rmax_r x y)).
  have : 0 < / Rmax x y by apply: Rinv_0_lt_compat; have := Rmax_l x y; lra.
  by rewrite /low /high; lra.
pose lows z := exists2 x, 1 <= x & z = low x.
have bounded : bound lows by exists (high 1) => z [x x_ge1 ->]; apply: low_le_high; lra.
have inhabited : exists z, lows z by exists (low 1), 1; first lra.
have [L [upper least]] := completeness lows bounded inhabited.
exists L => x x_ge1; have below : low x <= L by apply: upper; exists x.
have above : L <= high x by apply: least => z [y y_ge1 ->]; exact: low_le_high.
by apply/Rabs_le_between; move: below above; rewrite /low /high; lra.
Qed.

Lemma cosine_integral_exists : exists Ci, cosine_integral Ci.
Proof.
pose H := RInt (fun t => cos t / t) 1.
have [L near] := converges integral_derive; exists (fun x => H x - L); split=> [x x_gt0 | ].
  by apply: (is_derive_ext (fun x => minus (H x) L)) => //; rewrite -[cos x / x]minus_zero_r;
     apply: is_derive_minus; [exact: integral_derive | exact: is_derive_const].
apply: (@vanishes _ 2) => x x_ge1; have x_gt0 : 0 < / x by apply: Rinv_0_lt_compat; lra.
have sine_small : Rabs (sin x / x) <= / x.
  rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ x)); last exact: Rlt_le.
  by rewrite -[X in _ <= X]Rmult_1_l; apply: Rmult_le_compat_r; [lra | apply/Rabs_le_between; exact: SIN_bound].
have -> : H x - L = H x - sin x / x - L + sin x / x by ring.
by apply: Rle_trans (Rabs_triang _ _) _; have := near _ x_ge1; rewrite /H /Rdiv; lra.
Qed.

(** ** Its values *)

Definition expansion (x : R) : R := sin x * (/ x - 2 / x ^ 3) - cos x * (/ x ^ 2 - 6 / x ^ 4).

Lemma expansion_vanishes : is_lim expansion p_infty 0.
Proof.
apply: (@vanishes _ 10) => x x_ge1; rewrite /expansion.
have v_range : 0 < / x <= 1 by split; [apply: Rinv_0_lt_compat; lra | rewrite -Rinv_1; apply: Rinv_le_contravar; lra].
have sine := SIN_bound x; have cosine := COS_bound x.
have -> : sin x * (/ x - 2 / x ^ 3) - cos x * (/ x ^ 2 - 6 / x ^ 4) =
  / x * (sin x * (1 - 2 * (/ x) ^ 2) - cos x * (/ x * (1 - 6 * (/ x) ^ 2))) by field; lra.
rewrite /Rdiv Rabs_mult Rabs_pos_eq; last by lra.
rewrite (Rmult_comm 10); apply: Rmult_le_compat_l; first by lra.
set v := / x in v_range *; have first_range : -1 <= 1 - 2 * v ^ 2 <= 1 by nra.
have cube_range : 0 <= v ^ 3 <= 1 by split; [apply: pow_le; lra | rewrite -(pow1 3); apply: pow_incr; lra].
have second_range : -6 <= v * (1 - 6 * v ^ 2) <= 6 by have -> : v * (1 - 6 * v ^ 2) = v - 6 * v ^ 3; [ring | lra].
apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_Ropp (Rabs_mult (sin x)) (Rabs_mult (cos x)).
have part a b k : -1 <= a <= 1 -> - k <= b <= k -> Rabs a * Rabs b <= k.
  move=> /Rabs_le_between a_le /Rabs_le_between b_le; rewrite -[k]Rmult_1_l.
  by apply: Rmult_le_compat => //; exact: Rabs_pos.
by have := part _ _ 1 sine first_range; have := part _ _ 6 cosine second_range; lra.
Qed.

Lemma fourth_power_vanishes : is_lim (fun x => 6 / x ^ 4) p_infty 0.
Proof.
apply: (@vanishes _ 6) => x x_ge1; rewrite Rabs_pos_eq; last by apply: Rdiv_le_0_compat; [lra | apply: pow_lt; lra].
apply: Rmult_le_compat_l; first by lra.
by apply: Rinv_le_contravar; [lra | rewrite -[X in X <= _]pow_1; apply: Rle_pow; [lra | lia]].
Qed.

Section Values.

Variable Ci : R -> R.
Hypothesis Ci_cosint : cosine_integral Ci.

Lemma Ci_derivable x : 0 < x -> ex_derive Ci x.
Proof. by move=> x_gt0; exists (cos x / x); exact: (proj1 Ci_cosint). Qed.

Lemma Ci_derive x : 0 < x -> Derive Ci x = cos x / x.
Proof. by move=> x_gt0; apply: is_derive_unique; exact: (proj1 Ci_cosint). Qed.

Lemma near_expansion x : 0 < x -> Rabs (Ci x - expansion x) <= 6 / x ^ 4.
Proof.
move=> x_gt0; have one_side s : s = 1 \/ s = -1 -> s * (Ci x - expansion x) - 6 / x ^ 4 <= 0.
  move=> s_sign; pose rest t := s * (Ci t - expansion t) - 6 / t ^ 4.
  apply: (rises_to_0 (f := rest) (df := fun t => 24 * (1 + s * cos t) / t ^ 5)) => // [t t_gt0 | t t_gt0 | ].
  - rewrite /rest /expansion; auto_derive.
      by repeat split; first [exact: Ci_derivable | apply: Rgt_not_eq; repeat apply: Rmult_lt_0_compat; lra].
    by rewrite (Ci_derive t_gt0); field; lra.
  - apply: Rdiv_le_0_compat; last exact: pow_lt.
    by have := COS_bound t; case: s_sign => ->; lra.
  have -> : Rbar.Finite 0 = s * (0 - 0) - 0 by congr Rbar.Finite; ring.
  apply: is_lim_minus'; last exact: fourth_power_vanishes.
  apply: (is_lim_scal_l (fun t => Ci t - expansion t) s p_infty (0 - 0)).
  by apply: is_lim_minus'; [exact: (proj2 Ci_cosint) | exact: expansion_vanishes].
have up : Ci x - expansion x - 6 / x ^ 4 <= 0 by rewrite -[Ci x - _]Rmult_1_l; apply: one_side; left.
have down : -1 * (Ci x - expansion x) - 6 / x ^ 4 <= 0 by apply: one_side; right.
by apply/Rabs_le_between; lra.
Qed.

Lemma Ci_difference x y : 0 < x -> x <= y -> RInt (fun t => cos t / t) x y = Ci y - Ci x.
Proof.
move=> x_gt0 x_le_y; apply: is_RInt_unique; apply: is_RInt_derive => t; rewrite Rmin_left // Rmax_right // => range.
  by apply: (proj1 Ci_cosint); lra.
by apply: integrand_continuous; lra.
Qed.

(** By the integral up to 30, and the expansion there. *)
Lemma Ci_by_integral x : 0 < x -> x <= 30 ->
  Rabs (Ci x + RInt (fun t => cos t / t) x 30 + 0.0330314) <= 0.000008.
Proof.
move=> x_gt0 x_le30; rewrite Ci_difference //.
have /Rabs_le_between near : Rabs (Ci 30 - expansion 30) <= 6 / 30 ^ 4 by apply: near_expansion; lra.
have there : Rabs (expansion 30 + 0.03303145) <= 1 / 10 ^ 7 by rewrite /expansion; interval with (i_prec 50).
by move/Rabs_le_between: there => there; apply/Rabs_le_between; lra.
Qed.

Lemma Ci_low : Ci (1 / 1.623) < 0.
Proof.
have integral_is : Rabs (RInt (fun t => cos t / t) (1 / 1.623) 30 + 0.0325524) <= 0.0001.
  by integral with (i_prec 25, i_degree 10).
have near := @Ci_by_integral (1 / 1.623) ltac:(lra) ltac:(lra).
by move/Rabs_le_between: integral_is => integral_is; move/Rabs_le_between: near; lra.
Qed.

Lemma Ci_high : 0 < Ci (1 / 1.622).
Proof.
have integral_is : Rabs (RInt (fun t => cos t / t) (1 / 1.622) 30 + 0.0330553) <= 0.000003.
  by integral with (i_prec 30, i_degree 12).
have near := @Ci_by_integral (1 / 1.622) ltac:(lra) ltac:(lra).
by move/Rabs_le_between: integral_is => integral_is; move/Rabs_le_between: near; lra.
Qed.

Lemma Ci_half : Ci (PI / 2) < 1 / 2 /\ - (1 / 10) < Ci 3.
Proof.
have PI_half : 1 < PI / 2 < 30 by split; interval with (i_prec 30).
have of_half : Rabs (RInt (fun t => cos t / t) (PI / 2) 30 + 0.505) <= 0.01 by integral with (i_prec 20, i_degree 8).
have of_3 : Rabs (RInt (fun t => cos t / t) 3 30 + 0.153) <= 0.01 by integral with (i_prec 20, i_degree 8).
have near_half := @Ci_by_integral (PI / 2) ltac:(lra) ltac:(lra).
have near_3 := @Ci_by_integral 3 ltac:(lra) ltac:(lra).
move/Rabs_le_between: of_half => of_half; move/Rabs_le_between: of_3 => of_3.
by move/Rabs_le_between: near_half => near_half; move/Rabs_le_between: near_3 => near_3; lra.
Qed.

(** ** Its zero and its extrema *)

Lemma Ci_rises_strictly x y : 0 < x -> x < y -> y < PI / 2 -> Ci x < Ci y.
Proof.
move=> x_gt0 x_lt_y y_lt; apply: (rises_strictly (df := fun t => cos t / t)) => // t range.
  by apply: (proj1 Ci_cosint); lra.
by apply: Rdiv_lt_0_compat; [apply: cos_gt_0; lra | lra].
Qed.

Lemma first_zero : exists x0, 1 / 1.623 < x0 < 1 / 1.622 /\ Ci x0 = 0 /\ forall x, 0 < x < x0 -> Ci x < 0.
Proof.
have PI_half := PI2_1; have continuous_between x : 1 / 1.623 <= x <= 1 / 1.622 -> continuity_pt Ci x.
  by move=> range; apply/continuity_pt_filterlim/ex_derive_continuous/Ci_derivable; lra.
have [x0 [range zero]] := IVT_interv Ci _ _ continuous_between ltac:(lra) Ci_low Ci_high.
have below : 1 / 1.623 <> x0 by move=> x0_is; have := Ci_low; rewrite x0_is zero; lra.
have above : x0 <> 1 / 1.622 by move=> x0_is; have := Ci_high; rewrite -x0_is zero; lra.
exists x0; split; first by lra.
by split=> // x x_range; rewrite -zero; apply: Ci_rises_strictly; lra.
Qed.

(** Up to pi/2 it rises; from there on it is bounded by a function that falls. *)
Lemma largest x : 0 < x -> Ci x <= Ci (PI / 2).
Proof.
move=> x_gt0; have PI_half := PI2_1; have [x_le | x_ge] := Rle_dec x (PI / 2).
  apply: (rises (df := fun t => cos t / t)) => // t range; first by apply: (proj1 Ci_cosint); lra.
  by apply: Rdiv_le_0_compat; [apply: cos_ge_0; lra | lra].
pose f t := (sin t - 1) / t - Ci t.
have rising : f (PI / 2) <= f x.
  apply: (rises (df := fun t => (1 - sin t) / t ^ 2)) => [|t range|t range]; first by lra.
    have t_gt0 : 0 < t by lra.
    rewrite /f; auto_derive; first by repeat split; [lra | exact: Ci_derivable].
    by rewrite (Ci_derive t_gt0); field; lra.
  by apply: Rdiv_le_0_compat; [have := SIN_bound t; lra | apply: pow_lt; lra].
have last_le0 : (sin x - 1) / x <= 0.
  have := Rdiv_le_0_compat (1 - sin x) x _ x_gt0; have := SIN_bound x => bound.
  by have -> : (sin x - 1) / x = - ((1 - sin x) / x); [field; lra | move=> /(_ ltac:(lra)); lra].
by move: rising; rewrite /f sin_PI2; lra.
Qed.

Lemma modulus x : 1 <= x -> Rabs (Ci x) <= 1 / 2.
Proof.
move=> x_ge1; have [half_lt at_3] := Ci_half; have := @largest x ltac:(lra) => Ci_le.
have PI_half := PI2_1; have PI_lt : 3 < 3 * (PI / 2) by interval with (i_prec 30).
suff Ci_ge : - (1 / 2) <= Ci x by apply/Rabs_le_between; lra.
have [x_lt3 | x_ge3] := Rlt_dec x 3; last first.
  pose f t := Ci t - (sin t + 1) / t; have shift : f 3 <= f x.
    apply: (rises (df := fun t => (1 + sin t) / t ^ 2)) => [|t range|t range]; first by lra.
      have t_gt0 : 0 < t by lra.
      rewrite /f; auto_derive; first by repeat split; [exact: Ci_derivable | lra].
      by rewrite (Ci_derive t_gt0); field; lra.
    by apply: Rdiv_le_0_compat; [have := SIN_bound t; lra | apply: pow_lt; lra].
  have last_ge0 : 0 <= (sin x + 1) / x by apply: Rdiv_le_0_compat; [have := SIN_bound x; lra | lra].
  have at_3_le : (sin 3 + 1) / 3 <= 0.4 by interval with (i_prec 30).
  by move: shift; rewrite /f; lra.
have [x_le | x_gt] := Rle_dec x (PI / 2).
  have := Ci_high; have : Ci (1 / 1.622) <= Ci x; last by lra.
  apply: (rises (df := fun t => cos t / t)) => [|t range|t range]; [lra | apply: (proj1 Ci_cosint); lra | ].
  by apply: Rdiv_le_0_compat; [apply: cos_ge_0; lra | lra].
have : - Ci x <= - Ci 3; last by lra.
apply: (rises (f := fun t => - Ci t) (df := fun t => - cos t / t)) => [|t range|t range]; first by lra.
  have t_gt0 : 0 < t by lra.
  by auto_derive; [exact: Ci_derivable | rewrite (Ci_derive t_gt0); field; lra].
by apply: Rdiv_le_0_compat; [have := cos_le_0 t ltac:(lra) ltac:(lra); lra | lra].
Qed.

End Values.
