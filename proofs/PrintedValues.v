(** * The printed dot products at dimension 512

    A document prints five dot products of encodings, computed in binary32 for
    d = 512 and base 10000.  This file certifies the exact values, bounds the error
    of every binary32 dot product of encodings, shows that the printed values keep
    to the bound, and that those which should be equal are neighbours in binary32.

    Dictionary
      D h w s t             == PE(s) . PE(t) for h pairs with frequencies w (Toeplitz.v)
      frequency base d i    == base^(-2i/d), pairs counted from 0
      frequency_from_1 base d i == base^(-2(i+1)/d), pairs counted from 1
      binary32, binary64    == the formats; is_float F x, fl F x (rounding to nearest),
                               computed_dot, terms and dot_bound are in Rounding*.v
      computed_similarity F h w s t o
                            == the dot product in the format F of the correctly rounded
                               encodings of s and t, summed in the order o
      similarity_bound F d  == the bound on its error:
                               d u S + d (1 + (d-1) u) eta/2 + d c  for S = d/2 + d c,
                               where c = u + u^2/4 bounds what rounding the two
                               components does to one product
      printed               == the document's five lines: positions s and t, and the decimal
      value p               == the number that the decimal denotes: it was printed from binary64
      ulp32 x               == Flocq's unit in the last place of x in binary32

    Main results: [similarity_error], and the claim.

    Not claimed: how the document's program computed its encodings.  Its printed
    values keep to the bound for correctly rounded encodings. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Reals Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix Pairs Encoding Toeplitz IntervalTactic Figures UnitScore.
From Posproof Require Import RoundingFormat RoundingSum RoundingDot.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The error of a dot product of encodings *)

Definition computed_similarity F (omega : nat -> R) (s t : R) (o : order) : R :=
  computed_dot F (fun j => fl F (pe omega s j)) (fun j => fl F (pe omega t j)) o.

Definition product_error (F : format) : R := u F + u F * u F / 4.

Definition similarity_bound (F : format) (d : nat) : R :=
  dot_bound F d (INR d / 2 + INR d * product_error F) + INR d * product_error F.

Lemma pe_le1 omega t j : Rabs (pe omega t j) <= 1.
Proof. by rewrite /pe; case: (odd j); apply: Rabs_le; [exact: COS_bound | exact: SIN_bound]. Qed.

Lemma rounded_component F p : Rabs p <= 1 -> Rabs (fl F p - p) <= u F / 2.
Proof.
by move=> p_le1; have := rounding_half_spacing F p; have := spacing_unit F p p_le1; lra.
Qed.

Lemma rounded_product F p q : Rabs p <= 1 -> Rabs q <= 1 ->
  Rabs (fl F p * fl F q - p * q) <= product_error F.
Proof.
move=> p_le1 q_le1; have [dp dq] := (rounded_component F p_le1, rounded_component F q_le1).
have u_gt0 := u_pos F.
have -> : fl F p * fl F q - p * q =
    (fl F p - p) * q + (p * (fl F q - q) + (fl F p - p) * (fl F q - q)) by ring.
apply: Rle_trans (Rabs_triang _ _) _; have := Rabs_triang (p * (fl F q - q))
  ((fl F p - p) * (fl F q - q)).
have step a a1 b b1 w : 0 <= a <= w / 2 -> 0 <= b <= w / 2 -> 0 <= a1 <= 1 -> 0 <= b1 <= 1 ->
    a * b1 + (a1 * b + a * b) <= w + w * w / 4 by nra.
rewrite !Rabs_mult /product_error => triangle.
apply: Rle_trans (step _ (Rabs p) _ (Rabs q) _ _ _ _ _); first by apply: Rplus_le_compat_l triangle.
all: by split; [exact: Rabs_pos |].
Qed.

Lemma rsum_Rabs n (f : nat -> R) : Rabs (\rsum_(j < n) f j) <= \rsum_(j < n) Rabs (f j).
Proof.
elim: n => [|n IHn]; first by rewrite !big_ord0 Rabs_R0; lra.
by rewrite !big_ord_recr; apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat_r.
Qed.

(** The absolute products sum to at most d/2: |sin a sin b| + |cos a cos b| <= 1. *)
Lemma absolute_products h omega s t :
  \rsum_(j < h.*2) Rabs (pe omega s j * pe omega t j) <= INR h.*2 / 2.
Proof.
rewrite rsum_pairs INR_half_double -[INR h]Rmult_1_r -rsum_const; apply: rsum_le => i.
rewrite /= addn0 addn1 !pe_even !pe_odd !Rabs_mult.
have := sin2_cos2 (s * omega i); have := sin2_cos2 (t * omega i).
rewrite !(Rsqr_abs (sin _)) !(Rsqr_abs (cos _)) /Rsqr.
have := Rle_0_sqr (Rabs (sin (s * omega i)) - Rabs (sin (t * omega i))).
have := Rle_0_sqr (Rabs (cos (s * omega i)) - Rabs (cos (t * omega i))).
by rewrite /Rsqr; lra.
Qed.

Lemma D_pe h omega s t : D h omega s t = \rsum_(j < h.*2) (pe omega s j * pe omega t j).
Proof. by apply: eq_bigr => j _; rewrite !PE_component. Qed.

Lemma similarity_error F h omega s t o : perm_eq (terms o) (iota 0 h.*2) ->
  Rabs (computed_similarity F omega s t o - D h omega s t) <= similarity_bound F h.*2.
Proof.
move=> each_once; set x := fun j => fl F (pe omega s j); set y := fun j => fl F (pe omega t j).
have [dot_le _] := rounding_dot F x y _ _ each_once.
have product_le j : Rabs (x j * y j - pe omega s j * pe omega t j) <= product_error F.
  by apply: rounded_product; apply: pe_le1.
have sum_close : Rabs (\rsum_(j < h.*2) (x j * y j) - D h omega s t) <= INR h.*2 * product_error F.
  rewrite D_pe -rsum_sub -rsum_const.
  apply: Rle_trans (rsum_Rabs _ (fun j => x j * y j - pe omega s j * pe omega t j)) _.
  by apply: rsum_le => j.
have sum_abs : \rsum_(j < h.*2) Rabs (x j * y j) <= INR h.*2 / 2 + INR h.*2 * product_error F.
  apply: Rle_trans (Rplus_le_compat_r _ _ _ (absolute_products h omega s t)).
  rewrite -rsum_const -rsum_add; apply: rsum_le => j; have := product_le j.
  have := Rabs_triang (pe omega s j * pe omega t j) (x j * y j - pe omega s j * pe omega t j).
  by rewrite Rplus_minus; lra.
have nu_ge0 : 0 <= INR h.*2 * u F by apply: Rmult_le_pos; [exact: pos_INR | exact/Rlt_le/u_pos].
have := Rmult_le_compat_l _ _ _ nu_ge0 sum_abs.
move: dot_le sum_close; rewrite /similarity_bound /dot_bound -/(computed_similarity F omega s t o).
set c := computed_similarity _ _ _ _ _; set m := \rsum_(j < _) (x j * y j).
set S := \rsum_(j < _) Rabs _.
have -> : c - D h omega s t = (c - m) + (m - D h omega s t) by ring.
by have := Rabs_triang (c - m) (m - D h omega s t); lra.
Qed.

(** In binary32 and d = 512 the bound lies between 0.007 and 0.008. *)
Lemma similarity_bound_512 : 0.007 < similarity_bound binary32 512 < 0.008.
Proof.
have eta_gt0 := eta_pos binary32.
have eta_le : eta binary32 <= u binary32 by apply: bpow_le.
have uE : u binary32 = / 16777216 by [].
have dE : INR 512 = 512 by rewrite INR_IZR_INZ.
by rewrite /similarity_bound /dot_bound /product_error dE; rewrite uE in eta_le *; nra.
Qed.

(** ** Numbers of a format *)

Section Numbers.

Variables (F : format) (m e : Z).
Hypothesis m_low : (2 ^ (precision F - 1) < m)%Z.
Hypothesis m_high : (m + 1 < 2 ^ precision F)%Z.
Hypothesis e_low : (emin F <= e)%Z.

Let precision_gt0 : (0 < precision F)%Z.
Proof. by have := precision_above_one F; lia. Qed.

Lemma mag_near x : Rabs (x * bpow radix2 (- e) - IZR m) < / 2 ->
  mag radix2 x = (e + precision F)%Z :> Z.
Proof.
move=> near; have scale_gt0 := bpow_gt_0 radix2 (- e).
have low_R : IZR (2 ^ (precision F - 1)) + 1 <= IZR m by rewrite -succ_IZR; apply: IZR_le; lia.
have high_R : IZR m + 1 < IZR (2 ^ precision F) by rewrite -succ_IZR; apply: IZR_lt; lia.
have [near_low near_high] := Rabs_def2 _ _ near.
have pow_pos : 0 < IZR (2 ^ (precision F - 1)) by apply: IZR_lt; apply: Z.pow_pos_nonneg; lia.
have x_gt0 : 0 < x by nra.
apply: mag_unique; rewrite Rabs_pos_eq; last exact: Rlt_le.
have scaled k : (0 <= k)%Z -> bpow radix2 (e + k) * bpow radix2 (- e) = IZR (2 ^ k).
  move=> k_ge0; rewrite -bpow_plus; have -> : (e + k + - e = k)%Z by lia.
  by rewrite -(IZR_Zpower radix2).
split.
  apply: (Rmult_le_reg_r _ _ _ scale_gt0).
  have -> : (e + precision F - 1 = e + (precision F - 1))%Z by lia.
  by rewrite scaled; [lra | lia].
by apply: (Rmult_lt_reg_r _ _ _ scale_gt0); rewrite scaled; [lra | lia].
Qed.

(** A number within half a unit of m 2^e rounds to it. *)
Lemma fl_near x : Rabs (x * bpow radix2 (- e) - IZR m) < / 2 -> fl F x = IZR m * bpow radix2 e.
Proof.
move=> near; rewrite /fl /round /scaled_mantissa /cexp (mag_near near) /FLT_exp.
have -> : Z.max (e + precision F - precision F) (emin F) = e by lia.
by rewrite (Znearest_imp _ _ _ near).
Qed.

Lemma number_near : Rabs (IZR m * bpow radix2 e * bpow radix2 (- e) - IZR m) < / 2.
Proof.
rewrite Rmult_assoc -bpow_plus Z.add_opp_diag_r Rmult_1_r Rminus_diag_eq // Rabs_R0; lra.
Qed.

Lemma number_float : is_float F (IZR m * bpow radix2 e).
Proof. by rewrite -(fl_near number_near); apply: fl_float. Qed.

Lemma number_ulp : ulp radix2 (exponents F) (IZR m * bpow radix2 e) = bpow radix2 e.
Proof.
rewrite ulp_neq_0; last first.
  apply: Rmult_integral_contrapositive_currified; last by have := bpow_gt_0 radix2 e; lra.
  by apply: IZR_neq; have := Z.pow_nonneg 2 (precision F - 1); lia.
rewrite /cexp (mag_near number_near) /FLT_exp; congr (bpow _ _); lia.
Qed.

End Numbers.

(** ** What the document prints *)

Definition printed : seq (nat * nat * R) :=
  [:: (1%N, 2%N, 249.10211181640625); (2%N, 1%N, 249.10211181640625);
      (80%N, 81%N, 249.1020965576172);
      (1%N, 80%N, 117.52901458740234); (2%N, 81%N, 117.52900695800781)].

Definition value (decimal : R) : R := fl binary64 decimal.

Definition ulp32 (x : R) : R := ulp radix2 (exponents binary32) x.

(** The binary32 numbers behind the decimals, with their units in the last place. *)
Lemma value_near m e decimal :
  (2 ^ 23 < m)%Z -> (m + 1 < 2 ^ 24)%Z -> (-100 <= e <= 100)%Z ->
  Rabs (decimal * bpow radix2 (- (e - 29)) - IZR (m * 2 ^ 29)) < / 2 ->
  value decimal = IZR m * bpow radix2 e /\ is_float binary32 (value decimal) /\
  ulp32 (value decimal) = bpow radix2 e.
Proof.
move=> m_low m_high e_range near.
suff -> : value decimal = IZR m * bpow radix2 e.
  split=> //; split; [apply: number_float | apply: number_ulp] => //=; rewrite /emin /=; lia.
rewrite /value (@fl_near binary64 (m * 2 ^ 29) (e - 29)) //= ?/emin /=; try lia.
have -> : (e = e - 29 + 29)%Z by lia.
by rewrite bpow_plus mult_IZR (_ : e - 29 + 29 - 29 = e - 29)%Z; [rewrite /=; ring | lia].
Qed.

Lemma value_249_high : value 249.10211181640625 = IZR 16325156 * bpow radix2 (-16) /\
  is_float binary32 (value 249.10211181640625) /\
  ulp32 (value 249.10211181640625) = bpow radix2 (-16).
Proof. by apply: value_near; [lia.. | apply: Rabs_def1; rewrite /=; lra]. Qed.

Lemma value_249_low : value 249.1020965576172 = IZR 16325155 * bpow radix2 (-16) /\
  is_float binary32 (value 249.1020965576172) /\
  ulp32 (value 249.1020965576172) = bpow radix2 (-16).
Proof. by apply: value_near; [lia.. | apply: Rabs_def1; rewrite /=; lra]. Qed.

Lemma value_117_high : value 117.52901458740234 = IZR 15404763 * bpow radix2 (-17) /\
  is_float binary32 (value 117.52901458740234) /\
  ulp32 (value 117.52901458740234) = bpow radix2 (-17).
Proof. by apply: value_near; [lia.. | apply: Rabs_def1; rewrite /=; lra]. Qed.

Lemma value_117_low : value 117.52900695800781 = IZR 15404762 * bpow radix2 (-17) /\
  is_float binary32 (value 117.52900695800781) /\
  ulp32 (value 117.52900695800781) = bpow radix2 (-17).
Proof. by apply: value_near; [lia.. | apply: Rabs_def1; rewrite /=; lra]. Qed.

(** ** The exact values *)

Definition frequencies_0 : nat -> R := frequency 10000 512.
Definition frequencies_1 : nat -> R := frequency_from_1 10000 512.

Lemma D_distance h omega n s t : Rabs (s - t) = n -> D h omega s t = D h omega 0 n.
Proof.
move=> <-; case: (Rle_lt_dec 0 (s - t)) => sign; last first.
  by rewrite Rabs_left //; apply: D_difference; ring.
by rewrite Rabs_pos_eq // D_sym; apply: D_difference; ring.
Qed.

Lemma exact_from_0 n lo hi den : between lo hi den (similarity_enclosure 10000 256 0 n) ->
  forall s t, Rabs (s - t) = INR n ->
  IZR lo / IZR (Zpos den) < D 256 frequencies_0 s t < IZR hi / IZR (Zpos den).
Proof.
move=> computed s t /(D_distance 256 frequencies_0) ->; rewrite D_0.
exact: (@similarity_between 10000 256 0 n lo hi den isT computed).
Qed.

Lemma exact_1 s t : Rabs (s - t) = 1 ->
  249.10209782736297 < D 256 frequencies_0 s t < 249.10209782736298.
Proof.
apply: (@exact_from_0 1 24910209782736297 24910209782736298 (10 ^ 14)).
by vm_cast_no_check (erefl true).
Qed.

Lemma exact_79 s t : Rabs (s - t) = 79 ->
  117.52900007202076 < D 256 frequencies_0 s t < 117.52900007202077.
Proof.
(* 66 bits are enough. *)
have enclosed := @score_encloses_to (StdZFloat.PtoP 66) 10000 256 79 isT.
move=> /D_distance ->; rewrite (_ : D _ _ _ _ = unit_score 256 (frequency 10000 256.*2) 79); last exact: D_0.
apply: (@betweenP 11752900007202076 11752900007202077 (10 ^ 14) _ _ enclosed).
by vm_cast_no_check (erefl true).
Qed.

Lemma exact_1_from_1 s t : Rabs (s - t) = 1 ->
  249.56179551649 < D 256 frequencies_1 s t < 249.56179551650.
Proof.
(* The sum is the one from 0 but for the first term and the last. *)
move=> apart; have := exact_1 apart; rewrite !(D_distance _ _ apart) !D_0.
rewrite big_ord_recl [X in _ -> _ < X < _]big_ord_recr [Rplus_monoid _ _]/=.
rewrite [frequencies_0 _]frequency_0 ?[frequencies_1 _](@frequency_from_1_last 10000 255); [ | lra | lra].
rewrite !Rmult_1_r -[\rsum_(i < 255) cos (_ * frequencies_0 _)]/(\rsum_(i < 255) cos (1 * frequencies_1 i)).
have first : 0.5403023058681 < cos 1 < 0.5403023058682 by split; interval with (i_prec 60).
have last : 0.9999999950000 < cos (1 * / 10000) < 0.9999999950001 by split; interval with (i_prec 60).
by lra.
Qed.

Lemma exact_79_from_1 s t : Rabs (s - t) = 79 ->
  119.42493981397 < D 256 frequencies_1 s t < 119.42493981398.
Proof.
(* The sum is the one from 0 but for the first term and the last. *)
move=> apart; have := exact_79 apart; rewrite !(D_distance _ _ apart) !D_0.
rewrite big_ord_recl [X in _ -> _ < X < _]big_ord_recr [Rplus_monoid _ _]/=.
rewrite [frequencies_0 _]frequency_0 ?[frequencies_1 _](@frequency_from_1_last 10000 255); [ | lra | lra].
rewrite !Rmult_1_r -[\rsum_(i < 255) cos (_ * frequencies_0 _)]/(\rsum_(i < 255) cos (79 * frequencies_1 i)).
have first : -0.8959709467910 < cos 79 < -0.8959709467909 by split; interval with (i_prec 60).
have last : 0.9999687951622 < cos (79 * / 10000) < 0.9999687951623 by split; interval with (i_prec 60).
by lra.
Qed.

(** ** The claim *)

(** The five lines, with what the claim needs of each. *)
Lemma printed_ind (P : nat -> nat -> R -> Prop) :
  P 1%N 2%N 249.10211181640625 -> P 2%N 1%N 249.10211181640625 ->
  P 80%N 81%N 249.1020965576172 ->
  P 1%N 80%N 117.52901458740234 -> P 2%N 81%N 117.52900695800781 ->
  forall s t decimal, List.In (s, t, decimal) printed -> P s t decimal.
Proof.
move=> P1 P2 P3 P4 P5 s t decimal.
by do 5 (case=> [[<- <- <-] // |]).
Qed.

Lemma printed_near s t decimal : List.In (s, t, decimal) printed ->
  is_float binary32 (value decimal) /\
  ((Rabs (INR s - INR t) = 1 /\ 249.102096 < value decimal < 249.102112) \/
   (Rabs (INR s - INR t) = 79 /\ 117.529006 < value decimal < 117.529015)).
Proof.
have distance (a b : nat) n :
    Rabs (INR a - INR b) = n <-> Rabs (IZR (Z.of_nat a - Z.of_nat b)) = n.
  by rewrite minus_IZR -!INR_IZR_INZ.
have [h1 [f1 _]] := value_249_high; have [h2 [f2 _]] := value_249_low.
have [h3 [f3 _]] := value_117_high; have [h4 [f4 _]] := value_117_low.
move: s t decimal; apply: printed_ind; split=> //; rewrite !distance.
- by left; rewrite h1 /=; split; [rewrite Rabs_left | ]; lra.
- by left; rewrite h1 /=; split; [rewrite Rabs_pos_eq | ]; lra.
- by left; rewrite h2 /=; split; [rewrite Rabs_left | ]; lra.
- by right; rewrite h3 /=; split; [rewrite Rabs_left | ]; lra.
- by right; rewrite h4 /=; split; [rewrite Rabs_left | ]; lra.
Qed.

(** toeplitz.printed-values: For d = 512 and base 10000, D at distance 1 is 249.10209782736297…
    and at distance 79 is 117.52900007202076…; each of the five printed floats lies within the
    rounding-error bound of a binary32 dot product and the printed pairs that should be equal
    differ by exactly one binary32 unit in the last place; a sum of frequencies counted from 1
    would give 249.56179551649… and 119.42493981397…. *)
Theorem toeplitz_printed_values :
  let omega := frequency 10000 512 in
  let omega_from_1 := frequency_from_1 10000 512 in
  (* the exact values *)
  ((forall s t, Rabs (s - t) = 1 -> 249.10209782736297 < D 256 omega s t < 249.10209782736298) /\
   (forall s t, Rabs (s - t) = 79 -> 117.52900007202076 < D 256 omega s t < 117.52900007202077)) /\
  (* the bound, in any order of summation, and the printed values, binary32 numbers within it *)
  ((forall s t (o : order), perm_eq (terms o) (iota 0 512) ->
      Rabs (computed_similarity binary32 omega s t o - D 256 omega s t)
      <= similarity_bound binary32 512) /\
   (forall s t decimal, List.In (s, t, decimal) printed ->
      is_float binary32 (value decimal) /\
      Rabs (value decimal - D 256 omega (INR s) (INR t)) <= similarity_bound binary32 512)) /\
  (* what should be equal differs by one unit in the last place *)
  (value 249.10211181640625 - value 249.1020965576172 = ulp32 (value 249.1020965576172) /\
   value 117.52901458740234 - value 117.52900695800781 = ulp32 (value 117.52900695800781)) /\
  (* counted from 1 *)
  ((forall s t, Rabs (s - t) = 1 -> 249.56179551649 < D 256 omega_from_1 s t < 249.56179551650) /\
   (forall s t, Rabs (s - t) = 79 -> 119.42493981397 < D 256 omega_from_1 s t < 119.42493981398)).
Proof.
move=> omega omega_from_1; split; first by split; [exact: exact_1 | exact: exact_79].
split; [split | split; split].
- by move=> s t o; apply: (@similarity_error binary32 256).
- move=> s t decimal /printed_near [float near]; split=> //.
  have [bound_low _] := similarity_bound_512; apply: Rabs_le.
  rewrite /omega -/frequencies_0.
  by case: near => -[]; [move/exact_1 | move/exact_79]; lra.
- by have [-> [_ ->]] := value_249_low; have [-> _] := value_249_high; rewrite /=; lra.
- by have [-> [_ ->]] := value_117_low; have [-> _] := value_117_high; rewrite /=; lra.
- exact: exact_1_from_1.
- exact: exact_79_from_1.
Qed.

(** toeplitz.printed-values, as written: The printed values are Σ_(k=1)^(d/2) cos((i−j)·ω_k)
    with ω_k = 10000^(−2k/d), and values at one distance are equal. *)
Theorem toeplitz_printed_values_as_written_false :
  (* none is within the rounding-error bound of that sum *)
  ~ (exists s t decimal, List.In (s, t, decimal) printed /\
       Rabs (value decimal - \rsum_(i < 256)
               cos ((INR s - INR t) * frequency_from_1 10000 512 i))
       <= similarity_bound binary32 512) /\
  (* and not all at one distance are equal *)
  ~ (forall s t decimal s' t' decimal',
       List.In (s, t, decimal) printed -> List.In (s', t', decimal') printed ->
       Rabs (INR s - INR t) = Rabs (INR s' - INR t') -> value decimal = value decimal').
Proof.
split.
  move=> [s [t [decimal [/printed_near [_ near]]]]]; rewrite -D_cos.
  have [_ bound_high] := similarity_bound_512 => /Rabs_le_inv.
  rewrite -/frequencies_1.
  by case: near => -[]; [move/exact_1_from_1 | move/exact_79_from_1]; lra.
move=> /(_ 1%N 2%N 249.10211181640625 80%N 81%N 249.1020965576172) equal.
have [high _] := value_249_high; have [low _] := value_249_low.
have : value 249.10211181640625 = value 249.1020965576172.
  apply: equal; [by left | by right; right; left |].
  by rewrite !INR_IZR_INZ -!minus_IZR.
by rewrite high low /=; lra.
Qed.
