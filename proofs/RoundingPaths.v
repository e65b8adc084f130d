(** * The error of a table entry along each code path

  What is claimed.  For each way in which programs compute the frequency
  ω_i = b^(-2i/d), one theorem bounds the entry sin(n ω_i) or cos(n ω_i).

  Dictionary: that of RoundingFrequency.v and RoundingTable.v; [frequency b d i]
  is b^(-2i/d) (Encoding.v).  P, W, A, S are the formats of the position, the
  frequency, the angle with sin and cos, and the table; any of them may coincide.

  Formulas: |T - wave(n ω)| <= table_bound(ρ, σ) =
      min(2, |n| ω ((1+v_A)(1+π)(1+ρ) - 1) + (1+v_A)(1+π)|n|σ + η_A/2 + κu_A + s)
    with s = u_S/2 (0 if stored without rounding), π = 0 for |n| <= 2^p(P), else v_P, and
    path                          ρ                               σ
    [rounding_path_rounded]       v_W                             η_W/2
    [rounding_path_pow]           (1+2κ'u_W) e^Γ - 1              κ'η_W      Γ = ε|ln b|
    [rounding_path_reciprocal]    (1+v_W) e^Γ/(1-2κ'u_W) - 1      η_W/2      Γ = ε|ln b|
      where |e' - 2i/d| <= ε: 0 if 2i/d is in the format, spacing(2i/d)/2 if rounded to it
    [rounding_path_exp_log]       (1+2κ'u_W) e^Γ - 1              κ'η_W
      where Γ = ((1+v_W)(1+ρ_c) - 1) m c + (1+v_W) m σ_c + η_W/2, c = ln b/D, m/D = 2i/d
    [rounding_path_repeated]      ((1+v_W)(1+ρ_r))^i - 1          i η_W/2
      where r' is within ρ_r ω_1 of ω_1 = b^(-2/d)
    [rounding_path_cast]          (1+v_W)(1+ρ) - 1                (1+v_W)σ + η_W/2
      for a frequency computed elsewhere, for instance in binary64, to ρ, σ
  and for the two paths where the angle itself differs:
    [rounding_path_repeated_angle]  α = |n| ω ((1+π)((1+v_A)(1+ρ_r))^i - 1) + i η_A/2
    [rounding_path_cast_angle]      α = α_A + spacing_B(|n| ω + α_A)/2,  α_A = angle_bound

  Assumes: as RoundingTable.v; the base b is exact.
  Not claimed: which path a given library follows. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.
From Posproof Require Import Encoding.
From Posproof Require Import RoundingFormat RoundingModel RoundingAngle RoundingFrequency RoundingTable.

Open Scope R_scope.

Section Paths.
Variables P W A S : format.
Variables (kappa kappa' : R) (n : Z) (b : R) (d i : nat) (even : bool) (storage T : R).
Hypothesis kappa_nonneg : 0 <= kappa.
Hypothesis kappa'_nonneg : 0 <= kappa'.

Local Notation w := (frequency b d i).
Local Notation e := (2 * INR i / INR d).
Local Notation error := (Rabs (T - wave even (IZR n * w))).
Local Notation entry_from w' := (table_entry P A S kappa n w' even storage T).
Local Notation bound rho sigma := (table_bound P A kappa n w rho sigma storage).

(** rounding.path-rounded: |T - wave(nω)| <= table_bound(ρ, σ) where, with the frequency correctly rounded
    to W, ρ = v_W and σ = η_W/2. *)
Theorem rounding_path_rounded :
  entry_from (fl W w) -> error <= bound (v W) (eta W / 2).
Proof.
by apply: rounding_table_a_priori => //; exact: rounding_frequency_rounded.
Qed.

(** rounding.path-pow: |T - wave(nω)| <= table_bound(ρ, σ) where, with ω' within κ' ulp of b^(-e') and |e' -
    2i/d| <= ε, ρ = (1 + 2κ'u_W)e^(ε|ln b|) - 1 and σ = κ'η_W. *)
Theorem rounding_path_pow (e' epsilon w' : R) :
  Rabs (e' - e) <= epsilon -> accurate W kappa' w' (Rpower b (- e')) -> entry_from w' ->
  error <= bound (pow_error W kappa' (epsilon * Rabs (ln b))) (kappa' * eta W).
Proof.
move=> e_near w_near; apply: rounding_table_a_priori => //.
exact: (rounding_frequency_pow _ _ _ _ e').
Qed.

(** rounding.path-reciprocal: |T - wave(nω)| <= table_bound(ρ, σ) where, with ω' = fl(1/p'), p' within κ'
    ulp of b^(e') (not below the smallest normal number), 2κ'u_W < 1 and |e' - 2i/d| <= ε, ρ = (1 +
    v_W)e^(ε|ln b|)/(1 - 2κ'u_W) - 1 and σ = η_W/2. *)
Theorem rounding_path_reciprocal (e' epsilon p' : R) :
  2 * kappa' * u W < 1 -> Rabs (e' - e) <= epsilon -> smallest_normal W <= Rpower b e' ->
  accurate W kappa' p' (Rpower b e') -> entry_from (fl W (/ p')) ->
  error <= bound (reciprocal_error W kappa' (epsilon * Rabs (ln b))) (eta W / 2).
Proof.
move=> ku_lt1 e_near normal p_near; apply: rounding_table_a_priori => //.
exact: (rounding_frequency_reciprocal _ _ _ _ e').
Qed.

(** rounding.path-exp-log: |T - wave(nω)| <= table_bound(ρ, σ) where, with c' within ρ_c|c| + σ_c of c = ln
    b/D, ω' within κ' ulp of e^(-fl(m c')) and m/D = 2i/d, ρ = (1 + 2κ'u_W)e^Γ - 1 and σ = κ'η_W, where Γ =
    ((1 + v_W)(1 + ρ_c) - 1)|m c| + (1 + v_W)|m|σ_c + η_W/2. *)
Theorem rounding_path_exp_log (m D c' rho_c sigma_c w' : R) :
  0 < D -> m / D = e -> near rho_c sigma_c c' (ln b / D) ->
  accurate W kappa' w' (exp (- fl W (m * c'))) -> entry_from w' ->
  error <= bound (pow_error W kappa' (exp_log_gamma W m (ln b / D) rho_c sigma_c))
             (kappa' * eta W).
Proof.
move=> D_gt0 e_eq c_near w_near; apply: rounding_table_a_priori => //.
have -> : w = exp (- (m * (ln b / D))) by rewrite /frequency -e_eq exp_log_pow.
exact: (rounding_frequency_exp_log _ _ _ _ c').
Qed.

Lemma frequency_power : (0 < INR d) -> w = frequency b d 1 ^ i.
Proof.
move=> d_gt0; rewrite /frequency -Rpower_pow; last exact: exp_pos.
by rewrite Rpower_mult; congr Rpower; rewrite /=; field; lra.
Qed.

(** rounding.path-repeated: |T - wave(nω)| <= table_bound(ρ, σ) where, with r' within ρ_r ω_1 of ω_1 =
    b^(-2/d), (1 + v_W)(1 + ρ_r)ω_1 <= 1 and ω' from 1 by i rounded multiplications by r', ρ = ((1 + v_W)(1
    + ρ_r))^i - 1 and σ = iη_W/2. *)
Theorem rounding_path_repeated (r' rho_r : R) :
  0 < INR d -> 0 <= rho_r -> (1 + v W) * (1 + rho_r) * frequency b d 1 <= 1 ->
  near rho_r 0 r' (frequency b d 1) -> entry_from (repeated W 1 r' i) ->
  error <= bound (repeated_error W i 0 rho_r) (0 + INR i * (eta W / 2)).
Proof.
move=> d_gt0 rho_ge0 small r_near; apply: rounding_table_a_priori => //.
rewrite frequency_power // -(Rmult_1_l (frequency b d 1 ^ i)).
apply: rounding_frequency_repeated => //; [lra | lra | | exact: near_exact].
by rewrite Rabs_pos_eq //; apply: Rlt_le; exact: exp_pos.
Qed.

(** rounding.path-cast: |T - wave(nω)| <= table_bound(ρ, σ) where, with ω' = fl_W(w'') and |w'' - ω| <= ρ''ω
    + σ'' (computed in another format), ρ = (1 + v_W)(1 + ρ'') - 1 and σ = (1 + v_W)σ'' + η_W/2. *)
Theorem rounding_path_cast (w'' rho'' sigma'' : R) :
  near rho'' sigma'' w'' w -> entry_from (fl W w'') ->
  error <= bound (cast_relative W rho'') (cast_absolute W sigma'').
Proof.
by move=> w_near; apply: rounding_table_a_priori => //; exact: rounding_frequency_cast.
Qed.

(** rounding.path-repeated-angle: with the angle from fl_P(n) by i rounded multiplications by r', r' within
    ρ_r ω_1 of ω_1 and (1 + v_A)(1 + ρ_r)ω_1 <= 1, the entry is within
    min(2, |nω|((1 + π)((1 + v_A)(1 + ρ_r))^i - 1) + iη_A/2 + κu_A + s). *)
Theorem rounding_path_repeated_angle (r' rho_r : R) :
  0 < INR d -> 0 <= rho_r -> (1 + v A) * (1 + rho_r) * frequency b d 1 <= 1 ->
  near rho_r 0 r' (frequency b d 1) ->
  table_value A S kappa even (repeated A (fl P (IZR n)) r' i) storage T ->
  error <= Rmin 2 (repeated_error A i (position_error P n) rho_r * Rabs (IZR n * w)
                   + INR i * (eta A / 2) + kappa * u A + storage).
Proof.
move=> d_gt0 rho_ge0 small r_near; apply: table_value_error => //.
rewrite frequency_power // -(Rplus_0_l (INR i * (eta A / 2))).
apply: rounding_frequency_repeated => //; [exact: position_error_pos | lra | | ].
  by rewrite Rabs_pos_eq //; apply: Rlt_le; exact: exp_pos.
by have [_ bound] := rounding_position P n; rewrite /near Rplus_0_r.
Qed.

(** rounding.path-cast-angle: with the angle formed in A, cast to B, and sin or cos taken in B, the entry is
    within min(2, α + spacing_B(|nω| + α)/2 + κu_B + s), where |ω' - ω| <= ρω + σ and
    α = |nω|((1 + v_A)(1 + π)(1 + ρ) - 1) + (1 + v_A)(1 + π)|n|σ + η_A/2. *)
Theorem rounding_path_cast_angle (B : format) (w' rho sigma : R) :
  let alpha := angle_bound P A n w rho sigma in
  near rho sigma w' w ->
  table_value B S kappa even (fl B (fl A (fl P (IZR n) * w'))) storage T ->
  error <= Rmin 2 (alpha + / 2 * spacing B (Rabs (IZR n * w) + alpha) + kappa * u B + storage).
Proof.
move=> alpha w_near; apply: table_value_error => //.
by apply: rounding_angle_cast; exact: rounding_angle_a_priori.
Qed.

End Paths.
