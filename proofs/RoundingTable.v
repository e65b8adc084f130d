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
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingAngle RoundingPlane.

Open Scope R_scope.

Definition wave (even : bool) : R -> R := if even then sin else cos.
Definition chord (alpha : R) : R := 2 * sin (Rmin alpha PI / 2).

(** ** sin and cos *)

Lemma wave_abs_le_1 even x : Rabs (wave even x) <= 1.
Proof. by case: even; apply: Rabs_le; [exact: SIN_bound | exact: COS_bound]. Qed.

(** |sin| is even and increases to pi/2. *)
Lemma abs_sin_half_le d alpha : Rabs d <= alpha ->
  2 * Rabs (sin (d / 2)) <= chord alpha.
Proof.
move=> d_le; rewrite /chord; have pi_gt0 := PI_RGT_0; have d_ge0 := Rabs_pos d.
apply: Rmult_le_compat_l; first by lra.
case: (Rle_lt_dec PI alpha) => [alpha_ge|alpha_lt].
  by rewrite Rmin_right // sin_PI2; apply: Rabs_le; exact: SIN_bound.
rewrite Rmin_left; last by lra.
have -> : Rabs (sin (d / 2)) = sin (Rabs d / 2); last by apply: sin_incr_1; lra.
case: (Rle_lt_dec 0 d) => [d_pos|d_neg].
  by move: d_le; rewrite (Rabs_pos_eq d) // => d_le; rewrite Rabs_pos_eq //; apply: sin_ge_0; lra.
move: d_le; rewrite (Rabs_left d) // => d_le.
have -> : - d / 2 = - (d / 2) by field.
have : 0 <= sin (- (d / 2)) by apply: sin_ge_0; lra.
by rewrite sin_neg => sin_le; rewrite Rabs_left1; lra.
Qed.

Lemma chord_le alpha : 0 <= alpha -> chord alpha <= Rmin 2 alpha.
Proof.
move=> alpha_ge0; rewrite /chord; have pi_gt0 := PI_RGT_0.
have least_ge0 : 0 <= Rmin alpha PI by apply: Rmin_glb; lra.
have half_ge0 : 0 <= Rmin alpha PI / 2 by lra.
have := abs_sin_le (Rmin alpha PI / 2); have := SIN_bound (Rmin alpha PI / 2).
have := Rle_abs (sin (Rmin alpha PI / 2)); have := Rmin_l alpha PI.
by rewrite (Rabs_pos_eq (Rmin alpha PI / 2)) // => *; apply: Rmin_glb; lra.
Qed.

(** rounding.wave: if |a - x| <= α then |sin a - sin x| and |cos a - cos x| are at most
    2 sin(min(α, π)/2), which is at most min(2, α). *)
Theorem rounding_wave (even : bool) (a x alpha : R) : Rabs (a - x) <= alpha ->
  Rabs (wave even a - wave even x) <= chord alpha /\ chord alpha <= Rmin 2 alpha.
Proof.
move=> a_near; split; last by apply: chord_le; have := Rabs_pos (a - x); lra.
apply: Rle_trans (abs_sin_half_le _ _ a_near).
case: even => /=.
  rewrite form4 !Rabs_mult (Rabs_pos_eq 2); last by lra.
  have cos_le : Rabs (cos ((a + x) / 2)) <= 1 by apply: Rabs_le; exact: COS_bound.
  by have := Rmult_le_compat_r _ _ _ (Rabs_pos (sin ((a - x) / 2))) cos_le; lra.
rewrite form2 !Rabs_mult (Rabs_left (-2)); last by lra.
have sin_le : Rabs (sin ((a + x) / 2)) <= 1 by apply: Rabs_le; exact: SIN_bound.
by have := Rmult_le_compat_r _ _ _ (Rabs_pos (sin ((a - x) / 2))) sin_le; lra.
Qed.

Lemma wave_diff_le even a x alpha : Rabs (a - x) <= alpha ->
  Rabs (wave even a - wave even x) <= alpha.
Proof.
by move=> a_near; have [chord_ge chord_min] := rounding_wave even a x alpha a_near; have := Rmin_r 2 alpha; lra.
Qed.

(** rounding.wave-slope: if |a - x| <= α then |sin a - sin x| <= α min(1, |cos x| + α/2) and
    |cos a - cos x| <= α min(1, |sin x| + α/2). *)
Theorem rounding_wave_slope (even : bool) (a x alpha : R) : Rabs (a - x) <= alpha ->
  Rabs (wave even a - wave even x) <= alpha * Rmin 1 (Rabs (wave (negb even) x) + alpha / 2).
Proof.
move=> a_near; set middle := (a + x) / 2.
have middle_near : Rabs (middle - x) <= alpha / 2.
  have -> : middle - x = (a - x) * / 2 by rewrite /middle; field.
  by rewrite Rabs_mult (Rabs_pos_eq (/ 2)); lra.
have slope_le : Rabs (wave (negb even) middle) <= Rmin 1 (Rabs (wave (negb even) x) + alpha / 2).
  apply: Rmin_glb; first exact: wave_abs_le_1.
  have := wave_diff_le (negb even) _ _ _ middle_near.
  by have := Rabs_by_diff (wave (negb even) middle) (wave (negb even) x); lra.
have sin_le : 2 * Rabs (sin ((a - x) / 2)) <= alpha.
  have := abs_sin_le ((a - x) / 2).
  by rewrite {2}/Rdiv (Rabs_mult (a - x)) (Rabs_pos_eq (/ 2)); lra.
have sin_ge0 : 0 <= 2 * Rabs (sin ((a - x) / 2)) by have := Rabs_pos (sin ((a - x) / 2)); lra.
apply: (Rle_trans _ (2 * Rabs (sin ((a - x) / 2)) * Rabs (wave (negb even) middle))).
  clear slope_le; rewrite /middle; case: even => /=.
    by rewrite form4 !Rabs_mult (Rabs_pos_eq 2); lra.
  by rewrite form2 !Rabs_mult (Rabs_left (-2)); lra.
by apply: Rmult_le_compat => //; exact: Rabs_pos.
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
rewrite /accurate => kappa_ge0 wave_near s_near wave_le s_le storage_le.
have entry_le : Rabs (fl S s) <= 1 by apply: fl_abs_le => //; exact: is_float_1.
have spaced : kappa * spacing A (wave even a) <= kappa * spacing A M.
  by apply: Rmult_le_compat_l => //; apply: spacing_le; have := Rle_abs M; lra.
apply: Rmin_glb.
  by have := Rabs_triang (fl S s) (- wave even x); have := wave_abs_le_1 even x; rewrite Rabs_Ropp /Rminus; lra.
have := Rabs_diff_triangle (fl S s) s (wave even x).
by have := Rabs_diff_triangle s (wave even a) (wave even x); lra.
Qed.

(** Storing a library value, with or without a rounding. *)
Lemma entry_stored (A S : format) even kappa a x s slope M :
  0 <= kappa -> Rabs (wave even a - wave even x) <= slope ->
  accurate A kappa s (wave even a) -> Rabs (wave even a) <= M -> Rabs s <= 1 ->
  Rabs (fl S s - wave even x) <= entry_bound A kappa slope M (storage_bound A S kappa M) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= entry_bound A kappa slope M 0).
Proof.
move=> kappa_ge0 wave_near s_near wave_le s_le.
have error storage : Rabs (fl S s - s) <= storage ->
    Rabs (fl S s - wave even x) <= entry_bound A kappa slope M storage.
  by move=> storage_le; exact: (entry_error A S even kappa a x s).
split=> [|s_float]; apply: error; last by rewrite fl_exact // Rminus_eq_0 Rabs_R0; lra.
apply: half_spacing_le; apply: (Rle_trans _ (Rmin 1 (M + kappa * spacing A M))); last exact: Rle_abs.
apply: Rmin_glb => //.
have : kappa * spacing A (wave even a) <= kappa * spacing A M.
  by apply: Rmult_le_compat_l => //; apply: spacing_le; have := Rle_abs M; lra.
by move: s_near; rewrite /accurate; have := Rabs_by_diff s (wave even a); lra.
Qed.

(** rounding.table-entry: for |a - x| <= α, a library value s in [-1, 1] within κ ulp (of the format A) of
    wave(a), and |wave(a)| <= M, the stored value satisfies |fl_S(s) - wave(x)| <= min(2, α + κ spacing_A(M)
    + spacing_S(min(1, M + κ spacing_A(M)))/2), without the last term if s is in S. *)
Theorem rounding_table_entry (A S : format) (even : bool) (kappa a x s alpha M : R) :
  0 <= kappa -> Rabs (a - x) <= alpha ->
  accurate A kappa s (wave even a) -> Rabs (wave even a) <= M -> Rabs s <= 1 ->
  Rabs (fl S s - wave even x) <= entry_bound A kappa alpha M (storage_bound A S kappa M) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= entry_bound A kappa alpha M 0).
Proof. by move=> kappa_ge0 a_near; apply: entry_stored => //; exact: wave_diff_le. Qed.

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
move=> kappa_ge0 a_near s_near s_le slope M; apply: (entry_stored A S even kappa a) => //.
  exact: rounding_wave_slope.
apply: Rmin_glb; first exact: wave_abs_le_1.
by have := wave_diff_le even a x alpha a_near; have := Rabs_by_diff (wave even a) (wave even x); lra.
Qed.

(** The sine of a small angle: M = |a|. *)
Lemma sine_magnitude a : Rabs (wave true a) <= Rmin 1 (Rabs a).
Proof. by apply: Rmin_glb; [exact: (wave_abs_le_1 true) | exact: abs_sin_le]. Qed.

(** rounding.table-unit: for |a - x| <= α and a library value s in [-1, 1] within κ ulp of wave(a),
    |fl_S(s) - wave(x)| <= min(2, α + κu_A + u_S/2), without u_S/2 if s is in S. *)
Theorem rounding_table_unit (A S : format) (even : bool) (kappa a x s alpha : R) :
  0 <= kappa -> Rabs (a - x) <= alpha ->
  accurate A kappa s (wave even a) -> Rabs s <= 1 ->
  Rabs (fl S s - wave even x) <= Rmin 2 (alpha + kappa * u A + u S / 2) /\
  (is_float S s -> Rabs (fl S s - wave even x) <= Rmin 2 (alpha + kappa * u A)).
Proof.
move=> kappa_ge0 a_near s_near s_le.
have [rounded exact_entry] :=
  rounding_table_entry A S even kappa a x s alpha 1 kappa_ge0 a_near s_near (wave_abs_le_1 even a) s_le.
have one_le : Rabs 1 <= 1 by rewrite Rabs_R1; exact: Rle_refl.
have spaced := Rmult_le_compat_l _ _ _ kappa_ge0 (spacing_unit A 1 one_le).
have storage_le : storage_bound A S kappa 1 <= u S / 2.
  rewrite /storage_bound; have := Rmult_le_pos _ _ kappa_ge0 (Rlt_le _ _ (spacing_pos A 1)) => excess_ge0.
  by rewrite Rmin_left; [have := spacing_unit S 1 one_le | ]; lra.
rewrite /entry_bound in rounded exact_entry; split=> [|s_float].
  by apply: Rle_trans rounded _; apply: Rle_min_compat_l; lra.
by apply: Rle_trans (exact_entry s_float) _; apply: Rle_min_compat_l; lra.
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
move=> kappa_ge0 a_near [s [s_near [s_le [-> stored]]]].
have [rounded exact_entry] := rounding_table_unit A S even kappa a x s alpha kappa_ge0 a_near s_near s_le.
by case: stored => [->|[-> s_float]] //; rewrite Rplus_0_r; exact: exact_entry.
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
by move=> kappa_ge0 w_near; apply: table_value_error => //; exact: rounding_angle_a_priori.
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
move=> kappa_ge0 n_small n_le slope_le wave_le [s [s_near [s_le [-> stored]]]] alpha.
have [exact_position _] := rounding_position P n; rewrite exact_position // in s_near.
have a_near := rounding_angle_binade A T (IZR n) w' w n_le; rewrite -/alpha in a_near.
have alpha_ge0 : 0 <= alpha by have := Rabs_pos (fl A (IZR n * w') - IZR n * w); lra.
set a := fl A (IZR n * w') in s_near a_near; set x := IZR n * w in slope_le wave_le a_near *.
have wave_near : Rabs (wave even a - wave even x) <= alpha * Rmin 1 (D + alpha / 2).
  apply: Rle_trans (rounding_wave_slope even a x alpha a_near) _.
  by apply: Rmult_le_compat_l => //; apply: Rle_min_compat_l; lra.
have a_le : Rabs (wave even a) <= Rmin 1 (M + alpha).
  apply: Rmin_glb; first exact: wave_abs_le_1.
  by have := wave_diff_le even a x alpha a_near; have := Rabs_by_diff (wave even a) (wave even x); lra.
apply: (entry_error A S even kappa a x s) => //; case: stored => [->|[-> s_float]].
  by have := rounding_half_spacing S s; have := spacing_unit S s s_le; lra.
by rewrite fl_exact // Rminus_eq_0 Rabs_R0; lra.
Qed.

(** ** The pair of entries as a point of the plane *)

(** Two points of the unit circle are within the angle between them, and within 2. *)
Lemma unit_chord_le a x alpha : Rabs (a - x) <= alpha ->
  plane_norm (cos a - cos x) (sin a - sin x) <= Rmin 2 alpha.
Proof.
move=> a_near; apply: Rmin_glb; last by have := plane_norm_chord a x; lra.
rewrite /Rminus -neg_cos -neg_sin.
by have := plane_norm_triangle (cos a) (sin a) (cos (x + PI)) (sin (x + PI)); rewrite !plane_norm_unit; lra.
Qed.

(** rounding.table-phasor: if |c - cos a| and |s - sin a| are at most ε and |a - x| <= α then the point
    (c, s) is within min(2, α) + √2 ε of (cos x, sin x). *)
Theorem rounding_table_phasor (c s a x alpha epsilon : R) :
  Rabs (a - x) <= alpha ->
  Rabs (c - cos a) <= epsilon -> Rabs (s - sin a) <= epsilon ->
  plane_norm (c - cos x) (s - sin x) <= Rmin 2 alpha + sqrt 2 * epsilon.
Proof.
move=> a_near c_near s_near.
have := plane_norm_triangle (c - cos a) (s - sin a) (cos a - cos x) (sin a - sin x).
have -> : c - cos a + (cos a - cos x) = c - cos x by ring.
have -> : s - sin a + (sin a - sin x) = s - sin x by ring.
by have := plane_norm_box _ _ _ c_near s_near; have := unit_chord_le a x alpha a_near; lra.
Qed.

(** rounding.table-pair: the two entries at a computed angle a with |a - x| <= α, each stored with
    error e, are within min(2, α) + √2 (κu_A + e) of (cos x, sin x). *)
Theorem rounding_table_pair (A S : format) (kappa a x alpha storage c s : R) :
  0 <= kappa -> Rabs (a - x) <= alpha ->
  table_value A S kappa false a storage c -> table_value A S kappa true a storage s ->
  plane_norm (c - cos x) (s - sin x) <= Rmin 2 alpha + sqrt 2 * (kappa * u A + storage).
Proof.
move=> kappa_ge0 a_near c_value s_value.
have self_near : Rabs (a - a) <= 0 by rewrite Rminus_eq_0 Rabs_R0; exact: Rle_refl.
have := table_value_error _ _ _ _ _ _ _ _ _ kappa_ge0 self_near c_value.
have := table_value_error _ _ _ _ _ _ _ _ _ kappa_ge0 self_near s_value.
have := Rmin_r 2 (0 + kappa * u A + storage) => /= smaller s_near c_near.
by apply: (rounding_table_phasor c s a) => //; lra.
Qed.
