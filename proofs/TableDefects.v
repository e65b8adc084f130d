(** * The largest defects of a rounded table

  walk                == the enclosures of the cosine and the sine of a position, and of those of the next
  row_defect xi       == z and e with which the square of what xi holds, rounded to bfloat16, is z^2 2^(2 e)
  within n c          == the defects at the positions up to 16 n are at most c/65536, by a computation

  Main result: precision.bf16-growth. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix Encoding IntervalTactic Figures CosineTable RoundingFormat Precision.

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

Definition p : I.precision := StdZFloat.PtoP 64.

Definition scale : Z := (2 ^ 40)%Z.

(** Below 2^40 |x|, within one. *)
Definition floor_of (xi : I.type) : Z := floor_below (I.mul p (I.fromZ prec scale) (I.abs xi)).

Definition fits_floor (xi : I.type) : bool :=
  is_positive_interval (I.sub p (I.fromZ prec (floor_of xi + 1)) (I.mul p (I.fromZ prec scale) (I.abs xi))).

(** Of a floor v = 2^40 |x|: the exponent of its binade, the multiple that it rounds to, and its square in 2^(-66). *)
Definition binade (v : Z) : Z := (Z.log2 v - 40)%Z.
Definition unit_of (v : Z) : Z := (2 ^ (Z.log2 v - 7))%Z.
Definition nearest (v : Z) : Z := ((2 * v + unit_of v) / (2 * unit_of v))%Z.
Definition square_of (v : Z) : Z := (nearest v * nearest v * 2 ^ (52 + 2 * (Z.log2 v - 40)))%Z.

(** No tie within one of the floor, and no end of the binade. *)
Definition decided (v : Z) : bool :=
  [&& (14 <=? Z.log2 v)%Z, (v + 1 <? 2 * 2 ^ Z.log2 v)%Z,
      (2 * nearest v * unit_of v - unit_of v <? 2 * v)%Z & (2 * (v + 1) <? 2 * nearest v * unit_of v + unit_of v)%Z].

Lemma bpow_power (n : Z) : (0 <= n)%Z -> bpow radix2 n = IZR (2 ^ n).
Proof. by move=> n_ge0; rewrite -IZR_Zpower. Qed.

Lemma square_ofP xi x : encloses xi x -> fits_floor xi -> decided (floor_of xi) ->
  fl bfloat16 x ^ 2 * 2 ^ 66 = IZR (square_of (floor_of xi)).
Proof.
move=> x_in; rewrite /fits_floor; set v := floor_of xi => fits.
have abs_in : encloses (I.abs xi) (Rabs x) := I.abs_correct _ _ x_in.
have scaled_in := encloses_mul (p := p) (encloses_Z scale) abs_in.
have above := positive_interval (encloses_sub (encloses_Z (v + 1)) scaled_in) fits.
have below : IZR v <= IZR scale * Rabs x.
  apply: (floor_below_le scaled_in); apply: Rmult_le_pos; [by apply: IZR_le | exact: Rabs_pos].
move: v above below {fits} => v above below /and4P[/Z.leb_le l_ge /Z.ltb_lt v_lt /Z.ltb_lt low /Z.ltb_lt high].
set l := Z.log2 v in l_ge v_lt *; set z := nearest v in low high *; set w := unit_of v in low high.
have v_gt0 : (0 < v)%Z by case: (Z.lt_ge_cases 0 v) => // v_le; move: l_ge; rewrite /l Z.log2_nonpos.
have [v_ge _] := Z.log2_spec v v_gt0; rewrite -/l in v_ge.
have wE : IZR w = bpow radix2 (l - 7) by rewrite bpow_power //; lia.
have w_gt0 : 0 < IZR w by rewrite wE; exact: bpow_gt_0.
have scaleE : IZR scale = bpow radix2 40 by rewrite bpow_power.
set y := Rabs x in above below; have yE : y = IZR scale * y * bpow radix2 (-40).
  by rewrite scaleE Rmult_comm -Rmult_assoc -bpow_plus /=; ring.
rewrite plus_IZR in above.
have range : bpow radix2 (l - 40) <= y < bpow radix2 (l - 40 + 1).
  have shift n : bpow radix2 (n - 40) = bpow radix2 n * bpow radix2 (-40) by rewrite -bpow_plus.
  rewrite yE (_ : (l - 40 + 1 = l + 1 - 40)%Z); last by lia.
  rewrite !shift; split.
    apply: Rmult_le_compat_r; first exact: bpow_ge_0.
    by rewrite bpow_power; [apply: Rle_trans below; exact: IZR_le | lia].
  apply: Rmult_lt_compat_r; first exact: bpow_gt_0.
  rewrite bpow_power; last by lia.
  have : (v + 1 <= 2 ^ (l + 1))%Z by rewrite Z.pow_add_r; lia.
  by move=> /IZR_le; rewrite plus_IZR; lra.
have near : Rabs (y * bpow radix2 (7 - (l - 40)) - IZR z) < / 2.
  have -> : y * bpow radix2 (7 - (l - 40)) = IZR scale * y / IZR w.
    rewrite wE {1}yE /Rdiv -bpow_opp Rmult_assoc -bpow_plus; congr (_ * bpow _ _); lia.
  have lowR : 2 * IZR z * IZR w - IZR w < 2 * IZR v by rewrite -!mult_IZR -minus_IZR; exact: IZR_lt.
  have highR : 2 * (IZR v + 1) < 2 * IZR z * IZR w + IZR w.
    by rewrite -(plus_IZR v 1) -!mult_IZR -plus_IZR; exact: IZR_lt.
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

Definition at_1 : I.type * I.type := (I.cos prec (I.fromZ prec 1), I.sin prec (I.fromZ prec 1)).

Definition rounds_well (r : I.type * I.type) : bool :=
  [&& fits_floor r.1, fits_floor r.2, decided (floor_of r.1) & decided (floor_of r.2)].

Definition defect_of (r : I.type * I.type) : Z :=
  Z.abs (square_of (floor_of r.1) + square_of (floor_of r.2) - 2 ^ 66).

Definition good (c : Z) (r : I.type * I.type) : bool := rounds_well r && (defect_of r <=? c * 2 ^ 50)%Z.

(** A position by itself. *)
Definition row_at (m : nat) : I.type * I.type :=
  (I.cos prec (I.fromZ prec (Z.of_nat m)), I.sin prec (I.fromZ prec (Z.of_nat m))).

Definition attains (c : Z) (m : nat) : bool := rounds_well (row_at m) && (defect_of (row_at m) =? c * 2 ^ 50)%Z.

Definition onward (r : I.type * I.type) : I.type * I.type :=
  (I.sub p (I.mul p r.1 at_1.1) (I.mul p r.2 at_1.2), I.add p (I.mul p r.2 at_1.1) (I.mul p r.1 at_1.2)).

Definition walk (c : Z) (s : (I.type * I.type) * bool) : (I.type * I.type) * bool := (onward s.1, s.2 && good c s.1).

Definition walks (n : nat) (c : Z) (r : I.type * I.type) : bool := (iter n (walk c) (r, true)).2.

(** Sixteen positions from an enclosure on: the error of an enclosure grows with each. *)
Notation within n c := (all (fun k => walks 16 c (row_at (16 * k).+1)) (iota 0 n)).

Definition holds_at (r : I.type * I.type) (m : nat) : Prop :=
  encloses r.1 (cos (INR m)) /\ encloses r.2 (sin (INR m)).

Lemma at_1_holds : holds_at at_1 1.
Proof. by split; [exact (encloses_cos (encloses_Z 1)) | exact (I.sin_correct prec _ _ (encloses_Z 1))]. Qed.

Lemma onward_holds r m : holds_at r m -> holds_at (onward r) m.+1.
Proof.
move=> [c_in s_in]; have [c1_in s1_in] := at_1_holds; rewrite /holds_at S_INR cos_plus sin_plus.
split; first exact (encloses_sub (encloses_mul c_in c1_in) (encloses_mul s_in s1_in)).
exact (encloses_add (encloses_mul s_in c1_in) (encloses_mul c_in s1_in)).
Qed.

Lemma defect_ofP r m : holds_at r m -> rounds_well r -> IZR (defect_of r) = table_defect (INR m) * 2 ^ 66.
Proof.
move=> [c_in s_in] /and4P[fits_c fits_s dec_c dec_s]; rewrite /table_defect /defect_of.
have := square_ofP c_in fits_c dec_c; have := square_ofP s_in fits_s dec_s.
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

Lemma row_at_holds m : holds_at (row_at m) m.
Proof.
rewrite /holds_at INR_IZR_INZ.
by split; [exact (encloses_cos (encloses_Z _)) | exact (I.sin_correct prec _ _ (encloses_Z _))].
Qed.

Lemma attainsP c m : attains c m -> table_defect (INR m) = IZR c / 65536.
Proof.
move=> /andP[rounds /Z.eqb_eq same];
have := defect_ofP (row_at_holds m) rounds; rewrite same units => eq_m.
by apply: (Rmult_eq_reg_r (2 ^ 66)); [rewrite -eq_m | apply: pow_nonzero; lra].
Qed.

Lemma walkP c r m n : holds_at r m -> walks n c r ->
  forall j, (j < n)%N -> table_defect (INR (m + j)) <= IZR c / 65536.
Proof.
move=> held; have walked k : holds_at (iter k (walk c) (r, true)).1 (m + k).
  by elim: k => [|k IHk]; [rewrite addn0 | rewrite addnS; exact (onward_holds IHk)].
rewrite /walks; elim: n => [//|n IHn]; rewrite iterS [(walk _ _).2]/= => /andP[before here] j.
by rewrite ltnS leq_eqVlt => /orP[/eqP -> | lt_j]; [exact (goodP (walked n) here) | exact: IHn].
Qed.

Lemma all_below (f : nat -> bool) n k : all f (iota 0 n) -> (k < n)%N -> f k.
Proof. by move=> /allP every lt_k; apply: every; rewrite mem_iota. Qed.

Lemma withinP n c : within n c -> forall m, (0 < m <= 16 * n)%N -> table_defect (INR m) <= IZR c / 65536.
Proof.
move=> told m /andP[m_gt0 m_le]; set k := (m.-1 %/ 16)%N.
have lt_k : (k < n)%N by rewrite ltn_divLR // mulnC; apply: leq_trans m_le; rewrite prednK.
have := walkP (row_at_holds (16 * k).+1) (all_below told lt_k) (ltn_pmod m.-1 (isT : (0 < 16)%N)).
by rewrite addSn [(16 * k)%N]mulnC -divn_eq prednK.
Qed.

Lemma table_defect_0 : table_defect 0 = 0.
Proof.
rewrite /table_defect cos_0 sin_0 (fl_exact bfloat16 1 (is_float_1 bfloat16)) fl_0.
by rewrite (_ : 1 ^ 2 + 0 ^ 2 - 1 = 0) ?Rabs_R0 //; ring.
Qed.

Lemma within_1024 : within 64 344.
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma within_8192 : within 512 351.
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma attained : attains 344 15 && attains 351 6163.
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma largest n c m : within n c -> (0 <= c)%Z -> attains c m -> (m < 16 * n)%N ->
  (forall k, (k < 16 * n)%N -> table_defect (INR k) <= IZR c / 65536) /\
  exists k, (k < 16 * n)%N /\ table_defect (INR k) = IZR c / 65536.
Proof.
move=> told c_ge0 at_m m_lt; split=> [[_|k lt_k]|]; last by exists m; split=> //; exact: attainsP.
  by rewrite table_defect_0; have := IZR_le _ _ c_ge0; lra.
by apply: (withinP told); exact: ltnW.
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
have /andP[at_15 at_6163] := attained.
have root : 1.4142 < sqrt 2 < 1.4143 by split; interval with (i_prec 40).
split; first exact: precision_bf16_growth_at_1.
have [ge_344 ge_351] : (0 <= 344)%Z /\ (0 <= 351)%Z by lia.
split; last first.
  split; first exact (@largest 64 344 15 within_1024 ge_344 at_15 isT).
  exact (@largest 512 351 6163 within_8192 ge_351 at_6163 isT).
split=> [|h omega q k m]; first by rewrite /=; lra.
set u := / 256.
have c_gt0 : 0 < 3 / 1000 by lra.
have bounded := geometric_bound c_gt0 (norm2_ge0 q) (norm2_ge0 k) (fun l => @precision_bf16_growth_any_vectors h omega q k m l).
apply: Rle_trans bounded _; apply: Rmult_le_compat_r; last by rewrite /u /=; lra.
by apply: Rmult_le_pos; exact: sqrt_pos.
Qed.
