(** * Proximity that depends on the distance alone and always falls

  Encodings whose dot products depend on the distance alone lie on one sphere; if these fall strictly, any two
  encodings keep a distance. A sphere of finite dimension has no room for infinitely many of these.

  stationary e K      == dot (e m) (e (m + n)) = K n for all positions m and distances n

  Main result: what refutes uniqueness.monotone-stationary. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Encoding.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition stationary d (e : nat -> 'cV[R]_d) (K : nat -> R) : Prop :=
  forall m n : nat, dot (e m) (e (m + n)%N) = K n.

(** ** Room on a sphere *)

Section Packing.

Variables (d : nat) (e : nat -> 'cV[R]_d) (r s : R) (M : nat).
Hypotheses (s_gt0 : 0 < s) (M_pos : (0 < M)%N) (M_large : 2 * r / s < INR M).
Hypothesis inside : forall m i, Rabs (e m i ord0) <= r.

(** The box of an encoding: its coordinates, counted from -r, in units of s, rounded down. *)
Let scaled (m : nat) (i : 'I_d) : R := (e m i ord0 + r) / s.
Let box (m : nat) : {ffun 'I_d -> 'I_M} :=
  [ffun i => insubd (Ordinal M_pos) (Z.to_nat (Int_part (scaled m i)))].

Lemma scaled_range m i : 0 <= scaled m i < INR M.
Proof.
have in_ball := inside m i; have := Rle_abs (e m i ord0); have := Rle_abs (- e m i ord0).
rewrite Rabs_Ropp => high low; have inv_gt0 := Rinv_0_lt_compat _ s_gt0.
split; first by apply: Rmult_le_pos; lra.
apply: Rle_lt_trans M_large; apply: Rmult_le_compat_r; lra.
Qed.

Lemma box_side m i : INR (box m i) <= scaled m i < INR (box m i) + 1.
Proof.
have [ge_0 lt_M] := scaled_range m i; have [int_le int_gt] := base_Int_part (scaled m i).
have int_ge0 : (0 <= Int_part (scaled m i))%Z.
  by apply: Zlt_succ_le; apply: lt_IZR; rewrite succ_IZR; lra.
have int_INR : INR (Z.to_nat (Int_part (scaled m i))) = IZR (Int_part (scaled m i)).
  by rewrite INR_IZR_INZ Z2Nat.id.
have below : (Z.to_nat (Int_part (scaled m i)) < M)%N by apply/ltP; apply: INR_lt; rewrite int_INR; lra.
by rewrite ffunE val_insubd below int_INR; lra.
Qed.

(** Two of the first M^d + 1 encodings lie in one box, and so near each other. *)
Lemma two_near : exists a b : nat, (a < b)%N /\ distance2 (e a) (e b) <= INR d * s ^ 2.
Proof.
pose f (a : 'I_(M ^ d).+1) := box a.
have /injectivePn [a [b a_ne_b same]] : ~~ injectiveb f.
  by apply/negP => /injectiveP /leq_card; rewrite card_ffun !card_ord ltnn.
have near : distance2 (e a) (e b) <= INR d * s ^ 2.
  rewrite -rsum_const; apply: rsum_le => i.
  have := box_side a i; have := box_side b i; rewrite -/(f a) -/(f b) same => in_b in_a.
  have -> : e a i ord0 - e b i ord0 = (scaled a i - scaled b i) * s by rewrite /scaled; field; lra.
  set x := scaled a i - scaled b i; have x_le : x * x <= 1 by have : -1 <= x <= 1 by [rewrite /x; lra]; nra.
  by have := pow2_ge_0 s; rewrite Rpow_mult_distr /= !Rmult_1_r => square; nra.
case: (ltngtP a b) => [lt_ab | lt_ba | eq_ab]; last by case/eqP: a_ne_b; apply: val_inj.
  by exists a, b.
by exists b, a; split=> //; move: near; rewrite !distance2_dot dotC; lra.
Qed.

End Packing.

Lemma entry_le d (x : 'cV[R]_d) i : Rabs (x i ord0) <= 1 + norm2 x.
Proof.
have square : x i ord0 * x i ord0 <= norm2 x.
  by apply: (rsum_ge_term (F := fun i => x i ord0 * x i ord0)) => k; nra.
by apply: Rabs_le; have := norm2_ge0 x; split; nra.
Qed.

Lemma falls_below (K : nat -> R) : (forall n, K n.+1 < K n) -> forall n, (0 < n)%N -> K n <= K 1%N.
Proof.
move=> falls; elim=> [|[|n] IHn] // _; first exact: Rle_refl.
by have := IHn isT; have := falls n.+1; lra.
Qed.

Lemma no_room d (e : nat -> 'cV[R]_d) (K : nat -> R) : stationary e K -> (forall n, K n.+1 < K n) -> False.
Proof.
move=> at_distance falls; have norm m : norm2 (e m) = K 0%N by have := at_distance m 0%N; rewrite addn0.
have gap : 0 < K 0%N - K 1%N by have := falls 0%N; lra.
have d_ge0 := pos_INR d; have room_gt0 : 0 < (K 0%N - K 1%N) / (INR d + 1) by apply: Rdiv_lt_0_compat; lra.
set s := sqrt ((K 0%N - K 1%N) / (INR d + 1)); have s_gt0 : 0 < s by apply: sqrt_lt_R0.
have s_square : s ^ 2 = (K 0%N - K 1%N) / (INR d + 1) by rewrite /= Rmult_1_r sqrt_sqrt; lra.
have [M M_large] := INR_unbounded (2 * (1 + K 0%N) / s).
have norm_ge0 : 0 <= K 0%N by rewrite -(norm 0%N); exact: norm2_ge0.
have M_gt0 : 0 < INR M by apply: Rlt_trans M_large; apply: Rdiv_lt_0_compat; lra.
have M_pos : (0 < M)%N by apply/ltP/INR_lt.
have inside m i : Rabs (e m i ord0) <= 1 + K 0%N by rewrite -(norm m); exact: entry_le.
have [a [b [lt_ab]]] := two_near s_gt0 M_pos M_large inside.
have := falls_below falls (n := (b - a)%N); rewrite subn_gt0 lt_ab => /(_ isT).
rewrite distance2_dot !norm -(subnKC (ltnW lt_ab)) at_distance addKn s_square => below near.
suff : INR d * ((K 0%N - K 1%N) / (INR d + 1)) <= K 0%N - K 1%N by lra.
apply: (Rmult_le_reg_r (INR d + 1)); first by lra.
have -> : INR d * ((K 0%N - K 1%N) / (INR d + 1)) * (INR d + 1) = INR d * (K 0%N - K 1%N) by field; lra.
by nra.
Qed.

(** No encoding of the natural numbers by vectors of a fixed dimension has both properties. *)
Corollary uniqueness_monotone_stationary_impossible (d : nat) (e : nat -> 'cV[R]_d) (K : nat -> R) :
  stationary e K -> ~ (forall n, K n.+1 < K n).
Proof. by move=> at_distance falls; exact: no_room at_distance falls. Qed.

(** uniqueness.monotone-stationary, as written: Proximity is translation-invariant and strictly
    decreasing in the distance, for all positions. *)
Theorem uniqueness_monotone_stationary_as_written_false :
  ~ (exists (d : nat) (e : nat -> 'cV[R]_d) (K : nat -> R), stationary e K /\ forall n, K n.+1 < K n).
Proof. by move=> [d [e [K [at_distance]]]]; exact: uniqueness_monotone_stationary_impossible at_distance. Qed.
