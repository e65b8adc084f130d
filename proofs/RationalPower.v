(** * Which roots of 10000 are rational

  What is claimed.  The ratio of two neighbouring frequencies of dimension d = h.*2 is
  10000^(1/h) = 10^(8/d). It is rational exactly for h = 1, 2 and 4, by counting how often
  the prime 2 divides: if (p/q)^h = 10000 then p^h = 2^4 5^4 q^h, so h divides 4.

  rational x         == x = p/q for integers p and q, q <> 0

  Main results: [rational_root] (an h-th root of a positive integer a is rational only if h
  divides the exponent of every prime in a), [root_of_10000], and [frequency_power], which
  makes base^(-i/h) algebraic: it is 1/c^i where c^h = base. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition rational (x : R) : Prop := exists p q : Z, q <> 0%Z /\ x = IZR p / IZR q.

Lemma rational_IZR n : rational (IZR n).
Proof. by exists n, 1%Z; split=> //; field. Qed.

Lemma rational_div x y : rational x -> rational y -> y <> 0 -> rational (x / y).
Proof.
move=> [p [q [q_neq0 ->]]] [p' [q' [q'_neq0 ->]]] y_neq0.
have p'_neq0 : p' <> 0%Z by move=> p'_eq0; apply: y_neq0; rewrite p'_eq0 /Rdiv Rmult_0_l.
exists (p * q')%Z, (q * p')%Z; split; first by lia.
rewrite !mult_IZR; field; repeat split; exact: not_0_IZR.
Qed.

(** A positive rational number is a quotient of natural numbers. *)
Lemma rational_nat x : 0 < x -> rational x ->
  exists p q : nat, [/\ (0 < p)%N, (0 < q)%N & x * INR q = INR p].
Proof.
move=> x_gt0 [p [q [q_neq0 x_eq]]].
have qR_neq0 : IZR q <> 0 by apply: not_0_IZR.
have xq : x * IZR q = IZR p by rewrite x_eq; field.
exists (Z.abs_nat p), (Z.abs_nat q); rewrite !INR_IZR_INZ !Zabs2Nat.id_abs !abs_IZR -xq Rabs_mult.
have xq_neq0 : x * IZR q <> 0 by apply: Rmult_integral_contrapositive_currified; lra.
have p_neq0 : p <> 0%Z by move=> p_eq0; apply: xq_neq0; rewrite xq p_eq0.
split; [by apply/ltP; lia | by apply/ltP; lia | by rewrite (Rabs_right x) //; lra].
Qed.

Lemma INR_expn (p n : nat) : INR (p ^ n) = INR p ^ n.
Proof. by elim: n => [|n IHn] //; rewrite expnS mult_INR IHn. Qed.

(** If x^h = a with x rational, then h divides the exponent of each prime r in a. *)
Lemma rational_root (x : R) (h a r : nat) : (0 < a)%N -> prime r ->
  0 < x -> rational x -> x ^ h = INR a -> (h %| logn r a)%N.
Proof.
move=> a_gt0 r_prime x_gt0 /(rational_nat x_gt0)[p [q [p_gt0 q_gt0 xq]]] x_root.
have powers : (p ^ h = a * q ^ h)%N.
  apply: INR_eq; rewrite INR_expn -xq Rpow_mult_distr x_root -INR_expn -mult_INR.
  by [].
have := congr1 (logn r) powers; rewrite lognX lognM ?expn_gt0 ?q_gt0 // lognX => exponents.
by rewrite -(dvdn_addl _ (dvdn_mulr (logn r q) (dvdnn h))) -exponents dvdn_mulr.
Qed.

Lemma rational_root_10000 (x : R) (h : nat) :
  0 < x -> rational x -> x ^ h = 10000 -> [\/ h = 1%N, h = 2%N | h = 4%N].
Proof.
move=> x_gt0 x_rational x_root.
have ten4 : INR (10 ^ 4) = 10000 by rewrite INR_expn /=; ring.
have : (h %| logn 2 (10 ^ 4))%N by apply: (rational_root _ _ x_gt0); rewrite ?ten4.
have -> : logn 2 (10 ^ 4) = 4%N by rewrite lognX (lognM 2 (m := 2) (n := 5)).
move=> h_dvd4; have := dvdn_leq (ltn0Sn 3) h_dvd4.
by case: h h_dvd4 {x_root} => [|[|[|[|[|h]]]]] //= _ _; [apply: Or31 | apply: Or32 | apply: Or33].
Qed.

(** ** Powers with rational exponents *)

Lemma Rpower_root base h : 0 < base -> (0 < h)%N -> Rpower base (1 / INR h) ^ h = base.
Proof.
move=> base_gt0 h_gt0; have hR_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
rewrite -Rpower_pow; last exact: exp_pos.
by rewrite Rpower_mult (_ : 1 / INR h * INR h = 1) ?Rpower_1 //; field; lra.
Qed.

Lemma frequency_power c h i : 0 < c -> (0 < h)%N -> frequency (c ^ h) h.*2 i = / c ^ i.
Proof.
move=> c_gt0 h_gt0; have hR_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
rewrite frequency_pairs -Rpower_pow // Rpower_mult -Rpower_pow // -Rpower_Ropp.
by congr Rpower; field; lra.
Qed.

(** The root 10000^(1/h) = 10^(8/d) is rational exactly for d = 2, 4 and 8. *)
Lemma root_of_10000 h : (0 < h)%N ->
  rational (Rpower 10000 (1 / INR h)) <-> [\/ h = 1%N, h = 2%N | h = 4%N].
Proof.
move=> h_gt0; split=> [root_rational|].
  apply: (rational_root_10000 _ root_rational); first exact: exp_pos.
  by apply: Rpower_root => //; lra.
have root (n : nat) (c : Z) : 0 < IZR c -> (0 < n)%N -> 10000 = IZR c ^ n ->
    rational (Rpower 10000 (1 / INR n)).
  move=> c_gt0 n_gt0 ->; have nR_gt0 : 0 < INR n by apply: lt_0_INR; apply/ltP.
  rewrite -Rpower_pow // Rpower_mult (_ : INR n * (1 / INR n) = 1) ?Rpower_1 //.
    exact: rational_IZR.
  by field; lra.
by case=> ->; [apply: (root _ 10000%Z) | apply: (root _ 100%Z) | apply: (root _ 10%Z)] => //; lra.
Qed.
