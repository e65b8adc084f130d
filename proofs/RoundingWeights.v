(** * The error of llama3's weights

  What is claimed.  "llama3" blends a frequency ω and ω/s with weights γ and 1 - γ, where γ tells where the number of
  turns in L positions, Lω/2π, lies between two figures.  A program that computes γ from its own frequency, with two
  quotients for the turns, has weights within an explicit δ of the exact ones, the δ of [rounding_frequency_blend].

  Dictionary (W: the format; ω' the computed frequency, |ω' - ω| <= rω):
  - [clamp x] == min(1, max(0, x));
  - [weight L low high ω] == clamp((Lω/2π - low)/(high - low));
  - [computed_weight W L low high ω'] == clamp(fl(fl(fl(L/fl(fl(2π)/ω')) - low)/(high - low)));
  - [wave_error W r] == (1 + v)^2/(1 - r) - 1, how far the wavelength can be off, relatively;
  - [turns_error W r] == E = (1 + v)/(1 - wave_error) - 1, how far the turns can be off;
  - [weight_error W r high range] == δ = 2v + η/2 + (EH + η/2 + vH(1 + E))/range with H = high/(1 - E).

  Main results: [rounding_frequency_weights], and [rounding_frequency_llama3], the blend with these weights.

  Assumes: no overflow; low, high and high - low are numbers of the format, and the wavelength does not underflow,
  which a quotient of 2π by a finite number of the format cannot. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingFrequency RoundingRope RoundingScaled.

Open Scope R_scope.

(** ** Clamping *)

Definition clamp (x : R) : R := Rmin 1 (Rmax 0 x).

Lemma clamp_cases (x : R) :
  (x <= 0 /\ clamp x = 0) \/ (0 <= x <= 1 /\ clamp x = x) \/ (1 <= x /\ clamp x = 1).
Proof.
rewrite /clamp; case: (Rle_or_lt x 0) => [x_le0 | x_gt0].
  by left; split=> //; rewrite Rmax_left // Rmin_right //; lra.
rewrite Rmax_right; last lra.
case: (Rle_or_lt x 1) => [x_le1 | x_gt1]; first by right; left; rewrite Rmin_right //; lra.
by right; right; rewrite Rmin_left; lra.
Qed.

Lemma clamp_unit (x : R) : 0 <= clamp x <= 1.
Proof. by have := clamp_cases x; lra. Qed.

Lemma clamp_above (x : R) : 1 <= x -> clamp x = 1.
Proof. by have := clamp_cases x; lra. Qed.

Lemma clamp_near (x y : R) : Rabs (clamp x - clamp y) <= Rabs (x - y).
Proof.
apply: Rabs_le; have := Rle_abs (x - y); have := Rle_abs (- (x - y)); rewrite Rabs_Ropp.
by have := clamp_cases x; have := clamp_cases y; lra.
Qed.

(** 0 and 1 are numbers of the format. *)
Lemma clamp_fl (F : format) (x : R) : clamp (fl F x) = fl F (clamp x).
Proof.
have fl_1 : fl F 1 = 1 by apply: fl_exact; exact: is_float_1.
have := clamp_cases x; case=> [[x_le ->] | [[[x_ge x_le] ->] | [x_ge ->]]].
- by have := fl_le F _ _ x_le; rewrite fl_0; have := clamp_cases (fl F x); lra.
- by have := fl_le F _ _ x_le; have := fl_le F _ _ x_ge; rewrite fl_0 fl_1; have := clamp_cases (fl F x); lra.
- by rewrite fl_1; apply: clamp_above; have := fl_le F _ _ x_ge; rewrite fl_1.
Qed.

(** No positive number is below the smallest one. *)
Lemma eta_le_float (F : format) (x : R) : is_float F x -> 0 < x -> eta F <= x.
Proof.
move=> /generic_format_FIX_FLT /FIX_format_generic [[m e] -> /= ->]; rewrite /F2R /= => m_gt0.
have eta_gt0 := bpow_gt_0 radix2 (emin F).
have m_ge1 : (1 <= m)%Z by apply: (Zlt_le_succ 0); apply: lt_IZR; apply: (Rmult_lt_reg_r _ _ _ eta_gt0); lra.
by have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ eta_gt0) (IZR_le _ _ m_ge1); rewrite /eta; lra.
Qed.

(** ** Weights *)

Section Weights.

Variable W : format.

Definition turns (L w : R) : R := L * w / (2 * PI).
Definition wavelength (w' : R) : R := fl W (fl W (2 * PI) / w').
Definition weight (L low high w : R) : R := clamp ((turns L w - low) / (high - low)).
Definition computed_weight (L low high w' : R) : R :=
  clamp (fl W (fl W (fl W (L / wavelength w') - low) / (high - low))).

Definition wave_error (r : R) : R := (1 + v W) * (1 + v W) / (1 - r) - 1.
Definition turns_error (r : R) : R := (1 + v W) / (1 - wave_error r) - 1.
Definition weight_error (r high range : R) : R :=
  let E := turns_error r in
  let H := high / (1 - E) in
  2 * v W + eta W / 2 + (E * H + eta W / 2 + v W * (H * (1 + E))) / range.

Variables L low high w w' r : R.
Hypotheses (L_ge0 : 0 <= L) (w_gt0 : 0 < w) (r_range : 0 <= r < 1) (w_near : near r 0 w' w).
Hypothesis no_underflow : smallest_normal W <= Rabs (fl W (2 * PI) / w').
Hypotheses (wave_lt1 : wave_error r < 1) (E_lt1 : turns_error r < 1).

Local Notation lambda := (2 * PI / w).
Local Notation lambda' := (wavelength w').
Local Notation E := (turns_error r).

Lemma wave_error_ge0 : 0 <= wave_error r.
Proof.
have v_gt0 := v_pos W; rewrite /wave_error.
have inverse_ge1 : 1 <= / (1 - r) by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
have one_le : 1 <= (1 + v W) * (1 + v W) by have := Rmult_le_pos _ _ (Rlt_le _ _ v_gt0) (Rlt_le _ _ v_gt0); lra.
by have := Rmult_le_compat _ _ _ _ Rle_0_1 Rle_0_1 one_le inverse_ge1; rewrite /Rdiv; lra.
Qed.

Lemma quotient_error_le : 0 <= / (1 - wave_error r) - 1 <= E.
Proof.
have v_gt0 := v_pos W; have wave_ge0 := wave_error_ge0.
have inverse_ge1 : 1 <= / (1 - wave_error r) by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
by have := Rmult_le_pos (v W) (/ (1 - wave_error r)) (Rlt_le _ _ v_gt0) ltac:(lra); rewrite /turns_error /Rdiv; lra.
Qed.

Lemma wavelength_near : near (wave_error r) 0 lambda' lambda.
Proof.
have two_pi : 1 <= 2 * PI by have := PI2_1; lra.
have normal : smallest_normal W <= Rabs (2 * PI).
  rewrite Rabs_pos_eq; last lra; apply: Rle_trans two_pi; apply: (bpow_le radix2 _ 0); have := emin_small W; lia.
have [_ [/(_ (or_intror normal)) turn_near _]] := rounding_standard_model W (2 * PI).
have turn : near (v W) 0 (fl W (2 * PI)) (2 * PI) by rewrite /near Rplus_0_r.
have inverse := near_inv r w' w r_range (Rgt_not_eq _ _ w_gt0) w_near.
have product := near_mul _ _ _ _ _ _ _ _ (Rlt_le _ _ (v_pos W)) (Rle_refl 0) turn inverse.
have := near_fl_normal W _ _ _ _ (or_intror no_underflow) product.
by apply: near_weaken; apply: Req_le; rewrite /wave_error /Rdiv; ring.
Qed.

(** The turns before they are rounded, and after. *)
Lemma turns_near : near (/ (1 - wave_error r) - 1) 0 (L / lambda') (turns L w).
Proof.
have lambda_ne0 : lambda <> 0.
  by apply: Rgt_not_eq; apply: Rdiv_lt_0_compat => //; have := PI_RGT_0; lra.
have wave_ge0 := wave_error_ge0.
have inverse := near_inv _ _ _ (conj wave_ge0 wave_lt1) lambda_ne0 wavelength_near.
have -> : turns L w = L * / lambda by rewrite /turns; field; have := PI_RGT_0; lra.
by have := near_scale L _ _ _ _ inverse; rewrite Rmult_0_r.
Qed.

Lemma turns_ge0 : 0 <= turns L w.
Proof.
rewrite /turns; apply: Rmult_le_pos; first by apply: Rmult_le_pos => //; lra.
by apply/Rlt_le/Rinv_0_lt_compat; have := PI_RGT_0; lra.
Qed.

Lemma rounded_turns_near :
  0 <= fl W (L / lambda') /\ Rabs (fl W (L / lambda') - turns L w) <= E * turns L w + eta W / 2.
Proof.
have q_ge0 := turns_ge0; have [error_ge0 error_le] := quotient_error_le; have near_q := turns_near; split.
  rewrite -(fl_0 W); apply: fl_le; move: near_q; rewrite /near (Rabs_pos_eq _ q_ge0) Rplus_0_r => /Rabs_le_inv below.
  have := Rmult_le_compat_r _ _ _ q_ge0 (Rle_trans _ _ _ error_le (Rlt_le _ _ E_lt1)); lra.
have := near_fl W _ _ _ _ near_q; rewrite /near (Rabs_pos_eq _ q_ge0).
have -> : (1 + v W) * (1 + (/ (1 - wave_error r) - 1)) - 1 = E by rewrite /turns_error /Rdiv; ring.
by rewrite Rmult_0_r Rplus_0_l.
Qed.

Hypotheses (low_ge0 : 0 <= low) (low_lt : low < high).
Hypotheses (low_float : is_float W low) (high_float : is_float W high) (range_float : is_float W (high - low)).

Local Notation H := (high / (1 - E)).
Local Notation range := (high - low).
Local Notation q := (turns L w).
Local Notation q' := (fl W (L / lambda')).

Lemma H_ge_high : high <= H.
Proof.
have [error_ge0 error_le] := quotient_error_le; apply: (Rmult_le_reg_r (1 - E)); first by have := E_lt1; lra.
have -> : H * (1 - E) = high by field; have := E_lt1; lra.
by have := Rmult_le_pos high E ltac:(lra) ltac:(lra); lra.
Qed.

(** Beyond H both weights are 1. *)
Lemma weights_beyond : H <= q -> computed_weight L low high w' = 1 /\ weight L low high w = 1.
Proof.
move=> H_le; have [error_ge0 error_le] := quotient_error_le; have q_ge0 := turns_ge0.
have beyond x : high <= x -> 1 <= (x - low) / range.
  move=> x_ge; apply: (Rmult_le_reg_r range); first lra.
  have -> : (x - low) / range * range = x - low by field; lra.
  by lra.
have unrounded : high <= L / lambda'.
  have := turns_near; rewrite /near (Rabs_pos_eq _ q_ge0) Rplus_0_r => /Rabs_le_inv below.
  have := Rmult_le_compat_r _ _ _ q_ge0 error_le; have := Rmult_le_compat_r (1 - E) _ _ ltac:(lra) H_le.
  have -> : H * (1 - E) = high by field; have := E_lt1; lra.
  by lra.
split; apply: clamp_above; last by apply: beyond; have := H_ge_high; lra.
have rounded := fl_le W _ _ unrounded; rewrite (fl_exact W _ high_float) in rounded.
have difference : range <= fl W (q' - low) by rewrite -{1}(fl_exact W _ range_float); apply: fl_le; lra.
rewrite -(fl_exact W 1 (is_float_1 W)); apply: fl_le.
have <- : fl W (q' - low) + low - low = fl W (q' - low) by ring.
by apply: beyond; lra.
Qed.

(** Below it the difference from the lower figure is off by the turns' error and a rounding. *)
Lemma difference_near : q <= H ->
  Rabs (fl W (q' - low) - (q - low)) <= E * H + eta W / 2 + v W * (H * (1 + E)).
Proof.
move=> q_le; have [error_ge0 error_le] := quotient_error_le; have [q'_ge0 q'_near] := rounded_turns_near.
have E_ge0 : 0 <= E by lra.
have relative := Rmult_le_compat_l _ _ _ E_ge0 q_le; have H_ge := H_ge_high.
have rounding : Rabs (fl W (q' - low) - (q' - low)) <= v W * (H * (1 + E)).
  have HE_ge0 : 0 <= H * E by apply: Rmult_le_pos; lra.
  have minus_float := is_float_opp W _ low_float; have q'_float := fl_float W (L / lambda').
  case: (Req_dec low 0) => [low_eq0 | low_ne0].
    rewrite low_eq0 Rminus_0_r (fl_exact W _ q'_float) Rminus_diag_eq // Rabs_R0.
    by apply: Rmult_le_pos; [exact/Rlt_le/v_pos | lra].
  apply: Rle_trans (addition_relative W _ _ q'_float minus_float) _; apply: Rmult_le_compat_l; first exact/Rlt_le/v_pos.
  have := eta_le_float W low low_float ltac:(lra); have eta_gt0 := eta_pos W.
  by move: q'_near => /Rabs_le_inv; move=> *; apply: Rabs_le; lra.
have := Rabs_diff_triangle (fl W (q' - low)) (q' - low) (q - low).
by have -> : q' - low - (q - low) = q' - q by [ring]; lra.
Qed.

Lemma weight_near_below : q <= H -> Rabs (computed_weight L low high w' - weight L low high w) <=
  v W + eta W / 2 + (E * H + eta W / 2 + v W * (H * (1 + E))) / range.
Proof.
move=> q_le; have difference := difference_near q_le; rewrite /computed_weight /weight clamp_fl.
set a := fl W (q' - low) in difference *; set D := _ + _ * _ in difference *.
have [rounded _] := rounding_standard_model W (clamp (a / range)).
have [unit_ge0 unit_le1] := clamp_unit (a / range); rewrite (Rabs_pos_eq _ unit_ge0) in rounded.
have roundoff := Rmult_le_compat_l _ _ _ (Rlt_le _ _ (v_pos W)) unit_le1.
have moved := clamp_near (a / range) ((q - low) / range).
have quotient : Rabs (a / range - (q - low) / range) <= D / range.
  have -> : a / range - (q - low) / range = (a - (q - low)) / range by field; lra.
  rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ range)); last by apply/Rlt_le/Rinv_0_lt_compat; lra.
  by apply: Rmult_le_compat_r => //; apply/Rlt_le/Rinv_0_lt_compat; lra.
by have := Rabs_diff_triangle (fl W (clamp (a / range))) (clamp (a / range)) (clamp ((q - low) / range)); lra.
Qed.

Lemma weights_near :
  Rabs (computed_weight L low high w' - weight L low high w) <= weight_error r high range /\
  Rabs (fl W (1 - computed_weight L low high w') - (1 - weight L low high w)) <= weight_error r high range.
Proof.
have v_gt0 := v_pos W; have eta_gt0 := eta_pos W; have [error_ge0 error_le] := quotient_error_le.
have H_ge := H_ge_high; rewrite /weight_error; cbv zeta; set D := E * H + _ + _.
have D_ge0 : 0 <= D / range.
  apply: Rmult_le_pos; last by apply/Rlt_le/Rinv_0_lt_compat; lra.
  have H_ge0 : 0 <= H by lra.
  have := Rmult_le_pos E H ltac:(lra) H_ge0; have := Rmult_le_pos (v W) (H * (1 + E)) ltac:(lra).
  by have := Rmult_le_pos H (1 + E) H_ge0 ltac:(lra); rewrite /D; lra.
case: (Rle_or_lt H q) => [/weights_beyond [-> ->] | /Rlt_le/weight_near_below below].
  by rewrite (Rminus_diag_eq 1 1 (eq_refl 1)) fl_0 Rminus_0_r Rabs_R0; split; lra.
split; first by rewrite -/D in below; lra.
set g := weight L low high w in below *; set g' := computed_weight L low high w' in below *.
have g'_float : is_float W (- g') by rewrite /g' /computed_weight clamp_fl; apply/is_float_opp/fl_float.
have rounded := addition_relative W _ _ (is_float_1 W) g'_float.
have [unit_ge0 unit_le1] : 0 <= g' <= 1 by exact: clamp_unit.
rewrite (Rabs_pos_eq (1 + - g')) in rounded; last lra.
have := Rmult_le_compat_l (v W) (1 + - g') 1 ltac:(lra) ltac:(lra).
have := Rabs_diff_triangle (fl W (1 - g')) (1 - g') (1 - g).
have -> : 1 - g' - (1 - g) = - (g' - g) by ring.
by rewrite Rabs_Ropp -/D in below *; rewrite /Rminus in rounded below *; lra.
Qed.

End Weights.

(** rounding.frequency-weights: for L >= 0, ω > 0, |ω' - ω| <= rω, numbers 0 <= low < high and high - low of the
    format, a wavelength fl(2π)/ω' that does not underflow, and errors r, (1 + v)^2/(1 - r) - 1 and E below 1: the
    computed γ' and fl(1 - γ') are within δ = 2v + η/2 + (EH + η/2 + vH(1 + E))/(high - low) of γ and 1 - γ. *)
Theorem rounding_frequency_weights (W : format) (L low high w w' r : R) :
  0 <= L -> 0 < w -> 0 <= r < 1 -> Rabs (w' - w) <= r * w ->
  smallest_normal W <= Rabs (fl W (2 * PI) / w') ->
  wave_error W r < 1 -> turns_error W r < 1 ->
  0 <= low < high -> is_float W low -> is_float W high -> is_float W (high - low) ->
  Rabs (computed_weight W L low high w' - weight L low high w) <= weight_error W r high (high - low) /\
  Rabs (fl W (1 - computed_weight W L low high w') - (1 - weight L low high w)) <= weight_error W r high (high - low).
Proof.
move=> L_ge0 w_gt0 r_range w_near no_underflow wave_lt1 E_lt1 [low_ge0 low_lt] low_float high_float range_float.
by apply: weights_near => //; rewrite /near (Rabs_pos_eq w) ?Rplus_0_r //; lra.
Qed.

(** ** The blend *)

(** rounding.frequency-llama3: where moreover |ω' - ω| <= ρω + σ and s > 0, and r = ρ + σ/ω, the blend
    fl(fl(fl(1 - γ')fl(ω'/s)) + fl(γ'ω')) is within the bound of rounding.frequency-blend of (1 - γ)ω/s + γω, for
    weights within δ and frequencies within ((1 + v)(1 + ρ) - 1)ω + max(σ, (1 + v)σ/s + η/2), fused or not. *)
Theorem rounding_frequency_llama3 (W : format) (fused : bool) (L low high s w w' rho sigma : R) :
  let r := rho + sigma / w in
  let g := weight L low high w in
  let g' := computed_weight W L low high w' in
  0 <= L -> 0 < s -> 0 < w -> 0 <= rho -> 0 <= sigma -> r < 1 -> near rho sigma w' w ->
  smallest_normal W <= Rabs (fl W (2 * PI) / w') ->
  wave_error W r < 1 -> turns_error W r < 1 ->
  0 <= low < high -> is_float W low -> is_float W high -> is_float W (high - low) ->
  Rabs (two_products W fused (fl W (1 - g')) (fl W (w' / s)) g' w' - ((1 - g) * (w / s) + g * w))
  <= blend_bound W (1 - g) g (w / s) w (weight_error W r high (high - low))
       (cast_relative W rho) (Rmax sigma (cast_absolute W (sigma / s))).
Proof.
move=> r g g' L_ge0 s_gt0 w_gt0 rho_ge0 sigma_ge0 r_lt1 w_near no_underflow wave_lt1 E_lt1 bounds low_float high_float range_float.
have [g_ge0 g_le1] : 0 <= g <= 1 by exact: clamp_unit.
have inverse_ge0 : 0 <= / w by apply/Rlt_le/Rinv_0_lt_compat.
have relative : Rabs (w' - w) <= r * w.
  move: w_near; rewrite /near (Rabs_pos_eq w); last lra.
  by have -> : r * w = rho * w + sigma by rewrite /r; field; lra.
have r_range : 0 <= r < 1 by split=> //; have := Rmult_le_pos _ _ sigma_ge0 inverse_ge0; rewrite /r /Rdiv; lra.
have [low_weight high_weight] := rounding_frequency_weights W L low high w w' r L_ge0 w_gt0 r_range relative no_underflow
  wave_lt1 E_lt1 bounds low_float high_float range_float.
have v_gt0 := v_pos W; have more : rho <= cast_relative W rho.
  by have := Rmult_le_pos _ _ (Rlt_le _ _ v_gt0) rho_ge0; rewrite /cast_relative; lra.
have slow_ge0 : 0 <= w / s by apply: Rmult_le_pos; [lra | exact/Rlt_le/Rinv_0_lt_compat].
apply: rounding_frequency_blend => //; try lra; first exact: Rle_trans sigma_ge0 (Rmax_l _ _).
  by apply: near_weaken (frequency_scaled W _ _ _ _ _ s_gt0 w_near); [exact: Rle_refl | exact: Rmax_r].
by apply: near_weaken w_near => //; exact: Rmax_l.
Qed.
