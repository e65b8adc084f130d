(** * The error of the angle

  What is claimed.  A program forms the angle of position t and frequency ω as
  fl(t' * ω') from a rounded position t' and a computed frequency ω'.  Its
  distance from t * ω is bounded from the values at hand (instance bounds) and
  from the formats and the accuracy of the frequency alone (a priori bound).

  Dictionary (P, A, B: formats of positions and of angles; n: an integer position):
  - [position_error P n] == π = 0 if |n| <= 2^p, and v(P) otherwise;
  - [angle_relative P A n rho] == (1 + v(A)) (1 + π) (1 + ρ) - 1;
  - [angle_absolute P A n sigma] == (1 + v(A)) (1 + π) |n| σ + η(A)/2;
  - [angle_bound P A n w rho sigma] == |n| |ω| angle_relative + angle_absolute.

  Formulas, with a = fl_A(t' * ω'):
    |a - t ω| <= spacing_A(t' ω')/2 + |t'| |ω' - ω| + |t' - t| |ω|     [rounding_angle]
    |a - t ω| <= spacing_A(T ω')/2 + T |ω' - ω|  for |t| <= T exact    [rounding_angle_binade]
    for ω = P/(Q 2^s) every bound B may be rounded down to a multiple of
      2^k / Q, where |a| >= 2^(k+p-1) and k + s <= 0               [rounding_angle_lattice]
    |a - n ω| <= |n| |ω| ((1 + v_A)(1 + π)(1 + ρ) - 1)
                 + (1 + v_A)(1 + π) |n| σ + η_A/2               [rounding_angle_a_priori]
      where |ω' - ω| <= ρ |ω| + σ and t' = fl_P(n)
    an angle cast to B adds spacing_B(|x| + α)/2                   [rounding_angle_cast]

  Assumes: no overflow (rounding_overflow; rounding_angle_range gives the
  condition); underflow is covered by the terms in η and σ.
  Not claimed: integer positions counted by repeated additions. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel.

Open Scope R_scope.

(** ** Positions *)

Definition position_error (P : format) (n : Z) : R :=
  if Zle_bool (Z.abs n) (2 ^ precision P) then 0 else v P.

Lemma position_error_pos P n : 0 <= position_error P n.
Proof. by rewrite /position_error; case: Zle_bool; [exact: Rle_refl | exact: Rlt_le (v_pos P)]. Qed.

Lemma position_error_le P n : position_error P n <= v P.
Proof. by rewrite /position_error; have := v_pos P; case: Zle_bool; lra. Qed.

Lemma small_integer_float F n : (Z.abs n <= 2 ^ precision F)%Z -> is_float F (IZR n).
Proof.
move=> n_le; have := emin_small F; have := precision_above_one F => p_gt1 emin_le.
case: (Z_lt_le_dec (Z.abs n) (2 ^ precision F)) => [n_lt|n_ge].
  apply: generic_format_FLT; exists (Float radix2 n 0) => //=; last by lia.
  by rewrite /F2R /=; ring.
apply: generic_format_abs_inv; rewrite -abs_IZR.
have -> : Z.abs n = (2 ^ precision F)%Z by lia.
by rewrite (IZR_Zpower radix2); [apply: bpow_float; lia | lia].
Qed.

(** rounding.position: an integer n is exact in a format of precision p if |n| <= 2^p, and otherwise
    |fl(n) - n| <= v|n|. *)
Theorem rounding_position (P : format) (n : Z) :
  ((Z.abs n <= 2 ^ precision P)%Z -> fl P (IZR n) = IZR n) /\
  Rabs (fl P (IZR n) - IZR n) <= position_error P n * Rabs (IZR n).
Proof.
have small : (Z.abs n <= 2 ^ precision P)%Z -> fl P (IZR n) = IZR n.
  by move=> n_le; apply: fl_exact; exact: small_integer_float.
split=> //; rewrite /position_error; case: Zle_bool_spec => [n_le|n_gt].
  by rewrite small // Rminus_eq_0 Rabs_R0; lra.
have [_ [normal _]] := rounding_standard_model P (IZR n); apply: normal; right.
have := emin_small P; have := precision_above_one P => p_gt1 emin_le.
rewrite -abs_IZR; apply: (Rle_trans _ (IZR (2 ^ precision P))); last by apply: IZR_le; lia.
by rewrite (IZR_Zpower radix2); [apply: bpow_le; lia | lia].
Qed.

(** ** From the values at hand *)

(** rounding.angle: for any position t' standing for t and frequency ω' standing for ω,
    |fl(t'ω') - tω| <= spacing(t'ω')/2 + |t'||ω' - ω| + |t' - t||ω|. *)
Theorem rounding_angle (A : format) (t' t w' w : R) :
  Rabs (fl A (t' * w') - t * w)
  <= / 2 * spacing A (t' * w') + Rabs t' * Rabs (w' - w) + Rabs (t' - t) * Rabs w.
Proof.
have := Rabs_diff_triangle (fl A (t' * w')) (t' * w') (t * w); have := rounding_half_spacing A (t' * w').
have := product_diff w' w t' t; rewrite (Rmult_comm w' t') (Rmult_comm w t).
by rewrite (Rmult_comm (Rabs (w' - w))) (Rmult_comm (Rabs w)); lra.
Qed.

(** rounding.angle-binade: for an exact position with |t| <= T,
    |fl(tω') - tω| <= spacing(Tω')/2 + T|ω' - ω|. *)
Theorem rounding_angle_binade (A : format) (T t w' w : R) : Rabs t <= T ->
  Rabs (fl A (t * w') - t * w) <= / 2 * spacing A (T * w') + T * Rabs (w' - w).
Proof.
move=> t_le; have := rounding_angle A t t w' w; rewrite (Rminus_eq_0 t) Rabs_R0 Rmult_0_l Rplus_0_r.
have spaced : spacing A (t * w') <= spacing A (T * w').
  apply: spacing_le; rewrite !Rabs_mult; apply: Rmult_le_compat_r; first exact: Rabs_pos.
  by have := Rle_abs T; lra.
by have := Rmult_le_compat_r _ _ _ (Rabs_pos (w' - w)) t_le; lra.
Qed.

(** rounding.angle-cast: an angle a with |a - x| <= α, cast to a format B, satisfies
    |fl(a) - x| <= α + spacing(|x| + α)/2. *)
Theorem rounding_angle_cast (B : format) (a x alpha : R) : Rabs (a - x) <= alpha ->
  Rabs (fl B a - x) <= alpha + / 2 * spacing B (Rabs x + alpha).
Proof.
move=> a_near; have := Rabs_diff_triangle (fl B a) a x.
have : Rabs (fl B a - a) <= / 2 * spacing B (Rabs x + alpha).
  by apply: half_spacing_le; have := Rabs_by_diff a x; have := Rle_abs (Rabs x + alpha); lra.
by lra.
Qed.

(** ** Rational frequencies: the error lies on a lattice *)

Lemma float_on_grid (F : format) (a : R) (k : Z) :
  is_float F a -> bpow radix2 (k + precision F - 1) <= Rabs a ->
  exists z : Z, a = IZR z * bpow radix2 k.
Proof.
move=> a_float a_ge; set c := cexp radix2 (exponents F) a.
have c_ge : (k <= c)%Z.
  have : (k + precision F <= mag radix2 a)%Z by apply: mag_ge_bpow.
  by rewrite /c /cexp /FLT_exp; lia.
exists (Ztrunc (scaled_mantissa radix2 (exponents F) a) * 2 ^ (c - k))%Z.
rewrite mult_IZR (IZR_Zpower radix2); last by lia.
by rewrite Rmult_assoc -bpow_plus Z.sub_add.
Qed.

(** rounding.angle-lattice: for ω = P/(Q 2^s), an angle a of the format with |a| >= 2^(k+p-1), k + s <= 0,
    and any bound B on |a - nω|, |a - nω| <= floor(B Q/2^k) 2^k/Q, since the error is a multiple of 2^k/Q.
    *)
Theorem rounding_angle_lattice (A : format) (a w B : R) (n P Q s k : Z) :
  is_float A a -> bpow radix2 (k + precision A - 1) <= Rabs a ->
  (0 < Q)%Z -> (k + s <= 0)%Z -> w = IZR P / (IZR Q * bpow radix2 s) ->
  Rabs (a - IZR n * w) <= B ->
  Rabs (a - IZR n * w)
  <= IZR (Zfloor (B * IZR Q / bpow radix2 k)) * (bpow radix2 k / IZR Q).
Proof.
move=> a_float a_ge Q_gt0 shift -> a_near; have [z a_eq] := float_on_grid A a k a_float a_ge.
have Q_pos : 0 < IZR Q by exact: IZR_lt.
have := bpow_gt_0 radix2 k; have := bpow_gt_0 radix2 s => s_gt0 k_gt0.
have unit_gt0 : 0 < bpow radix2 k / IZR Q by exact: Rdiv_lt_0_compat.
have shifted : bpow radix2 (- s - k) = / bpow radix2 s * / bpow radix2 k.
  by rewrite -!bpow_opp -bpow_plus; congr bpow.
have multiple : a - IZR n * (IZR P / (IZR Q * bpow radix2 s))
    = IZR (z * Q - n * P * 2 ^ (- s - k)) * (bpow radix2 k / IZR Q).
  by rewrite a_eq minus_IZR !mult_IZR (IZR_Zpower radix2); [rewrite shifted; field; lra | lia].
move: a_near; rewrite multiple Rabs_mult -abs_IZR (Rabs_pos_eq (bpow radix2 k / IZR Q)); last by lra.
move=> a_near; apply: Rmult_le_compat_r; first by lra.
apply: IZR_le; apply: Zfloor_lub; apply: (Rmult_le_reg_r _ _ _ unit_gt0).
by have -> : B * IZR Q / bpow radix2 k * (bpow radix2 k / IZR Q) = B by field; lra.
Qed.

(** ** A priori *)

Definition angle_relative (P A : format) (n : Z) (rho : R) : R :=
  (1 + v A) * (1 + position_error P n) * (1 + rho) - 1.

Definition angle_absolute (P A : format) (n : Z) (sigma : R) : R :=
  (1 + v A) * (1 + position_error P n) * Rabs (IZR n) * sigma + eta A / 2.

Definition angle_bound (P A : format) (n : Z) (w rho sigma : R) : R :=
  Rabs (IZR n) * Rabs w * angle_relative P A n rho + angle_absolute P A n sigma.

Lemma near_angle P A n w' w rho sigma : near rho sigma w' w ->
  near (angle_relative P A n rho) (angle_absolute P A n sigma)
    (fl A (fl P (IZR n) * w')) (IZR n * w).
Proof.
move=> w_near; have moved : near (position_error P n) 0 (fl P (IZR n)) (IZR n).
  by rewrite /near Rplus_0_r; have [_ bound] := rounding_position P n.
have := near_fl A _ _ _ _ (near_mul _ _ _ _ _ _ _ _ (position_error_pos P n) (Rle_refl 0) moved w_near).
by apply: near_weaken; apply: Req_le; rewrite /angle_relative /angle_absolute; ring.
Qed.

(** rounding.angle-a-priori: for an integer position n and |ω' - ω| <= ρ|ω| + σ, with π = 0 if
    |n| <= 2^p(P) and π = v(P) otherwise, |fl_A(fl_P(n)ω') - nω| <=
    |n||ω|((1 + v(A))(1 + π)(1 + ρ) - 1) + (1 + v(A))(1 + π)|n|σ + η(A)/2. *)
Theorem rounding_angle_a_priori (P A : format) (n : Z) (w' w rho sigma : R) :
  Rabs (w' - w) <= rho * Rabs w + sigma ->
  Rabs (fl A (fl P (IZR n) * w') - IZR n * w) <= angle_bound P A n w rho sigma.
Proof.
move=> w_near; have := near_angle P A n w' w rho sigma w_near.
by rewrite /near /angle_bound Rabs_mult; lra.
Qed.

(** The memorable form: an exact position and a frequency of relative error r u
    in the format itself give an angle within (1 + r + r u) u n ω. *)
Lemma angle_relative_le (P A : format) (n : Z) (r : R) :
  0 <= r -> (Z.abs n <= 2 ^ precision P)%Z ->
  angle_relative P A n (r * u A) <= (1 + r + r * u A) * u A.
Proof.
move=> r_ge0 /Z.leb_le n_small; rewrite /angle_relative /position_error n_small.
have := Rmult_le_pos _ _ r_ge0 (Rlt_le _ _ (u_pos A)) => ru_ge0.
have : v A * (1 + r * u A) <= u A * (1 + r * u A).
  by apply: Rmult_le_compat_r; [lra | exact: v_le_u].
by lra.
Qed.

(** ** Range *)

(** rounding.angle-range: if |n| <= Ω(P) and |n||ω| + angle_bound <= Ω(A), neither the rounding of
    the position nor that of the product overflows. *)
Theorem rounding_angle_range (P A : format) (n : Z) (w' w rho sigma : R) :
  Rabs (w' - w) <= rho * Rabs w + sigma ->
  Rabs (IZR n) <= largest P ->
  Rabs (IZR n) * Rabs w + angle_bound P A n w rho sigma <= largest A ->
  Rabs (fl P (IZR n)) <= largest P /\ Rabs (fl A (fl P (IZR n) * w')) <= largest A.
Proof.
move=> w_near n_le range; split; first by have [] := rounding_overflow P (IZR n).
apply: Rle_trans range; have := rounding_angle_a_priori P A n w' w rho sigma w_near.
by have := Rabs_by_diff (fl A (fl P (IZR n) * w')) (IZR n * w); rewrite Rabs_mult; lra.
Qed.
