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
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel.

Open Scope R_scope.

(** ** Positions *)

Definition position_error (P : format) (n : Z) : R :=
  if Zle_bool (Z.abs n) (2 ^ precision P) then 0 else v P.

Lemma position_error_pos P n : 0 <= position_error P n.
Proof.
  unfold position_error. case Zle_bool; [apply Rle_refl|apply Rlt_le, v_pos].
Qed.

Lemma position_error_le P n : position_error P n <= v P.
Proof.
  unfold position_error. generalize (v_pos P).
  case Zle_bool; intros; [lra|apply Rle_refl].
Qed.

Lemma small_integer_float F n : (Z.abs n <= 2 ^ precision F)%Z -> is_float F (IZR n).
Proof.
  intro Hn. generalize (emin_small F) (precision_above_one F). intros Hmin Hp.
  case (Z_lt_le_dec (Z.abs n) (2 ^ precision F)); intro Hlt.
  - apply generic_format_FLT. exists (Float radix2 n 0); simpl; [|exact Hlt|lia].
    unfold F2R. simpl. ring.
  - apply generic_format_abs_inv. rewrite <- abs_IZR.
    replace (Z.abs n) with (2 ^ precision F)%Z by lia.
    rewrite (IZR_Zpower radix2) by lia. apply bpow_float. lia.
Qed.

(** rounding.position: an integer n is exact in a format of precision p if |n| <= 2^p, and otherwise
    |fl(n) - n| <= v|n|. *)
Theorem rounding_position (P : format) (n : Z) :
  ((Z.abs n <= 2 ^ precision P)%Z -> fl P (IZR n) = IZR n) /\
  Rabs (fl P (IZR n) - IZR n) <= position_error P n * Rabs (IZR n).
Proof.
  assert (Hsmall : (Z.abs n <= 2 ^ precision P)%Z -> fl P (IZR n) = IZR n)
    by (intro H; now apply fl_exact, small_integer_float).
  split; [exact Hsmall|].
  unfold position_error. case Zle_bool_spec; intro H.
  - rewrite Hsmall by exact H. replace (IZR n - IZR n) with 0 by ring. rewrite Rabs_R0. lra.
  - apply (rounding_standard_model P). right.
    rewrite <- abs_IZR. apply Rle_trans with (IZR (2 ^ precision P)).
    + rewrite (IZR_Zpower radix2) by (generalize (precision_above_one P); lia).
      apply bpow_le. generalize (emin_small P) (precision_above_one P). lia.
    + apply IZR_le. lia.
Qed.

(** ** From the values at hand *)

(** rounding.angle: for any position t' standing for t and frequency ω' standing for ω,
    |fl(t'ω') - tω| <= spacing(t'ω')/2 + |t'||ω' - ω| + |t' - t||ω|. *)
Theorem rounding_angle (A : format) (t' t w' w : R) :
  Rabs (fl A (t' * w') - t * w)
  <= / 2 * spacing A (t' * w') + Rabs t' * Rabs (w' - w) + Rabs (t' - t) * Rabs w.
Proof.
  generalize (Rabs_diff_triangle (fl A (t' * w')) (t' * w') (t * w))
    (rounding_half_spacing A (t' * w')) (product_diff w' w t' t).
  rewrite (Rmult_comm w' t'), (Rmult_comm w t).
  rewrite (Rmult_comm (Rabs (w' - w))), (Rmult_comm (Rabs w)). lra.
Qed.

(** rounding.angle-binade: for an exact position with |t| <= T,
    |fl(tω') - tω| <= spacing(Tω')/2 + T|ω' - ω|. *)
Theorem rounding_angle_binade (A : format) (T t w' w : R) : Rabs t <= T ->
  Rabs (fl A (t * w') - t * w) <= / 2 * spacing A (T * w') + T * Rabs (w' - w).
Proof.
  intro Ht. generalize (rounding_angle A t t w' w).
  replace (t - t) with 0 by ring. rewrite Rabs_R0, Rmult_0_l, Rplus_0_r. intro H.
  assert (Hs : spacing A (t * w') <= spacing A (T * w')).
  { apply spacing_le. rewrite !Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
    generalize (Rle_abs T). lra. }
  assert (Hw : Rabs t * Rabs (w' - w) <= T * Rabs (w' - w))
    by (apply Rmult_le_compat_r; [apply Rabs_pos|exact Ht]).
  lra.
Qed.

(** rounding.angle-cast: an angle a with |a - x| <= α, cast to a format B, satisfies
    |fl(a) - x| <= α + spacing(|x| + α)/2. *)
Theorem rounding_angle_cast (B : format) (a x alpha : R) : Rabs (a - x) <= alpha ->
  Rabs (fl B a - x) <= alpha + / 2 * spacing B (Rabs x + alpha).
Proof.
  intro H. generalize (Rabs_diff_triangle (fl B a) a x). intro Ht.
  assert (Ha : Rabs (fl B a - a) <= / 2 * spacing B (Rabs x + alpha)).
  { apply half_spacing_le. generalize (Rabs_by_diff a x) (Rle_abs (Rabs x + alpha)). lra. }
  lra.
Qed.

(** ** Rational frequencies: the error lies on a lattice *)

Lemma float_on_grid (F : format) (a : R) (k : Z) :
  is_float F a -> bpow radix2 (k + precision F - 1) <= Rabs a ->
  exists z : Z, a = IZR z * bpow radix2 k.
Proof.
  intros Ha Hk. set (c := cexp radix2 (exponents F) a).
  assert (Hc : (k <= c)%Z).
  { assert (Hmag : (k + precision F <= mag radix2 a)%Z) by (apply mag_ge_bpow; exact Hk).
    unfold c, cexp, FLT_exp. lia. }
  exists (Ztrunc (scaled_mantissa radix2 (exponents F) a) * 2 ^ (c - k))%Z.
  rewrite mult_IZR, (IZR_Zpower radix2) by lia.
  rewrite Rmult_assoc, <- bpow_plus. replace (c - k + k)%Z with c by ring.
  exact Ha.
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
  intros Ha Hk HQ Hs -> HB.
  destruct (float_on_grid A a k Ha Hk) as [z Hz].
  assert (HQ0 : 0 < IZR Q) by now apply IZR_lt.
  generalize (bpow_gt_0 radix2 k) (bpow_gt_0 radix2 s). intros Hbk Hbs.
  assert (E : a - IZR n * (IZR P / (IZR Q * bpow radix2 s))
              = IZR (z * Q - n * P * 2 ^ (- s - k)) * (bpow radix2 k / IZR Q)).
  { rewrite Hz, minus_IZR, !mult_IZR, (IZR_Zpower radix2) by lia.
    replace (bpow radix2 (- s - k)) with (/ bpow radix2 s * / bpow radix2 k).
    - field. lra.
    - rewrite <- !bpow_opp, <- bpow_plus. f_equal. }
  rewrite E in *. rewrite Rabs_mult, <- abs_IZR in *.
  assert (Hunit : 0 < bpow radix2 k / IZR Q) by now apply Rdiv_lt_0_compat.
  rewrite (Rabs_pos_eq (bpow radix2 k / IZR Q)) in * by lra.
  apply Rmult_le_compat_r; [lra|]. apply IZR_le, Zfloor_lub.
  apply Rmult_le_reg_r with (1 := Hunit).
  replace (B * IZR Q / bpow radix2 k * (bpow radix2 k / IZR Q)) with B by (field; lra).
  exact HB.
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
  intro Hw. generalize (position_error_pos P n). intro Hpi.
  assert (Ht : near (position_error P n) 0 (fl P (IZR n)) (IZR n))
    by (unfold near; rewrite Rplus_0_r; apply rounding_position).
  generalize (near_fl A _ _ _ _ (near_mul _ _ _ _ _ _ _ _ Hpi (Rle_refl 0) Ht Hw)).
  apply near_weaken; apply Req_le; unfold angle_relative, angle_absolute; ring.
Qed.

(** rounding.angle-a-priori: for an integer position n and |ω' - ω| <= ρ|ω| + σ, with π = 0 if
    |n| <= 2^p(P) and π = v(P) otherwise, |fl_A(fl_P(n)ω') - nω| <=
    |n||ω|((1 + v(A))(1 + π)(1 + ρ) - 1) + (1 + v(A))(1 + π)|n|σ + η(A)/2. *)
Theorem rounding_angle_a_priori (P A : format) (n : Z) (w' w rho sigma : R) :
  Rabs (w' - w) <= rho * Rabs w + sigma ->
  Rabs (fl A (fl P (IZR n) * w') - IZR n * w) <= angle_bound P A n w rho sigma.
Proof.
  intro Hw. generalize (near_angle P A n w' w rho sigma Hw).
  unfold near, angle_bound. rewrite Rabs_mult. lra.
Qed.

(** The memorable form: an exact position and a frequency of relative error r u
    in the format itself give an angle within (1 + r + r u) u n ω. *)
Lemma angle_relative_le (P A : format) (n : Z) (r : R) :
  0 <= r -> (Z.abs n <= 2 ^ precision P)%Z ->
  angle_relative P A n (r * u A) <= (1 + r + r * u A) * u A.
Proof.
  intros Hr Hn. unfold angle_relative, position_error.
  rewrite (proj2 (Z.leb_le _ _) Hn).
  generalize (v_le_u A) (v_pos A) (u_pos A). intros.
  assert (v A * (1 + r * u A) <= u A * (1 + r * u A)) by (apply Rmult_le_compat_r; nra).
  lra.
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
  intros Hw Hn Hrange. split.
  - now apply rounding_overflow.
  - generalize (rounding_angle_a_priori P A n w' w rho sigma Hw)
      (Rabs_by_diff (fl A (fl P (IZR n) * w')) (IZR n * w)).
    rewrite Rabs_mult. lra.
Qed.
