(** * The error of scaled frequencies and amplitudes

  What is claimed.  The variants that stretch the context change the frequencies
  (divided by a scale; another base; a blend of two frequencies) or the
  amplitude of the table; each step adds an explicit error.

  Dictionary (W: the format):
  - [base_error e λ ρ] == (1 + ρ) e^(|e| λ) - 1: a base known to |ln b' - ln b| <= λ;
  - [blend_bound W a b w1 w2 δ ρ σ] == the error of a blend a ω_1 + b ω_2 below.

  Formulas:
    linear, ω/s:   ρ' = (1 + v)(1 + ρ) - 1,  σ' = (1 + v) σ/s + η/2       [rounding_frequency_scaled]
    other base:    |b' - b| <= ρ_b b, ρ_b < 1 gives |ln b' - ln b| <= ρ_b/(1 - ρ_b)
                   and ρ' = (1 + ρ) e^(|e| ρ_b/(1 - ρ_b)) - 1           [rounding_frequency_base]
    blend:         |fl(fl(a' ω1') + fl(b' ω2')) - (a ω1 + b ω2)| <=
                     2u ((a + δ) Ω1 + (b + δ) Ω2) + δ (Ω1 + Ω2) + ρ (a ω1 + b ω2) + (a + b) σ + (1 + v) η
                   with Ωi = (1 + ρ) ωi + σ, |ωi' - ωi| <= ρ ωi + σ, |a' - a| <= δ, |b' - b| <= δ
                                                                      [rounding_frequency_blend]
    amplitude f:   |fl(f' T) - f wave(x)| <= spacing(f')/2 + |f' - f| + |f| E
                   for an entry |T| <= 1 within E of wave(x)          [rounding_table_amplitude]
    any value |s| <= V within E of wave(x), multiplied by f' and stored:
                   |fl_S(fl_A(f's)) - f wave(x)| <=
                     spacing_A(f'V)/2 + |f' - f|V + |f|E + spacing_S(max(|f'V|, η_A))/2
                                                                     [rounding_table_stored]
    with V = 1 + κu_A and E = α + κu_A from κ alone                  [rounding_table_beyond_one]
    and V = 1 for κ < 2                                              [rounding_table_within_one]

  The blend covers the band of "llama3" (weights γ and 1 - γ on ω and ω/s) and
  the ramp of YaRN; which pairs are blended is decided by comparisons, not here.
  Assumes: no overflow.  Not claimed here: the errors δ of the weights. Those of llama3, and the blend with them,
  are in RoundingWeights.v; YaRN's have no theorem. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingAngle RoundingFrequency RoundingTable.
From Posproof Require Import RoundingRope.

Open Scope R_scope.

(** ** Dividing by a scale *)

(** rounding.frequency-scaled: if |ω' - ω| <= ρ|ω| + σ and s > 0 then
    |fl(ω'/s) - ω/s| <= ((1 + v)(1 + ρ) - 1)|ω/s| + (1 + v)σ/s + η/2. *)
Theorem rounding_frequency_scaled (W : format) (w' w s rho sigma : R) :
  0 < s -> near rho sigma w' w ->
  near (cast_relative W rho) (cast_absolute W (sigma / s)) (fl W (w' / s)) (w / s).
Proof. exact: frequency_scaled. Qed.

(** ** Another base *)

Definition base_error (e lambda rho : R) : R := (1 + rho) * exp (Rabs e * lambda) - 1.

Lemma ln_near (rho b' b : R) : 0 < b -> 0 <= rho < 1 -> Rabs (b' - b) <= rho * b ->
  0 < b' /\ Rabs (ln b' - ln b) <= rho / (1 - rho).
Proof.
move=> b_gt0 [rho_ge0 rho_lt1] /Rabs_le_inv b'_near.
have below : rho * b < 1 * b by apply: Rmult_lt_compat_r; lra.
have b'_gt0 : 0 < b' by lra.
split=> //.
have ln_le y : 0 < y -> ln y <= y - 1.
  by move=> y_gt0; have := exp_ineq1_le (ln y); rewrite exp_ln //; lra.
have quotient_le x y : 0 < x -> 0 < y -> ln x - ln y <= (x - y) / y.
  move=> x_gt0 y_gt0; have -> : (x - y) / y = x / y - 1 by field; lra.
  have -> : ln x - ln y = ln (x / y).
    by rewrite /Rdiv ln_mult //; [rewrite ln_Rinv //; ring | exact: Rinv_0_lt_compat].
  by apply: ln_le; exact: Rdiv_lt_0_compat.
have rho_le : rho <= rho / (1 - rho).
  apply: (Rmult_le_reg_r (1 - rho)); first by lra.
  have -> : rho / (1 - rho) * (1 - rho) = rho by field; lra.
  by have := Rmult_le_pos _ _ rho_ge0 rho_ge0; lra.
have upper : (b' - b) / b <= rho.
  apply: (Rmult_le_reg_r b) => //; have -> : (b' - b) / b * b = b' - b by field; lra.
  by lra.
have lower : (b - b') / b' <= rho / (1 - rho).
  apply: (Rmult_le_reg_r (b' * (1 - rho))); first by apply: Rmult_lt_0_compat; lra.
  have -> : (b - b') / b' * (b' * (1 - rho)) = (b - b') * (1 - rho) by field; lra.
  have -> : rho / (1 - rho) * (b' * (1 - rho)) = rho * b' by field; lra.
  by lra.
by apply: Rabs_le; have := quotient_le b b' b_gt0 b'_gt0; have := quotient_le b' b b'_gt0 b_gt0; lra.
Qed.

(** rounding.frequency-base: for a base b' with |b' - b| <= ρ_b b, ρ_b < 1, and |ω' - b'^(-e)| <= ρ b'^(-e)
    + σ, |ω' - b^(-e)| <= ((1 + ρ)e^(|e|ρ_b/(1 - ρ_b)) - 1) b^(-e) + σ. *)
Theorem rounding_frequency_base (b' b rho_b e w' rho sigma : R) :
  0 < b -> 0 <= rho_b < 1 -> Rabs (b' - b) <= rho_b * b -> 0 <= rho ->
  near rho sigma w' (Rpower b' (- e)) ->
  near (base_error e (rho_b / (1 - rho_b)) rho) sigma w' (Rpower b (- e)).
Proof.
move=> b_gt0 in_unit base_near rho_ge0 w_near.
have [_ logarithms] := ln_near rho_b b' b b_gt0 in_unit base_near.
have gap : Rabs (- e * ln b' - - e * ln b) <= Rabs e * (rho_b / (1 - rho_b)).
  have -> : - e * ln b' - - e * ln b = - (e * (ln b' - ln b)) by ring.
  by rewrite Rabs_Ropp Rabs_mult; apply: Rmult_le_compat_l => //; exact: Rabs_pos.
have := near_trans _ _ _ _ _ _ _ rho_ge0 w_near (exp_near _ _ _ gap).
by apply: near_weaken; rewrite /base_error; apply: Req_le; ring.
Qed.

(** A base b s^e that is computed as fl(b p'), p' within κ ulp of s^(e'): the ρ_b of the theorem. *)
Definition stretched_error (W : format) (kappa Gamma : R) : R :=
  cast_relative W (pow_error W kappa Gamma + kappa * eta W) + eta W / 2.

Lemma stretched_base (W : format) (kappa b s e e' epsilon p' : R) :
  0 <= kappa -> 1 <= b -> 1 <= s -> 0 <= e -> Rabs (e' - e) <= epsilon ->
  accurate W kappa p' (Rpower s e') ->
  Rabs (fl W (b * p') - b * Rpower s e) <= stretched_error W kappa (epsilon * Rabs (ln s)) * (b * Rpower s e).
Proof.
move=> kappa_ge0 b_ge1 s_ge1 e_ge0 e_near p_near.
have opposite : Rabs (- e' - - e) <= epsilon.
  have -> : - e' - - e = - (e' - e) by ring.
  by rewrite Rabs_Ropp.
have power_near : near (pow_error W kappa (epsilon * Rabs (ln s))) (kappa * eta W) p' (Rpower s e).
  have := rounding_frequency_pow W kappa s (- e) (- e') epsilon p' kappa_ge0 opposite.
  by rewrite !Ropp_involutive; apply.
have power_ge1 : 1 <= Rpower s e.
  by rewrite -(Rpower_O s); [apply: Rle_Rpower; lra | lra].
have product_ge1 : 1 <= b * Rpower s e by have := Rmult_le_compat _ _ _ _ Rle_0_1 Rle_0_1 b_ge1 power_ge1; lra.
have lost_ge0 : 0 <= kappa * eta W by apply: Rmult_le_pos => //; exact: Rlt_le (eta_pos W).
have scaled_near := near_scale b _ _ _ _ power_near.
have relative_near : near (pow_error W kappa (epsilon * Rabs (ln s)) + kappa * eta W) 0 (b * p') (b * Rpower s e).
  move: scaled_near; rewrite /near (Rabs_pos_eq b); last by lra.
  rewrite (Rabs_pos_eq (b * Rpower s e)); last by lra.
  have := Rmult_le_compat_l _ _ _ lost_ge0 (Rmult_le_compat_l b _ _ (Rle_trans _ _ _ Rle_0_1 b_ge1) power_ge1).
  by lra.
have := near_fl W _ _ _ _ relative_near; rewrite /near /stretched_error /cast_relative (Rabs_pos_eq (b * Rpower s e)); last by lra.
have half_ge0 : 0 <= eta W / 2 by have := eta_pos W; lra.
by have := Rmult_le_compat_l _ _ _ half_ge0 product_ge1; lra.
Qed.

(** ** A blend of two frequencies *)

Definition blend_bound (W : format) (a b w1 w2 delta rho sigma : R) : R :=
  let W1 := (1 + rho) * w1 + sigma in
  let W2 := (1 + rho) * w2 + sigma in
  2 * u W * ((a + delta) * W1 + (b + delta) * W2) + delta * (W1 + W2)
  + rho * (a * w1 + b * w2) + (a + b) * sigma + (1 + v W) * eta W.

(** rounding.frequency-blend: for a, b, ω1, ω2 >= 0, weights within δ and frequencies within ρω + σ, with
    Ωi = (1 + ρ)ωi + σ, |fl(fl(a'ω1') + fl(b'ω2')) - (aω1 + bω2)| <= 2u((a + δ)Ω1 + (b + δ)Ω2) + δ(Ω1 + Ω2)
    + ρ(aω1 + bω2) + (a + b)σ + (1 + v)η, with or without fusing a product into the addition. *)
Theorem rounding_frequency_blend (W : format) (fused : bool)
    (a' a b' b w1' w1 w2' w2 delta rho sigma : R) :
  0 <= a -> 0 <= b -> 0 <= w1 -> 0 <= w2 -> 0 <= rho -> 0 <= sigma ->
  Rabs (a' - a) <= delta -> Rabs (b' - b) <= delta ->
  near rho sigma w1' w1 -> near rho sigma w2' w2 ->
  Rabs (two_products W fused a' w1' b' w2' - (a * w1 + b * w2))
  <= blend_bound W a b w1 w2 delta rho sigma.
Proof.
move=> a_ge0 b_ge0 w1_ge0 w2_ge0 rho_ge0 sigma_ge0 a_near b_near near1 near2.
have one c' c w' w : 0 <= c -> 0 <= w -> Rabs (c' - c) <= delta -> near rho sigma w' w ->
    Rabs (c' * w') <= (c + delta) * ((1 + rho) * w + sigma) /\
    Rabs (c' * w' - c * w) <= delta * ((1 + rho) * w + sigma) + c * (rho * w + sigma).
  move=> c_ge0 w_ge0 c_near w_near; have := near_abs _ _ _ _ w_near; move: w_near.
  rewrite /near (Rabs_pos_eq w) // => w_near w'_le.
  have c'_le : Rabs c' <= c + delta by have := Rabs_by_diff c' c; rewrite (Rabs_pos_eq c) //; lra.
  split; first by rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos.
  apply: Rle_trans (product_diff c' c w' w) _; apply: Rplus_le_compat.
    by apply: Rmult_le_compat => //; exact: Rabs_pos.
  by rewrite (Rabs_pos_eq c) //; exact: Rmult_le_compat_l.
have [product1 difference1] := one a' a w1' w1 a_ge0 w1_ge0 a_near near1.
have [product2 difference2] := one b' b w2' w2 b_ge0 w2_ge0 b_near near2.
have rounded := rounding_two_products W fused a' w1' b' w2'.
have := Rabs_diff_triangle (two_products W fused a' w1' b' w2') (a' * w1' + b' * w2') (a * w1 + b * w2).
have -> : a' * w1' + b' * w2' - (a * w1 + b * w2) = (a' * w1' - a * w1) + (b' * w2' - b * w2) by ring.
have := Rabs_triang (a' * w1' - a * w1) (b' * w2' - b * w2).
have u2_ge0 : 0 <= 2 * u W by have := u_pos W; lra.
have := Rmult_le_compat_l _ _ _ u2_ge0 (Rplus_le_compat _ _ _ _ product1 product2).
by rewrite /blend_bound; lra.
Qed.

(** ** An amplitude *)

(** rounding.table-amplitude: an entry T in [-1, 1] within E of wave(x), multiplied by f' for f, satisfies
    |fl(f'T) - f wave(x)| <= spacing(f')/2 + |f' - f| + |f|E. *)
Theorem rounding_table_amplitude (S : format) (even : bool) (f' f T x E : R) :
  Rabs T <= 1 -> Rabs (T - wave even x) <= E ->
  Rabs (fl S (f' * T) - f * wave even x)
  <= / 2 * spacing S f' + Rabs (f' - f) + Rabs f * E.
Proof.
move=> T_le T_near.
have small : Rabs (f' * T) <= Rabs f'.
  rewrite Rabs_mult -{2}(Rmult_1_r (Rabs f')).
  by apply: Rmult_le_compat_l => //; exact: Rabs_pos.
have amplitude_part : Rabs (f' - f) * Rabs T <= Rabs (f' - f) * 1.
  by apply: Rmult_le_compat_l => //; exact: Rabs_pos.
have entry_part : Rabs f * Rabs (T - wave even x) <= Rabs f * E.
  by apply: Rmult_le_compat_l => //; exact: Rabs_pos.
have := half_spacing_le S _ _ small; have := product_diff f' f T (wave even x).
by have := Rabs_diff_triangle (fl S (f' * T)) (f' * T) (f * wave even x); lra.
Qed.

(** ** Library values beyond [-1, 1], amplitude and cast *)

(** A value within κ spacings of a sine or cosine is at most 1 + κu. *)
Lemma library_value_abs (A : format) (kappa s a : R) (even : bool) :
  0 <= kappa -> accurate A kappa s (wave even a) -> Rabs s <= 1 + kappa * u A.
Proof.
move=> kappa_ge0; rewrite /accurate => s_near.
have := wave_abs_le_1 even a; have := Rabs_by_diff s (wave even a).
by have := Rmult_le_compat_l _ _ _ kappa_ge0 (spacing_unit A _ (wave_abs_le_1 even a)); lra.
Qed.

(** Rounding in A does not take a number above the power of two that bounds it. *)
Lemma spacing_fl_le (A S : format) (x b : R) :
  eta A <= Rabs b -> Rabs x <= Rabs b -> spacing S (fl A x) <= spacing S b.
Proof.
move=> eta_le x_le.
have b_ne0 : b <> 0 by move=> b0; move: eta_le; rewrite b0 Rabs_R0; have := eta_pos A; lra.
have emin_le : (emin A <= binade b)%Z.
  by apply: (le_bpow radix2); apply: Rle_trans eta_le _; exact: binade_upper.
rewrite (spacing_neq_0 S b b_ne0); apply: spacing_le_bpow.
apply: fl_abs_le; first exact: bpow_float.
by apply: Rle_trans x_le _; exact: binade_upper.
Qed.

(** rounding.table-stored: for a library value |s| <= V, be V above 1 or not, within E of wave(x), and an
    amplitude f' for f, the product rounded in A and stored in S satisfies |fl_S(fl_A(f's)) - f wave(x)| <=
    spacing_A(f'V)/2 + |f' - f|V + |f|E + spacing_S(max(|f'V|, η_A))/2, without the last term if S holds the
    product; and without an amplitude, |fl_S(s) - wave(x)| <= E + spacing_S(V)/2, without it if S holds s. *)
Theorem rounding_table_stored (A S : format) (even : bool) (f' f s x V E : R) :
  Rabs s <= V -> Rabs (s - wave even x) <= E ->
  let multiplied := / 2 * spacing A (f' * V) + Rabs (f' - f) * V + Rabs f * E in
  (Rabs (fl S (fl A (f' * s)) - f * wave even x)
   <= multiplied + / 2 * spacing S (Rmax (Rabs (f' * V)) (eta A)) /\
   (is_float S (fl A (f' * s)) -> Rabs (fl S (fl A (f' * s)) - f * wave even x) <= multiplied)) /\
  (Rabs (fl S s - wave even x) <= E + / 2 * spacing S V /\
   (is_float S s -> Rabs (fl S s - wave even x) <= E)).
Proof.
move=> s_le s_near multiplied; have V_ge0 : 0 <= V by have := Rabs_pos s; lra.
split; last first.
  have s_le_V : Rabs s <= Rabs V by rewrite (Rabs_pos_eq V).
  split; last by move=> held; rewrite (fl_exact S _ held).
  by have := half_spacing_le S _ _ s_le_V; have := Rabs_diff_triangle (fl S s) s (wave even x); lra.
have below : Rabs (f' * s) <= Rabs (f' * V).
  by rewrite !Rabs_mult (Rabs_pos_eq V V_ge0); apply: Rmult_le_compat_l => //; exact: Rabs_pos.
have multiplied_le : Rabs (fl A (f' * s) - f * wave even x) <= multiplied.
  have amplitude_part : Rabs (f' - f) * Rabs s <= Rabs (f' - f) * V.
    by apply: Rmult_le_compat_l => //; exact: Rabs_pos.
  have entry_part : Rabs f * Rabs (s - wave even x) <= Rabs f * E.
    by apply: Rmult_le_compat_l => //; exact: Rabs_pos.
  have := half_spacing_le A _ _ below; have := product_diff f' f s (wave even x).
  by have := Rabs_diff_triangle (fl A (f' * s)) (f' * s) (f * wave even x); rewrite /multiplied; lra.
split; last by move=> held; rewrite (fl_exact S _ held).
set b := Rmax (Rabs (f' * V)) (eta A).
have b_abs : Rabs b = b by apply: Rabs_pos_eq; apply: Rle_trans (Rmax_l _ _); exact: Rabs_pos.
have eta_le : eta A <= Rabs b by rewrite b_abs; exact: Rmax_r.
have most : Rabs (f' * s) <= Rabs b by rewrite b_abs; apply: Rle_trans below _; exact: Rmax_l.
have := Rabs_diff_triangle (fl S (fl A (f' * s))) (fl A (f' * s)) (f * wave even x).
have := rounding_half_spacing S (fl A (f' * s)); have := spacing_fl_le A S _ _ eta_le most.
by lra.
Qed.

(** rounding.table-within-one: a number s of the format A within κ < 2 ulp of a sine or cosine lies in
    [-1, 1], because the numbers of A above 1 are two such units apart. *)
Theorem rounding_table_within_one (A : format) (even : bool) (kappa a s : R) :
  0 <= kappa < 2 -> accurate A kappa s (wave even a) -> is_float A s -> Rabs s <= 1.
Proof.
move=> [kappa_ge0 kappa_lt2] s_near s_float.
have s_le := library_value_abs A kappa s a even kappa_ge0 s_near; have u_gt0 := u_pos A.
case: (Rle_or_lt (Rabs s) 1) => // above; exfalso.
have grid : bpow radix2 ((1 - precision A) + precision A - 1) <= Rabs s.
  by have -> : ((1 - precision A) + precision A - 1)%Z = 0%Z by [ring]; rewrite /=; lra.
have [z s_eq] := float_on_grid A s (1 - precision A) s_float grid.
have step : bpow radix2 (1 - precision A) = 2 * u A by rewrite /u -[2](_ : bpow radix2 1 = 2) // -bpow_plus.
have one : IZR (2 ^ (precision A - 1)) * (2 * u A) = 1.
  rewrite -step (IZR_Zpower radix2); last by have := precision_above_one A; lia.
  by rewrite -bpow_plus; have -> : (precision A - 1 + (1 - precision A))%Z = 0%Z by [ring].
move: above s_le; rewrite s_eq step Rabs_mult -abs_IZR (Rabs_pos_eq (2 * u A)); last by lra.
move=> above s_le.
have low : (2 ^ (precision A - 1) < Z.abs z)%Z by apply: lt_IZR; apply: (Rmult_lt_reg_r (2 * u A)); lra.
have high : (Z.abs z < 2 ^ (precision A - 1) + 1)%Z.
  by apply: lt_IZR; rewrite plus_IZR; apply: (Rmult_lt_reg_r (2 * u A)); [lra | nra].
by lia.
Qed.

(** rounding.table-beyond-one: the library value itself: for |a - x| <= α and a value s within κ ulp of
    wave(a), |s| <= 1 + κu_A, |s - wave(x)| <= α + κu_A and |fl_S(s) - wave(x)| <= α + κu_A +
    spacing_S(1 + κu_A)/2, with no hypothesis that s lies in [-1, 1]. *)
Theorem rounding_table_beyond_one (A S : format) (even : bool) (kappa a x s alpha : R) :
  0 <= kappa -> Rabs (a - x) <= alpha -> accurate A kappa s (wave even a) ->
  Rabs s <= 1 + kappa * u A /\ Rabs (s - wave even x) <= alpha + kappa * u A /\
  Rabs (fl S s - wave even x) <= alpha + kappa * u A + / 2 * spacing S (1 + kappa * u A).
Proof.
move=> kappa_ge0 a_near s_near; have s_le := library_value_abs A kappa s a even kappa_ge0 s_near.
have near : Rabs (s - wave even x) <= alpha + kappa * u A.
  have := wave_diff_le even a x alpha a_near; have := Rabs_diff_triangle s (wave even a) (wave even x).
  have := Rmult_le_compat_l _ _ _ kappa_ge0 (spacing_unit A _ (wave_abs_le_1 even a)).
  by move: s_near; rewrite /accurate; lra.
by split=> //; split=> //; have [_ []] := rounding_table_stored A S even 1 1 s x _ _ s_le near.
Qed.
