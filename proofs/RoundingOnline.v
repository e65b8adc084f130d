(** * The weights of online softmax

  What is claimed.  Online softmax takes the exponential of a logit below the largest one so far,
  and multiplies it by one more exponential whenever a larger logit appears.  Together these
  factors are near the exponential below the largest logit of all; the errors of the exponents add
  up to that of one exponent.

  Dictionary (see RoundingModel.v, RoundingSoftmax.v):
  - l 0 <= l 1 <= ... <= l m == the logit and the largest logits so far, numbers of the format;
  - [factors f m] == the product of the computed exponentials f 0, ..., f (m - 1);
  - [chain_relative F κ m x] == (1 + 2κu)^m e^(v x) - 1, written χ(x);
  - [online_bound F κ m n ω σ c] == (1 + ω)(1 + χ(ln n)) - 1 + n ((1 + ω) σ + c).

  Formulas, for exponentials within 2κu relatively and τ absolutely:
    factors within χ(D) and m τ (1 + χ(D))(1 + τ)^m of exp(-D), D = l m - l 0  [rounding_online_weight]
    weights within ω and c of such factors: Σ|q_j - g_j| <= online_bound G    [rounding_online_weights]
  where g_j = exp(s_j - max s), G = Σ g_j, and σ bounds the absolute errors of all factors.

  Assumes: no overflow.  An exponential that is flushed to zero counts in τ. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingSoftmaxScores RoundingSoftmax.

Open Scope R_scope.

Fixpoint factors (f : nat -> R) (m : nat) : R := if m is m'.+1 then factors f m' * f m' else 1.

Definition chain_relative (F : format) (kappa : R) (m : nat) (x : R) : R :=
  (1 + 2 * kappa * u F) ^ m * exp (v F * x) - 1.

Section Chain.
Variables (F : format) (kappa tau : R) (l f : nat -> R).
Hypothesis kappa_ge0 : 0 <= kappa.
Hypothesis tau_ge0 : 0 <= tau.
Hypothesis floats : forall i, is_float F (l i).
Hypothesis rising : forall i, l i <= l i.+1.
Hypothesis computed : forall i, near (2 * kappa * u F) tau (f i) (exp (fl F (l i - l i.+1))).

Let rho := 2 * kappa * u F.

Lemma rho_ge0 : 0 <= rho.
Proof. by have := u_pos F; rewrite /rho; nra. Qed.

Lemma l_le i j : (i <= j)%N -> l i <= l j.
Proof.
elim: j => [|j IH]; first by rewrite leqn0 => /eqP ->; lra.
by rewrite leq_eqVlt => /orP[/eqP ->|/IH]; [lra | have := rising j; lra].
Qed.

(** One factor, beside the exponential of the exact difference. *)
Lemma factor_near i : near ((1 + rho) * exp (v F * (l i.+1 - l i)) - 1) tau (f i) (exp (l i - l i.+1)).
Proof.
have shifted : Rabs (fl F (l i - l i.+1) - (l i - l i.+1)) <= v F * (l i.+1 - l i).
  have opposite : is_float F (- l i.+1) by apply: generic_format_opp; exact: floats.
  have := addition_relative F _ _ (floats i) opposite.
  by rewrite [X in _ <= _ * X]Rabs_left1 ?Ropp_plus_distr ?Ropp_involutive; have := rising i; rewrite /Rminus; lra.
have := near_trans _ _ _ _ _ _ _ rho_ge0 (computed i) (exp_near _ _ _ shifted).
by rewrite /near -/rho Rmult_0_r Rplus_0_r; congr (_ <= _ * _ + _); ring.
Qed.

Lemma chain_ge0 m x : 0 <= x -> 0 <= chain_relative F kappa m x.
Proof.
move=> x_ge0; rewrite /chain_relative -/rho; have r0 := rho_ge0; have v0 := v_pos F.
have one : 1 <= exp (v F * x) by rewrite -exp_0; apply: exp_le_1; nra.
have power : 1 <= (1 + rho) ^ m by apply: pow_R1_Rle; lra.
by nra.
Qed.

Lemma exp_below i : 0 < exp (l i - l i.+1) <= 1.
Proof. by split; [exact: exp_pos | rewrite -exp_0; apply: exp_le_1; have := rising i; lra]. Qed.

Lemma chain_step m : 1 + chain_relative F kappa m.+1 (l m.+1 - l 0%N) =
  (1 + chain_relative F kappa m (l m - l 0%N)) * ((1 + rho) * exp (v F * (l m.+1 - l m))).
Proof.
rewrite /chain_relative -/rho.
have -> : v F * (l m.+1 - l 0%N) = v F * (l m - l 0%N) + v F * (l m.+1 - l m) by ring.
by rewrite exp_plus -[(1 + rho) ^ m.+1]/((1 + rho) * (1 + rho) ^ m); ring.
Qed.

(** rounding.online-weight: exponentials within 2κu relatively and τ absolutely, each of a rounded difference of the
    next two of the rising levels l 0, ..., l m: their product is within χ relatively and m τ (1 + χ) (1 + τ)^m absolutely of
    exp(l 0 - l m), χ = (1 + 2κu)^m e^(v (l m - l 0)) - 1. *)
Theorem rounding_online_weight (m : nat) :
  let chi := chain_relative F kappa m (l m - l 0%N) in
  near chi (INR m * tau * ((1 + chi) * (1 + tau) ^ m)) (factors f m) (exp (l 0%N - l m)).
Proof.
rewrite /near; elim: m => [|m IH].
  by rewrite /= Rminus_eq_0 exp_0 Rminus_eq_0 Rabs_R0 !Rmult_0_l Rplus_0_r; apply: Rmult_le_pos;
    [apply: chain_ge0; lra | exact: Rabs_pos].
have depth : 0 <= l m - l 0%N by have := l_le 0 m (leq0n m); lra.
have step := chain_step m; have chi0 := chain_ge0 m _ depth.
set chi' := chain_relative F kappa m.+1 _ in step *; set chi := chain_relative F kappa m _ in step chi0 IH.
have factor := factor_near m; rewrite /near in factor.
set grow := (1 + rho) * exp _ in step factor.
have grow1 : 1 <= grow.
  have r0 := rho_ge0; have : 1 <= exp (v F * (l m.+1 - l m)).
    by rewrite -exp_0; apply: exp_le_1; have := rising m; have := v_pos F; nra.
  by rewrite /grow; nra.
set g := exp (l 0%N - l m) in IH; set e := exp (l m - l m.+1) in factor.
have g_range : 0 < g <= 1 by split; [exact: exp_pos | rewrite -exp_0; apply: exp_le_1; lra].
have e_range : 0 < e <= 1 := exp_below m.
have -> : exp (l 0%N - l m.+1) = g * e by rewrite /g /e -exp_plus; congr exp; ring.
rewrite (Rabs_pos_eq (g * e)); last by nra.
rewrite (Rabs_pos_eq g) in IH; last by lra.
rewrite (Rabs_pos_eq e) in factor; last by lra.
set sigma := INR m * tau * _ in IH.
have power1 : 1 <= (1 + tau) ^ m by apply: pow_R1_Rle; lra.
have m_ge0 := pos_INR m.
have sigma0 : 0 <= sigma by apply: Rmult_le_pos; [apply: Rmult_le_pos | apply: Rmult_le_pos]; lra.
have P_le : Rabs (factors f m) <= (1 + chi) * g + sigma.
  by have := Rabs_by_diff (factors f m) g; rewrite (Rabs_pos_eq g); lra.
have -> : factors f m.+1 - g * e = factors f m * (f m - e) + e * (factors f m - g) by rewrite /=; ring.
apply: Rle_trans (Rabs_triang _ _) _; rewrite !Rabs_mult (Rabs_pos_eq e); last by lra.
have first := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) P_le factor.
have second := Rmult_le_compat_l e _ _ ltac:(lra) IH.
have bracket : (1 + chi) * g * tau + sigma * ((grow - 1) * e + tau) + e * sigma
    <= INR m.+1 * tau * ((1 + chi') * (1 + tau) ^ m.+1).
  rewrite step -[INR m.+1]/(INR (S m)) S_INR -[(1 + tau) ^ m.+1]/((1 + tau) * (1 + tau) ^ m).
  have small : (1 + chi) * g * tau <= tau * ((1 + chi) * grow * ((1 + tau) * (1 + tau) ^ m)).
    have more : 1 <= (1 + tau) * (1 + tau) ^ m by nra.
    have large : 1 <= grow * ((1 + tau) * (1 + tau) ^ m).
      by have := Rmult_le_compat _ _ _ _ Rle_0_1 Rle_0_1 grow1 more; lra.
    have k_ge0 : 0 <= (1 + chi) * tau by nra.
    have := Rmult_le_compat_l _ _ _ k_ge0 large.
    by have := Rmult_le_compat_l _ g 1 k_ge0 ltac:(lra); lra.
  have later : sigma * ((grow - 1) * e + tau) + e * sigma <= sigma * (grow * (1 + tau)).
    have one : grow * e <= grow by nra.
    have other : tau <= grow * tau by nra.
    by have := Rmult_le_compat_l _ (grow * e + tau) (grow * (1 + tau)) sigma0 ltac:(lra); lra.
  have -> : (INR m + 1) * tau * ((1 + chi) * grow * ((1 + tau) * (1 + tau) ^ m)) =
    sigma * (grow * (1 + tau)) + tau * ((1 + chi) * grow * ((1 + tau) * (1 + tau) ^ m)) by rewrite /sigma; ring.
  by lra.
have -> : chi' = (1 + chi) * grow - 1 by lra.
by move: first second bracket; nra.
Qed.

End Chain.

Definition online_bound (F : format) (kappa : R) (m n : nat) (omega sigma c : R) : R :=
  (1 + omega) * (1 + chain_relative F kappa m (ln (INR n))) - 1 + INR n * ((1 + omega) * sigma + c).

(** rounding.online-weights: factors within χ(D_j) and σ of g_j = exp(s_j - s_t), s_t the largest logit, D_j = s_t - s_j,
    weights within ω and c of the factors: the errors of all weights together are at most online_bound times the sum of the g_j. *)
Theorem rounding_online_weights (F : format) (kappa omega sigma c : R) (m n : nat) (s p q : nat -> R) (t : 'I_n) :
  0 <= kappa -> 0 <= omega -> 0 <= sigma -> 0 <= c ->
  let g j := exp (s j - s t) in
  (forall j, (j < n)%N -> near (chain_relative F kappa m (s t - s j)) sigma (p j) (g j)) ->
  (forall j, (j < n)%N -> near omega c (q j) (p j)) ->
  \rsum_(j < n) Rabs (q j - g j) <= online_bound F kappa m n omega sigma c * (\rsum_(j < n) g j).
Proof.
move=> kappa0 omega0 sigma0 c0 g factors_near weights_near.
have u0 := u_pos F; have power_ge1 : 1 <= (1 + 2 * kappa * u F) ^ m by apply: pow_R1_Rle; nra.
have spread : \rsum_(j < n) (g j * exp (v F * (s t - s j))) <= exp (v F * ln (INR n)) * (\rsum_(j < n) g j).
  exact: spread_sum.
have G1 : 1 <= \rsum_(j < n) g j by exact: (G_ge1 n s t).
set G := \rsum_(j < n) g j in spread G1 *; set power := (1 + 2 * kappa * u F) ^ m in power_ge1.
have one (j : 'I_n) : Rabs (q j - g j)
    <= ((1 + omega) * power) * (g j * exp (v F * (s t - s j))) - g j + ((1 + omega) * sigma + c).
  have := near_trans _ _ _ _ _ _ _ omega0 (weights_near j (ltn_ord j)) (factors_near j (ltn_ord j)).
  rewrite /near (Rabs_pos_eq (g j)); last by apply: Rlt_le; exact: exp_pos.
  by rewrite /chain_relative -/power; lra.
apply: Rle_trans (rsum_le one) _.
have -> : \rsum_(j < n) (((1 + omega) * power) * (g j * exp (v F * (s t - s j))) - g j + ((1 + omega) * sigma + c)) =
  ((1 + omega) * power) * (\rsum_(j < n) (g j * exp (v F * (s t - s j)))) - G + INR n * ((1 + omega) * sigma + c).
  by rewrite rsum_add rsum_sub rsum_mull rsum_const.
have grown := Rmult_le_compat_l ((1 + omega) * power) _ _ ltac:(nra) spread.
have tiny : 0 <= INR n * ((1 + omega) * sigma + c) by apply: Rmult_le_pos; [exact: pos_INR | nra].
have := Rmult_le_compat_l _ _ _ tiny G1.
by rewrite /online_bound /chain_relative -/power; lra.
Qed.

(** rounding.online-normaliser: a sum within θ of that of such weights, which are not negative, is within
    (1 + θ)(1 + online_bound) - 1 of the sum of the g_j. *)
Theorem rounding_online_normaliser (n : nat) (theta W S : R) (g r : nat -> R) :
  0 <= theta -> (forall j, (j < n)%N -> 0 <= g j) -> (forall j, (j < n)%N -> 0 <= r j) ->
  \rsum_(j < n) Rabs (r j - g j) <= W * (\rsum_(j < n) g j) ->
  Rabs (S - \rsum_(j < n) r j) <= theta * (\rsum_(j < n) r j) ->
  Rabs (S - \rsum_(j < n) g j) <= ((1 + theta) * (1 + W) - 1) * (\rsum_(j < n) g j).
Proof.
move=> theta0 g_ge0 r_ge0 near_r summed.
have sums : Rabs (\rsum_(j < n) r j - \rsum_(j < n) g j) <= W * (\rsum_(j < n) g j).
  rewrite -rsum_sub; apply: Rle_trans near_r.
  exact: (rsum_abs_le (fun j => r j - g j) (fun j => Rabs (r j - g j)) n (fun j _ => Rle_refl _)).
have r_le : \rsum_(j < n) r j <= (1 + W) * (\rsum_(j < n) g j) by move/Rabs_le_inv: sums; lra.
have := Rmult_le_compat_l _ _ _ theta0 r_le.
by have := Rabs_diff_triangle S (\rsum_(j < n) r j) (\rsum_(j < n) g j); lra.
Qed.
