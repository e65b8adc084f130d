(** * YaRN: which pairs are interpolated, and by how much

  ratio base d L i        == L / lambda_i, how often pair i turns within the trained length L
  same_class r r'         == r and r' are on the same side of alpha = 1 and of beta = 32
  clamp x                 == x cut to [0, 1]
  blend s f gamma         == gamma f + (1 - gamma) f / s, a frequency f interpolated in part
  paper_frequency, code_frequency base d L s i
                          == the frequency of pair i by the paper's ramp, linear in the ratio, and by
                             the released code's, linear in i between the crossings of beta and
                             alpha rounded down and up
  crossing base d L turns == the real index at which a pair turns so many times within L

  Main results: yarn.length-scaling, yarn.temperature-value, yarn.ratio-base, yarn.ramp,
  yarn.closer. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Flocq Require Import Core.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary Figures Ntk UnitScore IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Temperature *)

(** yarn.length-scaling: Scaling the rotated query and the rotated key by √(1/t) divides their
    product by t, for every d, all q and k, all rotations and t > 0. *)
Theorem yarn_length_scaling (d : nat) (Q K : 'M[R]_d) (q k : 'cV[R]_d) (t : R) : 0 < t ->
  dot (sqrt (1 / t) *: (Q *m q)) (sqrt (1 / t) *: (K *m k)) = dot (Q *m q) (K *m k) / t.
Proof.
move=> t_gt0; have root : sqrt (1 / t) * sqrt (1 / t) = / t.
  by rewrite sqrt_sqrt; [field; lra | apply/Rlt_le/Rdiv_lt_0_compat; lra].
move: root; set c := sqrt _ => root; rewrite /Rdiv -root /dot -rsum_mulr.
by apply: eq_bigr => i _; rewrite !mxE; ring.
Qed.

(** The cosines and sines carry the factor f, the logits its square; for f = 0.1 ln s + 1 and s = 40 that is 1.87…. *)
Lemma scaled_product n (f : R) (A : 'M[R]_n) (q : 'cV[R]_n) i : ((f *: A) *m q) i ord0 = f * (A *m q) i ord0.
Proof. by rewrite !mxE -rsum_mull; apply: eq_bigr => j _; rewrite !mxE; ring. Qed.

Corollary yarn_length_scaling_tables (h : nat) (omega : nat -> R) (f : R) (q k : 'cV[R]_(h.*2)) (m n : R) :
  dot ((f *: rotary_matrix h omega m) *m q) ((f *: rotary_matrix h omega n) *m k) =
  f ^ 2 * dot (rotary omega q m) (rotary omega k n) /\
  1.87385420709262 < (0.1 * ln 40 + 1) ^ 2 < 1.87385420709263.
Proof.
split; last by split; interval with (i_prec 90).
by rewrite /dot -rsum_mull; apply: eq_bigr => i _; rewrite !scaled_product /rotary; ring.
Qed.

(** yarn.temperature-value: 0.1·ln 8 + 1 lies between 1.2075 and 1.2085, and rounds to 1.208. *)
Theorem yarn_temperature_value :
  1.2075 < 0.1 * ln 8 + 1 < 1.2085 /\ Rabs (0.1 * ln 8 + 1 - 1.208) < 0.0005.
Proof. by split; [split; interval with (i_prec 60) | apply: Rabs_def1; interval with (i_prec 60)]. Qed.

(** Its digits, and those of 1/t, which is its square. *)
Corollary yarn_temperature_value_digits :
  1.20794415416798 < 0.1 * ln 8 + 1 < 1.20794415416799 /\
  1.45912907958860 < (0.1 * ln 8 + 1) ^ 2 < 1.45912907958861.
Proof. by split; split; interval with (i_prec 90). Qed.

(** ** The ratio of lengths *)

Definition ratio (base : R) (d : nat) (L : R) (i : nat) : R := L / wavelength (frequency base d i).

Definition same_class (r r' : R) : Prop := (r < 1 <-> r' < 1) /\ (32 < r <-> 32 < r').

Lemma ratioE base d L i : ratio base d L i = L * frequency base d i / (2 * PI).
Proof.
have f_gt0 := frequency_gt0 base d i; have pi_gt0 := PI_RGT_0.
by rewrite /ratio /wavelength; field; lra.
Qed.

Lemma ratio_lt base d L i j : 0 < L -> 1 < base -> (0 < d)%N -> (i < j)%N ->
  ratio base d L j < ratio base d L i.
Proof.
move=> L_gt0 base_gt1 d_pos lt_ij; rewrite !ratioE; apply: Rmult_lt_compat_r.
  by apply: Rinv_0_lt_compat; have := PI_RGT_0; lra.
by apply: Rmult_lt_compat_l => //; apply: frequency_lt.
Qed.

Lemma ratio_le base d L i j : 0 < L -> 1 < base -> (0 < d)%N -> (i <= j)%N ->
  ratio base d L j <= ratio base d L i.
Proof.
move=> L_gt0 base_gt1 d_pos; rewrite leq_eqVlt => /orP[/eqP -> | lt_ij]; first exact: Rle_refl.
exact/Rlt_le/ratio_lt.
Qed.

(** The setting of the figures: D = 128, b = 10000, L = 4096, s = 16. *)
Definition trained (i : nat) : R := ratio 10000 128 4096 i.
Definition mistaken (i : nat) : R := ratio (ntk_base 10000 16 128) 128 4096 i.

Lemma mistakenE i : mistaken i = trained i / slowdown 16 128 i.
Proof.
rewrite /mistaken /trained !ratioE (@ntk_frequency 10000 16 64) //; last by lra.
rewrite -[64.*2]/(128%N); have := slowdown_gt0 16 128 i; have := PI_RGT_0 => pi_gt0 q_gt0.
by field; lra.
Qed.

Ltac figure :=
  rewrite ?mistakenE /trained ratioE /slowdown /frequency /Rpower !INR_IZR_INZ;
  cbn [Z.of_nat Pos.of_succ_nat Pos.succ]; interval with (i_prec 50).

Lemma trained_45 : 1.0038 < trained 45 < 1.0039.    Proof. by split; figure. Qed.
Lemma trained_46 : trained 46 < 1.                  Proof. by figure. Qed.
Lemma trained_20 : 32 < trained 20.                 Proof. by figure. Qed.
Lemma trained_21 : trained 21 < 32.                 Proof. by figure. Qed.
Lemma mistaken_45 : 0.1385 < mistaken 45 < 0.1386.  Proof. by split; figure. Qed.
Lemma mistaken_34 : 1 < mistaken 34.                Proof. by figure. Qed.
Lemma mistaken_35 : mistaken 35 < 1.                Proof. by figure. Qed.
Lemma mistaken_16 : 32 < mistaken 16.               Proof. by figure. Qed.
Lemma mistaken_17 : mistaken 17 < 32.               Proof. by figure. Qed.

Lemma trained_le i j : (i <= j)%N -> trained j <= trained i.
Proof. by apply: ratio_le => //; lra. Qed.

Lemma mistaken_le i j : (i <= j)%N -> mistaken j <= mistaken i.
Proof.
apply: ratio_le => //; first by lra.
have : 1 < Rpower 16 (INR 128 / (INR 128 - 2)).
  rewrite !INR_IZR_INZ -[IZR (Z.of_nat 128)]/128 -{1}(Rpower_O 16); last by lra.
  by apply: Rpower_lt; lra.
by rewrite /ntk_base; lra.
Qed.

Lemma below_1 i : (trained i < 1 <-> (45 < i)%N) /\ (mistaken i < 1 <-> (34 < i)%N).
Proof.
have := trained_45; have := trained_46; have := mistaken_34; have := mistaken_35 => m35 m34 t46 t45.
split; split=> [below | /[dup] gt_i].
- by rewrite ltnNge; apply/negP => /trained_le; lra.
- by move/trained_le; lra.
- by rewrite ltnNge; apply/negP => /mistaken_le; lra.
- by move/mistaken_le; lra.
Qed.

Lemma above_32 i : (32 < trained i <-> (i < 21)%N) /\ (32 < mistaken i <-> (i < 17)%N).
Proof.
have := trained_20; have := trained_21; have := mistaken_16; have := mistaken_17 => m17 m16 t21 t20.
split; split=> [above | ].
- by rewrite ltnNge; apply/negP => /trained_le; lra.
- by rewrite ltnS => /trained_le; lra.
- by rewrite ltnNge; apply/negP => /mistaken_le; lra.
- by rewrite ltnS => /mistaken_le; lra.
Qed.

Lemma other_class i : ~ same_class (trained i) (mistaken i) <->
  (17 <= i <= 20)%N \/ (35 <= i <= 45)%N.
Proof.
have [[t1 m1] [t32 m32]] := (below_1 i, above_32 i); rewrite /same_class.
by rewrite t1 m1 t32 m32 -!(rwP andP) -!(rwP leP); lia.
Qed.

(** yarn.ratio-base: The ratio r = L/λ_i of a trained length to a wavelength has the original base,
    r = L/(2π·b^(2i/D)), as equation (13) defines λ_i; with b′ = b·s^(D/(D−2)) in its place, at L =
    4096, b = 10000, D = 128, s = 16, pair 45 has 0.1385… for 1.0038…, and the 15 pairs 17 to 20 and
    35 to 45 fall in another class (α = 1, β = 32). *)
Theorem yarn_ratio_base :
  (forall (base L : R) (d i : nat), 0 < base ->
     ratio base d L i = L / (2 * PI * Rpower base (2 * INR i / INR d))) /\
  1.0038 < trained 45 < 1.0039 /\ 0.1385 < mistaken 45 < 0.1386 /\
  (forall i : nat, ~ same_class (trained i) (mistaken i) <->
     (17 <= i <= 20)%N \/ (35 <= i <= 45)%N) /\
  #|[pred i : 'I_64 | (17 <= i <= 20)%N || (35 <= i <= 45)%N]| = 15%N.
Proof.
split; last split; [ | exact: trained_45 | split; first exact: mistaken_45; split=> [i | ]].
- move=> base L d i base_gt0; rewrite /ratio /wavelength /frequency Rpower_Ropp.
  by rewrite /Rdiv Rinv_inv.
- exact: other_class.
- rewrite -sum1_card -(big_mkord (fun i => (17 <= i <= 20)%N || (35 <= i <= 45)%N) (fun=> 1%N)).
  by rewrite unlock.
Qed.

(** yarn.ratio-base, as written: r = L/λ_i = L/(2π·b′^(2i/D)). *)
Theorem yarn_ratio_base_as_written_false (b s L : R) (h i : nat) :
  0 < b -> 1 < s -> 0 < L -> (1 < h)%N -> (0 < i)%N ->
  let d := h.*2 in
  ratio b d L i <> L / (2 * PI * Rpower (ntk_base b s d) (2 * INR i / INR d)).
Proof.
move=> b_gt0 s_gt1 L_gt0 h_gt1 i_pos d.
have b'_gt0 : 0 < ntk_base b s d by apply: Rmult_lt_0_compat => //; exact: exp_pos.
rewrite -(proj1 yarn_ratio_base (ntk_base b s d) L d i b'_gt0) !ratioE ntk_frequency // -/d.
have := slowdown_gt1 s_gt1 h_gt1 i_pos; have := frequency_gt0 b d i; rewrite -/d.
set f := frequency _ _ _; set q := slowdown _ _ _ => f_gt0 q_gt1 same.
have pi_gt0 := PI_RGT_0.
have left_side : L * f / (2 * PI) * (2 * PI / L) * q = f * q by field; lra.
have right_side : L * (f / q) / (2 * PI) * (2 * PI / L) * q = f by field; lra.
have : f * q = f by rewrite -left_side same right_side.
by nra.
Qed.

(** ** The ramp *)

Definition clamp (x : R) : R := Rmax 0 (Rmin 1 x).
Definition blend (s f gamma : R) : R := gamma * f + (1 - gamma) * (f / s).

Definition paper_frequency (base : R) (d : nat) (L s : R) (i : nat) : R :=
  blend s (frequency base d i) (clamp ((ratio base d L i - 1) / (32 - 1))).

Definition crossing (base : R) (d : nat) (L turns : R) : R :=
  INR d * ln (L / (2 * PI * turns)) / (2 * ln base).

Definition code_frequency (base : R) (d : nat) (L s : R) (i : nat) : R :=
  let low := IZR (Zfloor (crossing base d L 32)) in
  let high := IZR (Zceil (crossing base d L 1)) in
  blend s (frequency base d i) (1 - clamp ((INR i - low) / (high - low))).

Lemma clamp_inside x : 0 <= x <= 1 -> clamp x = x.
Proof. by move=> x_range; rewrite /clamp Rmin_right ?Rmax_right; lra. Qed.

Lemma low_index : Zfloor (crossing 10000 128 4096 32) = 20%Z.
Proof.
apply: Zfloor_imp; rewrite /crossing INR_IZR_INZ -[IZR (Z.of_nat 128)]/128 -[IZR (20 + 1)]/21.
by split; [apply: Rlt_le | ]; interval with (i_prec 50).
Qed.

Lemma high_index : Zceil (crossing 10000 128 4096 1) = 46%Z.
Proof.
apply: Zceil_imp; rewrite /crossing INR_IZR_INZ -[IZR (Z.of_nat 128)]/128 -[IZR (46 - 1)]/45.
by split; [ | apply: Rlt_le]; interval with (i_prec 50).
Qed.

Lemma trained_38 : 2.749 < trained 38 < 2.7492.
Proof. by split; figure. Qed.

Lemma ramps_38 : exists f, 0 < f /\
  paper_frequency 10000 128 4096 16 38 = blend 16 f ((trained 38 - 1) / 31) /\
  code_frequency 10000 128 4096 16 38 = blend 16 f (1 - 18 / 26).
Proof.
exists (frequency 10000 128 38); split; first exact: frequency_gt0.
have := trained_38 => range; split; rewrite /paper_frequency /code_frequency.
  by rewrite -/(trained 38) clamp_inside; [congr blend; field | lra].
rewrite low_index high_index INR_IZR_INZ -[IZR (Z.of_nat 38)]/38 clamp_inside; last by lra.
by congr blend; field.
Qed.

(** yarn.ramp: The released code makes the ramp linear in the index of the pair, between the
    crossings of β = 32 and α = 1 rounded down and up to whole indices; the paper's is linear in r =
    L/λ. They are two functions: at D = 128, b = 10000, L = 4096, s = 16 the code's frequency of
    pair 38 is between 3.04 and 3.05 times the paper's. *)
Theorem yarn_ramp :
  let paper := paper_frequency 10000 128 4096 16 38 in
  let code := code_frequency 10000 128 4096 16 38 in
  3.04 * paper < code < 3.05 * paper.
Proof.
have [f [f_gt0 [/= -> ->]]] := ramps_38; have := trained_38; rewrite /blend => range.
by split; nra.
Qed.

(** yarn.ramp, as written: The released code computes equations (18) and (20), whose ramp is linear
    in r. *)
Theorem yarn_ramp_as_written_false :
  ~ (forall (base L s : R) (d i : nat),
       code_frequency base d L s i = paper_frequency base d L s i).
Proof.
move=> /(_ 10000 4096 16 128%N 38%N) same; have [f [f_gt0 [paper _]]] := ramps_38.
have := yarn_ramp; rewrite /= same paper /blend; have := trained_38; nra.
Qed.

(** ** Closer or not *)

(** yarn.closer: For q = k and an angle φ with 0 < φ < 2φ ≤ π the score rises when the angle is
    halved, cos φ > cos 2φ; beyond π it need not: cos 3 < cos 6, and for d = 128, b = 10000, q = k =
    (1, 0, 1, 0, …) the score at distance 144 under s = 2 is below that under s = 1, B(72) < B(144).
    *)
Theorem yarn_closer :
  (forall (q : 'cV[R]_2) (phi : R), norm2 q <> 0 -> 0 < phi -> 2 * phi <= PI ->
     dot (rotation (2 * phi) *m q) q < dot (rotation phi *m q) q) /\
  cos 3 < cos 6 /\
  (let omega := frequency 10000 128 in
   let score x := dot (rotary omega (ones 64) x) (rotary omega (ones 64) 0) in
   score (144 / 2) < score 144).
Proof.
split=> [q phi q_ne0 phi_gt0 phi_le | ]; last split=> [ | /=].
- rewrite !dot_rotation; have := norm2_ge0 q => q_ge0; apply: Rmult_lt_compat_r; first by lra.
  by apply: cos_decreasing_1; lra.
- by interval with (i_prec 60).
- rewrite !dot_ones !Rminus_0_r (_ : 144 / 2 = 72); last by field.
  have enclosed n := @score_encloses_to coarse 10000 64 n isT; apply: Rminus_gt_0_lt.
  apply: (positive_interval (encloses_sub (p := coarse) (enclosed 144%Z) (enclosed 72%Z))).
  by vm_cast_no_check (erefl true).
Qed.

(** Of any two angles up to π the lesser gives the greater score. *)
Corollary yarn_closer_angles (q : 'cV[R]_2) (a b : R) : norm2 q <> 0 -> 0 <= a -> a < b -> b <= PI ->
  dot (rotation b *m q) q < dot (rotation a *m q) q.
Proof.
move=> q_ne0 a_ge0 lt_ab b_le; rewrite !dot_rotation; have := norm2_ge0 q => q_ge0; apply: Rmult_lt_compat_r; first by lra.
by apply: cos_decreasing_1; lra.
Qed.

(** yarn.closer, as written: Stretching makes all tokens closer: the dot product of vectors rotated
    by a lesser amount is bigger. *)
Theorem yarn_closer_as_written_false :
  ~ (forall (q : 'cV[R]_2) (a b : R), norm2 q <> 0 -> 0 <= a < b ->
       dot (rotation b *m q) q < dot (rotation a *m q) q).
Proof.
move=> /(_ (col2 1 0) 3 6); rewrite !dot_rotation /norm2 dot_col2 => closer.
have less : cos 3 < cos 6 by interval with (i_prec 60).
by have := closer ltac:(lra) ltac:(lra); lra.
Qed.
