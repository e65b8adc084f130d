(** * Parts of certificates

  What is claimed.  What the certificates of [RoundingCertificate] are made of: the program, rounding an integer
  times 2^-q, a computed frequency, and the intervals on which sine or cosine is monotone.

  Dictionary (P, A, S: formats of position, angle and table; F: a format; q: numbers are integers times 2^-q):
  - [library A κ even a s] == what a library returns for sin or cos (even or odd component) at a: a number of A
    within κ spacings, 0 for sin 0, and the nearest number where κ = 1/2;
  - [entry P A S κ even n w' T] == T is an entry at position n from the computed frequency w';
  - [rounded_up F q x], [rounded_down F q x] == x 2^-q rounded to nearest, ties to even, times 2^q;
  - [rounds F q lo hi m t] == a check that fl(t) = m 2^-q, from lo 2^-q <= t <= hi 2^-q;
  - [Piece rising turn] == where sin or cos is monotone: from -π/2 or π/2 for sin, from π or 0 for cos, over a
    length of π, plus 2π [turn];
  - [within even q x1 x2 p] == a check that [x1 2^-q, x2 2^-q] lies in the piece p.

  Main results: [rounding_certificate_frequency], by which computed frequencies are found; [within_between].

  Assumes: no overflow. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import ssreflect ssrfun ssrbool.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingTable RoundingEnclosure.

Open Scope R_scope.

(** ** The program *)

Definition library (A : format) (kappa : R) (even : bool) (a s : R) : Prop :=
  is_float A s /\ accurate A kappa s (wave even a) /\ (even = true -> a = 0 -> s = 0) /\
  (kappa = / 2 -> s = fl A (wave even a)).

Definition entry (P A S : format) (kappa : R) (even : bool) (n : Z) (w' T : R) : Prop :=
  exists s, library A kappa even (fl A (fl P (IZR n) * w')) s /\ T = fl S s.

(** ** Rounding integers times 2^-q *)

Definition grid (F : format) (q x : Z) : Z :=
  Z.max (Z.log2 (Z.abs x) + 1 - q - precision F) (emin F).

Definition rounded_up (F : format) (q x : Z) : Z :=
  let k := (grid F q x + q)%Z in
  let z := ((x + 2 ^ (k - 1)) / 2 ^ k)%Z in
  if (x =? 0)%Z || (k <=? 0)%Z then x
  else if (x mod 2 ^ k =? 2 ^ (k - 1))%Z && Z.odd z then ((z - 1) * 2 ^ k)%Z else (z * 2 ^ k)%Z.

Definition rounded_down (F : format) (q x : Z) : Z := (- rounded_up F q (- x))%Z.

Lemma cexp_grid F q x : x <> 0%Z -> cexp radix2 (exponents F) (IZR x * bpow radix2 (- q)) = grid F q x.
Proof.
move=> x_ne0; have abs_gt0 : (0 < Z.abs x)%Z by lia.
have [le_x lt_x] := Z.log2_spec _ abs_gt0; have log_ge0 := Z.log2_nonneg (Z.abs x).
rewrite /cexp /FLT_exp /grid mag_mult_bpow; last exact: IZR_neq.
have -> : mag radix2 (IZR x) = (Z.log2 (Z.abs x) + 1)%Z :> Z; last by f_equal; lia.
apply: mag_unique; rewrite -abs_IZR -!(IZR_Zpower radix2); try lia.
split; first by apply: IZR_le; rewrite Z.add_simpl_r.
by apply: IZR_lt; rewrite Z.add_1_r.
Qed.

Lemma rounded_up_ge F q x : fl F (IZR x * bpow radix2 (- q)) <= IZR (rounded_up F q x) * bpow radix2 (- q).
Proof.
rewrite /rounded_up; case: Z.eqb_spec => [-> | x_ne0] /=.
  by rewrite Rmult_0_l fl_0; right.
have cexp_eq := cexp_grid F q x x_ne0; case: Z.leb_spec => k_sign.
  right; apply: fl_exact; apply: (generic_format_F2R radix2 (exponents F) x (- q)) => _.
  by rewrite /F2R /= cexp_eq; lia.
set k := (grid F q x + q)%Z in k_sign *; set X := IZR x * _ in cexp_eq *.
have nearest := Znearest_half (fun z => negb (Z.even z)) (scaled_mantissa radix2 (exponents F) X).
rewrite /fl /round /F2R /= cexp_eq.
set z := Znearest _ _ in nearest *.
have scaled : scaled_mantissa radix2 (exponents F) X * bpow radix2 k = IZR x.
  rewrite /scaled_mantissa cexp_eq /X !Rmult_assoc -!bpow_plus.
  by rewrite (_ : - q + (- grid F q x + k) = 0)%Z /=; [ring | rewrite /k; ring].
have power : bpow radix2 k = IZR (2 ^ k) by rewrite (IZR_Zpower radix2) //; lia.
have half : (2 ^ k = 2 * 2 ^ (k - 1))%Z by rewrite -Z.pow_succ_r; [congr Z.pow; lia | lia].
have power_gt0 : (0 < 2 ^ k)%Z by apply: Z.pow_pos_nonneg; lia.
have z_le : (z <= (x + 2 ^ (k - 1)) / 2 ^ k)%Z.
  apply: Z.div_le_lower_bound => //; apply: le_IZR; rewrite mult_IZR plus_IZR.
  have near : (IZR z - scaled_mantissa radix2 (exponents F) X) * bpow radix2 k <= / 2 * bpow radix2 k.
    apply: Rmult_le_compat_r; first exact: bpow_ge_0.
    by move: nearest; rewrite Rabs_minus_sym => /Rabs_le_inv; lra.
  move: near; rewrite Rmult_minus_distr_r scaled power half mult_IZR; lra.
set Q := ((x + 2 ^ (k - 1)) / 2 ^ k)%Z in z_le *.
have tie : (x mod 2 ^ k = 2 ^ (k - 1))%Z -> Z.odd Q = true -> z = (Q - 1)%Z.
  move=> middle odd_Q; have x_eq := Z.div_mod x (2 ^ k) ltac:(lia).
  have Q_eq : Q = (x / 2 ^ k + 1)%Z.
    by rewrite /Q {1}x_eq middle -(Z.div_unique_exact _ (2 ^ k) (x / 2 ^ k + 1)%Z) //; [lia | rewrite half; ring].
  have sm_eq : scaled_mantissa radix2 (exponents F) X = IZR (Q - 1) + / 2.
    apply: (Rmult_eq_reg_r (bpow radix2 k)); last exact: Rgt_not_eq (bpow_gt_0 radix2 k).
    have power_half : IZR (2 ^ k) = 2 * IZR (2 ^ (k - 1)) by rewrite {1}half mult_IZR.
    rewrite scaled {1}x_eq middle Q_eq Z.add_simpl_r power plus_IZR mult_IZR; lra.
  have floor_eq : Zfloor (scaled_mantissa radix2 (exponents F) X) = (Q - 1)%Z.
    by apply: Zfloor_imp; rewrite plus_IZR sm_eq; lra.
  rewrite /z /Znearest floor_eq Rcompare_Eq; last by rewrite sm_eq; lra.
  by rewrite Z.sub_1_r Z.even_pred odd_Q.
have -> : bpow radix2 (grid F q x) = bpow radix2 k * bpow radix2 (- q).
  by rewrite -bpow_plus; congr bpow; rewrite /k; ring.
have power_ge0 := bpow_ge_0 radix2 k; have unit_ge0 := bpow_ge_0 radix2 (- q).
case: ifP => [/andP [/Z.eqb_spec middle odd_Q] | _]; rewrite mult_IZR -power -Rmult_assoc; apply: Rmult_le_compat_r => //.
  by rewrite (tie middle odd_Q); right.
by apply: Rmult_le_compat_r => //; exact: IZR_le.
Qed.

Lemma rounded_down_le F q x : IZR (rounded_down F q x) * bpow radix2 (- q) <= fl F (IZR x * bpow radix2 (- q)).
Proof.
have := rounded_up_ge F q (- x); rewrite /rounded_down !opp_IZR !Ropp_mult_distr_l_reverse fl_opp; lra.
Qed.

Lemma rounded_up_of F q x y : y <= IZR x * bpow radix2 (- q) -> fl F y <= IZR (rounded_up F q x) * bpow radix2 (- q).
Proof. by move=> le_y; apply: Rle_trans (fl_le F _ _ le_y) (rounded_up_ge F q x). Qed.

Lemma rounded_down_of F q x y :
  IZR x * bpow radix2 (- q) <= y -> IZR (rounded_down F q x) * bpow radix2 (- q) <= fl F y.
Proof. by move=> le_y; apply: Rle_trans (rounded_down_le F q x) (fl_le F _ _ le_y). Qed.

Definition rounds (F : format) (q lo hi m : Z) (t : term) : bool :=
  at_most (Scaled lo (- q)) t && at_most t (Scaled hi (- q)) &&
  (rounded_down F q lo =? m)%Z && (rounded_up F q hi =? m)%Z.

(** rounding.certificate-frequency: where the check [rounds] of a term t with figures lo, hi and m succeeds, the
    value of t lies between lo 2^-q and hi 2^-q, and rounded to the format it is m 2^-q. *)
Theorem rounding_certificate_frequency (F : format) (q lo hi m : Z) (t : term) :
  rounds F q lo hi m t = true ->
  IZR lo * bpow radix2 (- q) <= value t <= IZR hi * bpow radix2 (- q) /\
  fl F (value t) = IZR m * bpow radix2 (- q).
Proof.
move=> /andP [/andP [/andP [/at_most_sound lo_le /at_most_sound hi_ge] /Z.eqb_spec down] /Z.eqb_spec up].
split; first by [].
have := rounded_down_of F q lo (value t) lo_le; have := rounded_up_of F q hi (value t) hi_ge.
rewrite down up; lra.
Qed.

(** ** Where sine and cosine are monotone *)

Variant piece := Piece (rising : bool) (turn : Z).

Definition rises (p : piece) : bool := let: Piece rising _ := p in rising.

(** In quarters of a turn. *)
Definition start_of (even : bool) (p : piece) : Z :=
  let: Piece rising turn := p in
  ((if even then if rising then -1 else 1 else if rising then 2 else 0) + 4 * turn)%Z.

Definition turn_of (p : piece) : Z := let: Piece _ turn := p in turn.

Definition quarters (n : Z) : term := Product (Whole n) (Quotient HalfTurn (Whole 2)).

Definition within (even : bool) (q x1 x2 : Z) (p : piece) : bool :=
  (0 <=? turn_of p)%Z && at_most (quarters (start_of even p)) (Scaled x1 (- q)) &&
  at_most (Scaled x2 (- q)) (quarters (start_of even p + 2)).

Definition wave_term (even : bool) (q x : Z) : term :=
  if even then Sine (Scaled x (- q)) else Cosine (Scaled x (- q)).

Lemma wave_term_value even q x : value (wave_term even q x) = wave even (IZR x * bpow radix2 (- q)).
Proof. by case: even. Qed.

Lemma wave_turns even (turn : Z) x : (0 <= turn)%Z -> wave even (x + 2 * IZR turn * PI) = wave even x.
Proof.
move=> turn_ge0; have -> : IZR turn = INR (Z.to_nat turn) by rewrite INR_IZR_INZ Z2Nat.id.
by case: even; [exact: sin_period | exact: cos_period].
Qed.

(** The values over a piece lie between those of the ends. *)
Lemma wave_between even p x1 x x2 : (0 <= turn_of p)%Z ->
  IZR (start_of even p) * (PI / 2) <= x1 -> x1 <= x -> x <= x2 -> x2 <= IZR (start_of even p + 2) * (PI / 2) ->
  if rises p then wave even x1 <= wave even x <= wave even x2 else wave even x2 <= wave even x <= wave even x1.
Proof.
case: p => rising turn; rewrite /start_of /rises /turn_of => turn_ge0.
set back := 2 * IZR turn * PI => start_le le_1 le_2 end_ge.
have shift y : wave even y = wave even (y - back).
  by rewrite -{1}(wave_turns even turn (y - back)) //; congr wave; rewrite /back; ring.
rewrite !(shift x1) !(shift x) !(shift x2); have pi := PI_RGT_0.
move: start_le end_ge; rewrite !plus_IZR mult_IZR.
case: even shift => shift; case: rising => start_le end_ge; cbn [wave]; rewrite /back in shift *.
- by split; apply: sin_incr_1; lra.
- by split; apply: sin_decr_1; lra.
- by split; apply: cos_incr_1; lra.
- by split; apply: cos_decr_1; lra.
Qed.

Lemma within_between even q x1 x2 p x : within even q x1 x2 p = true ->
  IZR x1 * bpow radix2 (- q) <= x <= IZR x2 * bpow radix2 (- q) ->
  let lower := wave even (IZR (if rises p then x1 else x2) * bpow radix2 (- q)) in
  let upper := wave even (IZR (if rises p then x2 else x1) * bpow radix2 (- q)) in
  lower <= wave even x <= upper.
Proof.
move=> /andP [/andP [/Z.leb_spec0 turn_ge0 /at_most_sound start_le] /at_most_sound end_ge] [le_1 le_2].
by have := wave_between even p _ x _ turn_ge0 start_le le_1 le_2 end_ge; case: (rises p).
Qed.

(** ** Parts *)

Variant method :=
| Slope (d m : option piece) (em ev : Z)
| Monotone (a x : piece) (lo hi : Z).

Record part := Part { first : Z; last : Z; binade_of : Z; by_method : method }.

Record problem := Problem {
  position_format : format;
  angle_format : format;
  table_format : format;
  component : bool;
  kappa : term;
  correct : bool;
  scale : Z;
  significand : Z;
  exponent : Z;
  low : Z;
  high : Z;
  bound : term }.
