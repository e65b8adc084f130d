(** * The error of a computed frequency, code path by code path

  What is claimed.  A program computes the frequency ω = b^(-e), with e = 2i/d,
  along one of several code paths.  For each path the computed ω' satisfies
  |ω' - ω| <= ρ |ω| + σ with an explicit ρ (rounding, library functions) and
  an explicit σ (underflow only).

  Dictionary (W: the format of the computation, κ: accuracy in ulp, Γ: error
  of an exponent, m: an exact multiplier, k: a number of steps):
  - [pow_error W κ Γ] == (1 + 2κu) e^Γ - 1: one pow, or one exp;
  - [reciprocal_error W κ Γ] == (1 + v) e^Γ / (1 - 2κu) - 1: pow, then 1/x;
  - [product_relative], [product_absolute] == error of fl(m * c');
  - [log_relative], [log_absolute] == error of fl(log(b) / D);
  - [repeated_error W k ρ0 ρ] == (1 + ρ0) ((1 + v)(1 + ρ))^k - 1;
  - [cast_relative W ρ] == (1 + v)(1 + ρ) - 1;
  - [cast_absolute W σ] == (1 + v) σ + η/2.

  Formulas (path, ρ, σ):
    correctly rounded               v                           η/2
    pow(b, -e')                     (1 + 2κu) e^Γ - 1           κη
    1 / pow(b, e')                  (1 + v) e^Γ/(1 - 2κu) - 1   η/2
      with Γ = |e' - e| |ln b|; if e' = fl(e) then |e' - e| <= spacing(e)/2
    exp(-(m c'))                    (1 + 2κu) e^Γ - 1           κη
      with Γ = ((1 + v)(1 + ρ_c) - 1) m c + (1 + v) m σ_c + η/2,
      c' within ρ_c c + σ_c of c = ln b / D, ω = e^(-m c)
    repeated multiplication         (1 + ρ0) ((1 + v)(1 + ρ_r))^k - 1   σ0 + k η/2
      x_0' near x_0, x_(k+1)' = fl(x_k' r'), of x_0 r^k
    wide, then cast                 (1 + v)(1 + ρ~) - 1         (1 + v) σ~ + η/2

  e^Γ - 1 <= Γ/(1 - Γ) for 0 <= Γ < 1 turns these into rational numbers  [rounding_pow_error]

  Assumes: no overflow (|b|^e <= Ω and the like); the base b is exact; the
  libraries' accuracies are as stated.
  Not claimed: the accuracy of any library. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel.

Open Scope R_scope.

Section Paths.
Variable W : format.

(** ** The exponential without an exponential *)

Lemma exp_minus_1_le (Gamma : R) : 0 <= Gamma < 1 -> exp Gamma - 1 <= Gamma / (1 - Gamma).
Proof.
move=> [Gamma_ge0 Gamma_lt1].
have inverse : exp Gamma * exp (- Gamma) = 1 by rewrite -exp_plus Rplus_opp_r exp_0.
have below : 1 - Gamma <= exp (- Gamma) by have := exp_ineq1_le (- Gamma); lra.
have above := Rmult_le_compat_l _ _ _ (Rlt_le _ _ (exp_pos Gamma)) below.
apply: (Rmult_le_reg_r (1 - Gamma)); first by lra.
have -> : Gamma / (1 - Gamma) * (1 - Gamma) = Gamma by field; lra.
by lra.
Qed.

(** ** Correctly rounded; computed in a wide format, then cast *)

(** rounding.frequency-rounded: |fl(ω) - ω| <= v|ω| + η/2. *)
Theorem rounding_frequency_rounded (w : R) :
  near (v W) (eta W / 2) (fl W w) w.
Proof. exact: near_fl_exact. Qed.

Definition cast_relative (rho : R) : R := (1 + v W) * (1 + rho) - 1.
Definition cast_absolute (sigma : R) : R := (1 + v W) * sigma + eta W / 2.

(** rounding.frequency-cast: if |w' - ω| <= ρ|ω| + σ then
    |fl(w') - ω| <= ((1 + v)(1 + ρ) - 1)|ω| + (1 + v)σ + η/2. *)
Theorem rounding_frequency_cast (w' w rho sigma : R) :
  near rho sigma w' w -> near (cast_relative rho) (cast_absolute sigma) (fl W w') w.
Proof. exact: near_fl. Qed.

(** A frequency divided by an exact scale s > 0 (linear position interpolation). *)
Lemma frequency_scaled (w' w s rho sigma : R) : 0 < s -> near rho sigma w' w ->
  near (cast_relative rho) (cast_absolute (sigma / s)) (fl W (w' / s)) (w / s).
Proof.
move=> s_gt0 w_near; apply: near_fl; rewrite /Rdiv (Rmult_comm w') (Rmult_comm w) (Rmult_comm sigma).
rewrite -{1}(Rabs_pos_eq (/ s)); first exact: near_scale.
by apply: Rlt_le; exact: Rinv_0_lt_compat.
Qed.

(** ** Through pow *)

Definition pow_error (kappa Gamma : R) : R := (1 + 2 * kappa * u W) * exp Gamma - 1.

(** rounding.pow-error: for 0 <= Γ < 1, (1 + 2κu)e^Γ - 1 <= 2κu + (1 + 2κu)Γ/(1 - Γ). *)
Theorem rounding_pow_error (kappa Gamma : R) : 0 <= kappa -> 0 <= Gamma < 1 ->
  pow_error kappa Gamma <= 2 * kappa * u W + (1 + 2 * kappa * u W) * (Gamma / (1 - Gamma)).
Proof.
move=> kappa_ge0 in_unit; have := Rmult_le_pos _ _ kappa_ge0 (Rlt_le _ _ (u_pos W)) => ku_ge0.
have : (1 + 2 * kappa * u W) * (exp Gamma - 1) <= (1 + 2 * kappa * u W) * (Gamma / (1 - Gamma)).
  by apply: Rmult_le_compat_l; [lra | exact: exp_minus_1_le].
by rewrite /pow_error; lra.
Qed.

Definition reciprocal_error (kappa Gamma : R) : R :=
  (1 + v W) * (exp Gamma / (1 - 2 * kappa * u W)) - 1.

(** The rounded exponent e' = fl(e), for instance of e = 2i/d; exact when e is a number of the format. *)
Lemma exponent_rounded (e : R) : Rabs (fl W e - e) <= / 2 * spacing W e.
Proof. exact: rounding_half_spacing. Qed.

Lemma accurate_exp_near kappa Gamma w' g' g : 0 <= kappa ->
  Rabs (g' - g) <= Gamma -> accurate W kappa w' (exp g') ->
  near (pow_error kappa Gamma) (kappa * eta W) w' (exp g).
Proof.
move=> kappa_ge0 g_near w_near; have := Rmult_le_pos _ _ kappa_ge0 (Rlt_le _ _ (u_pos W)) => ku_ge0.
have library_ge0 : 0 <= 2 * kappa * u W by lra.
have := near_trans _ _ _ _ _ _ _ library_ge0 (accurate_near W _ _ _ kappa_ge0 w_near) (exp_near _ _ _ g_near).
by apply: near_weaken; rewrite /pow_error; apply: Req_le; ring.
Qed.

Lemma exponent_of_pow b e e' :
  Rabs (e' * ln b - e * ln b) <= Rabs (e' - e) * Rabs (ln b).
Proof. by rewrite -Rmult_minus_distr_r Rabs_mult; exact: Rle_refl. Qed.

Lemma opposite_exponents b e e' epsilon : Rabs (e' - e) <= epsilon ->
  Rabs (- e' * ln b - - e * ln b) <= epsilon * Rabs (ln b).
Proof.
move=> e_near; apply: (Rle_trans _ _ _ (exponent_of_pow b (- e) (- e'))).
apply: Rmult_le_compat_r; first exact: Rabs_pos.
have -> : - e' - - e = - (e' - e) by ring.
by rewrite Rabs_Ropp.
Qed.

(** rounding.frequency-pow: for ω' within κ ulp of b^(-e') and |e' - e| <= ε, with Γ = ε|ln b|,
    |ω' - b^(-e)| <= ((1 + 2κu)e^Γ - 1) b^(-e) + κη. *)
Theorem rounding_frequency_pow (kappa b e e' epsilon w' : R) :
  0 <= kappa -> Rabs (e' - e) <= epsilon ->
  accurate W kappa w' (Rpower b (- e')) ->
  near (pow_error kappa (epsilon * Rabs (ln b))) (kappa * eta W) w' (Rpower b (- e)).
Proof.
move=> kappa_ge0 e_near; apply: accurate_exp_near => //; exact: opposite_exponents.
Qed.

Lemma reciprocal_near kappa b e e' epsilon p' :
  0 <= kappa -> 2 * kappa * u W < 1 -> Rabs (e' - e) <= epsilon ->
  smallest_normal W <= Rpower b e' -> accurate W kappa p' (Rpower b e') ->
  near ((1 + (/ (1 - 2 * kappa * u W) - 1)) * (1 + (exp (epsilon * Rabs (ln b)) - 1)) - 1) 0
    (/ p') (Rpower b (- e)).
Proof.
move=> kappa_ge0 library_lt1 e_near p_normal p_near.
have := Rmult_le_pos _ _ kappa_ge0 (Rlt_le _ _ (u_pos W)) => ku_ge0.
have power_gt0 : 0 < Rpower b e' by exact: exp_pos.
have near_p : near (2 * kappa * u W) 0 p' (Rpower b e').
  by apply: accurate_near_normal => //; rewrite Rabs_pos_eq //; exact: Rlt_le.
have near_q : near (/ (1 - 2 * kappa * u W) - 1) 0 (/ p') (Rpower b (- e')).
  by rewrite Rpower_Ropp; apply: near_inv => //; lra.
have near_e := exp_near _ _ _ (opposite_exponents b e e' epsilon e_near).
have excess_ge0 : 0 <= / (1 - 2 * kappa * u W) - 1.
  have : / 1 <= / (1 - 2 * kappa * u W) by apply: Rinv_le; lra.
  by rewrite Rinv_1; lra.
have := near_trans _ _ _ _ _ _ _ excess_ge0 near_q near_e.
by apply: near_weaken; apply: Req_le; ring.
Qed.

(** rounding.frequency-reciprocal: for p' within κ ulp of b^(e') (not below the smallest normal number),
    |e' - e| <= ε, Γ = ε|ln b| and 2κu < 1,
    |fl(1/p') - b^(-e)| <= ((1 + v)e^Γ/(1 - 2κu) - 1) b^(-e) + η/2. *)
Theorem rounding_frequency_reciprocal (kappa b e e' epsilon p' : R) :
  0 <= kappa -> 2 * kappa * u W < 1 -> Rabs (e' - e) <= epsilon ->
  smallest_normal W <= Rpower b e' ->
  accurate W kappa p' (Rpower b e') ->
  near (reciprocal_error kappa (epsilon * Rabs (ln b))) (eta W / 2)
    (fl W (/ p')) (Rpower b (- e)).
Proof.
move=> kappa_ge0 library_lt1 e_near p_normal p_near.
have := near_fl W _ _ _ _ (reciprocal_near _ _ _ _ _ _ kappa_ge0 library_lt1 e_near p_normal p_near).
by apply: near_weaken; apply: Req_le; rewrite /reciprocal_error /Rdiv; ring.
Qed.

(** rounding.frequency-reciprocal-normal: where 1/p' is not below the smallest normal number either,
    |fl(1/p') - b^(-e)| <= ((1 + v)e^Γ/(1 - 2κu) - 1) b^(-e): the hypothesis of the repeated path. *)
Theorem rounding_frequency_reciprocal_normal (kappa b e e' epsilon p' : R) :
  0 <= kappa -> 2 * kappa * u W < 1 -> Rabs (e' - e) <= epsilon ->
  smallest_normal W <= Rpower b e' -> accurate W kappa p' (Rpower b e') ->
  smallest_normal W <= Rabs (/ p') ->
  near (reciprocal_error kappa (epsilon * Rabs (ln b))) 0 (fl W (/ p')) (Rpower b (- e)).
Proof.
move=> kappa_ge0 library_lt1 e_near p_normal p_near q_normal.
have near_q := reciprocal_near _ _ _ _ _ _ kappa_ge0 library_lt1 e_near p_normal p_near.
have := near_fl_normal W _ _ _ _ (or_intror q_normal) near_q.
by apply: near_weaken; apply: Req_le; rewrite /reciprocal_error /Rdiv; ring.
Qed.

(** ** Through exp of a multiple of log *)

Definition product_relative (rho : R) : R := (1 + v W) * (1 + rho) - 1.
Definition product_absolute (m sigma : R) : R := (1 + v W) * (Rabs m * sigma) + eta W / 2.
Definition exp_log_gamma (m c rho sigma : R) : R :=
  product_relative rho * Rabs (m * c) + product_absolute m sigma.

(** rounding.frequency-exp-log: for |c' - c| <= ρ|c| + σ, g' = fl(m c'), ω' within κ ulp of e^(-g') and
    Γ = ((1 + v)(1 + ρ) - 1)|m c| + (1 + v)|m|σ + η/2,
    |ω' - e^(-m c)| <= ((1 + 2κu)e^Γ - 1) e^(-m c) + κη. *)
Theorem rounding_frequency_exp_log (kappa m c c' rho sigma w' : R) :
  0 <= kappa -> near rho sigma c' c ->
  accurate W kappa w' (exp (- fl W (m * c'))) ->
  near (pow_error kappa (exp_log_gamma m c rho sigma)) (kappa * eta W) w' (exp (- (m * c))).
Proof.
move=> kappa_ge0 c_near; apply: accurate_exp_near => //.
have -> : - fl W (m * c') - - (m * c) = - (fl W (m * c') - m * c) by ring.
by rewrite Rabs_Ropp; exact: near_fl W _ _ _ _ (near_scale m _ _ _ _ c_near).
Qed.

(** The constant c = ln b / D, by a log accurate to κ ulp and one division, in one format. *)
Definition log_relative (kappa : R) : R := (1 + v W) * (1 + 2 * kappa * u W) - 1.
Definition log_absolute (kappa D : R) : R := (1 + v W) * (kappa * eta W / D) + eta W / 2.

(** rounding.frequency-log: for l' within κ ulp of ln b and D > 0,
    |fl(l'/D) - ln b/D| <= ((1 + v)(1 + 2κu) - 1)|ln b|/D + (1 + v)κη/D + η/2. *)
Theorem rounding_frequency_log (kappa b D l' : R) :
  0 <= kappa -> 0 < D -> accurate W kappa l' (ln b) ->
  near (log_relative kappa) (log_absolute kappa D) (fl W (l' / D)) (ln b / D).
Proof.
move=> kappa_ge0 D_gt0 l_near.
exact: frequency_scaled _ _ _ _ _ D_gt0 (accurate_near W _ _ _ kappa_ge0 l_near).
Qed.

(** The exact value of this path is the frequency: e^(-m ln b / D) = b^(-m/D). *)
Lemma exp_log_pow (b m D : R) : 0 < D -> exp (- (m * (ln b / D))) = Rpower b (- (m / D)).
Proof. by move=> D_gt0; rewrite /Rpower; congr exp; field; lra. Qed.

(** ** Through repeated multiplication *)

(** x_0' = x0', x_(k+1)' = fl(x_k' r') *)
Fixpoint repeated (x0' r' : R) (k : nat) : R :=
  match k with
  | O => x0'
  | S k => fl W (repeated x0' r' k * r')
  end.

Definition repeated_error (k : nat) (rho0 rho : R) : R :=
  (1 + rho0) * ((1 + v W) * (1 + rho)) ^ k - 1.

(** rounding.frequency-repeated: for |x0' - x0| <= ρ0|x0| + σ0, |r' - r| <= ρ|r|, (1 + v)(1 + ρ)|r| <= 1
    and x_(k+1)' = fl(x_k' r'), |x_k' - x0 r^k| <= ((1 + ρ0)((1 + v)(1 + ρ))^k - 1)|x0 r^k| + σ0 + kη/2. *)
Theorem rounding_frequency_repeated (x0 x0' r r' rho0 sigma0 rho : R) (k : nat) :
  0 <= rho0 -> 0 <= sigma0 -> 0 <= rho ->
  (1 + v W) * (1 + rho) * Rabs r <= 1 ->
  near rho0 sigma0 x0' x0 -> near rho 0 r' r ->
  near (repeated_error k rho0 rho) (sigma0 + INR k * (eta W / 2))
    (repeated x0' r' k) (x0 * r ^ k).
Proof.
move=> rho0_ge0 sigma0_ge0 rho_ge0 small start_near ratio_near.
have := v_pos W; have := eta_pos W => eta_gt0 v_gt0.
elim: k => [|k IH].
  by rewrite /= Rmult_1_r; move: start_near; rewrite /repeated_error /=; apply: near_weaken; lra.
have grown_ge0 : 0 <= repeated_error k rho0 rho.
  have : 1 <= ((1 + v W) * (1 + rho)) ^ k by apply: pow_R1_Rle; nra.
  by rewrite /repeated_error; nra.
have lost_ge0 : 0 <= sigma0 + INR k * (eta W / 2) by have := pos_INR k; nra.
have := near_fl W _ _ _ _ (near_mul _ _ _ _ _ _ _ _ grown_ge0 lost_ge0 IH ratio_near).
have -> : x0 * r ^ S k = x0 * r ^ k * r by rewrite /=; ring.
rewrite S_INR; apply: near_weaken; first by rewrite /repeated_error /=; apply: Req_le; ring.
by have := Rmult_le_compat_r _ _ _ lost_ge0 small; lra.
Qed.

End Paths.
