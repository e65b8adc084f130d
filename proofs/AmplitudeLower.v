(** * Lower bounds of sums of lengths, without square roots

  Most values of A(s) are far above d. A lower bound tells so, which takes additions and comparisons in place of square roots:
  the length of (x, y) is at least (7 max(|x|, |y|) + 5 (|x| + |y|)) / 13, because 5^2 + 12^2 = 13^2.

  onwards_below st zw  == x, y and the totals of |x| + |y| and of max(|x|, |y|), and those with one product more
  lower_sum r s        == 13 times the total for the rows r and s, or less
  lower_sums r s       == that, and the total for the rows r and mirrored s

  Main result: [lower_sum_le], by how much it can exceed 2^(2b) 13 A(s). *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Phasor ComplexSum CosineRows Amplitudes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The computation *)

Definition added (st : (Z * Z) * (Z * Z)) (c s : Z) : (Z * Z) * (Z * Z) :=
  let x := (st.1.1 + c)%Z in
  let y := (st.1.2 + s)%Z in
  let u := Z.abs x in
  let v := Z.abs y in
  ((x, y), (st.2.1 + (u + v), st.2.2 + Z.max u v))%Z.

Definition onward_below (st : (Z * Z) * (Z * Z)) (zw : (Z * Z) * (Z * Z)) : (Z * Z) * (Z * Z) :=
  added st (zw.1.1 * zw.2.1 - zw.1.2 * zw.2.2) (zw.1.1 * zw.2.2 + zw.1.2 * zw.2.1).

Definition onwards_below (st : ((Z * Z) * (Z * Z)) * ((Z * Z) * (Z * Z))) (zw : (Z * Z) * (Z * Z)) :
    ((Z * Z) * (Z * Z)) * ((Z * Z) * (Z * Z)) :=
  let cc := (zw.1.1 * zw.2.1)%Z in
  let ss := (zw.1.2 * zw.2.2)%Z in
  let cs := (zw.1.1 * zw.2.2)%Z in
  let sc := (zw.1.2 * zw.2.1)%Z in
  (added st.1 (cc - ss) (cs + sc), added st.2 (cc + ss) (sc - cs)).

Definition combined (t : Z * Z) : Z := (5 * t.1 + 7 * t.2)%Z.

Definition nothing : (Z * Z) * (Z * Z) := ((0, 0), (0, 0))%Z.

Definition lower_sum (r s : seq (Z * Z)) : Z := combined (foldl onward_below nothing (zip r s)).2.

Definition lower_sums (r s : seq (Z * Z)) : Z * Z :=
  let st := foldl onwards_below (nothing, nothing) (zip r s) in (combined st.1.2, combined st.2.2).

Lemma lower_sumsE r s : lower_sums r s = (lower_sum r s, lower_sum r (mirrored s)).
Proof.
have onwardsE st zw : onwards_below st zw = (onward_below st.1 zw, onward_below st.2 (zw.1, (zw.2.1, (- zw.2.2)%Z))).
  move: st zw => [st st'] [[a b] [c d]]; rewrite /onwards_below /onward_below /=.
  by rewrite Z.mul_opp_r Z.sub_opp_r (_ : (a * - d + b * c = b * c - a * d)%Z); last by ring.
suff each st st' : foldl onwards_below (st, st') (zip r s) =
  (foldl onward_below st (zip r s), foldl onward_below st' (zip r (mirrored s))) by rewrite /lower_sums each.
by elim: r s st st' => [|z r IHr] [|w s] st st' //=; rewrite onwardsE IHr.
Qed.

(** ** The bound *)

Lemma Cmod_ge x y : 7 * Rmax (Rabs x) (Rabs y) + 5 * (Rabs x + Rabs y) <= 13 * Cmod (x, y).
Proof.
have one u v : 0 <= u -> 0 <= v -> 12 * u + 5 * v <= 13 * sqrt (u ^ 2 + v ^ 2).
  move=> u_ge0 v_ge0; have square : (12 * u + 5 * v) ^ 2 <= 13 ^ 2 * (u ^ 2 + v ^ 2) by have := pow2_ge_0 (5 * u - 12 * v); lra.
  have -> : 13 * sqrt (u ^ 2 + v ^ 2) = sqrt (13 ^ 2 * (u ^ 2 + v ^ 2)).
    by rewrite sqrt_mult_alt; [rewrite sqrt_pow2; lra | lra].
  by rewrite -(sqrt_pow2 (12 * u + 5 * v)); [apply: sqrt_le_1_alt | lra].
have -> : Cmod (x, y) = sqrt (Rabs x ^ 2 + Rabs y ^ 2) by rewrite !pow2_abs.
have := one _ _ (Rabs_pos x) (Rabs_pos y); have := one _ _ (Rabs_pos y) (Rabs_pos x).
rewrite [Rabs y ^ 2 + _]Rplus_comm; move: (sqrt _) => r; rewrite /Rmax; case: Rle_dec; lra.
Qed.

(** The bound of a number that is near. *)
Lemma combined_near u v x y e : Rabs (u - x) <= e -> Rabs (v - y) <= e ->
  7 * Rmax (Rabs u) (Rabs v) + 5 * (Rabs u + Rabs v) <= 7 * Rmax (Rabs x) (Rabs y) + 5 * (Rabs x + Rabs y) + 17 * e.
Proof.
have near a c : Rabs (a - c) <= e -> Rabs a <= Rabs c + e.
  by move=> ac; have := Rabs_triang (a - c) c; rewrite (_ : a - c + c = a); [lra | ring].
move=> /near ux /near vy; have larger : Rmax (Rabs u) (Rabs v) <= Rmax (Rabs x) (Rabs y) + e.
  have := Rmax_l (Rabs x) (Rabs y); have := Rmax_r (Rabs x) (Rabs y).
  by move: (Rmax (Rabs x) _) => top y_le x_le; apply: Rmax_lub; lra.
by move: (Rmax (Rabs u) _) (Rmax (Rabs x) _) larger => top top'; lra.
Qed.

Lemma IZR_max u v : IZR (Z.max u v) = Rmax (IZR u) (IZR v).
Proof.
case: (Z.max_spec u v) => -[le ->]; first by rewrite Rmax_right //; apply: IZR_le; lia.
by rewrite Rmax_left //; exact: IZR_le.
Qed.

Section Lower.
Variables (b : Z) (h : nat) (q v w : R) (r s : seq (Z * Z)).
Hypothesis b_ge3 : (3 <= b)%Z.
Hypothesis r_near : near_row b h q v r.
Hypothesis s_near : near_row b h q w s.

Let P : R := 2 ^ Z.to_nat b.
Let theta (i : nat) : R := q ^ i.
Let sum (n : nat) : C := partial_sum theta (v + w) n.

(** The error of the total of n terms. *)
Definition lower_error (n : nat) : R := 85 * 2 ^ Z.to_nat b * (INR n * (INR n + 1) / 2).

Lemma onward_below_near n : (n <= h)%N -> let st := foldl onward_below nothing (take n (zip r s)) in
  Rabs (IZR st.1.1 - P * P * (sum n).1) <= 5 * P * INR n /\ Rabs (IZR st.1.2 - P * P * (sum n).2) <= 5 * P * INR n /\
  IZR (combined st.2) <= P * P * (13 * \rsum_(j < n) Cmod (sum j.+1)) + lower_error n.
Proof.
have [size_r _] := r_near; have [size_s _] := s_near;
  have size_rs : size (zip r s) = h by rewrite size_zip size_r size_s minnn.
elim: n => [|n IHn] lt_n.
  rewrite take0 big_ord0 /lower_error /combined [foldl _ _ _]/= [INR 0]/= /= !Rmult_0_r !Rminus_0_r Rabs_R0.
  by split; [lra | split; lra].
have [x_near [y_near t_near]] := IHn (ltnW lt_n); pose z0 := (0%Z, 0%Z).
rewrite -[INR n.+1]/(INR (S n)) S_INR (take_nth (z0, z0)) ?size_rs // foldl_rcons nth_zip ?size_r ?size_s //.
move: (foldl _ _ _) x_near y_near t_near => [[x y] [t t']]; rewrite [((x, y), _).1]/= [((x, y), _).2]/= => x_near y_near t_near.
have [x'_near y'_near] := added_near b_ge3 r_near s_near lt_n x_near y_near; move: x'_near y'_near.
rewrite /onward_below /added; cbn [fst snd]; move: (x + _)%Z (y + _)%Z => x' y' x'_near y'_near.
split; [exact: x'_near | split; [exact: y'_near | ]].
have -> : \rsum_(j < n.+1) Cmod (sum j.+1) = \rsum_(j < n) Cmod (sum j.+1) + Cmod (sum n.+1) by exact: big_ord_recr.
have := combined_near x'_near y'_near; rewrite -/P -/theta -/(sum n.+1); have := Cmod_ge (P * P * (sum n.+1).1) (P * P * (sum n.+1).2).
have PP_ge0 : 0 <= P * P by apply: Rle_0_sqr.
have -> : Cmod (P * P * (sum n.+1).1, P * P * (sum n.+1).2) = P * P * Cmod (sum n.+1).
  rewrite -[X in X * Cmod _](Rabs_pos_eq _ PP_ge0) -Cmod_R -Cmod_mult; congr Cmod.
  by apply: C_eq; rewrite /=; ring.
have -> : lower_error n.+1 = lower_error n + 17 * (5 * P * (INR n + 1)).
  by rewrite /lower_error -addn1 plus_INR [INR 1]/= -/P; field.
have -> : IZR (combined (t + (Z.abs x' + Z.abs y'), t' + Z.max (Z.abs x') (Z.abs y'))%Z) = IZR (combined (t, t')) +
    (7 * Rmax (Rabs (IZR x')) (Rabs (IZR y')) + 5 * (Rabs (IZR x') + Rabs (IZR y'))).
  by rewrite /combined; cbn [fst snd]; rewrite !plus_IZR !mult_IZR !plus_IZR IZR_max !abs_IZR; ring.
by move: t_near; lra.
Qed.

Lemma lower_sum_le : IZR (lower_sum r s) <= P * P * (13 * amplitude h theta (v + w)) + lower_error h.
Proof.
have [size_r _] := r_near; have [size_s _] := s_near; have size_rs : size (zip r s) = h by rewrite size_zip size_r size_s minnn.
by have [_ [_ near]] := onward_below_near (leqnn h); rewrite take_oversize ?size_rs // in near.
Qed.

End Lower.
