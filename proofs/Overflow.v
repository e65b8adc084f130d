(** * Where growing exponentials leave a format

  What is claimed.  Of the powers e^m, m = 0, 1, 2, ..., those from e^89 on are beyond binary32 and
  those from e^710 on beyond binary64: rounded to nearest they exceed the largest finite number.

  overflows F x     == the nearest number of the format F to x, its exponent unbounded, exceeds
                       the largest finite number of F

  Main result: the corollary of phasor.growth. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Reals Lra Lia.
From mathcomp Require Import ssreflect ssrbool ssrnat.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat IntervalTactic.

Open Scope R_scope.

Definition overflows (F : format) (x : R) : Prop := largest F < Rabs (fl F x).

Lemma overflowsP F (e : Z) x : (emin F <= e)%Z -> bpow radix2 e <= x -> largest F < bpow radix2 e ->
  overflows F x.
Proof.
move=> e_float e_le_x above; have power_gt0 := bpow_gt_0 radix2 e.
have : bpow radix2 e <= fl F x by rewrite -(fl_exact F _ (bpow_float F e e_float)); apply: fl_le.
by rewrite /overflows => fl_ge; rewrite Rabs_pos_eq; lra.
Qed.

(** From the first power beyond the format on, and none before, powers overflow. *)
Lemma first_overflow F (first : nat) : exp (INR first.-1) <= largest F ->
  largest F < bpow radix2 (emax F) -> bpow radix2 (emax F) <= exp (INR first) -> (0 < first)%N ->
  forall m : nat, overflows F (exp (INR m)) <-> (first <= m)%N.
Proof.
move=> below above beyond first_gt0 m; have exp_mono i j : (i <= j)%N -> exp (INR i) <= exp (INR j).
  by move=> /leP/le_INR [/exp_increasing/Rlt_le // | ->]; apply: Rle_refl.
split=> [over | le_m]; last first.
  apply: (overflowsP F (emax F)) => //; last by apply: Rle_trans beyond _; apply: exp_mono.
  by rewrite /emin; have := precision_above_one F; have := precision_below_emax F; lia.
rewrite leqNgt; apply/negP => lt_m.
have small : Rabs (exp (INR m)) <= largest F.
  rewrite Rabs_pos_eq; last exact/Rlt_le/exp_pos.
  by apply: Rle_trans below; apply: exp_mono; rewrite -ltnS prednK.
by have [] := rounding_overflow F _ small; rewrite /overflows in over; lra.
Qed.

Lemma bpow_2 e : bpow radix2 e = exp (IZR e * ln 2).
Proof. by rewrite bpow_exp. Qed.

(** Between e^88 and e^89 lies the largest binary32, between e^709 and e^710 the largest binary64;
    the smallest m for which e^m overflows are 89 and 710. *)
Corollary phasor_growth_overflow :
  (exp 88 < largest binary32 < exp 89 /\
   forall m : nat, overflows binary32 (exp (INR m)) <-> (89 <= m)%N) /\
  (exp 709 < largest binary64 < exp 710 /\
   forall m : nat, overflows binary64 (exp (INR m)) <-> (710 <= m)%N).
Proof.
have largest_of F : largest F = (1 - u F) * bpow radix2 (emax F) by [].
have below_1 F : largest F < bpow radix2 (emax F).
  by rewrite largest_of; have := u_pos F; have := bpow_gt_0 radix2 (emax F); nra.
have at_least F : / 2 * bpow radix2 (emax F) <= largest F.
  by rewrite largest_of; have := u_le_quarter F; have := bpow_gt_0 radix2 (emax F); nra.
have range32 : exp 88 < / 2 * bpow radix2 128 /\ bpow radix2 128 < exp 89.
  by rewrite bpow_2; split; interval with (i_prec 60).
have range64 : exp 709 < / 2 * bpow radix2 1024 /\ bpow radix2 1024 < exp 710.
  by rewrite bpow_2; split; interval with (i_prec 60).
have below32 := below_1 binary32; have at_least32 := at_least binary32.
have below64 := below_1 binary64; have at_least64 := at_least binary64.
rewrite [emax _]/= in below32 at_least32; rewrite [emax _]/= in below64 at_least64.
split; split; try lra; apply: first_overflow => //.
- by rewrite (_ : INR 89.-1 = 88); [lra | rewrite INR_IZR_INZ].
- by rewrite [emax _]/= (_ : INR 89 = 89); [lra | rewrite INR_IZR_INZ].
- by rewrite (_ : INR 710.-1 = 709); [lra | rewrite INR_IZR_INZ].
- by rewrite [emax _]/= (_ : INR 710 = 710); [lra | rewrite INR_IZR_INZ].
Qed.
