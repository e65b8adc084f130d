(** * The error of linear interpolation of scores

  A score has the second derivative that its coefficients and frequencies give, which bounds the error of
  interpolating it linearly. The paper's bound is less, and too small.

  midpoint h        == the error in the middle of the unit interval from 0 on for the coefficients
                       e^(-i theta_j / 2), base 10000 and h pairs
  allowed h         == what the paper allows it: d (s - s1) (s2 - s) / (8 ln c)

  Main results: interpolation.error-bound. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding Phasor IntervalTactic Figures ComplexSum Interpolation AbelBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The derivatives of a score *)

Lemma rope_scoreS h c omega s :
  rope_score h.+1 c omega s = rope_score h c omega s + (Re (c h) * cos (s * omega h) - Im (c h) * sin (s * omega h)).
Proof.
have -> : rope_score h.+1 c omega s = rope_score h c omega s + Re (c h * phasor (s * omega h))%C by [].
by rewrite phasorE.
Qed.

Lemma score_derive h c omega s :
  is_derive (rope_score h c omega) s (rope_score h (fun j => Ci * RtoC (omega j) * c j)%C omega s).
Proof.
elim: h => [|h IHh]; first exact: is_derive_const.
apply: (is_derive_ext _ _ _ _ (fun t => esym (rope_scoreS h c omega t))); rewrite rope_scoreS.
apply: (is_derive_plus (rope_score h c omega)) => //.
by auto_derive => //; rewrite /Re /Im /=; ring.
Qed.

Lemma score_twice_derivable h c omega s1 s2 :
  twice_derivable (rope_score h c omega) (rope_score h (fun j => Ci * RtoC (omega j) * c j)%C omega)
    (rope_score h (fun j => Ci * RtoC (omega j) * (Ci * RtoC (omega j) * c j))%C omega) s1 s2.
Proof. by move=> t _; split; exact: score_derive. Qed.

(** The squares of the frequencies form a geometric progression of ratio base^(-4/d). *)
Lemma squares_le base h : 1 < base -> (0 < h)%N ->
  \rsum_(j < h) frequency base h.*2 j ^ 2 <= / (1 - Rpower base (- (4 / INR h.*2))).
Proof.
move=> base_gt1 h_pos; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
set r := Rpower base _; have r_gt0 : 0 < r by exact: exp_pos.
have d_is : INR h.*2 = 2 * INR h by rewrite -muln2 mult_INR [INR 2]/=; ring.
have r_lt1 : r < 1.
  rewrite -(Rpower_O base); last by lra.
  by apply: Rpower_lt => //; have : 0 < 4 / INR h.*2 by [apply: Rdiv_lt_0_compat; lra]; lra.
have terms (j : nat) : frequency base h.*2 j ^ 2 = r ^ j.
  rewrite frequency_pairs -!Rpower_pow; [| exact: exp_pos | exact: exp_pos].
  by rewrite !Rpower_mult d_is [INR 2]/=; congr Rpower; field; lra.
have sum n : (1 - r) * (\rsum_(j < n) frequency base h.*2 j ^ 2) = 1 - r ^ n.
  elim: n => [|n IHn]; first by rewrite big_ord0 /=; ring.
  by rewrite big_ord_recr Rmult_plus_distr_l IHn terms /=; ring.
apply: (Rmult_le_reg_l (1 - r)); first by lra.
by rewrite sum Rinv_r; have := pow_lt r h r_gt0; lra.
Qed.

Lemma second_derivative_le h c base s : 1 < base -> (0 < h)%N -> let omega := frequency base h.*2 in
  Rabs (rope_score h (fun j => Ci * RtoC (omega j) * (Ci * RtoC (omega j) * c j))%C omega s) <=
  greatest h (fun j => Cmod (c j)) * / (1 - Rpower base (- (4 / INR h.*2))).
Proof.
move=> base_gt1 h_pos omega; apply: Rle_trans (score_le_moduli _ _ _ _) _.
apply: (Rle_trans _ (greatest h (fun j => Cmod (c j)) * (\rsum_(j < h) omega j ^ 2))); last first.
  by apply: Rmult_le_compat_l; [exact: greatest_ge0 | exact: squares_le].
rewrite -rsum_mull; apply: rsum_le => j; have rate_ge0 := Rlt_le _ _ (frequency_gt0 base h.*2 j).
have -> : Cmod (Ci * RtoC (omega j) * (Ci * RtoC (omega j) * c j))%C = Cmod (c j) * omega j ^ 2.
  have Ci_unit : Cmod Ci = 1 by rewrite /Cmod /= -[RHS]sqrt_1; congr sqrt; ring.
  by rewrite !Cmod_mult Cmod_R Rabs_pos_eq // Ci_unit /=; ring.
by apply: Rmult_le_compat_r; [exact: pow2_ge_0 | exact: (greatest_ge (fun j => Cmod (c j)) (ltn_ord j))].
Qed.

Lemma error_le h c base s1 s s2 : 1 < base -> (0 < h)%N -> s1 <= s <= s2 -> s1 < s2 ->
  let a := rope_score h c (frequency base h.*2) in
  Rabs (a s - linear a s1 s2 s) <=
  greatest h (fun j => Cmod (c j)) * ((s - s1) * (s2 - s)) / (2 * (1 - Rpower base (- (4 / INR h.*2)))).
Proof.
move=> base_gt1 h_pos s_range s1_lt a; set M := greatest _ _; set r := Rpower base _.
have d_gt0 : 0 < INR h.*2 by apply: lt_0_INR; apply/ltP; rewrite double_gt0.
have r_lt1 : r < 1.
  rewrite -(Rpower_O base); last by lra.
  by apply: Rpower_lt => //; have : 0 < 4 / INR h.*2 by [apply: Rdiv_lt_0_compat; lra]; lra.
have at_ends t : t = s1 \/ t = s2 -> a t - linear a s1 s2 t = 0 /\ (t - s1) * (s2 - t) = 0.
  by case=> ->; rewrite /linear; split; field; lra.
have ends t : t = s1 \/ t = s2 -> Rabs (a t - linear a s1 s2 t) <= M * ((t - s1) * (s2 - t)) / (2 * (1 - r)).
  by move=> /at_ends[-> ->]; rewrite Rabs_R0 Rmult_0_r /Rdiv Rmult_0_l; exact: Rle_refl.
have [s_eq1 | s_ne1] := Req_dec s s1; first by apply: ends; left.
have [s_eq2 | s_ne2] := Req_dec s s2; first by apply: ends; right.
have [|xi _ ->] := remainder_lagrange (s := s) _ (@score_twice_derivable h c (frequency base h.*2) s1 s2); first by lra.
set a'' := rope_score _ _ _ xi; have a''_le : Rabs a'' <= M * / (1 - r) := second_derivative_le _ _ base_gt1 h_pos.
have area_ge0 : 0 <= (s - s1) * (s2 - s) by apply: Rmult_le_pos; lra.
have -> : a'' * (s - s1) * (s - s2) / 2 = - (a'' * ((s - s1) * (s2 - s) / 2)) by field.
rewrite Rabs_Ropp Rabs_mult (Rabs_pos_eq (_ / 2)); last by lra.
have -> : M * ((s - s1) * (s2 - s)) / (2 * (1 - r)) = M * / (1 - r) * ((s - s1) * (s2 - s) / 2) by field; lra.
by apply: Rmult_le_compat_r; lra.
Qed.

(** ** The error that the paper does not allow *)

Definition halfway (omega : nat -> R) (j : nat) : C := phasor (- (omega j / 2)).
Definition midpoint (h : nat) : R :=
  let a := rope_score h (halfway (frequency 10000 h.*2)) (frequency 10000 h.*2) in
  a (1 / 2) - linear a 0 1 (1 / 2).
Definition allowed (h : nat) : R := INR h.*2 * 1 * (1 / 2 - 0) * (1 - 1 / 2) / (8 * ln 10000).

Lemma halfway_score h omega s : rope_score h (halfway omega) omega s = \rsum_(j < h) cos ((s - 1 / 2) * omega j).
Proof.
rewrite /rope_score Re_csum; apply: eq_bigr => j _; rewrite /halfway phasor_add phasorE /=.
by congr cos; field.
Qed.

Lemma midpointE h : midpoint h = INR h - \rsum_(j < h) cos (1 / 2 * frequency 10000 h.*2 j).
Proof.
rewrite /midpoint /linear !halfway_score; set S := \rsum_(j < h) cos (1 / 2 * _).
have -> : \rsum_(j < h) cos ((1 / 2 - 1 / 2) * frequency 10000 h.*2 j) = INR h.
  by under eq_bigr do rewrite Rminus_diag_eq // R_mul0 cos_0; rewrite rsum_const Rmult_1_r.
have -> : \rsum_(j < h) cos ((0 - 1 / 2) * frequency 10000 h.*2 j) = S.
  by apply: eq_bigr => j _; rewrite -cos_neg; congr cos; ring.
have -> : \rsum_(j < h) cos ((1 - 1 / 2) * frequency 10000 h.*2 j) = S.
  by apply: eq_bigr => j _; congr (cos (_ * _)); field.
by field.
Qed.

Lemma midpoint_between h lo hi den : (0 < h)%N ->
  between lo hi den (cos_sum prec h (ratio_enclosure 10000 h) (quotient 1 2) I.zero) ->
  INR h - IZR hi / IZR (Zpos den) < midpoint h < INR h - IZR lo / IZR (Zpos den).
Proof.
move=> h_pos checked; have := betweenP (cos_sum_encloses prec h (ratio_encloses 10000 h_pos)
  (encloses_quotient 1 2) encloses_0) checked.
rewrite R_add0 midpointE; set S := \rsum_(j < h) _; set S' := \rsum_(j < h) _.
have -> : S = S' by apply: eq_bigr => j _; rewrite frequency_ratio //; lra.
by lra.
Qed.

Lemma midpoints : 0.122 < midpoint 1 /\ 0.2818 < midpoint 32 /\ 0.493875 < midpoint 64 < 0.493876 /\
  0.9222 < midpoint 128.
Proof.
have at_2 : between 877 878 1000 (cos_sum prec 1 (ratio_enclosure 10000 1) (quotient 1 2) I.zero)
  by vm_cast_no_check (erefl true).
have at_64 : between 317181 317182 10000 (cos_sum prec 32 (ratio_enclosure 10000 32) (quotient 1 2) I.zero)
  by vm_cast_no_check (erefl true).
have at_128 : between 63506124 63506125 1000000 (cos_sum prec 64 (ratio_enclosure 10000 64) (quotient 1 2) I.zero)
  by vm_cast_no_check (erefl true).
have at_256 : between 1270777 1270778 10000 (cos_sum prec 128 (ratio_enclosure 10000 128) (quotient 1 2) I.zero)
  by vm_cast_no_check (erefl true).
have := midpoint_between (h := 1) isT at_2; have := midpoint_between (h := 32) isT at_64.
have := midpoint_between (h := 64) isT at_128; have := midpoint_between (h := 128) isT at_256.
by rewrite !INR_IZR_INZ ![Z.of_nat _]/=; lra.
Qed.

(** interpolation.error-bound: |a(s) − a_lin(s)| ≤ max|h|·(s−s₁)(s₂−s)/(2·(1 − c^(−4/d))) for all h and
    s₁ ≤ s ≤ s₂; the printed bound is exceeded in the middle of a unit interval by h_j = e^(−iθ_j/2), for
    d = 128 and c = 10000 with an error of 0.49387… where it allows 0.43429…, and for d = 2, 64 and 256
    too. *)
Theorem interpolation_error_bound :
  (forall (h : nat) (base : R) (c : nat -> C) (s1 s s2 : R), (0 < h)%N -> 1 < base -> s1 <= s <= s2 -> s1 < s2 ->
     let a := rope_score h c (frequency base h.*2) in
     Rabs (a s - linear a s1 s2 s) <=
     greatest h (fun j => Cmod (c j)) * ((s - s1) * (s2 - s)) / (2 * (1 - Rpower base (- (4 / INR h.*2))))) /\
  (forall omega j, Cmod (halfway omega j) = 1) /\
  0.49387 < midpoint 64 < 0.49388 /\ 0.43429 < allowed 64 < 0.43430 /\
  allowed 64 < midpoint 64 /\ allowed 1 < midpoint 1 /\ allowed 32 < midpoint 32 /\ allowed 128 < midpoint 128.
Proof.
split=> [h base c s1 s s2 h_pos base_gt1 s_range s1_lt | ]; first exact: error_le.
split=> [omega j | ]; first exact: Cmod_phasor.
have [at_2 [at_64 [at_128 at_256]]] := midpoints.
have printed h : allowed h = INR h * (1 / (16 * ln 10000)).
  have ln_gt0 : 0 < ln 10000 by interval with (i_prec 30).
  by rewrite /allowed -muln2 mult_INR [INR 2]/=; field; lra.
have unit : 0.00678585 < 1 / (16 * ln 10000) < 0.00678586 by split; interval with (i_prec 50).
by rewrite !printed !INR_IZR_INZ ![Z.of_nat _]/=; lra.
Qed.

(** interpolation.error-bound, as written: |a(s) − a_lin(s)| ≤ d·max|h|·(s−s₁)(s₂−s)/(8·ln c). *)
Theorem interpolation_error_bound_as_written_false :
  ~ (forall (h : nat) (c : nat -> C) (s1 s s2 : R), (0 < h)%N -> s1 <= s <= s2 -> s1 < s2 ->
       let a := rope_score h c (frequency 10000 h.*2) in
       Rabs (a s - linear a s1 s2 s) <=
       INR h.*2 * greatest h (fun j => Cmod (c j)) * (s - s1) * (s2 - s) / (8 * ln 10000)).
Proof.
move=> /(_ 64%N (halfway (frequency 10000 64.*2)) 0 (1 / 2) 1 isT ltac:(lra) ltac:(lra)).
have [_ [_ [_ [_ [exceeded _]]]]] := interpolation_error_bound.
set size := greatest 64 _; have size_le : size <= 1.
  by apply: greatest_le => [|i _]; [lra | rewrite Cmod_phasor; exact: Rle_refl].
have ln_gt0 : 0 < ln 10000 by interval with (i_prec 30).
rewrite /= -/(midpoint 64); apply: Rlt_not_le; apply: Rlt_le_trans (Rle_abs _); apply: Rle_lt_trans exceeded.
rewrite /allowed; apply: Rmult_le_compat_r; first by apply/Rlt_le/Rinv_0_lt_compat; lra.
have d_ge0 := pos_INR 64.*2; do 2! [apply: Rmult_le_compat_r; first by lra].
by apply: Rmult_le_compat_l.
Qed.
