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
  Assumes: no overflow.  Not claimed: the errors of the weights themselves. *)

From Coq Require Import Reals Lra Lia ZArith.
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
Proof. apply frequency_scaled. Qed.

(** ** Another base *)

Definition base_error (e lambda rho : R) : R := (1 + rho) * exp (Rabs e * lambda) - 1.

Lemma ln_near (rho b' b : R) : 0 < b -> 0 <= rho < 1 -> Rabs (b' - b) <= rho * b ->
  0 < b' /\ Rabs (ln b' - ln b) <= rho / (1 - rho).
Proof.
  intros Hb [Hr0 Hr1] H. apply Rabs_le_inv in H.
  assert (Hb' : 0 < b') by (assert (rho * b < 1 * b) by (apply Rmult_lt_compat_r; lra); lra).
  split; [exact Hb'|].
  (* ln y <= y - 1, used for the two quotients *)
  assert (Hln : forall y, 0 < y -> ln y <= y - 1).
  { intros y Hy. generalize (exp_ineq1_le (ln y)). rewrite exp_ln by exact Hy. lra. }
  assert (Hq : forall x y, 0 < x -> 0 < y -> ln x - ln y <= (x - y) / y).
  { intros x y Hx Hy. replace (ln x - ln y) with (ln (x / y)).
    - replace ((x - y) / y) with (x / y - 1) by (field; lra).
      apply Hln, Rdiv_lt_0_compat; assumption.
    - unfold Rdiv. rewrite ln_mult, ln_Rinv by auto using Rinv_0_lt_compat. ring. }
  assert (Hrho : rho <= rho / (1 - rho)).
  { apply Rmult_le_reg_r with (1 - rho); [lra|].
    replace (rho / (1 - rho) * (1 - rho)) with rho by (field; lra).
    assert (0 <= rho * rho) by (apply Rmult_le_pos; lra). lra. }
  apply Rabs_le. split.
  - generalize (Hq b b' Hb Hb'). intro H1.
    enough ((b - b') / b' <= rho / (1 - rho)) by lra.
    apply Rmult_le_reg_r with (b' * (1 - rho)); [apply Rmult_lt_0_compat; lra|].
    replace ((b - b') / b' * (b' * (1 - rho))) with ((b - b') * (1 - rho)) by (field; lra).
    replace (rho / (1 - rho) * (b' * (1 - rho))) with (rho * b') by (field; lra).
    lra.
  - generalize (Hq b' b Hb' Hb). intro H1.
    enough ((b' - b) / b <= rho) by lra.
    apply Rmult_le_reg_r with b; [exact Hb|].
    replace ((b' - b) / b * b) with (b' - b) by (field; lra). lra.
Qed.

(** rounding.frequency-base: for a base b' with |b' - b| <= ρ_b b, ρ_b < 1, and |ω' - b'^(-e)| <= ρ b'^(-e)
    + σ, |ω' - b^(-e)| <= ((1 + ρ)e^(|e|ρ_b/(1 - ρ_b)) - 1) b^(-e) + σ. *)
Theorem rounding_frequency_base (b' b rho_b e w' rho sigma : R) :
  0 < b -> 0 <= rho_b < 1 -> Rabs (b' - b) <= rho_b * b -> 0 <= rho ->
  near rho sigma w' (Rpower b' (- e)) ->
  near (base_error e (rho_b / (1 - rho_b)) rho) sigma w' (Rpower b (- e)).
Proof.
  intros Hb Hr Hbase Hrho Hw.
  destruct (ln_near rho_b b' b Hb Hr Hbase) as [_ Hln].
  assert (Hg : Rabs (- e * ln b' - - e * ln b) <= Rabs e * (rho_b / (1 - rho_b))).
  { replace (- e * ln b' - - e * ln b) with (- (e * (ln b' - ln b))) by ring.
    rewrite Rabs_Ropp, Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|exact Hln]. }
  generalize (near_trans _ _ _ _ _ _ _ Hrho Hw (exp_near _ _ _ Hg)).
  apply near_weaken; unfold base_error; apply Req_le; ring.
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
  intros Ha Hb Hw1 Hw2 Hrho Hsigma Ha' Hb' N1 N2.
  assert (Hone : forall c' c w' w, 0 <= c -> 0 <= w -> Rabs (c' - c) <= delta ->
    near rho sigma w' w ->
    Rabs (c' * w') <= (c + delta) * ((1 + rho) * w + sigma) /\
    Rabs (c' * w' - c * w) <= delta * ((1 + rho) * w + sigma) + c * (rho * w + sigma)).
  { intros c' c w' w Hc Hw Hc' Hn.
    assert (Hw' := near_abs _ _ _ _ Hn). unfold near in Hn.
    rewrite (Rabs_pos_eq w) in Hw', Hn by exact Hw.
    assert (Hcc : Rabs c' <= c + delta).
    { generalize (Rabs_by_diff c' c). rewrite (Rabs_pos_eq c) by exact Hc. lra. }
    split.
    - rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
    - apply Rle_trans with (1 := product_diff c' c w' w).
      apply Rplus_le_compat.
      + apply Rmult_le_compat; auto using Rabs_pos.
      + rewrite (Rabs_pos_eq c) by exact Hc. now apply Rmult_le_compat_l. }
  destruct (Hone a' a w1' w1 Ha Hw1 Ha' N1) as [P1 D1].
  destruct (Hone b' b w2' w2 Hb Hw2 Hb' N2) as [P2 D2].
  generalize (rounding_two_products W fused a' w1' b' w2').
  generalize (Rabs_diff_triangle (two_products W fused a' w1' b' w2')
    (a' * w1' + b' * w2') (a * w1 + b * w2)).
  replace (a' * w1' + b' * w2' - (a * w1 + b * w2))
    with ((a' * w1' - a * w1) + (b' * w2' - b * w2)) by ring.
  generalize (Rabs_triang (a' * w1' - a * w1) (b' * w2' - b * w2)) (u_pos W).
  intros Ht Hu Hd Hp. unfold blend_bound.
  assert (H2u : 0 <= 2 * u W) by lra.
  assert (HP := Rmult_le_compat_l _ _ _ H2u (Rplus_le_compat _ _ _ _ P1 P2)).
  lra.
Qed.

(** ** An amplitude *)

(** rounding.table-amplitude: an entry T in [-1, 1] within E of wave(x), multiplied by f' for f, satisfies
    |fl(f'T) - f wave(x)| <= spacing(f')/2 + |f' - f| + |f|E. *)
Theorem rounding_table_amplitude (S : format) (even : bool) (f' f T x E : R) :
  Rabs T <= 1 -> Rabs (T - wave even x) <= E ->
  Rabs (fl S (f' * T) - f * wave even x)
  <= / 2 * spacing S f' + Rabs (f' - f) + Rabs f * E.
Proof.
  intros HT HE.
  assert (Hsmall : Rabs (f' * T) <= Rabs f').
  { rewrite Rabs_mult. rewrite <- (Rmult_1_r (Rabs f')) at 2.
    apply Rmult_le_compat_l; [apply Rabs_pos|exact HT]. }
  generalize (half_spacing_le S _ _ Hsmall) (product_diff f' f T (wave even x))
    (Rabs_diff_triangle (fl S (f' * T)) (f' * T) (f * wave even x)).
  assert (H1 : Rabs (f' - f) * Rabs T <= Rabs (f' - f) * 1)
    by (apply Rmult_le_compat_l; [apply Rabs_pos|exact HT]).
  assert (H2 : Rabs f * Rabs (T - wave even x) <= Rabs f * E)
    by (apply Rmult_le_compat_l; [apply Rabs_pos|exact HE]).
  lra.
Qed.

(** ** Library values beyond [-1, 1], amplitude and cast *)

(** A value within κ spacings of a sine or cosine is at most 1 + κu. *)
Lemma library_value_abs (A : format) (kappa s a : R) (even : bool) :
  0 <= kappa -> accurate A kappa s (wave even a) -> Rabs s <= 1 + kappa * u A.
Proof.
  intros Hk Hs. unfold accurate in Hs.
  generalize (wave_abs_le_1 even a) (Rabs_by_diff s (wave even a)).
  generalize (Rmult_le_compat_l _ _ _ Hk (spacing_unit A _ (wave_abs_le_1 even a))). lra.
Qed.

(** Rounding in A does not take a number above the power of two that bounds it. *)
Lemma spacing_fl_le (A S : format) (x b : R) :
  eta A <= Rabs b -> Rabs x <= Rabs b -> spacing S (fl A x) <= spacing S b.
Proof.
  intros Hb Hx.
  assert (Hb0 : b <> 0) by (intros ->; rewrite Rabs_R0 in Hb; generalize (eta_pos A); lra).
  assert (He : (emin A <= binade b)%Z).
  { apply le_bpow with radix2. apply Rle_trans with (1 := Hb), binade_upper, Hb0. }
  rewrite (spacing_neq_0 S b Hb0). apply spacing_le_bpow.
  apply fl_abs_le; [now apply bpow_float|].
  apply Rle_trans with (1 := Hx), binade_upper, Hb0.
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
  intros HV HE multiplied. assert (HV0 : 0 <= V) by (generalize (Rabs_pos s); lra). split.
  - assert (Hbelow : Rabs (f' * s) <= Rabs (f' * V)).
    { rewrite !Rabs_mult, (Rabs_pos_eq V HV0). apply Rmult_le_compat_l; [apply Rabs_pos|exact HV]. }
    assert (H1 : Rabs (f' - f) * Rabs s <= Rabs (f' - f) * V)
      by (apply Rmult_le_compat_l; [apply Rabs_pos|exact HV]).
    assert (H2 : Rabs f * Rabs (s - wave even x) <= Rabs f * E)
      by (apply Rmult_le_compat_l; [apply Rabs_pos|exact HE]).
    assert (Hmultiplied : Rabs (fl A (f' * s) - f * wave even x) <= multiplied).
    { generalize (half_spacing_le A _ _ Hbelow) (product_diff f' f s (wave even x))
        (Rabs_diff_triangle (fl A (f' * s)) (f' * s) (f * wave even x)).
      unfold multiplied. lra. }
    split.
    + set (b := Rmax (Rabs (f' * V)) (eta A)).
      assert (Hb : Rabs b = b) by (apply Rabs_pos_eq, Rle_trans with (2 := Rmax_l _ _), Rabs_pos).
      assert (Heta : eta A <= Rabs b) by (rewrite Hb; apply Rmax_r).
      assert (Hmax : Rabs (f' * s) <= Rabs b) by (rewrite Hb; apply Rle_trans with (1 := Hbelow), Rmax_l).
      generalize (Rabs_diff_triangle (fl S (fl A (f' * s))) (fl A (f' * s)) (f * wave even x))
        (rounding_half_spacing S (fl A (f' * s))) (spacing_fl_le A S _ _ Heta Hmax). lra.
    + intro Hf. now rewrite (fl_exact S _ Hf).
  - assert (Hs : Rabs s <= Rabs V) by (rewrite (Rabs_pos_eq V HV0); exact HV). split.
    + generalize (half_spacing_le S _ _ Hs) (Rabs_diff_triangle (fl S s) s (wave even x)). lra.
    + intro Hf. now rewrite (fl_exact S _ Hf).
Qed.

(** rounding.table-within-one: a number s of the format A within κ < 2 ulp of a sine or cosine lies in
    [-1, 1], because the numbers of A above 1 are two such units apart. *)
Theorem rounding_table_within_one (A : format) (even : bool) (kappa a s : R) :
  0 <= kappa < 2 -> accurate A kappa s (wave even a) -> is_float A s -> Rabs s <= 1.
Proof.
  intros [Hk0 Hk2] Hs Hf. generalize (library_value_abs A kappa s a even Hk0 Hs) (u_pos A). intros H1 Hu.
  destruct (Rle_or_lt (Rabs s) 1) as [H | H]; [exact H|exfalso].
  assert (Hgrid : bpow radix2 ((1 - precision A) + precision A - 1) <= Rabs s).
  { replace ((1 - precision A) + precision A - 1)%Z with 0%Z by ring. simpl. lra. }
  destruct (float_on_grid A s (1 - precision A) Hf Hgrid) as [z Hz].
  assert (Hstep : bpow radix2 (1 - precision A) = 2 * u A).
  { unfold u. change 2 with (bpow radix2 1). rewrite <- bpow_plus. f_equal. }
  assert (Hone : IZR (2 ^ (precision A - 1)) * (2 * u A) = 1).
  { rewrite <- Hstep, (IZR_Zpower radix2) by (generalize (precision_above_one A); lia).
    rewrite <- bpow_plus. now replace (precision A - 1 + (1 - precision A))%Z with 0%Z by ring. }
  rewrite Hz, Hstep, Rabs_mult, <- abs_IZR, (Rabs_pos_eq (2 * u A)) in H, H1 by lra.
  assert (Hlow : (2 ^ (precision A - 1) < Z.abs z)%Z).
  { apply lt_IZR, Rmult_lt_reg_r with (2 * u A); lra. }
  assert (Hhigh : (Z.abs z < 2 ^ (precision A - 1) + 1)%Z).
  { apply lt_IZR. rewrite plus_IZR. apply Rmult_lt_reg_r with (2 * u A); [lra|]. nra. }
  lia.
Qed.

(** rounding.table-beyond-one: the library value itself: for |a - x| <= α and a value s within κ ulp of
    wave(a), |s| <= 1 + κu_A, |s - wave(x)| <= α + κu_A and |fl_S(s) - wave(x)| <= α + κu_A +
    spacing_S(1 + κu_A)/2, with no hypothesis that s lies in [-1, 1]. *)
Theorem rounding_table_beyond_one (A S : format) (even : bool) (kappa a x s alpha : R) :
  0 <= kappa -> Rabs (a - x) <= alpha -> accurate A kappa s (wave even a) ->
  Rabs s <= 1 + kappa * u A /\ Rabs (s - wave even x) <= alpha + kappa * u A /\
  Rabs (fl S s - wave even x) <= alpha + kappa * u A + / 2 * spacing S (1 + kappa * u A).
Proof.
  intros Hk Ha Hs. assert (H1 := library_value_abs A kappa s a even Hk Hs).
  assert (H2 : Rabs (s - wave even x) <= alpha + kappa * u A).
  { generalize (wave_diff_le even a x alpha Ha) (Rabs_diff_triangle s (wave even a) (wave even x)).
    generalize (Rmult_le_compat_l _ _ _ Hk (spacing_unit A _ (wave_abs_le_1 even a))).
    unfold accurate in Hs. lra. }
  split; [exact H1|split; [exact H2|]].
  now destruct (rounding_table_stored A S even 1 1 s x _ _ H1 H2) as [_ [H3 _]].
Qed.
