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

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core BinarySingleNaN.
From Posproof Require Import RoundingFormat.

Open Scope R_scope.

Definition ieee (F : format) : Set := binary_float (precision F) (emax F).
Definition value {F : format} (x : ieee F) : R := B2R x.
Definition returns (F : format) (r : ieee F) (e : R) : Prop :=
  is_finite r = true /\ value r = fl F e.

#[global] Instance precision_lt_emax (F : format) : Prec_lt_emax (precision F) (emax F).
Proof. generalize (precision_below_emax F). unfold Prec_lt_emax. trivial. Qed.

Section IEEE.
Variable F : format.

Lemma in_range e : Rabs e <= largest F ->
  Rlt_bool (Rabs (round radix2 (SpecFloat.fexp (precision F) (emax F)) (round_mode mode_NE) e))
    (bpow radix2 (emax F)) = true.
Proof.
  intro He. apply Rlt_bool_true.
  destruct (rounding_overflow F e He) as [H1 H2].
  apply Rle_lt_trans with (2 := H2). exact H1.
Qed.

(** The value of an IEEE number is a number of the format. *)
Lemma value_is_float (x : ieee F) : is_float F (value x).
Proof. apply generic_format_B2R. Qed.

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
  intros Fx Fy Fz inside. unfold inside, returns, value. clear inside.
  repeat split; intros.
  - generalize (Bplus_correct _ _ _ _ mode_NE x y Fx Fy). rewrite in_range by assumption. tauto.
  - generalize (Bplus_correct _ _ _ _ mode_NE x y Fx Fy). rewrite in_range by assumption. tauto.
  - generalize (Bminus_correct _ _ _ _ mode_NE x y Fx Fy). rewrite in_range by assumption. tauto.
  - generalize (Bminus_correct _ _ _ _ mode_NE x y Fx Fy). rewrite in_range by assumption. tauto.
  - generalize (Bmult_correct _ _ _ _ mode_NE x y). rewrite in_range by assumption.
    rewrite Fx, Fy. simpl. tauto.
  - generalize (Bmult_correct _ _ _ _ mode_NE x y). rewrite in_range by assumption. tauto.
  - generalize (Bdiv_correct _ _ _ _ mode_NE x y H). rewrite in_range by assumption.
    rewrite Fx. tauto.
  - generalize (Bdiv_correct _ _ _ _ mode_NE x y H). rewrite in_range by assumption. tauto.
  - generalize (Bfma_correct _ _ _ _ mode_NE x y z Fx Fy Fz). cbv zeta.
    rewrite in_range by assumption. tauto.
  - generalize (Bfma_correct _ _ _ _ mode_NE x y z Fx Fy Fz). cbv zeta.
    rewrite in_range by assumption. tauto.
Qed.

End IEEE.
