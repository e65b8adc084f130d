(** * The sum of sines as the dimension grows

  A paper gives the sum of the sines of all frequencies a finite limit, and so too where positions are
  interpolated. It grows with the dimension; its mean tends to a difference of sine integrals.

  sine_sum h alpha b == C_d = sum_(j<h) sin (alpha b^(-2j/d)), d = h.*2: for alpha = 1 that of the paper,
                        for alpha < 1 that under position interpolation by alpha
  Si x               == the sine integral of x
  medium             == a precision of 40 bits

  Main results: base.similarity-limit. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding IntervalTactic Figures Gram ComplexSum.
From Posproof Require Import BaseChoice CosineIntegral IntegralLimit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition sine_sum (h : nat) (alpha b : R) : R := \rsum_(j < h) sin (alpha * frequency b h.*2 j).

(** ** It grows with the dimension *)

Lemma sine_sum_ge h alpha b : 1 < b -> 0 < alpha <= 1 -> INR h * sin (alpha / b) <= sine_sum h alpha b.
Proof.
move=> b_gt1 alpha_range; rewrite -rsum_const; apply: rsum_le => i.
have [f_ge f_le] := frequency_range i b_gt1; have := PI2_1 => quarter.
have b_inv : 0 < / b by apply: Rinv_0_lt_compat; lra.
have low : alpha / b <= alpha * frequency b h.*2 i by apply: Rmult_le_compat_l; lra.
have least_gt0 : 0 < alpha / b by apply: Rmult_lt_0_compat; lra.
by apply: sin_incr_1; nra.
Qed.

Lemma sine_sum_unbounded alpha b : 1 < b -> 0 < alpha <= 1 -> is_lim_seq (fun h => sine_sum h alpha b) p_infty.
Proof.
move=> b_gt1 alpha_range; apply: (is_lim_seq_le_p_loc (fun h => INR h * sin (alpha / b))).
  by exists 0%N => h _; exact: sine_sum_ge.
have b_inv : 0 < / b < 1.
  by split; [apply: Rinv_0_lt_compat | rewrite -Rinv_1; apply: Rinv_lt_contravar]; lra.
have sin_gt0 : 0 < sin (alpha / b).
  by apply: sin_gt_0; rewrite /Rdiv; have := PI2_1; nra.
have limit := is_lim_seq_scal_r _ (sin (alpha / b)) _ is_lim_seq_INR.
move: limit; rewrite /Rbar_mult /=; case: Rle_dec => // [sin_ge0|]; last by lra.
by case: Rle_lt_or_eq_dec => // [eq0]; lra.
Qed.

(** ** The limit of the mean *)

Definition Si (x : R) : R := RInt (fun t => sin t / t) 0 x.

Definition sinc (x : R) : R := if Req_EM_T x 0 then 1 else sin x / x.

Lemma sinc_0 : sinc 0 = 1.
Proof. by rewrite /sinc; case: (Req_EM_T 0 0). Qed.

Lemma sinc_ne0 x : x <> 0 -> sinc x = sin x / x.
Proof. by rewrite /sinc; case: (Req_EM_T x 0). Qed.

Lemma sinc_continuous x : continuous sinc x.
Proof.
have [-> | x_ne0] := Req_dec x 0.
  apply/continuity_pt_filterlim => epsilon eps_gt0; have [delta near] := derivable_pt_lim_sin_0 epsilon eps_gt0.
  have close (t : R) : t <> 0 -> Rabs (t - 0) < delta -> Rabs (sinc t - sinc 0) < epsilon.
    rewrite Rminus_0_r sinc_0 => t_ne0 t_near; rewrite sinc_ne0 //.
    by have := near t t_ne0 t_near; rewrite sin_0 Rplus_0_l Rminus_0_r.
  exists delta; split=> [|t [away t_near]]; first exact: cond_pos.
  by apply: close => //; exact: not_eq_sym (proj2 away).
apply: (continuous_ext_loc _ (fun t => sin t / t)); last by apply: ex_derive_continuous; auto_derive.
have size_gt0 := Rabs_pos_lt _ x_ne0; exists (mkposreal _ size_gt0) => t.
rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= => close; rewrite sinc_ne0 // => t_eq0.
by move: close; rewrite t_eq0 Rplus_0_l Rabs_Ropp; lra.
Qed.

Lemma Si_integral x : 0 <= x -> is_RInt (fun t => sin t / t) 0 x (Si x).
Proof.
move=> x_ge0; apply: RInt_correct; apply: (ex_RInt_ext sinc) => [t|]; last first.
  by apply: ex_RInt_continuous => t _; exact: sinc_continuous.
by rewrite Rmin_left // => range; rewrite sinc_ne0 //; lra.
Qed.

Lemma Si_derive x : 0 < x -> is_derive Si x (sin x / x).
Proof.
move=> x_gt0; apply: (is_derive_RInt (fun t => sin t / t) _ 0); last first.
  by apply: ex_derive_continuous; auto_derive; lra.
exists (mkposreal _ x_gt0) => y; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= => /Rabs_lt_between near.
by apply: Si_integral; lra.
Qed.

Lemma sine_change a b : 0 <= b <= a -> - (a - b) <= sin b - sin a <= a - b.
Proof.
move=> range; have f_rises : sin b + b <= sin a + a.
  apply: (rises (f := fun t => sin t + t) (df := fun t => cos t + 1)) => [|t _|t _]; first by lra.
    by auto_derive => //; ring.
  by have := COS_bound t; lra.
have g_rises : b - sin b <= a - sin a.
  apply: (rises (f := fun t => t - sin t) (df := fun t => 1 - cos t)) => [|t _|t _]; first by lra.
    by auto_derive => //; ring.
  by have := COS_bound t; lra.
by lra.
Qed.

Lemma mean_near (alpha b : R) (h : nat) : 1 < b -> 0 < alpha -> (0 < h)%N ->
  Rabs ((Si alpha - Si (alpha / b)) / ln b - sine_sum h alpha b / INR h) <= alpha / INR h.
Proof.
move=> b_gt1 alpha_gt0 h_pos; have sine_continuous x : continuous sin x by apply: ex_derive_continuous; auto_derive.
rewrite -(waves_integral b_gt1 alpha_gt0 sine_continuous Si_derive).
have -> : sine_sum h alpha b / INR h = / INR h * \rsum_(i < h) sin (angle b alpha (INR i * / INR h)).
  by rewrite /Rdiv Rmult_comm; congr (_ * _); apply: eq_bigr => i _; rewrite frequency_pairs.
exact: (waves_near_integral b_gt1 alpha_gt0 sine_continuous h_pos sine_change).
Qed.

Lemma mean_tends (alpha b : R) : 1 < b -> 0 < alpha ->
  is_lim_seq (fun h => sine_sum h alpha b / INR h) ((Si alpha - Si (alpha / b)) / ln b).
Proof.
move=> b_gt1 alpha_gt0; apply: (@limit_near _ _ alpha) => h; exact: mean_near.
Qed.

(** ** Figures *)

Definition medium := StdZFloat.PtoP 40.

Fixpoint sine_enclosure (m : nat) (q a acc : I.type) : I.type :=
  if m is m'.+1 then sine_enclosure m' q (I.mul medium a q) (I.add medium acc (I.sin medium a)) else acc.

Lemma sine_encloses m qi ai si q a s : encloses qi q -> encloses ai a -> encloses si s ->
  encloses (sine_enclosure m qi ai si) (s + \rsum_(i < m) sin (a * q ^ i)).
Proof.
move=> q_in; elim: m ai si a s => [|m IHm] ai si a s a_in s_in /=.
  by rewrite big_ord0 Rplus_0_r.
rewrite big_ord_recl /= Rmult_1_r -Rplus_assoc.
suff -> : \rsum_(i < m) sin (a * q ^ bump 0 i) = \rsum_(i < m) sin (a * q * q ^ i).
  by apply: IHm; [exact: encloses_mul | apply: encloses_add => //; exact: encloses_sin].
by apply: eq_bigr => i _; rewrite /bump add1n /=; congr sin; ring.
Qed.

(** The sum for alpha = num/part. *)
Lemma sine_sum_between base h num part lo hi den : (0 < h)%N ->
  between lo hi den (sine_enclosure h (ratio_enclosure base h) (quotient num part) I.zero) ->
  IZR lo / IZR (Zpos den) < sine_sum h (IZR num / IZR (Zpos part)) (IZR (Zpos base)) < IZR hi / IZR (Zpos den).
Proof.
move=> h_pos; apply: betweenP.
have := sine_encloses h (ratio_encloses base h_pos) (encloses_quotient num part) encloses_0; rewrite Rplus_0_l.
set s := \rsum_(i < h) _; set s' := sine_sum _ _ _; suff -> : s = s' by [].
by apply: eq_bigr => i _; rewrite frequency_ratio //; exact: IZR_lt.
Qed.

Lemma sums_between :
  5.044 < sine_sum 64 1 500000 < 5.045 /\ 37.33 < sine_sum 512 1 500000 < 37.34 /\
  1.857 < sine_sum 64 (1 / 4) 10000 < 1.858.
Proof.
have unit : 1 / 1 = 1 by field.
have at_128 : 5044 / 1000 < sine_sum 64 (1 / 1) 500000 < 5045 / 1000.
  by apply: (@sine_sum_between 500000 64 1 1 5044 5045 1000); vm_cast_no_check (erefl true).
have at_1024 : 37330 / 1000 < sine_sum 512 (1 / 1) 500000 < 37340 / 1000.
  by apply: (@sine_sum_between 500000 512 1 1 37330 37340 1000); vm_cast_no_check (erefl true).
have interpolated : 1857 / 1000 < sine_sum 64 (1 / 4) 10000 < 1858 / 1000.
  by apply: (@sine_sum_between 10000 64 1 4 1857 1858 1000); vm_cast_no_check (erefl true).
by rewrite unit in at_128 at_1024; lra.
Qed.

(** The integrand is between 1 - t^2/6 and 1. *)
Lemma sin_ge_cubic t : 0 <= t -> t - t ^ 3 / 6 <= sin t.
Proof.
move=> t_ge0; have : sin 0 - 0 + 0 ^ 3 / 6 <= sin t - t + t ^ 3 / 6.
  apply: (rises (f := fun t => sin t - t + t ^ 3 / 6) (df := fun t => cos t - 1 + t ^ 2 / 2)) => // u _.
    by auto_derive => //; field.
  by have := cos_ge u; lra.
by rewrite sin_0 /=; lra.
Qed.

Lemma Si_small x : 0 < x -> x - x ^ 3 / 6 <= Si x <= x.
Proof.
move=> x_gt0; have integral := Si_integral (Rlt_le _ _ x_gt0).
have constant k : is_RInt (fun=> k) 0 x (x * k).
  by have := is_RInt_const 0 x k; rewrite /scal /= /mult /= Rminus_0_r.
have high : Si x <= x * 1.
  apply: (is_RInt_le _ _ 0 x _ _ _ integral (constant 1)) => [|t range]; first by lra.
  apply: (Rmult_le_reg_r t); first by lra.
  by rewrite /Rdiv Rmult_assoc Rinv_l; have := sin_lt_x t; lra.
have low : x * (1 - x ^ 2 / 6) <= Si x.
  apply: (is_RInt_le _ _ 0 x _ _ _ (constant (1 - x ^ 2 / 6)) integral) => [|t range]; first by lra.
  apply: (Rmult_le_reg_r t); first by lra.
  rewrite [sin t / t * t]Rmult_assoc Rinv_l; last by lra.
  have := @sin_ge_cubic t ltac:(lra); have : t ^ 2 <= x ^ 2 by apply: pow_incr; lra.
  by rewrite /=; nra.
by move: low high; rewrite /=; lra.
Qed.

Lemma Si_from_thousandth x : 1 / 1000 <= x -> Si x = Si (1 / 1000) + RInt (fun t => sin t / t) (1 / 1000) x.
Proof.
move=> x_ge; have integrable a b : 0 <= a -> 0 <= b -> ex_RInt (fun t => sin t / t) a b.
  move=> a_ge0 b_ge0; apply: (ex_RInt_Chasles _ a 0 b); last by eexists; exact: Si_integral.
  by apply: ex_RInt_swap; eexists; exact: Si_integral.
by rewrite /Si -(RInt_Chasles _ 0 (1 / 1000) x) //; apply: integrable; lra.
Qed.

Lemma limits_between :
  0.07209685 < (Si 1 - Si (1 / 500000)) / ln 500000 < 0.07209686 /\
  0.02704661 < (Si (1 / 4) - Si (1 / 4 / 10000)) / ln 10000 < 0.02704662.
Proof.
have to_1 : Rabs (RInt (fun t => sin t / t) (1 / 1000) 1 - 0.94508307042) <= 0.000000005.
  by integral with (i_prec 36, i_degree 14).
have to_quarter : Rabs (RInt (fun t => sin t / t) (1 / 1000) (1 / 4) - 0.24813357038) <= 0.000000005.
  by integral with (i_prec 36, i_degree 14).
have start := @Si_small (1 / 1000) ltac:(lra).
have end_1 := @Si_small (1 / 500000) ltac:(lra); have end_quarter := @Si_small (1 / 4 / 10000) ltac:(lra).
have large : 13.122363377 < ln 500000 < 13.122363378 by split; interval with (i_prec 60).
have small : 9.210340371 < ln 10000 < 9.210340372 by split; interval with (i_prec 60).
move/Rabs_le_between: to_1 => to_1; move/Rabs_le_between: to_quarter => to_quarter.
rewrite (@Si_from_thousandth 1) ?(@Si_from_thousandth (1 / 4)); try lra.
have quotient_between x y lo hi : 0 < y -> lo * y < x < hi * y -> lo < x / y < hi.
  move=> y_gt0 range; have back : x / y * y = x by field; lra.
  by split; apply: (Rmult_lt_reg_r y) => //; lra.
by split; apply: quotient_between; lra.
Qed.

(** base.similarity-limit: C_d = Σ_{j<d/2} sin((bβ)^(−2j/d)) tends to infinity with d, as C_d ≥
    (d/2)·sin(1/(bβ)), and so does Σ_{j<d/2} sin(α·b^(−2j/d)), 0 < α ≤ 1, for position interpolation;
    what converges is (2/d)·C_d, to (Si(1) − Si(1/(bβ)))/ln(bβ), and under interpolation to (Si(α) −
    Si(α/b))/ln b, Si being the sine integral, with a difference of at most 2α/d. For bβ = 500000 C_d is
    5.044… at d = 128 and 37.33… at d = 1024, where the printed limit is 1/ln(bβ) = 0.0762…, and the
    limit of (2/d)·C_d is 0.0720968…; for b = 10000 and α = 1/4 the sum is 1.857… at d = 128, where the
    printed limit is α/ln b = 0.0271…, and the limit of its mean is 0.0270466…. *)
Theorem base_similarity_limit :
  (forall alpha b : R, 1 < b -> 0 < alpha <= 1 ->
     is_lim_seq (fun h => sine_sum h alpha b) p_infty /\
     (forall h, INR h * sin (alpha / b) <= sine_sum h alpha b) /\
     let limit := (Si alpha - Si (alpha / b)) / ln b in
     is_lim_seq (fun h => sine_sum h alpha b / INR h) limit /\
     forall h, (0 < h)%N -> Rabs (limit - sine_sum h alpha b / INR h) <= alpha / INR h) /\
  (forall x : R, 0 <= x -> is_RInt (fun t => sin t / t) 0 x (Si x)) /\
  (5.044 < sine_sum 64 1 500000 < 5.045 /\ 37.33 < sine_sum 512 1 500000 < 37.34 /\
   0.0762 < 1 / ln 500000 < 0.0763 /\ 0.0720968 < (Si 1 - Si (1 / 500000)) / ln 500000 < 0.0720969) /\
  (1.857 < sine_sum 64 (1 / 4) 10000 < 1.858 /\
   0.0271 < 1 / 4 / ln 10000 < 0.0272 /\ 0.0270466 < (Si (1 / 4) - Si (1 / 4 / 10000)) / ln 10000 < 0.0270467).
Proof.
split=> [alpha b b_gt1 alpha_range | ].
  split; first exact: sine_sum_unbounded.
  split=> [h|limit]; first exact: sine_sum_ge.
  by split=> [|h h_pos]; [apply: mean_tends; lra | apply: mean_near => //; lra].
split; first exact: Si_integral.
have [at_128 [at_1024 interpolated]] := sums_between; have [limit_1 limit_quarter] := limits_between.
have printed : 0.0762 < 1 / ln 500000 < 0.0763 by split; interval with (i_prec 60).
have printed_quarter : 0.0271 < 1 / 4 / ln 10000 < 0.0272 by split; interval with (i_prec 60).
by repeat split; lra.
Qed.

(** base.similarity-limit, as written: lim C_d ≈ 1/(ln b + ln β) as d → ∞, and α/ln b under position
    interpolation by α. *)
Theorem base_similarity_limit_as_written_false (alpha b beta : R) : 1 < b -> 1 <= beta -> 0 < alpha <= 1 ->
  ~ is_lim_seq (fun h => sine_sum h 1 (b * beta)) (1 / (ln b + ln beta)) /\
  ~ is_lim_seq (fun h => sine_sum h alpha b) (alpha / ln b).
Proof.
move=> b_gt1 beta_ge1 alpha_range; have product_gt1 : 1 < b * beta by nra.
have unbounded a c : 1 < c -> 0 < a <= 1 -> forall l : R, ~ is_lim_seq (fun h => sine_sum h a c) l.
  move=> c_gt1 a_range l /is_lim_seq_unique; by rewrite (is_lim_seq_unique _ _ (sine_sum_unbounded c_gt1 a_range)).
by split; apply: unbounded => //; lra.
Qed.
