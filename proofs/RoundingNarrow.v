(** * Formats of eight and of four bits

  What is claimed.  The non-negative numbers of E4M3, E5M2 and E2M1 are those of their codes, without an
  upper limit on the exponent; to the nearest of them, or towards zero, nothing is rounded beyond a
  number of the format that it does not exceed.  The positive numbers of E8M0, a format of scales, are
  the powers of two; its code c stands for 2^(c - 127).

  Dictionary:
  - [narrow p e] == Flocq's exponents of a format with p bits of precision, whose smallest number is 2^e;
  - [coded p e E m] == the number of the code with exponent E and fraction m, of p - 1 bits;
  - [scale8_e8m0] == Flocq's exponents of a format with one bit of precision, and no smallest number;
  - [coded_scale c] == 2^(c - 127);
  - [float8_e4m3] == narrow 4 (-9); [float8_e5m2] == narrow 3 (-16); [float4_e2m1] == narrow 2 (-1).

  Formulas:
    x >= 0 is a number of the format iff it is coded p e E m for an E and an m   [rounding_narrow_codes]
    x > 0 is a number of E8M0 iff it is 2^k for a k; c <= 254 iff 2^-127 <= coded_scale c <= 2^127
                                                                                 [rounding_scale_codes]
    |x| <= L, L a number of it, implies |rounded x| <= L, whatever the direction [rounding_narrow_saturated]

  Assumes: nothing.  Not claimed: infinities and NaN, which are no numbers. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core.

Open Scope R_scope.

Definition narrow (p e : Z) : Z -> Z := FLT_exp e p.

Definition float8_e4m3 : Z -> Z := narrow 4 (-9).
Definition float8_e5m2 : Z -> Z := narrow 3 (-16).
Definition float4_e2m1 : Z -> Z := narrow 2 (-1).

Definition coded (p e : Z) (E : nat) (m : Z) : R :=
  if E is S E' then IZR (2 ^ (p - 1) + m) * bpow radix2 (e + Z.of_nat E') else IZR m * bpow radix2 e.

Section Narrow.
Variables p e : Z.
Hypothesis precise : (1 < p)%Z.

#[local] Instance narrow_precise : Prec_gt_0 p.
Proof. by rewrite /Prec_gt_0; lia. Qed.

#[local] Instance narrow_valid : Valid_exp (narrow p e).
Proof. exact: FLT_exp_valid. Qed.

Lemma half_precision : (2 ^ p = 2 * 2 ^ (p - 1))%Z.
Proof. by rewrite -Z.pow_succ_r; [congr (_ ^ _)%Z; lia | lia]. Qed.

Lemma scaled_is_number (M E : Z) : (0 <= M < 2 ^ p)%Z -> (e <= E)%Z ->
  generic_format radix2 (narrow p e) (IZR M * bpow radix2 E).
Proof.
move=> [M_ge0 M_lt] E_ge; apply: generic_format_FLT; exists (Float radix2 M E) => //=.
by rewrite Z.abs_eq.
Qed.

(** A number is a code's, by as many steps as its exponent is above the least one. *)
Lemma scaled_is_coded (k : nat) (M : Z) : (0 <= M < 2 ^ p)%Z ->
  exists (E : nat) (m : Z), (0 <= m < 2 ^ (p - 1))%Z /\ IZR M * bpow radix2 (e + Z.of_nat k) = coded p e E m.
Proof.
have half := half_precision; elim: k M => [|k IH] M [M_ge0 M_lt].
  rewrite Z.add_0_r; case: (Z_lt_le_dec M (2 ^ (p - 1))) => [small|large]; first by exists 0%nat, M.
  exists 1%nat, (M - 2 ^ (p - 1))%Z; rewrite /coded /= Z.add_0_r; split; first by lia.
  by congr (IZR _ * _); lia.
case: (Z_lt_le_dec M (2 ^ (p - 1))) => [small|large].
  have [] := IH (2 * M)%Z; first by lia.
  move=> E [m [range equal]]; exists E, m; split=> //; rewrite -equal.
  have -> : (e + Z.of_nat (S k) = (e + Z.of_nat k) + 1)%Z by lia.
  by rewrite bpow_plus mult_IZR; have -> : bpow radix2 1 = 2 by []; ring.
exists (S (S k)), (M - 2 ^ (p - 1))%Z; rewrite /coded; split; first by lia.
by congr (IZR _ * _); lia.
Qed.

(** rounding.narrow-codes: the non-negative numbers of a format with p bits and the smallest number 2^e are those of its codes, an
    exponent E and a fraction m of p - 1 bits: m 2^e for E = 0, and (2^(p - 1) + m) 2^(e + E - 1) for others. *)
Theorem rounding_narrow_codes (x : R) : 0 <= x ->
  generic_format radix2 (narrow p e) x <->
  exists (E : nat) (m : Z), (0 <= m < 2 ^ (p - 1))%Z /\ x = coded p e E m.
Proof.
move=> x_ge0; have half := half_precision; split.
  move=> /FLT_format_generic [[M E] x_eq /= M_lt E_ge]; rewrite x_eq /F2R /= in x_ge0 *.
  have M_ge0 : (0 <= M)%Z.
    apply: le_IZR; apply: (Rmult_le_reg_r (bpow radix2 E)); first exact: bpow_gt_0.
    by rewrite Rmult_0_l.
  rewrite Z.abs_eq // in M_lt; have [] := scaled_is_coded (Z.to_nat (E - e)) M; first by split.
  move=> E' [m [range equal]]; exists E', m; split=> //; rewrite -equal /F2R /= Z2Nat.id; last by lia.
  by congr (_ * bpow _ _); lia.
move=> [[|E] [m [range ->]]]; rewrite /coded; apply: scaled_is_number; lia.
Qed.

(** rounding.narrow-saturated: what is no larger than a number L of the format is rounded to no more than L, to the nearest number
    or in any other direction. *)
Theorem rounding_narrow_saturated (direction : R -> Z) (x L : R) : Valid_rnd direction ->
  generic_format radix2 (narrow p e) L -> Rabs x <= L -> Rabs (round radix2 (narrow p e) direction x) <= L.
Proof. by move=> valid number; exact: abs_round_le_generic. Qed.

End Narrow.

(** ** A format of scales *)

Definition scale8_e8m0 : Z -> Z := FLX_exp 1.

Definition coded_scale (c : Z) : R := bpow radix2 (c - 127).

(** rounding.scale-codes: the positive numbers of a format with one bit are the powers of two; those from 2^-127 to 2^127 are those
    of the codes from 0 to 254. *)
Theorem rounding_scale_codes (x : R) : 0 < x ->
  (generic_format radix2 scale8_e8m0 x <-> exists k : Z, x = bpow radix2 k) /\
  (generic_format radix2 scale8_e8m0 x /\ bpow radix2 (-127) <= x <= bpow radix2 127 <->
   exists c : Z, (0 <= c <= 254)%Z /\ x = coded_scale c).
Proof.
move=> x_gt0; have precise : Prec_gt_0 1 by [].
have powers : generic_format radix2 scale8_e8m0 x <-> exists k : Z, x = bpow radix2 k.
  split=> [/FLX_format_generic [[M E] x_eq /= M_lt]|[k ->]]; last by apply: generic_format_bpow; rewrite /scale8_e8m0 /FLX_exp; lia.
  have M_gt0 : (0 < M)%Z.
    apply: lt_IZR; apply: (Rmult_lt_reg_r (bpow radix2 E)); first exact: bpow_gt_0.
    by rewrite Rmult_0_l; move: x_gt0; rewrite x_eq.
  have M_one : M = 1%Z by change (2 ^ 1)%Z with 2%Z in M_lt; lia.
  by exists E; rewrite x_eq M_one /F2R /= Rmult_1_l.
split=> //; split=> [[/powers [k ->] [low high]]|[c [range ->]]].
  have := le_bpow radix2 _ _ low; have := le_bpow radix2 _ _ high => k_le k_ge.
  by exists (k + 127)%Z; rewrite /coded_scale; split; [lia | congr bpow; lia].
split; last by rewrite /coded_scale; split; apply: bpow_le; lia.
by rewrite /coded_scale; apply: generic_format_bpow; rewrite /scale8_e8m0 /FLX_exp; lia.
Qed.

(** The largest numbers: 448, 57344 and 6. *)
Lemma largest_narrow :
  coded 4 (-9) 15 6 = 448 /\ coded 3 (-16) 30 3 = 57344 /\ coded 2 (-1) 3 1 = 6.
Proof. by rewrite /coded /=; lra. Qed.
