(** * Certificates of instance bounds

  What is claimed.  Whether a figure bounds the errors of a program's table over a range of positions is
  decided, in the affirmative, by a computation: positions are cut into parts, and for each part the
  computation finds that one of two theorems gives no more than the figure.  A certificate is the list of
  parts; `posproof bound --certificate` writes it, with the figure, into a file that Coq checks.

  Dictionary (see also [RoundingPart]):
  - [Slope d m em ev] == the part is bounded by [rounding_table_entry_slope], its angle by [rounding_lattice_angle],
    the slope by its ends in the piece d, the magnitude in the piece m, and spacings by 2^em and 2^ev;
  - [Monotone a x lo hi] == the part is bounded by monotony: angles in the piece a, exact angles in x, library
    values between lo 2^-q and hi 2^-q before their rounding.

  Main result: [rounding_certificate].

  Assumes: no overflow; κ < 2 (then library values lie in [-1, 1], [rounding_table_within_one]). *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia List.
From mathcomp Require Import ssreflect ssrfun ssrbool.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingAngle RoundingLattice RoundingTable RoundingScaled.
From Posproof Require Import RoundingEnclosure RoundingPart.

Open Scope R_scope.

(** ** The check of a part *)

Section Check.

Variable c : problem.

Local Notation P := (position_format c).
Local Notation A := (angle_format c).
Local Notation S := (table_format c).
Local Notation even := (component c).
Local Notation q := (scale c).

Definition multiple (E : Z) : Z := Z.max (E - precision A) (emin A).

Definition in_one_binade (p : part) : bool :=
  let E := binade_of p in
  ((1 <=? first p) && (first p <=? last p) && (last p <=? 2 ^ precision P) &&
   (0 <=? significand c) && (0 <=? low c) && (1 <=? multiple E - exponent c) && (0 <=? multiple E + q) &&
   (0 <=? exponent c + q) && (0 <=? E - 1 + q) &&
   (2 ^ (E - 1 + q) <? first p * (significand c * 2 ^ (exponent c + q))) &&
   (last p * (significand c * 2 ^ (exponent c + q)) <=? 2 ^ (E + q)))%Z.

(** The error of the angle, times 2^q. *)
Definition angle_error (p : part) : Z :=
  let k := (multiple (binade_of p) - exponent c)%Z in
  let n := (last p - first p + 1)%Z in
  let quantum := (2 ^ (multiple (binade_of p) + q))%Z in
  let start := (significand c * first p)%Z in
  let fuel := Datatypes.S (Z.to_nat (2 * k)) in
  Z.max (euclid fuel n (2 ^ k) (- low c) quantum (significand c) (start + 2 ^ (k - 1)) - low c * first p)
        (euclid fuel n (2 ^ k) (high c) (- quantum) (significand c) (start + (2 ^ (k - 1) - 1)) + high c * first p).

Definition contained : bool := (precision A <=? precision S)%Z && (emin S <=? emin A)%Z.

Definition ends (wave_even : bool) (p : part) (o : option piece) : term :=
  if o is Some _
  then Greatest (Magnitude (wave_term wave_even q (first p * low c))) (Magnitude (wave_term wave_even q (last p * high c)))
  else Whole 1.

Definition held (wave_even : bool) (p : part) (o : option piece) : bool :=
  if o is Some piece then within wave_even q (first p * low c) (last p * high c) piece else true.

Definition power_of_spacing (F : format) (e : Z) : Z := Z.max (e - precision F) (emin F).

Definition by_slope (p : part) (d m : option piece) (em ev : Z) : bool :=
  let alpha := Scaled (angle_error p) (- q) in
  let slope := Product alpha (Least (Whole 1) (Sum (ends (negb even) p d) (Quotient alpha (Whole 2)))) in
  let M := Least (Whole 1) (Sum (ends even p m) alpha) in
  let error := Product (kappa c) (Scaled 1 (power_of_spacing A em)) in
  let storage := if contained then Whole 0 else Scaled 1 (power_of_spacing S ev - 1) in
  held (negb even) p d && held even p m && at_most M (Scaled 1 em) &&
  (contained || at_most (Least (Whole 1) (Sum M error)) (Scaled 1 ev)) &&
  at_most (Least (Whole 2) (Sum (Sum slope error) storage)) (bound c).

Definition by_monotony (p : part) (a x : piece) (lo hi : Z) : bool :=
  let step := (significand c * 2 ^ (exponent c + q))%Z in
  let a1 := rounded_down A q (first p * step) in
  let a2 := rounded_up A q (last p * step) in
  let x1 := (first p * low c)%Z in
  let x2 := (last p * high c)%Z in
  let ends (p : piece) x1 x2 := if rises p then (x1, x2) else (x2, x1) in
  let (a_low, a_high) := ends a a1 a2 in
  let (x_low, x_high) := ends x x1 x2 in
  correct c && within even q a1 a2 a && within even q x1 x2 x &&
  at_most (Scaled lo (- q)) (wave_term even q a_low) && at_most (wave_term even q a_high) (Scaled hi (- q)) &&
  at_most (Difference (Scaled (rounded_up S q (rounded_up A q hi)) (- q)) (wave_term even q x_low)) (bound c) &&
  at_most (Difference (wave_term even q x_high) (Scaled (rounded_down S q (rounded_down A q lo)) (- q))) (bound c).

Definition holds (p : part) : bool :=
  in_one_binade p &&
  match by_method p with
  | Slope d m em ev => by_slope p d m em ev
  | Monotone a x lo hi => by_monotony p a x lo hi
  end.

Definition holds_at_0 : bool :=
  if even || correct c then at_most (Whole 0) (bound c)
  else at_most (Sum (Product (kappa c) (Scaled 1 (- precision A)))
                    (if contained then Whole 0 else Scaled 1 (- precision S - 1))) (bound c).

Fixpoint covered (next finish : Z) (parts : list part) : bool :=
  if parts is p :: rest then (first p =? next)%Z && holds p && covered (last p + 1) finish rest
  else (finish <=? next)%Z.

Definition certified (start finish : Z) (parts : list part) : bool :=
  at_most (Whole 0) (kappa c) && at_most (kappa c) (Difference (Whole 2) (Scaled 1 (- 40))) &&
  (~~ correct c || (at_most (kappa c) (Quotient (Whole 1) (Whole 2)) &&
                    at_most (Quotient (Whole 1) (Whole 2)) (kappa c))) &&
  (if (start =? 0)%Z then holds_at_0 && covered 1 finish parts else covered start finish parts).

End Check.

(** ** Soundness *)

Section Soundness.

Variable c : problem.
Variables w w' : R.

Local Notation P := (position_format c).
Local Notation A := (angle_format c).
Local Notation S := (table_format c).
Local Notation even := (component c).
Local Notation q := (scale c).
Local Notation k := (value (kappa c)).
Local Notation error n T := (Rabs (T - wave even (IZR n * w))).

Hypothesis frequency : IZR (low c) * bpow radix2 (- q) <= w <= IZR (high c) * bpow radix2 (- q).
Hypothesis computed : w' = IZR (significand c) * bpow radix2 (exponent c).
Hypotheses (kappa_range : 0 <= k < 2) (kappa_correct : correct c = true -> k = / 2).

Lemma half_power : bpow radix2 (- (1)) = / 2.
Proof. by []. Qed.

Lemma scaled_value m e : value (Scaled m e) = IZR m * bpow radix2 e.
Proof. by []. Qed.

Lemma power_scaled e : (0 <= e + q)%Z -> bpow radix2 e = IZR (2 ^ (e + q)) * bpow radix2 (- q).
Proof.
by move=> e_ge; rewrite (IZR_Zpower radix2) // -bpow_plus; congr bpow; ring.
Qed.

(** The exact angle of a position lies between those of the ends of the part. *)
Lemma exact_angle p n : (0 <= low c)%Z -> (0 <= first p)%Z -> (first p <= n <= last p)%Z ->
  IZR (first p * low c) * bpow radix2 (- q) <= IZR n * w <= IZR (last p * high c) * bpow radix2 (- q).
Proof.
move=> /IZR_le low_ge0 /IZR_le first_ge0 [/IZR_le n_ge /IZR_le n_le].
have [w_ge w_le] := frequency; have power := bpow_gt_0 radix2 (- q).
have low_power : 0 <= IZR (low c) * bpow radix2 (- q) by apply: Rmult_le_pos; lra.
by rewrite !mult_IZR !Rmult_assoc; split; apply: Rmult_le_compat; lra.
Qed.

(** What the check of a part says of its positions and products. *)
Lemma in_one_binadeP p : in_one_binade c p = true ->
  (1 <= first p <= last p /\ last p <= 2 ^ precision P /\ 0 <= significand c /\ 0 <= low c)%Z /\
  (1 <= multiple c (binade_of p) - exponent c /\ 0 <= multiple c (binade_of p) + q /\ 0 <= exponent c + q)%Z /\
  forall n, (first p <= n <= last p)%Z ->
    bpow radix2 (binade_of p - 1) < IZR n * w' <= bpow radix2 (binade_of p).
Proof.
rewrite /in_one_binade.
move=> /andP [/andP [/andP [/andP [/andP [/andP [/andP [/andP [/andP [/andP [/Z.leb_spec0 f1 /Z.leb_spec0 fl]
  /Z.leb_spec0 lP] /Z.leb_spec0 s0] /Z.leb_spec0 l0] /Z.leb_spec0 k1] /Z.leb_spec0 g0] /Z.leb_spec0 e0]
  /Z.leb_spec0 E0] /Z.ltb_spec0 lower] /Z.leb_spec0 upper].
do 2 (split; first by lia); move=> n [n_ge n_le].
have step : w' = IZR (significand c * 2 ^ (exponent c + q)) * bpow radix2 (- q).
  by rewrite computed (power_scaled _ e0) mult_IZR; ring.
set m := (significand c * _)%Z in lower upper step.
have m_ge0 : (0 <= m)%Z by apply: Z.mul_nonneg_nonneg => //; apply: Z.pow_nonneg.
have power := bpow_gt_0 radix2 (- q).
rewrite step -Rmult_assoc -mult_IZR (power_scaled _ E0) (power_scaled (binade_of p)); last lia.
split; first by apply: Rmult_lt_compat_r => //; apply: IZR_lt; nia.
by apply: Rmult_le_compat_r; [lra | apply: IZR_le; nia].
Qed.

Lemma angle_error_sound p n : in_one_binade c p = true -> (first p <= n <= last p)%Z ->
  Rabs (fl A (IZR n * w') - IZR n * w) <= value (Scaled (angle_error c p) (- q)).
Proof.
move=> /in_one_binadeP [[f_range [_ [s_ge0 _]]] [[k_ge1 [g_ge0 _]] binades]] n_range.
have enough : (2 ^ (multiple c (binade_of p) - exponent c) *
    (significand c mod 2 ^ (multiple c (binade_of p) - exponent c)) <
    2 ^ Z.of_nat (Z.to_nat (2 * (multiple c (binade_of p) - exponent c))))%Z.
  set k0 := (multiple c (binade_of p) - exponent c)%Z in k_ge1 *.
  have power_gt0 : (0 < 2 ^ k0)%Z by apply: Z.pow_pos_nonneg; lia.
  have [_ mod_lt] := Z.mod_pos_bound (significand c) (2 ^ k0) power_gt0.
  rewrite Z2Nat.id; last lia.
  have -> : (2 * k0 = k0 + k0)%Z by ring.
  by rewrite Z.pow_add_r; [nia | lia | lia].
have n_ge1 : (1 <= last p - first p + 1)%Z by lia.
have first_ge0 : (0 <= first p)%Z by lia.
have one_binade t : (first p <= t < first p + (last p - first p + 1))%Z ->
    bpow radix2 (binade_of p - 1) < IZR t * (IZR (significand c) * bpow radix2 (exponent c)) <= bpow radix2 (binade_of p).
  by move=> t_range; rewrite -computed; apply: binades; lia.
have t_range : (first p <= n < first p + (last p - first p + 1))%Z by lia.
have scaled_w : IZR (low c) <= w * bpow radix2 q <= IZR (high c).
  have [w_ge w_le] := frequency; have power := bpow_gt_0 radix2 q.
  have inverse : bpow radix2 (- q) * bpow radix2 q = 1 by rewrite -bpow_plus Z.add_opp_diag_l.
  have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ power) w_ge; have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ power) w_le.
  by rewrite !Rmult_assoc inverse !Rmult_1_r.
have := rounding_lattice_angle A (significand c) (exponent c) (binade_of p) (first p) (last p - first p + 1)
  s_ge0 k_ge1 first_ge0 n_ge1 one_binade _ w q (low c) (high c) n enough g_ge0 scaled_w t_range.
rewrite -computed /= /angle_error; cbv zeta.
set up := (euclid _ _ _ _ _ _ _ - low c * first p)%Z; set down := (euclid _ _ _ _ _ _ _ + high c * first p)%Z.
have power := bpow_gt_0 radix2 (- q); have := IZR_le _ _ (Z.le_max_l up down); have := IZR_le _ _ (Z.le_max_r up down).
set most := IZR (Z.max up down) => down_le up_le [below above].
have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ power) up_le; have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ power) down_le.
by move=> *; apply: Rabs_le; split; lra.
Qed.

Lemma contained_sound s : contained c = true -> is_float A s -> is_float S s.
Proof.
rewrite /contained => /andP [/Z.leb_spec0 precisions /Z.leb_spec0 smallest].
by apply: generic_inclusion_mag => _; rewrite /FLT_exp; lia.
Qed.

(** The magnitudes of sine or cosine over a part. *)
Lemma ends_sound wave_even p o n : (0 <= low c)%Z -> (0 <= first p)%Z -> (first p <= n <= last p)%Z ->
  held c wave_even p o = true -> Rabs (wave wave_even (IZR n * w)) <= value (ends c wave_even p o).
Proof.
move=> low_ge0 first_ge0 n_range; case: o => [piece | _]; last exact: wave_abs_le_1.
have angle := exact_angle p n low_ge0 first_ge0 n_range.
move=> /(within_between _ _ _ _ _ _)/(_ angle) between.
rewrite /ends; cbn [value]; rewrite !wave_term_value.
have := Rmax_l (Rabs (wave wave_even (IZR (first p * low c) * bpow radix2 (- q))))
  (Rabs (wave wave_even (IZR (last p * high c) * bpow radix2 (- q)))).
have := Rmax_r (Rabs (wave wave_even (IZR (first p * low c) * bpow radix2 (- q))))
  (Rabs (wave wave_even (IZR (last p * high c) * bpow radix2 (- q)))).
have bounds x y z : x <= z <= y -> Rabs z <= Rmax (Rabs x) (Rabs y).
  move=> [le_xz le_zy]; apply: Rabs_le; split.
    by have := Rmax_l (Rabs x) (Rabs y); have := Rle_abs (- x); rewrite Rabs_Ropp; lra.
  by have := Rmax_r (Rabs x) (Rabs y); have := Rle_abs y; lra.
move=> _ _; move: between; cbv zeta; case: (rises piece) => /bounds //.
by rewrite Rmax_comm.
Qed.

Lemma power_of_spacing_sound F x e : Rabs x <= value (Scaled 1 e) ->
  spacing F x <= value (Scaled 1 (power_of_spacing F e)).
Proof. by rewrite !scaled_value !Rmult_1_l => /(spacing_le_bpow F). Qed.

Lemma position_exact p n : in_one_binade c p = true -> (first p <= n <= last p)%Z -> fl P (IZR n) = IZR n.
Proof. by move=> /in_one_binadeP [[f_range [l_le _]] _] n_range; apply: (proj1 (rounding_position P n)); lia. Qed.

Lemma library_within_one a s : library A k even a s -> Rabs s <= 1.
Proof. by move=> [s_float [accurate _]]; apply: rounding_table_within_one kappa_range accurate s_float. Qed.

Lemma Rmin_abs_le x y : 0 <= x -> 0 <= y -> Rabs (Rmin x y) = Rmin x y.
Proof. by move=> x_ge0 y_ge0; apply: Rabs_pos_eq; apply: Rmin_glb. Qed.

Lemma by_slope_sound p d m em ev n T : in_one_binade c p = true -> by_slope c p d m em ev = true ->
  (first p <= n <= last p)%Z -> entry P A S k even n w' T -> error n T <= value (bound c).
Proof.
move=> one_binade; have [[f_range [_ [_ low_ge0]]] _] := in_one_binadeP p one_binade.
move=> /andP [/andP [/andP [/andP [held_d held_m] /at_most_sound M_le] cast] /at_most_sound total] n_range.
move=> [s [lib ->]]; rewrite (position_exact p n one_binade n_range) in lib.
have first_ge0 : (0 <= first p)%Z by lia.
have near := angle_error_sound p n one_binade n_range.
have slope_le := ends_sound _ p d n low_ge0 first_ge0 n_range held_d.
have value_le := ends_sound _ p m n low_ge0 first_ge0 n_range held_m.
have s_le1 := library_within_one _ _ lib; case: lib => s_float [accurate _].
have [with_cast without_cast] := rounding_table_entry_slope A S even k _ _ s _ (proj1 kappa_range) near accurate s_le1.
cbn [value] in M_le, total; rewrite -!scaled_value in M_le total.
set alpha := value (Scaled (angle_error c p) (- q)) in near with_cast without_cast M_le total.
have alpha_ge0 : 0 <= alpha by apply: Rle_trans near; apply: Rabs_pos.
set D := value (ends c (negb even) p d) in slope_le total.
set M := value (ends c even p m) in value_le M_le total.
set M0 := Rmin 1 (Rabs (wave even (IZR n * w)) + alpha) in with_cast without_cast.
have M0_le : M0 <= Rmin 1 (M + alpha) by apply: Rle_min_compat_l; lra.
have M0_ge0 : 0 <= M0 by apply: Rmin_glb; [lra | have := Rabs_pos (wave even (IZR n * w)); lra].
have spacing_A : spacing A M0 <= value (Scaled 1 (power_of_spacing A em)).
  by apply: power_of_spacing_sound; rewrite Rabs_pos_eq //; apply: Rle_trans M_le.
set sigma := value (Scaled 1 (power_of_spacing A em)) in spacing_A total.
have k_spacing : k * spacing A M0 <= k * sigma by apply: Rmult_le_compat_l => //; case: kappa_range.
have slope : alpha * Rmin 1 (Rabs (wave (~~ even) (IZR n * w)) + alpha / 2) <= alpha * Rmin 1 (D + alpha / 2).
  by apply: Rmult_le_compat_l => //; apply: Rle_min_compat_l; lra.
case in_table: (contained c) total cast => total cast.
  apply: Rle_trans (without_cast (contained_sound s in_table s_float)) _; apply: Rle_trans total.
  by cbn [value]; apply: Rle_min_compat_l; lra.
apply: Rle_trans with_cast _; apply: Rle_trans total; rewrite /entry_bound /storage_bound.
set V := Rmin 1 (M0 + k * spacing A M0).
have k_spacing_ge0 : 0 <= k * spacing A M0.
  by apply: Rmult_le_pos; [case: kappa_range | apply/Rlt_le/spacing_pos].
have V_ge0 : 0 <= V by apply: Rmin_glb; lra.
have spacing_S : spacing S V <= value (Scaled 1 (power_of_spacing S ev)).
  apply: power_of_spacing_sound; rewrite Rabs_pos_eq //.
  apply: Rle_trans (at_most_sound _ _ cast); cbn [value]; apply: Rle_min_compat_l.
  by rewrite -!scaled_value -/alpha -/M -/sigma; lra.
have half : value (Scaled 1 (power_of_spacing S ev - 1)) = / 2 * value (Scaled 1 (power_of_spacing S ev)).
  by rewrite !scaled_value /Zminus bpow_plus half_power; ring.
by rewrite half; apply: Rle_min_compat_l; lra.
Qed.

Lemma by_monotony_sound p a x lo hi n T : in_one_binade c p = true -> by_monotony c p a x lo hi = true ->
  (first p <= n <= last p)%Z -> entry P A S k even n w' T -> error n T <= value (bound c).
Proof.
move=> one_binade; have [[f_range [_ [s_ge0 low_ge0]]] [[_ [_ e_ge0]] _]] := in_one_binadeP p one_binade.
rewrite /by_monotony; set step := (significand c * _)%Z.
set a1 := rounded_down _ _ _; set a2 := rounded_up _ _ (last p * step).
set x1 := (first p * low c)%Z; set x2 := (last p * high c)%Z.
case: (rises a) (within_between even q a1 a2 a) => a_between;
case: (rises x) (within_between even q x1 x2 x) => x_between;
move=> /andP [/andP [/andP [/andP [/andP [/andP [is_correct within_a] within_x] /at_most_sound lo_le]
  /at_most_sound hi_ge] /at_most_sound upper] /at_most_sound lower] n_range [s [lib ->]];
rewrite (position_exact p n one_binade n_range) in lib;
have [_ [_ [_ /(_ (kappa_correct is_correct)) s_eq]]] := lib;
(have first_ge0 : (0 <= first p)%Z by lia);
have angle := exact_angle p n low_ge0 first_ge0 n_range;
(have step_ge0 : (0 <= step)%Z by apply: Z.mul_nonneg_nonneg => //; apply: Z.pow_nonneg);
(have product : IZR n * w' = IZR (n * step) * bpow radix2 (- q)
  by rewrite computed (power_scaled _ e_ge0) /step !mult_IZR; ring);
have power := bpow_gt_0 radix2 (- q);
(have computed_angle : IZR a1 * bpow radix2 (- q) <= fl A (IZR n * w') <= IZR a2 * bpow radix2 (- q)
  by rewrite product; split; [apply: rounded_down_of | apply: rounded_up_of];
     apply: Rmult_le_compat_r; try lra; apply: IZR_le; nia);
have := a_between _ within_a computed_angle; have := x_between _ within_x angle; cbv zeta;
move=> [x_low x_high] [a_low a_high];
cbn [value] in lo_le, hi_ge, upper, lower; rewrite !wave_term_value in lo_le hi_ge upper lower;
(have s_high := rounded_up_of A q hi _ (Rle_trans _ _ _ a_high hi_ge));
(have s_low := rounded_down_of A q lo _ (Rle_trans _ _ _ lo_le a_low));
rewrite -s_eq in s_high s_low;
have T_high := rounded_up_of S q _ _ s_high; have T_low := rounded_down_of S q _ _ s_low;
by apply: Rabs_le; split; lra.
Qed.

Lemma holds_sound p n T : holds c p = true -> (first p <= n <= last p)%Z ->
  entry P A S k even n w' T -> error n T <= value (bound c).
Proof.
rewrite /holds => /andP [one_binade]; case: by_method => [d m em ev | a x lo hi].
  exact: by_slope_sound.
exact: by_monotony_sound.
Qed.

Lemma holds_at_0_sound T : holds_at_0 c = true -> entry P A S k even 0 w' T -> error 0 T <= value (bound c).
Proof.
rewrite /holds_at_0 => checked [s [lib ->]].
have angle : fl A (fl P (IZR 0) * w') = 0 by rewrite fl_0 Rmult_0_l fl_0.
have s_le1 := library_within_one _ _ lib; rewrite angle in lib; rewrite Rmult_0_l.
case: lib => s_float [accurate [at_0 correctly]].
have exact_0 e : even = e -> (if e then s = 0 else s = 1) -> Rabs (fl S s - wave even 0) <= 0.
  move=> ->; case: e => -> /=; rewrite ?fl_0 ?sin_0 ?cos_0 ?(fl_exact _ _ (is_float_1 S)) Rminus_diag_eq // Rabs_R0; lra.
case even_eq: even checked => /= checked.
  have := at_most_sound _ _ checked; have := exact_0 true even_eq (at_0 even_eq erefl).
  by rewrite even_eq; cbn [value wave]; lra.
case is_correct: (correct c) checked => checked.
  have s_eq : s = 1.
    by rewrite (correctly (kappa_correct is_correct)) even_eq /= cos_0; apply/fl_exact/is_float_1.
  by have := at_most_sound _ _ checked; have := exact_0 false even_eq s_eq; rewrite even_eq; cbn [value wave]; lra.
have near : Rabs (0 - 0) <= 0 by rewrite Rminus_0_r Rabs_R0; right.
have [with_cast without_cast] := rounding_table_unit A S even k 0 0 s 0 (proj1 kappa_range) near accurate s_le1.
have total := at_most_sound _ _ checked; cbn [value] in total; rewrite !Rmult_1_l in total.
rewrite even_eq in with_cast without_cast; cbn [wave] in with_cast, without_cast.
case in_table: (contained c) total => total.
  have := without_cast (contained_sound s in_table s_float); have := Rmin_r 2 (0 + k * u A).
  by rewrite /u; cbn [value] in total; lra.
have half : value (Scaled 1 (- precision S - 1)) = u S / 2 by rewrite scaled_value /Zminus bpow_plus half_power /u; lra.
move: with_cast; have := Rmin_r 2 (0 + k * u A + u S / 2); rewrite half /u in total *; lra.
Qed.

Lemma covered_sound parts next finish n T : covered c next finish parts = true ->
  (next <= n < finish)%Z -> entry P A S k even n w' T -> error n T <= value (bound c).
Proof.
elim: parts next => [|p parts IHparts] next /=; first by move=> /Z.leb_spec0; lia.
move=> /andP [/andP [/Z.eqb_spec first_eq part_holds] rest] n_range.
have [n_le | n_gt] : (n <= last p \/ last p + 1 <= n)%Z by lia.
  by apply: holds_sound part_holds _; lia.
by apply: IHparts rest _; lia.
Qed.

End Soundness.

(** rounding.certificate: where the computation accepts a list of parts that covers the positions start <= n < finish,
    every entry computed from ω' = P 2^e, with low 2^-q <= ω <= high 2^-q, is within the figure of wave(nω). *)
Theorem rounding_certificate (c : problem) (start finish : Z) (parts : list part) (w w' : R) (n : Z) (T : R) :
  certified c start finish parts = true ->
  IZR (low c) * bpow radix2 (- scale c) <= w <= IZR (high c) * bpow radix2 (- scale c) ->
  w' = IZR (significand c) * bpow radix2 (exponent c) ->
  (start <= n < finish)%Z ->
  entry (position_format c) (angle_format c) (table_format c) (value (kappa c)) (component c) n w' T ->
  Rabs (T - wave (component c) (IZR n * w)) <= value (bound c).
Proof.
move=> /andP [/andP [/andP [/at_most_sound k_ge /at_most_sound k_le] correctness] parts_hold] w_range w'_eq n_range.
cbn [value] in k_ge, k_le; have power := bpow_gt_0 radix2 (- 40).
have k_range : 0 <= value (kappa c) < 2 by split; lra.
have k_correct : correct c = true -> value (kappa c) = / 2.
  by move: correctness => /orP [/negbTE -> // | /andP [/at_most_sound ? /at_most_sound ?] _]; cbn [value] in *; lra.
have sound := covered_sound c w w' w_range w'_eq k_range k_correct parts.
case: Z.eqb_spec parts_hold => [start_eq /andP [at_0 after] | _ parts_hold]; last exact: (sound start finish).
have [-> | n_ge1] : (n = 0 \/ 1 <= n)%Z by lia.
  exact: (holds_at_0_sound c w w' k_range k_correct).
by apply: (sound 1%Z finish) after _; lia.
Qed.
