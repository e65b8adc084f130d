(** The formulas of [rounding_accumulator] and [rounding_accumulator_even] as terms, with the proofs that they are the theorems'. *)

From Posproof Require Import RoundingInstruction RoundingAccumulator.

Definition share_term (A : accumulator) (lossy : Z) : term :=
  Sum (Product (one_less (Whole lossy)) (Scaled 1 (- fraction A))) (Scaled 1 (- Z.min (fraction A) (RoundingInstruction.result A))).

Lemma share_value A n : value (share_term A (Z.of_nat n)) = share A n.
Proof. unfold share_term, share, one_less. cbn [value]. rewrite <- INR_IZR_INZ. ring. Qed.

(** The power by the logarithm, which is enclosed once. *)
Definition slope_term (A : accumulator) (first other N : Z) : term :=
  let left t := Difference (Whole 1) (share_term A t) in
  Difference (Whole 1) (Product (left first) (Exponential (Product (Whole (N - 1)) (Logarithm (left other))))).

Lemma slope_value A first other N : share A other < 1 -> (0 < N)%nat ->
  value (slope_term A (Z.of_nat first) (Z.of_nat other) (Z.of_nat N)) = slope A first other N.
Proof.
  intros below positive. destruct N as [|n]; [lia|].
  unfold slope_term, slope, left_of. cbn [value]. rewrite !share_value.
  replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. rewrite <- INR_IZR_INZ.
  fold (Rpower (1 - share A other) (INR n)). rewrite Rpower_pow; [reflexivity | lra].
Qed.

Definition even_term (A : accumulator) (first other N : Z) : term :=
  let ratio t := Quotient (share_term A t) (Difference (Whole 1) (share_term A t)) in
  let x := Sum (ratio first) (Product (Whole (N - 1)) (ratio other)) in
  Quotient x (one_more x).

Lemma even_value A first other N : (0 < N)%nat ->
  value (even_term A (Z.of_nat first) (Z.of_nat other) (Z.of_nat N)) = even_slope A first other N.
Proof.
  intros positive. destruct N as [|n]; [lia|].
  unfold even_term, even_slope, shares_lost, one_more. cbn [value]. rewrite !share_value.
  replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. now rewrite <- INR_IZR_INZ.
Qed.

(** The bounds of a sum of magnitudes 1. *)
Definition summed (F r : Z) (F_ge2 : (2 <= F)%Z) (r_ge2 : (2 <= r)%Z) (first other N least : Z) : term :=
  let A := Accumulator F r F_ge2 r_ge2 in
  if (F =? r)%Z then
    Product (even_term A first other N)
      (Sum (Whole 1) (Product (one_more (Product (Whole N) (share_term A other))) (Scaled 1 least)))
  else Product (slope_term A first other N) (Sum (Whole 1) (Scaled 1 least)).

Lemma summed_value F r F_ge2 r_ge2 first other N least : let A := Accumulator F r F_ge2 r_ge2 in
  share A other < 1 -> (0 < N)%nat ->
  value (summed F r F_ge2 r_ge2 (Z.of_nat first) (Z.of_nat other) (Z.of_nat N) least) =
  if (F =? r)%Z then even_slope A first other N * (1 + (1 + INR N * share A other) * bpow radix2 least)
  else slope A first other N * (1 + bpow radix2 least).
Proof.
  intros A below positive. unfold summed. fold A. destruct (F =? r)%Z; cbn [value one_more].
  - rewrite even_value, share_value, <- INR_IZR_INZ by assumption. ring.
  - rewrite slope_value by assumption. ring.
Qed.

(** Each case is a bound and the figures of its formula. *)
Definition summed_close (case : term * (Z * Z * Z * Z * Z * Z)) : bool :=
  let '(bound, (F, r, first, other, N, least)) := case in
  match Z_le_dec 2 F, Z_le_dec 2 r with
  | left F_ge2, left r_ge2 => close (bound, summed F r F_ge2 r_ge2 first other N least)
  | _, _ => false
  end.
