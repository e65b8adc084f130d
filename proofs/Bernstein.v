(** * Weierstrass's theorem

  Polynomials come as near to a continuous function on a bounded interval as one likes, by Bernstein's
  proof.

  bernstein n g x == the mean of g at the number of successes in n trials of probability x: a polynomial
                     in x of degree n

  Main results: [bernstein_square], the variance of that number; [weierstrass]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Bernstein's polynomials *)

Fixpoint bernstein (n : nat) (g : nat -> R) (x : R) : R :=
  if n is m.+1 then (1 - x) * bernstein m g x + x * bernstein m (fun k => g k.+1) x else g 0%N.

Lemma bernsteinS n g x :
  bernstein n.+1 g x = (1 - x) * bernstein n g x + x * bernstein n (fun k => g k.+1) x.
Proof. by []. Qed.

Lemma bernstein_le n (g g' : nat -> R) x : 0 <= x <= 1 -> (forall k, (k <= n)%N -> g k <= g' k) ->
  bernstein n g x <= bernstein n g' x.
Proof.
move=> x_range; elim: n g g' => [|n IHn] g g' g_le /=; first exact: g_le.
have low : bernstein n g x <= bernstein n g' x by apply: IHn => k /leqW; exact: g_le.
have high : bernstein n (fun k => g k.+1) x <= bernstein n (fun k => g' k.+1) x.
  by apply: IHn => k k_le; exact: g_le.
by apply: Rplus_le_compat; apply: Rmult_le_compat_l => //; lra.
Qed.

Lemma eq_bernstein n (g g' : nat -> R) x : (forall k, g k = g' k) -> bernstein n g x = bernstein n g' x.
Proof.
elim: n g g' => [|n IHn] g g' same /=; first exact: same.
by rewrite (IHn g g') // (IHn (fun k => g k.+1) (fun k => g' k.+1)).
Qed.

Lemma bernstein_affine n (g : nat -> R) a b x : bernstein n (fun k => a + b * g k) x = a + b * bernstein n g x.
Proof. by elim: n g => [|n IHn] g //=; rewrite IHn (IHn (fun k => g k.+1)); ring. Qed.

(** The mean is n x and the variance n x (1 - x). *)
Lemma bernstein_square n y x :
  bernstein n (fun k => (INR k - y) ^ 2) x = INR n * x * (1 - x) + (INR n * x - y) ^ 2.
Proof.
elim: n y => [|n IHn] y; first by rewrite /=; ring.
rewrite S_INR bernsteinS IHn (@eq_bernstein _ _ (fun k => (INR k - (y - 1)) ^ 2)) => [|k].
  by rewrite IHn; ring.
by rewrite S_INR; ring.
Qed.

(** ** Continuous functions on an interval *)

Section Interval.

Variables (f : R -> R) (L : R).
Hypotheses (L_gt0 : 0 < L) (f_continuous : forall s, 0 <= s <= L -> continuity_pt f s).

(** By uniform continuity, and as the function is bounded. *)
Lemma square_modulus epsilon : 0 < epsilon -> exists2 K, 0 <= K &
  forall s t, 0 <= s <= L -> 0 <= t <= L -> Rabs (f s - f t) <= epsilon + K * (s - t) ^ 2.
Proof.
move=> eps_gt0; have L_ge0 := Rlt_le _ _ L_gt0.
have [high [high_max _]] := continuity_ab_maj f 0 L L_ge0 f_continuous.
have [low [low_min _]] := continuity_ab_min f 0 L L_ge0 f_continuous.
have [delta near] := Heine_cor2 f_continuous (mkposreal _ eps_gt0).
have delta_gt0 := cond_pos delta; set W := f high - f low.
have W_ge0 : 0 <= W by have := high_max 0 ltac:(lra); have := low_min 0 ltac:(lra); rewrite /W; lra.
have square_gt0 : 0 < delta * delta by nra.
exists (W / (delta * delta)) => [|s t s_range t_range]; first exact: Rdiv_le_0_compat.
have [close | far] := Rlt_or_le (Rabs (s - t)) delta.
  have rest_ge0 : 0 <= W / (delta * delta) * (s - t) ^ 2.
    by apply: Rmult_le_pos; [exact: Rdiv_le_0_compat | exact: pow2_ge_0].
  by have := near s t s_range t_range close; rewrite /=; lra.
have far_square : delta * delta <= (s - t) ^ 2.
  by rewrite -(pow2_abs (s - t)) /=; nra.
apply: (Rle_trans _ W).
  have := high_max s s_range; have := high_max t t_range; have := low_min s s_range; have := low_min t t_range.
  by rewrite /W => ? ? ? ?; apply/Rabs_le_between; lra.
have : W / (delta * delta) * (delta * delta) <= W / (delta * delta) * (s - t) ^ 2.
  by apply: Rmult_le_compat_l => //; exact: Rdiv_le_0_compat.
by rewrite {1}/Rdiv Rmult_assoc Rinv_l; lra.
Qed.

Lemma weierstrass epsilon : 0 < epsilon -> exists n : nat, forall s, 0 <= s <= L ->
  Rabs (f s - bernstein n (fun k => f (L * (INR k / INR n))) (s / L)) <= epsilon.
Proof.
move=> eps_gt0; have half_gt0 : 0 < epsilon / 2 by lra.
have [K K_ge0 near] := square_modulus half_gt0.
have [m above] := INR_unbounded (2 * K * L ^ 2 / epsilon); set n := m.+1; exists n => s s_range.
have n_gt0 : 0 < INR n by apply: lt_0_INR; apply/ltP.
set x := s / L; have x_range : 0 <= x <= 1.
  split; first by apply: Rdiv_le_0_compat; lra.
  by apply: (Rmult_le_reg_r L) => //; rewrite /x /Rdiv Rmult_assoc Rinv_l; lra.
have s_is : s = L * x by rewrite /x; field; lra.
set g := fun k => f (L * (INR k / INR n)).
pose B := K * (L / INR n) ^ 2; have square k : K * (s - L * (INR k / INR n)) ^ 2 = B * (INR k - INR n * x) ^ 2.
  by rewrite /B s_is; field; lra.
have node k : (k <= n)%N -> 0 <= L * (INR k / INR n) <= L.
  move=> k_le; have k_leR : INR k <= INR n by apply: le_INR; apply/leP.
  have share : 0 <= INR k / INR n <= 1.
    split; first by apply: Rdiv_le_0_compat => //; exact: pos_INR.
    by apply: (Rmult_le_reg_r (INR n)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
  by nra.
have between k : (k <= n)%N -> f s - epsilon / 2 + - B * (INR k - INR n * x) ^ 2 <= g k <=
    f s + epsilon / 2 + B * (INR k - INR n * x) ^ 2.
  move=> k_le; have /Rabs_le_between := near s (L * (INR k / INR n)) s_range (node k k_le).
  by rewrite square -/(g k); lra.
have := bernstein_le x_range (fun k k_le => proj1 (between k k_le)).
have := bernstein_le x_range (fun k k_le => proj2 (between k k_le)).
rewrite !bernstein_affine bernstein_square -/g.
have small : B * (INR n * x * (1 - x) + (INR n * x - INR n * x) ^ 2) <= epsilon / 2.
  have -> : B * (INR n * x * (1 - x) + (INR n * x - INR n * x) ^ 2) = K * L ^ 2 / INR n * (x * (1 - x)).
    by rewrite /B; field; lra.
  have whole : K * L ^ 2 / INR n <= epsilon / 2.
    apply: (Rmult_le_reg_r (INR n)) => //; rewrite {1}/Rdiv Rmult_assoc Rinv_l; last by lra.
    have : 2 * K * L ^ 2 / epsilon * epsilon <= INR n * epsilon.
      by apply: Rmult_le_compat_r; [lra | rewrite /n S_INR; lra].
    by rewrite {1}/Rdiv Rmult_assoc Rinv_l; lra.
  have whole_ge0 : 0 <= K * L ^ 2 / INR n.
    by apply: Rdiv_le_0_compat => //; apply: Rmult_le_pos => //; exact: pow2_ge_0.
  by nra.
by move=> above_g below_g; apply/Rabs_le_between; lra.
Qed.

End Interval.
