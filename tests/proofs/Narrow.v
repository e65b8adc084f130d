(** Numbers of formats of few bits, as a program has them, beside those of Flocq's formats: both as a whole number times a power of two. *)

From Coq Require Import Reals Lra Lia ZArith List Bool.
From Flocq Require Import Core.
From Posproof Require Import RoundingNarrow.
Import ListNotations.

Open Scope R_scope.

(** M 2^k = N 2^l. *)
Definition same_number (M k N l : Z) : bool :=
  if (l <=? k)%Z then (M * 2 ^ (k - l) =? N)%Z else (M =? N * 2 ^ (l - k))%Z.

Lemma same_number_value M k N l : same_number M k N l = true -> IZR M * bpow radix2 k = IZR N * bpow radix2 l.
Proof.
  unfold same_number. case Z.leb_spec; intros order equal; apply Z.eqb_eq in equal.
  - rewrite <- equal, mult_IZR, (IZR_Zpower radix2) by lia.
    replace k with ((k - l) + l)%Z at 1 by lia. rewrite bpow_plus. ring.
  - rewrite equal, mult_IZR, (IZR_Zpower radix2) by lia.
    replace l with ((l - k) + k)%Z at 2 by lia. rewrite bpow_plus. ring.
Qed.

Definition code_is (p e : Z) (code : nat * Z * Z * Z) : bool :=
  let '(E, m, N, l) := code in
  ((0 <=? m) && (m <? 2 ^ (p - 1)))%Z &&
  match E with
  | O => same_number m e N l
  | S E' => same_number (2 ^ (p - 1) + m) (e + Z.of_nat E') N l
  end.

(** What a code stands for is a number of the format. *)
Lemma code_is_number p e E m N l : (1 < p)%Z -> code_is p e (E, m, N, l) = true ->
  IZR N * bpow radix2 l = coded p e E m /\ (0 <= IZR N * bpow radix2 l -> generic_format radix2 (narrow p e) (IZR N * bpow radix2 l)).
Proof.
  intros precise good. unfold code_is in good. apply andb_prop in good. destruct good as [range equal].
  apply andb_prop in range. destruct range as [low high]. apply Z.leb_le in low. apply Z.ltb_lt in high.
  assert (value : IZR N * bpow radix2 l = coded p e E m).
  { unfold coded. destruct E as [|E']; symmetry; now apply same_number_value. }
  split; [exact value|]. intros positive. apply (rounding_narrow_codes p e precise _ positive). now exists E, m.
Qed.

Definition scale_is (code : Z * Z * Z) : bool := let '(c, N, l) := code in same_number 1 (c - 127) N l.

Lemma scale_is_number c N l : scale_is (c, N, l) = true -> IZR N * bpow radix2 l = coded_scale c.
Proof.
  intros good. unfold coded_scale. apply same_number_value in good. rewrite <- good. ring.
Qed.
