(** * The error of a table entry

  What is claimed.  A table entry sin(nω) or cos(nω), computed by a library
  function accurate to κ units in the last place at a computed angle and stored
  in a possibly different format, is bounded along each code path by one formula.

  Dictionary (P, W, A, S: formats of position, frequency, angle and storage; n: position):
  - [wave even] == sin for an even component (2i), cos for an odd one (2i+1);
  - [chord α] == 2 sin(min(α, π)/2): the most that sin or cos changes over α;
  - [entry_bound A κ α M s] == min(2, α + κ spacing_A(M) + s);
  - [storage_bound A S κ M] == spacing_S(min(1, M + κ spacing_A(M)))/2;
  - [table_bound P A κ n ω ρ σ s] == min(2, |n||ω| ((1+v_A)(1+π)(1+ρ) - 1)
      + (1+v_A)(1+π)|n|σ + η_A/2 + κ u_A + s)   (see RoundingAngle.v);
    s == u_S/2, or 0 where the library's value is a number of the storage format.

  Formulas, for a computed angle a with |a - x| <= α and an entry T:
    |sin a - sin x|, |cos a - cos x| <= chord(α) <= min(2, α)             [rounding_wave]
                                    <= α min(1, |wave'(x)| + α/2)   [rounding_wave_slope]
    |T - wave(x)| <= min(2, α + κ spacing_A(M) + spacing_S(...)/2)
        where |wave(a)| <= M, e.g. M = 1 or, for sin, M = |a|           [rounding_table_entry]
    the same with α min(1, |wave'(x)| + α/2) for α and
        M = min(1, |wave(x)| + α)                               [rounding_table_entry_slope]
    |T - wave(x)| <= min(2, α + κ u_A + u_S/2)                           [rounding_table_unit]
    |T - wave(nω)| <= table_bound(ρ, σ) with |ω' - ω| <= ρ|ω| + σ   [rounding_table_a_priori]
    |T - wave(nω)| <= min(2, α min(1, D + α/2) + κ spacing_A(min(1, M + α)) + e),
        α = spacing_A(Tω')/2 + T|ω' - ω|, for |n| <= T, |wave'(nω)| <= D, |wave(nω)| <= M:
        the bound of a stretch of positions                     [rounding_table_instance]
    ‖(T_cos, T_sin) - (cos x, sin x)‖ <= min(2, α) + √2 (κ u_A + e)     [rounding_table_pair]
        with e = u_S/2, or 0 if stored without rounding
  The code paths, each with its ρ and σ, are in RoundingPaths.v.

  Assumes: the library's value lies in [-1, 1] and is within κ ulp at the angle
  given; no overflow (the range of the angle: rounding_angle_range).
  Not claimed: the κ of any library; fast-math variants with large arguments. *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingAngle RoundingPlane.

Open Scope R_scope.

Definition wave (even : bool) : R -> R := if even then sin else cos.
Definition chord (alpha : R) : R := 2 * sin (Rmin alpha PI / 2).

(** ** sin and cos *)

Lemma wave_abs_le_1 even x : Rabs (wave even x) <= 1.
Proof. destruct even; apply Rabs_le; [apply SIN_bound|apply COS_bound]. Qed.

(** |sin| is even and increases to pi/2. *)
Lemma abs_sin_half_le d alpha : Rabs d <= alpha ->
  2 * Rabs (sin (d / 2)) <= chord alpha.
Proof.
  intro Hd. unfold chord. generalize PI_RGT_0 (Rabs_pos d). intros Hpi Hd0.
  apply Rmult_le_compat_l; [lra|].
  case (Rle_lt_dec PI alpha); intro Ha.
  - rewrite Rmin_right, sin_PI2 by exact Ha.
    apply Rabs_le, SIN_bound.
  - rewrite Rmin_left by lra.
    replace (Rabs (sin (d / 2))) with (sin (Rabs d / 2)).
    + apply sin_incr_1; lra.
    + unfold Rabs at 1. destruct (Rcase_abs d) as [H | H].
      * rewrite Rabs_left1 in Hd by lra.
        replace (- d / 2) with (- (d / 2)) by field. rewrite sin_neg.
        rewrite Rabs_left1; [reflexivity|].
        enough (0 <= sin (- (d / 2))) by (rewrite sin_neg in *; lra).
        apply sin_ge_0; lra.
      * rewrite Rabs_pos_eq in Hd by lra.
        rewrite Rabs_pos_eq; [reflexivity|]. apply sin_ge_0; lra.
Qed.

Lemma chord_le alpha : 0 <= alpha -> chord alpha <= Rmin 2 alpha.
Proof.
  intro Ha. unfold chord. generalize PI_RGT_0. intro Hpi.
  assert (Hm : 0 <= Rmin alpha PI / 2)
    by (generalize (Rmin_glb alpha PI 0 Ha ltac:(lra)); lra).
  generalize (abs_sin_le (Rmin alpha PI / 2)) (SIN_bound (Rmin alpha PI / 2))
    (Rle_abs (sin (Rmin alpha PI / 2))) (Rmin_l alpha PI).
  rewrite (Rabs_pos_eq (Rmin alpha PI / 2)) by exact Hm.
  intros. apply Rmin_glb; lra.
Qed.

(** rounding.wave: if |a - x| <= α then |sin a - sin x| and |cos a - cos x| are at most
    2 sin(min(α, π)/2), which is at most min(2, α). *)
Theorem rounding_wave (even : bool) (a x alpha : R) : Rabs (a - x) <= alpha ->
  Rabs (wave even a - wave even x) <= chord alpha /\ chord alpha <= Rmin 2 alpha.
Proof.
  intro H. split; [|apply chord_le; generalize (Rabs_pos (a - x)); lra].
  apply Rle_trans with (2 := abs_sin_half_le _ _ H).
  destruct even; simpl.
  - rewrite form4, Rabs_mult, Rabs_mult, (Rabs_pos_eq 2) by lra.
    assert (Rabs (cos ((a + x) / 2)) <= 1) by (apply Rabs_le, COS_bound).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    rewrite <- (Rmult_1_l (Rabs (sin ((a - x) / 2)))) at 2.
    apply Rmult_le_compat_r; [apply Rabs_pos|assumption].
  - rewrite form2, !Rabs_mult, (Rabs_left (-2)) by lra.
    assert (Rabs (sin ((a + x) / 2)) <= 1) by (apply Rabs_le, SIN_bound).
    replace (- (-2)) with 2 by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    rewrite <- (Rmult_1_r (Rabs (sin ((a - x) / 2)))) at 2.
    apply Rmult_le_compat_l; [apply Rabs_pos|assumption].
Qed.

Lemma wave_diff_le even a x alpha : Rabs (a - x) <= alpha ->
  Rabs (wave even a - wave even x) <= alpha.
Proof.
  intro H. destruct (rounding_wave even a x alpha H) as [H1 H2].
  generalize (Rmin_r 2 alpha). lra.
Qed.

(** rounding.wave-slope: if |a - x| <= α then |sin a - sin x| <= α min(1, |cos x| + α/2) and
    |cos a - cos x| <= α min(1, |sin x| + α/2). *)
Theorem rounding_wave_slope (even : bool) (a x alpha : R) : Rabs (a - x) <= alpha ->
  Rabs (wave even a - wave even x) <= alpha * Rmin 1 (Rabs (wave (negb even) x) + alpha / 2).
Proof.
  intro H.
  assert (Hmid : Rabs ((a + x) / 2 - x) <= alpha / 2).
  { replace ((a + x) / 2 - x) with ((a - x) * / 2) by field.
    rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra. lra. }
  assert (Hslope : Rabs (wave (negb even) ((a + x) / 2))
                   <= Rmin 1 (Rabs (wave (negb even) x) + alpha / 2)).
  { apply Rmin_glb; [apply wave_abs_le_1|].
    generalize (wave_diff_le (negb even) _ _ _ Hmid)
      (Rabs_by_diff (wave (negb even) ((a + x) / 2)) (wave (negb even) x)). lra. }
  assert (Hsin : 2 * Rabs (sin ((a - x) / 2)) <= alpha).
  { generalize (abs_sin_le ((a - x) / 2)).
    unfold Rdiv. rewrite (Rabs_mult (a - x)), (Rabs_pos_eq (/ 2)) by lra. lra. }
  apply Rle_trans with (2 * Rabs (sin ((a - x) / 2)) * Rabs (wave (negb even) ((a + x) / 2))).
  - destruct even; simpl; [rewrite form4|rewrite form2]; rewrite !Rabs_mult.
    + rewrite (Rabs_pos_eq 2) by lra. lra.
    + rewrite (Rabs_left (-2)) by lra. lra.
  - apply Rmult_le_compat; auto using Rabs_pos.
    generalize (Rabs_pos (sin ((a - x) / 2))). lra.
Qed.

(** ** One entry *)

Definition storage_bound (A S : format) (kappa M : R) : R :=
  / 2 * spacing S (Rmin 1 (M + kappa * spacing A M)).

Definition entry_bound (A : format) (kappa alpha M storage : R) : R :=
  Rmin 2 (alpha + kappa * spacing A M + storage).

Lemma entry_error (A S : format) even kappa a x s slope M storage :
  0 <= kappa -> Rabs (wave even a - wave even x) <= slope ->
  accurate A kappa s (wave even a) -> Rabs (wave even a) <= M ->
  Rabs s <= 1 -> Rabs (fl S s - s) <= storage ->
  Rabs (fl S s - wave even x) <= entry_bound A kappa slope M storage.
Proof.
  unfold accurate. intros Hk Hw Hs HM Hs1 Hst.
  generalize (wave_abs_le_1 even x). intro Hx1.
  assert (Hst1 : Rabs (fl S s) <= 1) by (apply fl_abs_le; auto using is_float_1).
  assert (Hsp : kappa * spacing A (wave even a) <= kappa * spacing A M).
  { apply Rmult_le_compat_l; [exact Hk|]. apply spacing_le.
    generalize (Rle_abs M). lra. }
  apply Rmin_glb.
  - generalize (Rabs_triang (fl S s) (- wave even x)). rewrite Rabs_Ropp.
    unfold Rminus. lra.
  - generalize (Rabs_diff_triangle (fl S s) s (wave even x))
      (Rabs_diff_triangle s (wave even a) (wave even x)). lra.
Qed.

(** Storing a library value, with or without a rounding. *)
Lemma entry_stored (A S : format) even kappa a x s slope M :
  0 <= kappa -> Rabs (wave even a - wave even x) <= slope ->
  accurate A kappa s (wave even a) -> Rabs (wave even a) <= M -> Rabs s <= 1 ->
  Rabs (fl S s - wave even x) <= entry_bound A kappa slope M (storage_bound A S kappa M) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= entry_bound A kappa slope M 0).
Proof.
  intros Hk Hw Hs HM Hs1. split; [|intro Hf]; apply entry_error with a; auto.
  - apply half_spacing_le.
    assert (Hb : Rabs s <= Rmin 1 (M + kappa * spacing A M)).
    { apply Rmin_glb; [exact Hs1|].
      assert (kappa * spacing A (wave even a) <= kappa * spacing A M).
      { apply Rmult_le_compat_l; [exact Hk|]. apply spacing_le.
        generalize (Rle_abs M). lra. }
      unfold accurate in Hs. generalize (Rabs_by_diff s (wave even a)). lra. }
    apply Rle_trans with (1 := Hb), Rle_abs.
  - rewrite fl_exact by exact Hf. replace (s - s) with 0 by ring. rewrite Rabs_R0. lra.
Qed.

(** rounding.table-entry: for |a - x| <= α, a library value s in [-1, 1] within κ ulp (of the format A) of
    wave(a), and |wave(a)| <= M, the stored value satisfies |fl_S(s) - wave(x)| <= min(2, α + κ spacing_A(M)
    + spacing_S(min(1, M + κ spacing_A(M)))/2), without the last term if s is in S. *)
Theorem rounding_table_entry (A S : format) (even : bool) (kappa a x s alpha M : R) :
  0 <= kappa -> Rabs (a - x) <= alpha ->
  accurate A kappa s (wave even a) -> Rabs (wave even a) <= M -> Rabs s <= 1 ->
  Rabs (fl S s - wave even x) <= entry_bound A kappa alpha M (storage_bound A S kappa M) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= entry_bound A kappa alpha M 0).
Proof. intros Hk Ha. apply entry_stored; [exact Hk|]. now apply wave_diff_le. Qed.

(** rounding.table-entry-slope: for |a - x| <= α, a library value s in [-1, 1] within κ ulp of wave(a), D =
    |cos x| for sin and |sin x| for cos, and M = min(1, |wave(x)| + α), |fl_S(s) - wave(x)| <= min(2, α
    min(1, D + α/2) + κ spacing_A(M) + spacing_S(min(1, M + κ spacing_A(M)))/2), without the last term if s
    is in S. *)
Theorem rounding_table_entry_slope (A S : format) (even : bool) (kappa a x s alpha : R) :
  0 <= kappa -> Rabs (a - x) <= alpha -> accurate A kappa s (wave even a) -> Rabs s <= 1 ->
  let slope := alpha * Rmin 1 (Rabs (wave (negb even) x) + alpha / 2) in
  let M := Rmin 1 (Rabs (wave even x) + alpha) in
  Rabs (fl S s - wave even x) <= entry_bound A kappa slope M (storage_bound A S kappa M) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= entry_bound A kappa slope M 0).
Proof.
  intros Hk Ha Hs Hs1 slope M. apply entry_stored with a; auto.
  - now apply rounding_wave_slope.
  - apply Rmin_glb; [apply wave_abs_le_1|].
    generalize (wave_diff_le even a x alpha Ha) (Rabs_by_diff (wave even a) (wave even x)). lra.
Qed.

(** The sine of a small angle: M = |a|. *)
Lemma sine_magnitude a : Rabs (wave true a) <= Rmin 1 (Rabs a).
Proof. apply Rmin_glb; [apply (wave_abs_le_1 true)|apply abs_sin_le]. Qed.

(** rounding.table-unit: for |a - x| <= α and a library value s in [-1, 1] within κ ulp of wave(a),
    |fl_S(s) - wave(x)| <= min(2, α + κu_A + u_S/2), without u_S/2 if s is in S. *)
Theorem rounding_table_unit (A S : format) (even : bool) (kappa a x s alpha : R) :
  0 <= kappa -> Rabs (a - x) <= alpha ->
  accurate A kappa s (wave even a) -> Rabs s <= 1 ->
  Rabs (fl S s - wave even x) <= Rmin 2 (alpha + kappa * u A + u S / 2) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= Rmin 2 (alpha + kappa * u A)).
Proof.
  intros Hk Ha Hs Hs1.
  destruct (rounding_table_entry A S even kappa a x s alpha 1 Hk Ha Hs
              (wave_abs_le_1 even a) Hs1) as [H1 H2].
  assert (HA : kappa * spacing A 1 <= kappa * u A)
    by (apply Rmult_le_compat_l; [exact Hk|apply spacing_unit; rewrite Rabs_R1; lra]).
  assert (HS : storage_bound A S kappa 1 <= u S / 2).
  { unfold storage_bound. generalize (Rmult_le_pos _ _ Hk (Rlt_le _ _ (spacing_pos A 1))).
    intro Hpos. rewrite Rmin_left by lra.
    generalize (spacing_unit S 1). rewrite Rabs_R1. lra. }
  unfold entry_bound in H1, H2. split; [|intro Hf].
  - apply Rle_trans with (1 := H1). apply Rle_min_compat_l. lra.
  - apply Rle_trans with (1 := H2 Hf). apply Rle_min_compat_l. lra.
Qed.

(** ** From position and frequency *)

Definition table_bound (P A : format) (kappa : R) (n : Z) (w rho sigma storage : R) : R :=
  Rmin 2 (angle_bound P A n w rho sigma + kappa * u A + storage).

(** [table_value A S κ even a storage T]: T is the stored library value at the angle a. *)
Definition table_value (A S : format) (kappa : R) (even : bool) (a storage T : R) : Prop :=
  exists s, accurate A kappa s (wave even a) /\ Rabs s <= 1 /\
    T = fl S s /\ (storage = u S / 2 \/ storage = 0 /\ is_float S s).

(** [table_entry P A S κ n w' even storage T]: T is an entry computed from the frequency w'. *)
Definition table_entry (P A S : format) (kappa : R) (n : Z) (w' : R) (even : bool) : R -> R -> Prop :=
  table_value A S kappa even (fl A (fl P (IZR n) * w')).

Lemma table_value_error A S kappa even a x alpha storage T :
  0 <= kappa -> Rabs (a - x) <= alpha -> table_value A S kappa even a storage T ->
  Rabs (T - wave even x) <= Rmin 2 (alpha + kappa * u A + storage).
Proof.
  intros Hk Ha (s & Hs & Hs1 & -> & Hst).
  destruct (rounding_table_unit A S even kappa a x s alpha Hk Ha Hs Hs1) as [H1 H2].
  destruct Hst as [-> | [-> Hf]].
  - exact H1.
  - rewrite Rplus_0_r. exact (H2 Hf).
Qed.

(** rounding.table-a-priori: an entry T computed at an integer position n from a frequency ω' with |ω' - ω|
    <= ρ|ω| + σ satisfies |T - wave(nω)| <= min(2, |n||ω|((1 + v_A)(1 + π)(1 + ρ) - 1) + (1 + v_A)(1 +
    π)|n|σ + η_A/2 + κu_A + s) with s = u_S/2, or s = 0 if no rounding is needed to store it. *)
Theorem rounding_table_a_priori (P A S : format) (kappa : R) (n : Z)
    (w' w rho sigma : R) (even : bool) (storage T : R) :
  0 <= kappa -> near rho sigma w' w ->
  table_entry P A S kappa n w' even storage T ->
  Rabs (T - wave even (IZR n * w)) <= table_bound P A kappa n w rho sigma storage.
Proof.
  intros Hk Hw. apply table_value_error; [exact Hk|]. now apply rounding_angle_a_priori.
Qed.

(** rounding.table-instance: over the positions |n| <= T with |wave'(nω)| <= D and |wave(nω)| <= M,
    positions exact in P and α = spacing_A(Tω')/2 + T|ω' - ω|, an entry stored with error e satisfies |T_n -
    wave(nω)| <= min(2, α min(1, D + α/2) + κ spacing_A(min(1, M + α)) + e), e = u_S/2 or 0. *)
Theorem rounding_table_instance (P A S : format) (kappa T D M : R) (n : Z)
    (w' w : R) (even : bool) (storage entry : R) :
  0 <= kappa -> (Z.abs n <= 2 ^ precision P)%Z -> Rabs (IZR n) <= T ->
  Rabs (wave (negb even) (IZR n * w)) <= D -> Rabs (wave even (IZR n * w)) <= M ->
  table_entry P A S kappa n w' even storage entry ->
  let alpha := / 2 * spacing A (T * w') + T * Rabs (w' - w) in
  Rabs (entry - wave even (IZR n * w))
  <= Rmin 2 (alpha * Rmin 1 (D + alpha / 2) + kappa * spacing A (Rmin 1 (M + alpha)) + storage).
Proof.
  intros Hk Hn HT HD HM (s & Hs & Hs1 & -> & Hst) alpha.
  rewrite (proj1 (rounding_position P n) Hn) in Hs.
  assert (Ha := rounding_angle_binade A T (IZR n) w' w HT). fold alpha in Ha.
  assert (Ha0 : 0 <= alpha) by (generalize (Rabs_pos (fl A (IZR n * w') - IZR n * w)); lra).
  set (a := fl A (IZR n * w')) in *. set (x := IZR n * w) in *.
  assert (Hw : Rabs (wave even a - wave even x) <= alpha * Rmin 1 (D + alpha / 2)).
  { apply Rle_trans with (1 := rounding_wave_slope even a x alpha Ha).
    apply Rmult_le_compat_l; [exact Ha0|]. apply Rle_min_compat_l. lra. }
  assert (HaM : Rabs (wave even a) <= Rmin 1 (M + alpha)).
  { apply Rmin_glb; [apply wave_abs_le_1|].
    generalize (wave_diff_le even a x alpha Ha) (Rabs_by_diff (wave even a) (wave even x)). lra. }
  apply entry_error with a; auto.
  destruct Hst as [-> | [-> Hf]].
  - generalize (rounding_half_spacing S s) (spacing_unit S s Hs1). lra.
  - rewrite fl_exact by exact Hf. replace (s - s) with 0 by ring. rewrite Rabs_R0. lra.
Qed.

(** ** The pair of entries as a point of the plane *)

(** Two points of the unit circle are within the angle between them, and within 2. *)
Lemma unit_chord_le a x alpha : Rabs (a - x) <= alpha ->
  plane_norm (cos a - cos x) (sin a - sin x) <= Rmin 2 alpha.
Proof.
  intro Ha. apply Rmin_glb; [|generalize (plane_norm_chord a x); lra].
  unfold Rminus. rewrite <- neg_cos, <- neg_sin.
  generalize (plane_norm_triangle (cos a) (sin a) (cos (x + PI)) (sin (x + PI))).
  rewrite !plane_norm_unit. lra.
Qed.

(** rounding.table-phasor: if |c - cos a| and |s - sin a| are at most ε and |a - x| <= α then the point
    (c, s) is within min(2, α) + √2 ε of (cos x, sin x). *)
Theorem rounding_table_phasor (c s a x alpha epsilon : R) :
  Rabs (a - x) <= alpha ->
  Rabs (c - cos a) <= epsilon -> Rabs (s - sin a) <= epsilon ->
  plane_norm (c - cos x) (s - sin x) <= Rmin 2 alpha + sqrt 2 * epsilon.
Proof.
  intros Ha Hc Hs.
  replace (c - cos x) with ((c - cos a) + (cos a - cos x)) by ring.
  replace (s - sin x) with ((s - sin a) + (sin a - sin x)) by ring.
  generalize (plane_norm_triangle (c - cos a) (s - sin a) (cos a - cos x) (sin a - sin x))
    (plane_norm_box _ _ _ Hc Hs) (unit_chord_le a x alpha Ha). lra.
Qed.

(** rounding.table-pair: the two entries at a computed angle a with |a - x| <= α, each stored with
    error e, are within min(2, α) + √2 (κu_A + e) of (cos x, sin x). *)
Theorem rounding_table_pair (A S : format) (kappa a x alpha storage c s : R) :
  0 <= kappa -> Rabs (a - x) <= alpha ->
  table_value A S kappa false a storage c -> table_value A S kappa true a storage s ->
  plane_norm (c - cos x) (s - sin x) <= Rmin 2 alpha + sqrt 2 * (kappa * u A + storage).
Proof.
  intros Hk Ha Hc Hs.
  assert (H0 : Rabs (a - a) <= 0) by (replace (a - a) with 0 by ring; rewrite Rabs_R0; lra).
  generalize (table_value_error _ _ _ _ _ _ _ _ _ Hk H0 Hc) (table_value_error _ _ _ _ _ _ _ _ _ Hk H0 Hs).
  generalize (Rmin_r 2 (0 + kappa * u A + storage)). simpl. intros Hmin Ec Es.
  apply rounding_table_phasor with a; [exact Ha|lra|lra].
Qed.
