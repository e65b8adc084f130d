(** * Truncation, and sums over lists

  What is claimed.  Rounding towards zero splits a number into two parts of one sign, and keeps
  what is no larger than a number of the format from falling below it.

  Dictionary:
  - [truncated f x] == x rounded towards zero to the numbers of the exponents f;
  - [on_grid e x] == x is a whole multiple of 2^e;
  - \ssum_(i <- s) F == the sum of F over the list s.

  Formulas:
    |truncated x| + |x - truncated x| = |x|                            [truncated_split]
    y of the format, |y| <= |x| imply |y| <= |truncated x|             [truncated_ge]

  Assumes: nothing. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix.

Open Scope R_scope.

Notation "\ssum_ ( i <- s ) F" := (\big[Rplus/0%R]_(i <- s) F%R)
  (at level 41, F at level 41, i, s at level 50) : R_scope.

(** ** Truncation *)

Section Truncation.
Variable f : Z -> Z.
Context {valid : Valid_exp f}.

Definition truncated (x : R) : R := round radix2 f Ztrunc x.

Lemma truncated_ge0 x : 0 <= x -> 0 <= truncated x <= x.
Proof.
move=> x0; rewrite /truncated round_ZR_DN //; split; last by have [_ [h _]] := round_DN_pt radix2 f x.
by rewrite -(round_0 radix2 f Zfloor); apply: round_le.
Qed.

Lemma truncated_opp x : truncated (- x) = - truncated x.
Proof. exact: round_ZR_opp. Qed.

(** The part that is kept and the part that is lost are of one sign. *)
Lemma truncated_split x : Rabs (truncated x) + Rabs (x - truncated x) = Rabs x.
Proof.
case: (Rle_dec 0 x) => [x0|/Rnot_le_lt x0].
  by have := truncated_ge0 x x0 => ?; rewrite !Rabs_pos_eq; lra.
have := truncated_ge0 (- x) ltac:(lra); rewrite truncated_opp => ?.
by rewrite (Rabs_left1 x) ?(Rabs_left1 (truncated x)) ?(Rabs_left1 (x - truncated x)); lra.
Qed.

Lemma truncated_float x : generic_format radix2 f (truncated x).
Proof. exact: generic_format_round. Qed.

(** What is truncated to no less than a number of the format is no less than that number. *)
Lemma truncated_ge x y : generic_format radix2 f y -> Rabs y <= Rabs x -> Rabs y <= Rabs (truncated x).
Proof.
move=> y_float y_le; rewrite /truncated -round_ZR_abs.
rewrite -[Rabs y](round_generic radix2 f Ztrunc); first by apply: round_le.
exact: generic_format_abs.
Qed.

End Truncation.

(** ** Sums over lists *)

Lemma ssum_le (s : seq nat) F G : (forall i, F i <= G i) -> \ssum_(i <- s) F i <= \ssum_(i <- s) G i.
Proof. by move=> le; elim: s => [|i s IH]; rewrite ?big_nil ?big_cons; [lra | have := le i; lra]. Qed.

Lemma ssum_ge0 (s : seq nat) F : (forall i, 0 <= F i) -> 0 <= \ssum_(i <- s) F i.
Proof. by move=> F_ge0; elim: s => [|i s IH]; rewrite ?big_nil ?big_cons; [lra | have := F_ge0 i; lra]. Qed.

Lemma ssum_abs (s : seq nat) F : Rabs (\ssum_(i <- s) F i) <= \ssum_(i <- s) Rabs (F i).
Proof.
elim: s => [|i s IH]; rewrite ?big_nil ?big_cons; first by rewrite Rabs_R0; lra.
by have := Rabs_triang (F i) (\ssum_(i <- s) F i); lra.
Qed.

Lemma ssum_add (s : seq nat) F G : \ssum_(i <- s) (F i + G i) = \ssum_(i <- s) F i + \ssum_(i <- s) G i.
Proof. by elim: s => [|i s IH]; rewrite ?big_nil ?big_cons; [lra | lra]. Qed.

Lemma ssum_sub (s : seq nat) F G : \ssum_(i <- s) (F i - G i) = \ssum_(i <- s) F i - \ssum_(i <- s) G i.
Proof. by elim: s => [|i s IH]; rewrite ?big_nil ?big_cons; [lra | lra]. Qed.

Lemma ssum_term (s : seq nat) F i : (forall i, 0 <= F i) -> i \in s -> F i <= \ssum_(i <- s) F i.
Proof.
move=> F_ge0; elim: s => [|j s IH] //; rewrite in_cons big_cons => /orP[/eqP ->|/IH].
  by have := ssum_ge0 s F F_ge0; lra.
by have := F_ge0 j; lra.
Qed.

(** ** Multiples of a power of two *)

Definition on_grid (e : Z) (x : R) : Prop := exists m : Z, x = IZR m * bpow radix2 e.

Lemma on_grid_add e x y : on_grid e x -> on_grid e y -> on_grid e (x + y).
Proof. by move=> [m ->] [n ->]; exists (m + n)%Z; rewrite plus_IZR; ring. Qed.
