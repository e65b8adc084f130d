(** * Scores approximate every continuous function

  As the dimension grows the frequencies of rotary encoding accumulate, and on a bounded interval its
  scores come as near to any continuous function as one likes.

  Argument.  Every frequency between 1/base and 1 is nearly one of the family when the dimension is
  great. Difference quotients in the frequency turn s^k sin (s w) into s^(k+1) cos (s w), so that all
  polynomials times cos (s w) and sin (s w) are approximated. And f = (f cos) cos + (f sin) sin, where
  Bernstein's polynomials approximate f cos and f sin (Bernstein.v).

  approximable base L f == for every epsilon, scores of all great dimensions are within epsilon of f
                           from 0 to L
  multiples_approximable base L u
                        == s^k u(s) is approximable for every k

  Main result: [scores_dense]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding Phasor ComplexSum Bernstein.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Slopes of sine and cosine *)

Lemma phasor_near a b : Cmod (phasor a - phasor b)%C <= Rabs (a - b).
Proof.
have a_is : phasor a = (phasor b * phasor (a - b))%C by rewrite phasor_add; congr phasor; ring.
have -> : (phasor a - phasor b = phasor b * (phasor (a - b) - RtoC 1))%C by rewrite a_is; ring.
by rewrite Cmod_mult Cmod_phasor Rmult_1_l; exact: Cmod_chord_le.
Qed.

Lemma cos_near a b : Rabs (cos a - cos b) <= Rabs (a - b).
Proof.
have -> : cos a - cos b = Re (phasor a - phasor b)%C by rewrite !phasorE /=; ring.
by apply: Rle_trans (Re_le_Cmod _) (phasor_near a b).
Qed.

Lemma sin_near a b : Rabs (sin a - sin b) <= Rabs (a - b).
Proof. by rewrite -!cos_shift; apply: Rle_trans (cos_near _ _) _; rewrite -Rabs_Ropp; right; congr Rabs; ring. Qed.

(** What the mean value theorem says of a function whose derivative changes by no more than its argument. *)
Lemma slope_near (f df : R -> R) (a e : R) : 0 <= e -> (forall t, derivable_pt_lim f t (df t)) ->
  (forall t u, Rabs (df t - df u) <= Rabs (t - u)) -> Rabs (f (a + e) - f a - e * df a) <= e ^ 2.
Proof.
move=> e_ge0 derived near; have [e_gt0 | <-] := Rle_lt_or_eq_dec _ _ e_ge0; last first.
  by rewrite Rplus_0_r (_ : f a - f a - 0 * df a = 0) ?Rabs_R0 /=; [right; ring | ring].
have [t [-> t_range]] := MVT_cor2 f df a (a + e) ltac:(lra) (fun t _ => derived t).
have -> : df t * (a + e - a) - e * df a = e * (df t - df a) by ring.
rewrite Rabs_mult Rabs_pos_eq // -Rsqr_pow2 /Rsqr; apply: Rmult_le_compat_l => //.
by apply: Rle_trans (near t a) _; rewrite Rabs_pos_eq; lra.
Qed.

Lemma sin_slope a e : 0 <= e -> Rabs (sin (a + e) - sin a - e * cos a) <= e ^ 2.
Proof. by move=> e_ge0; apply: slope_near => //; [exact: derivable_pt_lim_sin | exact: cos_near]. Qed.

Lemma cos_slope a e : 0 <= e -> Rabs (cos (a + e) - cos a - e * - sin a) <= e ^ 2.
Proof.
move=> e_ge0; apply: (slope_near (df := fun t => - sin t)) => //; first exact: derivable_pt_lim_cos.
move=> t u; apply: Rle_trans (sin_near t u); rewrite -Rabs_Ropp; right; congr Rabs; ring.
Qed.

(** ** Scores are linear in their coefficients *)

Lemma rope_score_add h c c' omega s :
  rope_score h (fun i => c i + c' i)%C omega s = rope_score h c omega s + rope_score h c' omega s.
Proof. by rewrite /rope_score !Re_csum -rsum_add; apply: eq_bigr => i _; rewrite /=; ring. Qed.

Lemma rope_score_scale h a c omega s : rope_score h (fun i => RtoC a * c i)%C omega s = a * rope_score h c omega s.
Proof. by rewrite /rope_score !Re_csum -rsum_mull; apply: eq_bigr => i _; rewrite /=; ring. Qed.

Lemma rope_score_one h i k omega s : (i < h)%N ->
  rope_score h (fun j => if j == i then k else RtoC 0) omega s = Re (k * phasor (s * omega i))%C.
Proof.
move=> i_lt; rewrite /rope_score Re_csum (rsum_one (i0 := Ordinal i_lt)) => [|j j_ne]; first by rewrite eqxx.
have /negPf -> : (j : nat) != i by [].
by rewrite Cmult_0_l.
Qed.

(** ** What scores approximate *)

Section Scores.

Variables base L : R.
Hypotheses (base_gt1 : 1 < base) (L_gt0 : 0 < L).

Definition approximable (f : R -> R) : Prop :=
  forall epsilon, 0 < epsilon -> exists least : nat, forall h, (least <= h)%N ->
    exists c : nat -> C, forall s, 0 <= s <= L -> Rabs (f s - rope_score h c (frequency base h.*2) s) <= epsilon.

Lemma approximable_limit f :
  (forall epsilon, 0 < epsilon -> exists2 g, approximable g & forall s, 0 <= s <= L -> Rabs (f s - g s) <= epsilon) ->
  approximable f.
Proof.
move=> near epsilon eps_gt0; have half_gt0 : 0 < epsilon / 2 by lra.
have [g g_approximable g_near] := near _ half_gt0; have [least fits] := g_approximable _ half_gt0.
exists least => h /fits[c c_near]; exists c => s range.
have -> : f s - rope_score h c (frequency base h.*2) s =
  f s - g s + (g s - rope_score h c (frequency base h.*2) s) by ring.
by apply: Rle_trans (Rabs_triang _ _) _; have := g_near s range; have := c_near s range; lra.
Qed.

Lemma approximable_ext f g : (forall s, 0 <= s <= L -> g s = f s) -> approximable g -> approximable f.
Proof.
move=> same g_approximable; apply: approximable_limit => epsilon eps_gt0; exists g => // s range.
by rewrite same // Rminus_diag_eq // Rabs_R0; lra.
Qed.

Lemma approximable_add f g : approximable f -> approximable g -> approximable (fun s => f s + g s).
Proof.
move=> f_approximable g_approximable epsilon eps_gt0; have half_gt0 : 0 < epsilon / 2 by lra.
have [least fits] := f_approximable _ half_gt0; have [least' fits'] := g_approximable _ half_gt0.
exists (maxn least least') => h; rewrite geq_max => /andP[/fits[c near] /fits'[c' near']].
exists (fun i => c i + c' i)%C => s range; rewrite rope_score_add.
set a := rope_score h c _ s in near *; set b := rope_score h c' _ s in near' *.
have -> : f s + g s - (rope_score h c (frequency base h.*2) s + rope_score h c' (frequency base h.*2) s) =
  f s - rope_score h c (frequency base h.*2) s + (g s - rope_score h c' (frequency base h.*2) s) by ring.
by apply: Rle_trans (Rabs_triang _ _) _; have := near s range; have := near' s range; lra.
Qed.

Lemma approximable_scale a f : approximable f -> approximable (fun s => a * f s).
Proof.
move=> f_approximable epsilon eps_gt0; have size_gt0 : 0 < Rabs a + 1 by have := Rabs_pos a; lra.
have [least fits] := f_approximable (epsilon / (Rabs a + 1)) (Rdiv_lt_0_compat _ _ eps_gt0 size_gt0).
exists least => h /fits[c near]; exists (fun i => RtoC a * c i)%C => s range.
rewrite rope_score_scale -Rmult_minus_distr_l Rabs_mult.
apply: (Rle_trans _ (Rabs a * (epsilon / (Rabs a + 1)))).
  by apply: Rmult_le_compat_l; [exact: Rabs_pos | exact: near].
have -> : Rabs a * (epsilon / (Rabs a + 1)) = epsilon - epsilon / (Rabs a + 1) by field; lra.
by have := Rdiv_lt_0_compat _ _ eps_gt0 size_gt0; lra.
Qed.

(** Every frequency between 1/base and 1 is nearly one of a great dimension's. *)
Lemma frequency_near omega h : / base < omega < 1 -> (0 < h)%N ->
  exists2 i, (i < h)%N & Rabs (frequency base h.*2 i - omega) <= ln base / INR h.
Proof.
move=> omega_range h_pos; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
have base_gt0 : 0 < base by lra.
have inverse_gt0 := Rinv_0_lt_compat _ base_gt0.
have ln_gt0 : 0 < ln base by rewrite -ln_1; apply: ln_increasing; lra.
pose x := - ln omega / ln base; have omega_is : omega = Rpower base (- x).
  rewrite /Rpower /x (_ : - (- ln omega / ln base) * ln base = ln omega); last by field; lra.
  by rewrite exp_ln; lra.
have ln_omega : - ln base < ln omega < 0.
  by rewrite -ln_Rinv // -ln_1; split; apply: ln_increasing; lra.
have x_range : 0 <= x < 1.
  split; first by apply: Rdiv_le_0_compat; lra.
  by apply: (Rmult_lt_reg_r (ln base)) => //; rewrite /x /Rdiv Rmult_assoc Rinv_l; lra.
have [i [i_le i_gt]] := nfloor_ex (x * INR h) ltac:(nra).
have i_lt : (i < h)%N by apply/ltP/INR_lt; nra.
exists i => //; rewrite frequency_pairs omega_is; set y := INR i / INR h.
have y_range : y <= x <= y + / INR h.
  by split; apply: (Rmult_le_reg_r (INR h)) => //; rewrite ?Rmult_plus_distr_r /y /Rdiv Rmult_assoc Rinv_l; lra.
have y_ge0 : 0 <= y by apply: Rdiv_le_0_compat => //; exact: pos_INR.
have falls : Rpower base (- x) <= Rpower base (- y) by apply: Rle_Rpower; lra.
have at_most : Rpower base (- y) <= 1 by rewrite -(Rpower_O base) //; apply: Rle_Rpower; lra.
have split_power : Rpower base (- x) = Rpower base (- y) * Rpower base (y - x) by rewrite -Rpower_plus; congr Rpower; ring.
have step : 1 - ln base / INR h <= Rpower base (y - x).
  have := exp_ineq1_le ((y - x) * ln base); rewrite -/(Rpower base (y - x)).
  have : - / INR h * ln base <= (y - x) * ln base by apply: Rmult_le_compat_r; lra.
  by rewrite /Rdiv; lra.
have power_gt0 : 0 < Rpower base (- y) by exact: exp_pos.
have gap_ge0 : 0 <= ln base / INR h by apply: Rdiv_le_0_compat; lra.
by rewrite Rabs_pos_eq; [rewrite split_power; nra | lra].
Qed.

Lemma approximable_pair k omega : / base < omega < 1 -> approximable (fun s => Re (k * phasor (s * omega))%C).
Proof.
move=> omega_range epsilon eps_gt0; have ln_gt0 : 0 < ln base by rewrite -ln_1; apply: ln_increasing; lra.
have k_ge0 := Cmod_ge_0 k.
have [m above] := INR_unbounded (Cmod k * L * ln base / epsilon); exists m.+1 => h h_ge.
have h_pos : (0 < h)%N by apply: leq_trans h_ge.
have h_gt : INR m < INR h by apply: lt_INR; apply/ltP.
have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
have [i i_lt i_near] := frequency_near omega_range h_pos; set theta := frequency base h.*2 i in i_near.
exists (fun j => if j == i then k else RtoC 0) => s range; rewrite rope_score_one // -/theta.
have -> : Re (k * phasor (s * omega))%C - Re (k * phasor (s * theta))%C =
  Re (k * (phasor (s * omega) - phasor (s * theta)))%C by rewrite /=; ring.
apply: Rle_trans (Re_le_Cmod _) _; rewrite Cmod_mult.
apply: (Rle_trans _ (Cmod k * (L * (ln base / INR h)))).
  apply: Rmult_le_compat_l => //; apply: Rle_trans (phasor_near _ _) _.
  rewrite -Rmult_minus_distr_l Rabs_mult (Rabs_pos_eq s); last by lra.
  by apply: Rmult_le_compat; [lra | exact: Rabs_pos | lra | rewrite Rabs_minus_sym].
have -> : Cmod k * (L * (ln base / INR h)) = Cmod k * L * ln base / epsilon * epsilon / INR h by field; lra.
apply: (Rmult_le_reg_r (INR h)) => //; rewrite {1}/Rdiv Rmult_assoc Rinv_l; last by lra.
by rewrite Rmult_1_r (Rmult_comm epsilon); apply: Rmult_le_compat_r; lra.
Qed.

(** ** Polynomials times sine and cosine *)

(** A difference quotient in the frequency is a multiple by s. *)
Lemma quotient_near k (g dg : R -> R) omega delta s : 0 < delta -> 0 <= s <= L ->
  (forall a e, 0 <= e -> Rabs (g (a + e) - g a - e * dg a) <= e ^ 2) ->
  Rabs (s ^ k.+1 * dg (s * omega) -
        (/ delta * (s ^ k * g (s * (omega + delta))) + - / delta * (s ^ k * g (s * omega)))) <= L ^ k.+2 * delta.
Proof.
move=> delta_gt0 range slope; have -> : s ^ k.+1 * dg (s * omega) -
    (/ delta * (s ^ k * g (s * (omega + delta))) + - / delta * (s ^ k * g (s * omega))) =
    - (s ^ k / delta) * (g (s * omega + s * delta) - g (s * omega) - s * delta * dg (s * omega)).
  by rewrite (Rmult_plus_distr_l s) /=; field; lra.
have power_ge0 : 0 <= s ^ k by apply: pow_le; lra.
have scale_ge0 : 0 <= s ^ k / delta by exact: Rdiv_le_0_compat.
rewrite Rabs_mult Rabs_Ropp Rabs_pos_eq //.
apply: (Rle_trans _ (s ^ k / delta * (s * delta) ^ 2)).
  by apply: Rmult_le_compat_l => //; apply: slope; nra.
have -> : s ^ k / delta * (s * delta) ^ 2 = s ^ k.+2 * delta by rewrite /=; field; lra.
by apply: Rmult_le_compat_r; [lra | apply: pow_incr].
Qed.

Lemma approximable_power k omega : / base < omega < 1 ->
  approximable (fun s => s ^ k * cos (s * omega)) /\ approximable (fun s => s ^ k * sin (s * omega)).
Proof.
elim: k omega => [|k IHk] omega omega_range.
  split.
    by apply: (approximable_ext _ (approximable_pair (RtoC 1) omega_range)) => s _; rewrite phasorE /=; ring.
  by apply: (approximable_ext _ (approximable_pair (- Ci)%C omega_range)) => s _; rewrite phasorE /=; ring.
have step (g dg : R -> R) : (forall a e, 0 <= e -> Rabs (g (a + e) - g a - e * dg a) <= e ^ 2) ->
    (forall w, / base < w < 1 -> approximable (fun s => s ^ k * g (s * w))) ->
    approximable (fun s => s ^ k.+1 * dg (s * omega)).
  move=> slope known; apply: approximable_limit => epsilon eps_gt0.
  have power_gt0 : 0 < L ^ k.+2 by exact: pow_lt.
  pose delta := Rmin ((1 - omega) / 2) (epsilon / L ^ k.+2).
  have delta_gt0 : 0 < delta by apply: Rmin_glb_lt; [lra | exact: Rdiv_lt_0_compat].
  have delta_le := Rmin_l ((1 - omega) / 2) (epsilon / L ^ k.+2); rewrite -/delta in delta_le.
  have delta_le' := Rmin_r ((1 - omega) / 2) (epsilon / L ^ k.+2); rewrite -/delta in delta_le'.
  exists (fun s => / delta * (s ^ k * g (s * (omega + delta))) + - / delta * (s ^ k * g (s * omega))).
    by apply: approximable_add; apply: approximable_scale; apply: known; lra.
  move=> s range; apply: Rle_trans (quotient_near k _ delta_gt0 range slope) _.
  have -> : epsilon = L ^ k.+2 * (epsilon / L ^ k.+2) by field; lra.
  by apply: Rmult_le_compat_l; lra.
split; first by apply: (step sin cos) => [|w w_range]; [exact: sin_slope | have [] := IHk w w_range].
apply: (approximable_ext (g := fun s => -1 * (s ^ k.+1 * - sin (s * omega)))) => [s _|]; first by ring.
apply: approximable_scale; apply: (step cos (fun a => - sin a)) => [|w w_range]; first exact: cos_slope.
by have [] := IHk w w_range.
Qed.

Definition multiples_approximable (u : R -> R) : Prop := forall k, approximable (fun s => s ^ k * u s).

Lemma multiples_bernstein n g u : multiples_approximable u ->
  multiples_approximable (fun s => bernstein n g (s / L) * u s).
Proof.
move=> u_multiples; elim: n g => [|n IHn] g k /=.
  by apply: (approximable_ext (g := fun s => g 0%N * (s ^ k * u s))) => [s _|]; [ring | apply: approximable_scale].
pose low s := bernstein n g (s / L) * u s; pose high s := bernstein n (fun k => g k.+1) (s / L) * u s.
apply: (approximable_ext (g := fun s =>
    s ^ k * low s + (- / L * (s ^ k.+1 * low s) + / L * (s ^ k.+1 * high s)))) => [s _|].
  by rewrite /low /high /=; field; lra.
by apply: approximable_add; [exact: IHn | apply: approximable_add; apply: approximable_scale; exact: IHn].
Qed.

(** ** The theorem *)

Lemma approximable_part f u : (forall s, 0 <= s <= L -> continuity_pt f s) ->
  multiples_approximable u -> (forall s, 0 <= s <= L -> Rabs (u s) <= 1) -> approximable (fun s => f s * u s).
Proof.
move=> f_continuous u_multiples u_le; apply: approximable_limit => epsilon eps_gt0.
have [n near] := weierstrass L_gt0 f_continuous eps_gt0.
set g := fun k => f (L * (INR k / INR n)) in near.
exists (fun s => bernstein n g (s / L) * u s).
  apply: (approximable_ext (g := fun s => s ^ 0 * (bernstein n g (s / L) * u s))) => [s _|].
    by rewrite /= Rmult_1_l.
  exact: multiples_bernstein.
move=> s range; rewrite -Rmult_minus_distr_r Rabs_mult -[epsilon]Rmult_1_r.
by apply: Rmult_le_compat; [exact: Rabs_pos | exact: Rabs_pos | exact: near | exact: u_le].
Qed.

Lemma scores_dense f : (forall s, 0 <= s <= L -> continuity_pt f s) -> approximable f.
Proof.
move=> f_continuous; have base_gt0 : 0 < base by lra.
have inverse_lt1 : / base < 1 by rewrite -Rinv_1; apply: Rinv_lt_contravar; lra.
pose omega := (/ base + 1) / 2; have omega_range : / base < omega < 1 by rewrite /omega; lra.
pose u s := cos (s * omega); pose v s := sin (s * omega).
have u_continuous s : continuity_pt u s.
  by apply/continuity_pt_filterlim/ex_derive_continuous; rewrite /u; auto_derive.
have v_continuous s : continuity_pt v s.
  by apply/continuity_pt_filterlim/ex_derive_continuous; rewrite /v; auto_derive.
apply: (approximable_ext (g := fun s => f s * u s * u s + f s * v s * v s)) => [s _|].
  by have := sin2_cos2 (s * omega); rewrite /u /v /Rsqr => unit; rewrite -[RHS]Rmult_1_r -unit; ring.
apply: approximable_add; apply: approximable_part.
- by move=> s range; apply: continuity_pt_mult; [exact: f_continuous | exact: u_continuous].
- by move=> k; have [] := approximable_power k omega_range.
- by move=> s _; apply/Rabs_le_between; exact: COS_bound.
- by move=> s range; apply: continuity_pt_mult; [exact: f_continuous | exact: v_continuous].
- by move=> k; have [] := approximable_power k omega_range.
- by move=> s _; apply/Rabs_le_between; exact: SIN_bound.
Qed.

End Scores.
