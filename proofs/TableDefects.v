(** * The largest defects of a rounded table

  shortened x         == from 2^68 times a cosine or sine, 2^40 times its absolute value
  square_of v         == 2^66 times the square of what v 2^-40 is rounded to in bfloat16
  defect_of x         == 2^66 times the defect at a position, from its cosine and its sine as integers
  known r             == what the defects are at the positions up to 8191, by a computation, from the row r at 1

  Main result: precision.bf16-growth. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix Encoding IntervalTactic Figures CosineRows RoundingFormat Precision.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** A number of [2^k, 2^(k+1)) is rounded to a multiple of 2^(k-7). *)
Lemma fl_binade (x : R) (k z : Z) : (-100 <= k)%Z -> bpow radix2 k <= x < bpow radix2 (k + 1) ->
  Rabs (x * bpow radix2 (7 - k) - IZR z) < / 2 -> fl bfloat16 x = IZR z * bpow radix2 (k - 7).
Proof.
move=> k_ge range near; rewrite /fl /round /F2R /scaled_mantissa /Generic_fmt.cexp.
have -> : mag radix2 x = (k + 1)%Z :> Z.
  by apply: mag_unique_pos; rewrite (_ : (k + 1 - 1)%Z = k); last by lia.
have -> : (exponents bfloat16 (k + 1) = k - 7)%Z by rewrite /FLT_exp /emin /=; lia.
have -> : (- (k - 7) = 7 - k)%Z by lia.
by rewrite [Fnum _]/= [Fexp _]/= (Znearest_imp _ _ z).
Qed.

(** ** Squares of rounded numbers *)

Definition scale : Z := (2 ^ 40)%Z.

Definition shortened (x : Z) : Z := rounded 28 (Z.abs x).

(** Of v = 2^40 |x|: the multiple that it rounds to, and its square in 2^(-66). *)
Definition unit_of (v : Z) : Z := (2 ^ (Z.log2 v - 7))%Z.
Definition nearest (v : Z) : Z := ((2 * v + unit_of v) / (2 * unit_of v))%Z.
Definition square_of (v : Z) : Z := (nearest v * nearest v * 2 ^ (52 + 2 * (Z.log2 v - 40)))%Z.

(** No tie within two of it, and no end of the binade. *)
Definition decided (v : Z) : bool :=
  [&& (14 <=? Z.log2 v)%Z, (2 ^ Z.log2 v + 2 <=? v)%Z && (v + 2 <? 2 * 2 ^ Z.log2 v)%Z,
      (2 * nearest v * unit_of v - unit_of v <? 2 * (v - 2))%Z & (2 * (v + 2) <? 2 * nearest v * unit_of v + unit_of v)%Z].

Lemma bpow_power (n : Z) : (0 <= n)%Z -> bpow radix2 n = IZR (2 ^ n).
Proof. by move=> n_ge0; rewrite -IZR_Zpower. Qed.

Lemma shortened_near (x : Z) (t : R) : Rabs (IZR x - 2 ^ 68 * t) <= 2 ^ 27 ->
  Rabs (IZR (shortened x) - IZR scale * Rabs t) <= 2.
Proof.
move=> near; have := @rounded_near (Z.abs x) 28 ltac:(lia); rewrite -/(shortened x) -[Z.to_nat 28]/28%N abs_IZR.
have {}near : Rabs (Rabs (IZR x) - 2 ^ 68 * Rabs t) <= 2 ^ 27.
  rewrite -{1}(Rabs_pos_eq (2 ^ 68)); last by apply: pow_le; lra.
  by rewrite -Rabs_mult; apply: Rle_trans (Rabs_triang_inv2 _ _) near.
have e28 : 2 ^ 28 = 268435456 by ring.
have e68 : 2 ^ 68 = 268435456 * IZR scale by rewrite -[IZR scale]/1099511627776; ring.
have e27 : 2 ^ 27 = 134217728 by ring.
move: near; rewrite e68 e27 e28; move: (Rabs (IZR x)) (IZR scale * Rabs t) (IZR scale) => y z s.
have ends u e : Rabs u <= e -> - e <= u <= e.
  by have := Rle_abs u; have := Rle_abs (- u); rewrite Rabs_Ropp; lra.
rewrite Rmult_assoc => /ends near /ends rounds; apply: Rabs_le; lra.
Qed.

Lemma square_ofP v x : Rabs (IZR v - IZR scale * Rabs x) <= 2 -> decided v ->
  fl bfloat16 x ^ 2 * 2 ^ 66 = IZR (square_of v).
Proof.
move=> near_v /and4P[/Z.leb_le l_ge /andP[/Z.leb_le v_ge /Z.ltb_lt v_lt] /Z.ltb_lt low /Z.ltb_lt high].
have [below above] : IZR v - 2 <= IZR scale * Rabs x /\ IZR scale * Rabs x <= IZR v + 2.
  have := Rle_abs (IZR v - IZR scale * Rabs x); have := Rle_abs (- (IZR v - IZR scale * Rabs x)).
  by rewrite Rabs_Ropp; lra.
set l := Z.log2 v in l_ge v_ge v_lt *; set z := nearest v in low high *; set w := unit_of v in low high.
have wE : IZR w = bpow radix2 (l - 7) by rewrite bpow_power //; lia.
have w_gt0 : 0 < IZR w by rewrite wE; exact: bpow_gt_0.
have scaleE : IZR scale = bpow radix2 40 by rewrite bpow_power.
set y := Rabs x in above below; have yE : y = IZR scale * y * bpow radix2 (-40).
  by rewrite scaleE Rmult_comm -Rmult_assoc -bpow_plus /=; ring.
have range : bpow radix2 (l - 40) <= y < bpow radix2 (l - 40 + 1).
  have shift n : bpow radix2 (n - 40) = bpow radix2 n * bpow radix2 (-40) by rewrite -bpow_plus.
  rewrite yE (_ : (l - 40 + 1 = l + 1 - 40)%Z); last by lia.
  rewrite !shift; split.
    apply: Rmult_le_compat_r; first exact: bpow_ge_0.
    by rewrite bpow_power; [have := IZR_le _ _ v_ge; rewrite plus_IZR; lra | lia].
  apply: Rmult_lt_compat_r; first exact: bpow_gt_0.
  rewrite bpow_power; last by lia.
  have : (v + 2 < 2 ^ (l + 1))%Z by rewrite Z.pow_add_r; lia.
  by move=> /IZR_lt; rewrite plus_IZR; lra.
have near : Rabs (y * bpow radix2 (7 - (l - 40)) - IZR z) < / 2.
  have -> : y * bpow radix2 (7 - (l - 40)) = IZR scale * y / IZR w.
    rewrite wE {1}yE /Rdiv -bpow_opp Rmult_assoc -bpow_plus; congr (_ * bpow _ _); lia.
  have lowR : 2 * IZR z * IZR w - IZR w < 2 * (IZR v - 2).
    by rewrite -(minus_IZR v 2) -!mult_IZR -minus_IZR; exact: IZR_lt.
  have highR : 2 * (IZR v + 2) < 2 * IZR z * IZR w + IZR w.
    by rewrite -(plus_IZR v 2) -!mult_IZR -plus_IZR; exact: IZR_lt.
  have quotient : IZR scale * y / IZR w * IZR w = IZR scale * y by field; lra.
  set a := IZR scale * y / IZR w in quotient *; apply: Rabs_def1; nra.
have rounded : fl bfloat16 y = IZR z * bpow radix2 (l - 40 - 7) by apply: fl_binade => //; lia.
have square : fl bfloat16 x ^ 2 = fl bfloat16 y ^ 2.
  by rewrite /y /Rabs; case: Rcase_abs => // _; rewrite fl_opp /=; ring.
rewrite square rounded /square_of -/z -/l !mult_IZR -bpow_power; last by lia.
have -> : 2 ^ 66 = bpow radix2 66 by rewrite bpow_power // -(pow_IZR 2 66).
have -> : (IZR z * bpow radix2 (l - 40 - 7)) ^ 2 * bpow radix2 66 =
    IZR z * IZR z * (bpow radix2 (l - 40 - 7) * bpow radix2 (l - 40 - 7) * bpow radix2 66) by ring.
by rewrite -!bpow_plus; congr (_ * bpow _ _); lia.
Qed.

(** ** All positions *)

Definition rounds_well (x : Z * Z) : bool := decided (shortened x.1) && decided (shortened x.2).

Definition defect_of (x : Z * Z) : Z := Z.abs (square_of (shortened x.1) + square_of (shortened x.2) - 2 ^ 66).

Definition good (c : Z) (x : Z * Z) : bool := rounds_well x && (defect_of x <=? c * 2 ^ 50)%Z.
Definition attains (c : Z) (x : Z * Z) : bool := rounds_well x && (defect_of x =? c * 2 ^ 50)%Z.

(** Of a list of the positions from 0 on: at 0, where the sine is 0, there is no defect. *)
Definition defects_known (l : seq (Z * Z)) : bool :=
  [&& all (good 344) (behead (take 1024 l)), all (good 351) (behead l), attains 344 (nth (0, 0)%Z l 15) &
   attains 351 (nth (0, 0)%Z l 6163)].

Definition heads (l : seq (seq (Z * Z))) : seq (Z * Z) := [seq nth (0, 0)%Z r 0 | r <- l].

Definition known (r : seq (I.type * I.type)) : bool :=
  digits_fit 68 r && defects_known (heads (rows 68 (row_0 68 1) (digits 68 r) 13)).

Definition holds_at (x : Z * Z) (m : nat) : Prop :=
  Rabs (IZR x.1 - 2 ^ 68 * cos (INR m)) <= 2 ^ 27 /\ Rabs (IZR x.2 - 2 ^ 68 * sin (INR m)) <= 2 ^ 27.

Lemma defect_ofP r m : holds_at r m -> rounds_well r -> IZR (defect_of r) = table_defect (INR m) * 2 ^ 66.
Proof.
move=> [/shortened_near c_near /shortened_near s_near] /andP[dec_c dec_s]; rewrite /table_defect /defect_of.
have := square_ofP c_near dec_c; have := square_ofP s_near dec_s.
set a := fl _ (sin _) ^ 2; set b := fl _ (cos _) ^ 2 => aE bE.
rewrite abs_IZR minus_IZR plus_IZR -aE -bE.
have e66 : IZR (2 ^ 66) = 2 ^ 66 by rewrite -(pow_IZR 2 66).
have pos : 0 < 2 ^ 66 by apply: pow_lt; lra.
rewrite e66 (_ : b * 2 ^ 66 + a * 2 ^ 66 - 2 ^ 66 = (b + a - 1) * 2 ^ 66); last by ring.
by rewrite Rabs_mult (Rabs_pos_eq (2 ^ 66)) //; exact: Rlt_le.
Qed.

Lemma units c : IZR (c * 2 ^ 50) = IZR c / 65536 * 2 ^ 66.
Proof. by rewrite mult_IZR -(pow_IZR 2 50); field. Qed.

Lemma goodP c r m : holds_at r m -> good c r -> table_defect (INR m) <= IZR c / 65536.
Proof.
move=> held /andP[rounds /Z.leb_le /IZR_le]; rewrite (defect_ofP held rounds) units.
by apply: Rmult_le_reg_r; apply: pow_lt; lra.
Qed.

Lemma attainsP c r m : holds_at r m -> attains c r -> table_defect (INR m) = IZR c / 65536.
Proof.
move=> held /andP[rounds /Z.eqb_eq same]; have := defect_ofP held rounds; rewrite same units => eq_m.
by apply: (Rmult_eq_reg_r (2 ^ 66)); [rewrite -eq_m | apply: pow_nonzero; lra].
Qed.

Lemma table_defect_0 : table_defect 0 = 0.
Proof.
rewrite /table_defect cos_0 sin_0 (fl_exact bfloat16 1 (is_float_1 bfloat16)) fl_0.
by rewrite (_ : 1 ^ 2 + 0 ^ 2 - 1 = 0) ?Rabs_R0 //; ring.
Qed.

Section Known.
Variable l : seq (Z * Z).
Hypothesis size_l : size l = (2 ^ 13)%N.
Hypothesis at_l : forall m, (m < 2 ^ 13)%N -> holds_at (nth (0, 0)%Z l m) m.

Lemma below_all c n : (0 <= c)%Z -> (n <= 2 ^ 13)%N -> all (good c) (behead (take n l)) ->
  forall m, (m < n)%N -> table_defect (INR m) <= IZR c / 65536.
Proof.
move=> c_ge0 n_le /(all_nthP (0, 0)%Z); rewrite size_behead size_take_min size_l (minn_idPl n_le) => every [_|m lt_m].
  by rewrite table_defect_0; have := IZR_le _ _ c_ge0; lra.
have := every m; rewrite ltn_predRL nth_behead nth_take // => /(_ lt_m).
by apply: goodP; apply: at_l; exact: leq_trans n_le.
Qed.

Hypothesis all_known : defects_known l.

Lemma largest :
  ((forall m, (m < 1024)%N -> table_defect (INR m) <= 344 / 65536) /\
   exists m, (m < 1024)%N /\ table_defect (INR m) = 344 / 65536) /\
  ((forall m, (m < 8192)%N -> table_defect (INR m) <= 351 / 65536) /\
   exists m, (m < 8192)%N /\ table_defect (INR m) = 351 / 65536).
Proof.
have power : (2 ^ 13 = 8192)%N by [].
have /and4P[first later at_15 at_6163] := all_known; split; split.
- by apply: below_all first; [lia | rewrite power].
- by exists 15%N; split; [ | apply: attainsP at_15; apply: at_l; rewrite power].
- move=> m lt_m; apply: (@below_all 351 (2 ^ 13)) => [//|//||]; last by rewrite power.
  by rewrite take_oversize ?size_l.
by exists 6163%N; split; [ | apply: attainsP at_6163; apply: at_l; rewrite power].
Qed.

End Known.

Lemma computed : known (row_1 finest 1 (I.fromZ prec 1)).
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma largest_defects :
  ((forall m, (m < 1024)%N -> table_defect (INR m) <= 344 / 65536) /\
   exists m, (m < 1024)%N /\ table_defect (INR m) = 344 / 65536) /\
  ((forall m, (m < 8192)%N -> table_defect (INR m) <= 351 / 65536) /\
   exists m, (m < 8192)%N /\ table_defect (INR m) = 351 / 65536).
Proof.
have := computed; have := row_1_stands finest 1 (encloses_Z 1); move: (row_1 _ _ _) => r r_stands /andP[fits].
have b_ge1 : (1 <= 68)%Z by lia.
have one : within 68 (grown 0) 1 1 1 (digits 68 r).
  have := @digits_near 68 ltac:(lia) 1 1 1 r r_stands fits; apply: within_le; rewrite /grown /=; lra.
apply: largest => [|m lt_m]; first by rewrite size_map size_rows.
have [size_m at_m] := @rows_within 68 1 1 b_ge1 0 13 0 1 _ _ isT (row_0_within 1 1 b_ge1) one m lt_m.
have := at_m (0, 0)%Z 0%N isT; rewrite Rplus_0_l Rmult_1_r [1 ^ 0]/= Rmult_1_r (nth_map [::]) ?size_rows //.
by rewrite (_ : grown (0 + 13) = 2 ^ 27 - 1); [rewrite /holds_at -[Z.to_nat 68]/68%N; lra | rewrite /grown /=; ring].
Qed.

(** The least of the bounds with a free factor. *)
Lemma geometric_bound (A c a b : R) : 0 < c -> 0 <= a -> 0 <= b ->
  (forall l : R, 0 < l -> A <= c * (l * a + b / l)) -> A <= 2 * c * (sqrt a * sqrt b).
Proof.
move=> c_gt0 a_ge0 b_ge0 bounded; case: (Rle_lt_dec A 0) => [A_le | A_gt0].
  apply: Rle_trans A_le _; apply: Rmult_le_pos; first by lra.
  by apply: Rmult_le_pos; exact: sqrt_pos.
case: (Rle_lt_dec a 0) => [a_le | a_gt0].
  have l_gt0 : 0 < (c * b + 1) / A by apply: Rdiv_lt_0_compat; nra.
  exfalso; have := bounded _ l_gt0; rewrite (_ : a = 0); last by lra.
  rewrite (_ : c * _ = c * b / (c * b + 1) * A); last by field; split; nra.
  have : c * b / (c * b + 1) < 1 by apply: (Rmult_lt_reg_r (c * b + 1)); [nra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
  by nra.
case: (Rle_lt_dec b 0) => [b_le | b_gt0].
  have l_gt0 : 0 < A / (c * a + 1) by apply: Rdiv_lt_0_compat; nra.
  exfalso; have := bounded _ l_gt0; rewrite (_ : b = 0); last by lra.
  rewrite (_ : c * _ = c * a / (c * a + 1) * A); last by field; split; nra.
  have : c * a / (c * a + 1) < 1 by apply: (Rmult_lt_reg_r (c * a + 1)); [nra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
  by nra.
have [ra_gt0 rb_gt0] : 0 < sqrt a /\ 0 < sqrt b by split; exact: sqrt_lt_R0.
apply: Rle_trans (bounded (sqrt b / sqrt a) (Rdiv_lt_0_compat _ _ rb_gt0 ra_gt0)) _; right.
have aE := sqrt_sqrt a a_ge0; have bE := sqrt_sqrt b b_ge0; rewrite -{2}aE -{2}bE; field; lra.
Qed.

(** precision.bf16-growth: A rotary table rounded to bfloat16 from good angles breaks the relative
    property already at position 1, where c² + s² = 65269/65536, and at distance 0 errs by at most
    (2√2·u + 2u²)·‖q‖·‖k‖ < 0.01108·‖q‖·‖k‖, u = 2^(−8), at every position: for θ = 1 and q = k =
    e_1 the largest defect is 344/65536 below position 1024 and 351/65536 below 8192. *)
Theorem precision_bf16_growth :
  fl bfloat16 (cos 1) ^ 2 + fl bfloat16 (sin 1) ^ 2 = 65269 / 65536 /\
  (let u := / 256 in 2 * sqrt 2 * u + 2 * u ^ 2 < 0.01108 /\
   forall (h : nat) (omega : nat -> R) (q k : 'cV[R]_(h.*2)) (m : R),
     Rabs (dot (table_matrix h omega m *m q) (table_matrix h omega m *m k) - dot q k) <=
     (2 * sqrt 2 * u + 2 * u ^ 2) * (sqrt (norm2 q) * sqrt (norm2 k))) /\
  ((forall m, (m < 1024)%N -> table_defect (INR m) <= 344 / 65536) /\
   exists m, (m < 1024)%N /\ table_defect (INR m) = 344 / 65536) /\
  ((forall m, (m < 8192)%N -> table_defect (INR m) <= 351 / 65536) /\
   exists m, (m < 8192)%N /\ table_defect (INR m) = 351 / 65536).
Proof.
have root : 1.4142 < sqrt 2 < 1.4143 by split; interval with (i_prec 40).
split; first exact: precision_bf16_growth_at_1.
split; last exact: largest_defects.
split=> [|h omega q k m]; first by rewrite /=; lra.
set u := / 256.
have c_gt0 : 0 < 3 / 1000 by lra.
have bounded := geometric_bound c_gt0 (norm2_ge0 q) (norm2_ge0 k) (fun l => @precision_bf16_growth_any_vectors h omega q k m l).
apply: Rle_trans bounded _; apply: Rmult_le_compat_r; last by rewrite /u /=; lra.
by apply: Rmult_le_pos; exact: sqrt_pos.
Qed.
