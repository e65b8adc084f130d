(** * Position interpolation

  linear a s1 s2 s    == the value at s of the line through (s1, a s1) and (s2, a s2)
  twice_derivable a a' a'' s1 s2
                      == a' and a'' are the first two derivatives of a from s1 to s2

  Main results: interpolation.log-inequality, interpolation.taylor-form. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Coquelicot Require Import Coquelicot.
From Posproof Require Import RealMatrix Encoding IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The inequality between power and logarithm *)

Lemma power_gt c x : x <> 0 -> 1 + x * ln c < Rpower c x \/ ln c = 0.
Proof.
move=> x_ne0; have [-> | ln_ne0] := Req_dec (ln c) 0; [by right | left].
by apply: exp_ineq1; apply: Rmult_integral_contrapositive_currified.
Qed.

Lemma ln_gt0 c : 1 < c -> 0 < ln c.
Proof. by move=> c_gt1; rewrite -ln_1; apply: ln_increasing; lra. Qed.

Lemma power_gt_linear c x : 1 < c -> x <> 0 -> 1 + x * ln c < Rpower c x.
Proof. by move=> /ln_gt0 ln_gt0 /(power_gt c)[// | ln_eq0]; lra. Qed.

Lemma inverse_gt c d : 1 < c -> 0 < d -> d / (4 * ln c) < / (1 - Rpower c (- (4 / d))).
Proof.
move=> c_gt1 d_gt0; have ln_c := ln_gt0 c_gt1.
have exponent_lt0 : - (4 / d) < 0 by have : 0 < 4 / d; [apply: Rdiv_lt_0_compat; lra | lra].
have less := power_gt_linear c_gt1 (Rlt_not_eq _ _ exponent_lt0).
have below_1 : Rpower c (- (4 / d)) < 1 by rewrite -(Rpower_O c); [apply: Rpower_lt | ]; lra.
have -> : d / (4 * ln c) = / (4 / d * ln c) by field; lra.
by apply: Rinv_lt_contravar; nra.
Qed.

(** interpolation.log-inequality: For c > 1 and every real x, c^x ≥ 1 + x·ln c, with equality at x =
    0 only; hence 1/(1 − c^(−4/d)) > d/(4·ln c), and for d = 128 and c = 10000 the two are 3.998…
    and 3.474…. *)
Theorem interpolation_log_inequality :
  (forall c x : R, 1 < c -> 1 + x * ln c <= Rpower c x /\ (Rpower c x = 1 + x * ln c <-> x = 0)) /\
  (forall c d : R, 1 < c -> 0 < d -> / (1 - Rpower c (- (4 / d))) > d / (4 * ln c)) /\
  3.998 < / (1 - Rpower 10000 (- (4 / 128))) < 3.999 /\ 3.474 < 128 / (4 * ln 10000) < 3.475.
Proof.
split=> [c x c_gt1 | ].
  have [-> | x_ne0] := Req_dec x 0; first by rewrite Rpower_O; [split; [lra | split; lra] | lra].
  have := power_gt_linear c_gt1 x_ne0; split; first by lra.
  by split=> [same | //]; lra.
split=> [c d c_gt1 d_gt0 | ]; first exact: inverse_gt.
by rewrite /Rpower; repeat split; interval with (i_prec 50).
Qed.

(** interpolation.log-inequality, as written: When x < 0 and c > 1, c^x ≤ 1 + x·ln c, and therefore
    1/(1 − c^(−4/d)) ≤ d/(4·ln c). *)
Theorem interpolation_log_inequality_as_written_false :
  ~ (exists c x : R, 1 < c /\ x < 0 /\ Rpower c x <= 1 + x * ln c) /\
  ~ (exists c d : R, 1 < c /\ 0 < d /\ / (1 - Rpower c (- (4 / d))) <= d / (4 * ln c)).
Proof.
split=> [[c [x [c_gt1 [x_lt0 le]]]] | [c [d [c_gt1 [d_gt0 le]]]]].
  by have := power_gt_linear c_gt1 (Rlt_not_eq _ _ x_lt0); lra.
by have := inverse_gt c_gt1 d_gt0; lra.
Qed.

(** ** The remainder *)

Definition linear (a : R -> R) (s1 s2 s : R) : R := a s1 + (a s2 - a s1) * (s - s1) / (s2 - s1).

Definition twice_derivable (a a' a'' : R -> R) (s1 s2 : R) : Prop :=
  forall t, s1 <= t <= s2 -> is_derive a t (a' t) /\ is_derive a' t (a'' t).

(** Between two points at which a function has one value its derivative vanishes somewhere. *)
Lemma rolle (f df : R -> R) (x y : R) : x < y -> (forall t, x <= t <= y -> is_derive f t (df t)) -> f x = f y ->
  exists2 t, x < t < y & df t = 0.
Proof.
move=> x_lt_y derived same; have [t [mean t_range]] : exists t, f y - f x = df t * (y - x) /\ x < t < y.
  by apply: MVT_cor2 => // t range; apply/is_derive_Reals; exact: derived.
exists t => //; apply: (Rmult_eq_reg_r (y - x)); last by lra.
by rewrite -mean same; ring.
Qed.

(** Taylor's formula of second order from [s] to [e], the remainder by Lagrange, in either direction. *)
Lemma taylor_term (a a' a'' : R -> R) (s e t : R) : s <> e -> is_derive a t (a' t) -> is_derive a' t (a'' t) ->
  let K := (a e - a s - a' s * (e - s)) / (e - s) ^ 2 in
  let rest u := a u + a' u * (e - u) + K * (e - u) ^ 2 in
  rest s = rest e /\ is_derive rest t ((a'' t - 2 * K) * (e - t)).
Proof.
move=> s_ne_e a_derived a'_derived K rest; split; first by rewrite /rest /K; field; lra.
rewrite /rest; auto_derive; first by split; [exists (a' t) | split=> //; exists (a'' t)].
by rewrite (is_derive_unique _ _ _ a_derived) (is_derive_unique _ _ _ a'_derived); ring.
Qed.

Lemma taylor_lagrange (a a' a'' : R -> R) (s1 s s2 : R) : s1 < s < s2 -> twice_derivable a a' a'' s1 s2 ->
  (exists2 xi, s1 < xi < s & a s1 = a s + a' s * (s1 - s) + a'' xi * (s1 - s) ^ 2 / 2) /\
  (exists2 xi, s < xi < s2 & a s2 = a s + a' s * (s2 - s) + a'' xi * (s2 - s) ^ 2 / 2).
Proof.
move=> s_range derivable.
have one e xi : s <> e -> xi <> e -> (a'' xi - 2 * ((a e - a s - a' s * (e - s)) / (e - s) ^ 2)) * (e - xi) = 0 ->
    a e = a s + a' s * (e - s) + a'' xi * (e - s) ^ 2 / 2.
  move=> s_ne xi_ne /Rmult_integral[|]; last by lra.
  by move=> /Rminus_diag_uniq ->; field; lra.
have term e t (s_ne : s <> e) range := taylor_term s_ne (proj1 (derivable t range)) (proj2 (derivable t range)).
split.
  have s_ne : s <> s1 by lra.
  have [|t range|//|xi xi_range vanishes] := @rolle
    (fun u => a u + a' u * (s1 - u) + (a s1 - a s - a' s * (s1 - s)) / (s1 - s) ^ 2 * (s1 - u) ^ 2)
    (fun t => (a'' t - 2 * ((a s1 - a s - a' s * (s1 - s)) / (s1 - s) ^ 2)) * (s1 - t)) s1 s; first by lra.
  - by apply: (proj2 (term s1 t s_ne _)); lra.
  - by apply: esym; apply: (proj1 (term s1 s s_ne _)); lra.
  - by exists xi => //; apply: one => //; lra.
have s_ne : s <> s2 by lra.
have [|t range|//|xi xi_range vanishes] := @rolle
  (fun u => a u + a' u * (s2 - u) + (a s2 - a s - a' s * (s2 - s)) / (s2 - s) ^ 2 * (s2 - u) ^ 2)
  (fun t => (a'' t - 2 * ((a s2 - a s - a' s * (s2 - s)) / (s2 - s) ^ 2)) * (s2 - t)) s s2; first by lra.
- by apply: (proj2 (term s2 t s_ne _)); lra.
- by apply: (proj1 (term s2 s s_ne _)); lra.
- by exists xi => //; apply: one => //; lra.
Qed.

(** One value of the second derivative gives the remainder: the rest vanishes at three points. *)
Lemma remainder_lagrange (a a' a'' : R -> R) (s1 s s2 : R) : s1 < s < s2 -> twice_derivable a a' a'' s1 s2 ->
  exists2 xi, s1 < xi < s2 & a s - linear a s1 s2 s = a'' xi * (s - s1) * (s - s2) / 2.
Proof.
move=> s_range derivable; pose K := (a s - linear a s1 s2 s) / ((s - s1) * (s - s2)).
pose slope := (a s2 - a s1) / (s2 - s1).
pose f u := a u - linear a s1 s2 u - K * ((u - s1) * (u - s2)).
pose df u := a' u - slope - K * (2 * u - s1 - s2).
have f_derived t : s1 <= t <= s2 -> is_derive f t (df t).
  move=> /derivable[a_derived _]; rewrite /f /linear; auto_derive; first by exists (a' t).
  by rewrite (is_derive_unique _ _ _ a_derived) /df /slope; field; lra.
have df_derived t : s1 <= t <= s2 -> is_derive df t (a'' t - 2 * K).
  move=> /derivable[_ a'_derived]; rewrite /df; auto_derive; first by exists (a'' t).
  by rewrite (is_derive_unique _ _ _ a'_derived); ring.
have [f_s1 f_s f_s2] : [/\ f s1 = 0, f s = 0 & f s2 = 0].
  by split; rewrite /f /K /linear; field; repeat split; lra.
have [t1 t1_range df_t1] : exists2 t, s1 < t < s & df t = 0.
  by apply: (rolle (f := f)) => [|t range|]; [lra | apply: f_derived; lra | rewrite f_s1].
have [t2 t2_range df_t2] : exists2 t, s < t < s2 & df t = 0.
  by apply: (rolle (f := f)) => [|t range|]; [lra | apply: f_derived; lra | rewrite f_s].
have [xi xi_range vanishes] : exists2 t, t1 < t < t2 & a'' t - 2 * K = 0.
  by apply: (rolle (f := df)) => [|t range|]; [lra | apply: df_derived; lra | rewrite df_t1].
exists xi; first by lra.
have -> : a'' xi = 2 * K by lra.
by rewrite /K; field; lra.
Qed.

(** interpolation.taylor-form: The expansions begin a(s_1) = a(s) + a′(s)·(s_1 − s) + …, and the same
    for s_2: for s_1 < s < s_2 and every function a that is twice differentiable from s_1 to s_2 they
    end with a′′(ξ_1)·(s_1 − s)²/2 and a′′(ξ_2)·(s_2 − s)²/2, ξ_1 and ξ_2 on either side of s. So the
    remainder of linear interpolation is (s − s_1)(s − s_2)/(2(s_2 − s_1)) times
    a′′(ξ_1)·(s − s_1) + a′′(ξ_2)·(s_2 − s), and for one ξ between s_1 and s_2 it is
    a′′(ξ)·(s − s_1)(s − s_2)/2. *)
Theorem interpolation_taylor_form (a a' a'' : R -> R) (s1 s s2 : R) :
  s1 < s < s2 -> twice_derivable a a' a'' s1 s2 ->
  (exists xi1 xi2 : R, s1 < xi1 < s /\ s < xi2 < s2 /\
     a s1 = a s + a' s * (s1 - s) + a'' xi1 * (s1 - s) ^ 2 / 2 /\
     a s2 = a s + a' s * (s2 - s) + a'' xi2 * (s2 - s) ^ 2 / 2 /\
     a s - linear a s1 s2 s =
       (s - s1) * (s - s2) / (2 * (s2 - s1)) * (a'' xi1 * (s - s1) + a'' xi2 * (s2 - s))) /\
  (exists xi : R, s1 < xi < s2 /\ a s - linear a s1 s2 s = a'' xi * (s - s1) * (s - s2) / 2).
Proof.
move=> s_range derivable; split; last first.
  by have [xi xi_range remainder] := remainder_lagrange s_range derivable; exists xi.
have [[xi1 range1 at_s1] [xi2 range2 at_s2]] := taylor_lagrange s_range derivable.
exists xi1, xi2; do 4! split=> //; rewrite /linear at_s1 at_s2.
by field; lra.
Qed.

(** interpolation.taylor-form, as written: a(s_1) = a(s) + a′(s)·(s − s_1) + a′′·(s − s_1)²/2, and
    the same for s_2. *)
Theorem interpolation_taylor_form_as_written_false :
  ~ (forall p q r s s1 : R,
       let a x := p * x ^ 2 + q * x + r in
       let a' x := 2 * p * x + q in
       a s1 = a s + a' s * (s - s1) + 2 * p * (s - s1) ^ 2 / 2).
Proof. by move=> /(_ 0 1 0 0 1) /=; lra. Qed.
