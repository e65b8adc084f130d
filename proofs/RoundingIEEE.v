(** * What IEEE 754 arithmetic returns

  What is claimed.  The operations of IEEE 754, as Flocq specifies them bit by
  bit, return [fl F] of the exact result whenever the exact result is at most
  the largest finite number Ω in absolute value.  So the rounding theorems of
  this development, stated over [fl], are about those operations.

  Dictionary (x, y, z: finite IEEE numbers of the format F):
  - [ieee F] == the IEEE numbers of F, with zeros, infinities and NaN;
  - [value x] == the real number that x stands for;
  - [returns F r e] == r is finite and its value is fl(e);
  - [Bplus], [Bminus], [Bmult], [Bdiv], [Bfma] with [mode_NE] == the operations of
    Flocq's BinarySingleNaN, to nearest, ties to even.

  Formula:
    |e| <= Ω implies that x + y, x - y, x * y, x / y (y <> 0), x * y + z return
    fl(e), e the exact result                                    [rounding_ieee]

  Assumes: nothing beyond Flocq's definitions.  Not claimed: that a given
  machine, compiler or accelerator follows IEEE 754. *)

From Coq Require Import Reals ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core BinarySingleNaN.
From Posproof Require Import RoundingFormat.

Open Scope R_scope.

Definition ieee (F : format) : Set := binary_float (precision F) (emax F).
Definition value {F : format} (x : ieee F) : R := B2R x.
Definition returns (F : format) (r : ieee F) (e : R) : Prop :=
  is_finite r = true /\ value r = fl F e.

#[global] Instance precision_lt_emax (F : format) : Prec_lt_emax (precision F) (emax F).
Proof. exact: precision_below_emax. Qed.

Section IEEE.
Variable F : format.

Lemma in_range e : Rabs e <= largest F ->
  Rlt_bool (Rabs (round radix2 (SpecFloat.fexp (precision F) (emax F)) (round_mode mode_NE) e))
    (bpow radix2 (emax F)) = true.
Proof.
move=> e_le; apply: Rlt_bool_true.
have [rounded_le below] := rounding_overflow F e e_le.
exact: Rle_lt_trans rounded_le below.
Qed.

(** The value of an IEEE number is a number of the format. *)
Lemma value_is_float (x : ieee F) : is_float F (value x).
Proof. exact: generic_format_B2R. Qed.

(** rounding.ieee: for finite x, y, z of a format and |e| <= Ω, the IEEE operations x + y, x - y, x * y, x /
    y (y <> 0) and the fused x * y + z, to nearest even, are finite and return fl(e), e the exact result. *)
Theorem rounding_ieee (x y z : ieee F) :
  is_finite x = true -> is_finite y = true -> is_finite z = true ->
  let in_range e := Rabs e <= largest F in
  (in_range (value x + value y) -> returns F (Bplus mode_NE x y) (value x + value y)) /\
  (in_range (value x - value y) -> returns F (Bminus mode_NE x y) (value x - value y)) /\
  (in_range (value x * value y) -> returns F (Bmult mode_NE x y) (value x * value y)) /\
  (value y <> 0 -> in_range (value x / value y) ->
     returns F (Bdiv mode_NE x y) (value x / value y)) /\
  (in_range (value x * value y + value z) ->
     returns F (Bfma mode_NE x y z) (value x * value y + value z)).
Proof.
move=> x_finite y_finite z_finite inside; rewrite /inside /returns /value {inside}.
split; [ | split; [ | split; [ | split]]].
- move=> sum_le; have := Bplus_correct _ _ _ _ mode_NE x y x_finite y_finite.
  by rewrite in_range // => -[rounded [finite _]].
- move=> difference_le; have := Bminus_correct _ _ _ _ mode_NE x y x_finite y_finite.
  by rewrite in_range // => -[rounded [finite _]].
- move=> product_le; have := Bmult_correct _ _ _ _ mode_NE x y.
  by rewrite in_range // => -[rounded [finite _]]; rewrite finite x_finite y_finite.
- move=> y_ne0 quotient_le; have := Bdiv_correct _ _ _ _ mode_NE x y y_ne0.
  by rewrite in_range // => -[rounded [finite _]]; rewrite finite.
- move=> sum_le; have := Bfma_correct _ _ _ _ mode_NE x y z x_finite y_finite z_finite.
  by cbv zeta; rewrite in_range // => -[rounded [finite _]].
Qed.

End IEEE.
