(** * Rounding to a binary floating-point format

  What is claimed.  The rounding of a real number to a radix-2 format, to
  nearest with ties to even, obeys the bounds by which every other rounding
  theorem of this development is made: half the spacing of the binade; the
  standard model with underflow; and stays in range when the number does.

  Dictionary ([F] is a format, [x] a real number):
  - [format] == precision p and exponent limit emax, as IEEE 754 gives them;
  - [emin F] == 3 - emax - p, the exponent of the smallest subnormal number;
  - [fl F x] == x rounded to the format, to nearest, ties to even;
  - [is_float F x] == x is a number of the format (no upper limit, see below);
  - [u F] == 2^-p, the unit roundoff;
  - [v F] == u / (1 + u), the sharp relative error of one rounding;
  - [eta F] == 2^emin, the smallest subnormal number, η below;
  - [smallest_normal F] == 2^(emin + p - 1);
  - [largest F] == (1 - u) 2^emax, the largest finite number, Ω below;
  - [binade x] == the least integer e such that |x| <= 2^e (for x <> 0);
  - [spacing F x] == max(2^(e - p), η) with e = binade x, and η for x = 0:
    the distance of neighbouring numbers just below |x|;
  - [binary16], [bfloat16], [binary32], [binary64] == the four formats.

  Formulas:
    |fl(x) - x| <= spacing(x) / 2                      [rounding_half_spacing]
    |fl(x) - x| <= v |x| + η / 2, and without η / 2
      when x = 0 or |x| >= smallest normal         [rounding_standard_model]
    |x| <= Ω implies |fl(x)| <= Ω                          [rounding_overflow]

  Assumes: nothing.  The format has gradual underflow and no upper limit on
  the exponent; an IEEE operation returns [fl F x] exactly when the exact
  result x satisfies |fl(x)| <= Ω (see RoundingIEEE.v), for which |x| <= Ω is
  enough.  Not claimed: flush-to-zero arithmetic, other rounding modes. *)

From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect.
From Flocq Require Import Core Relative.

Open Scope R_scope.

Record format := Format {
  precision : Z;
  emax : Z;
  precision_above_one : (1 < precision)%Z;
  precision_below_emax : (precision < emax)%Z
}.

Definition emin (F : format) : Z := (3 - emax F - precision F)%Z.

Notation exponents F := (FLT_exp (emin F) (precision F)).

Definition fl (F : format) (x : R) : R := round radix2 (exponents F) ZnearestE x.
Definition is_float (F : format) (x : R) : Prop := generic_format radix2 (exponents F) x.

Definition u (F : format) : R := bpow radix2 (- precision F).
Definition v (F : format) : R := u F / (1 + u F).
Definition eta (F : format) : R := bpow radix2 (emin F).
Definition smallest_normal (F : format) : R := bpow radix2 (emin F + precision F - 1).
Definition largest (F : format) : R := (1 - u F) * bpow radix2 (emax F).

Definition binade (x : R) : Z :=
  let e := mag_val radix2 x (mag radix2 x) in
  if Rle_bool (Rabs x) (bpow radix2 (e - 1)) then (e - 1)%Z else e.

Definition spacing (F : format) (x : R) : R :=
  if Req_bool x 0 then eta F
  else bpow radix2 (Z.max (binade x - precision F) (emin F)).

Definition binary16 : format := Format 11 16 eq_refl eq_refl.
Definition bfloat16 : format := Format 8 128 eq_refl eq_refl.
Definition binary32 : format := Format 24 128 eq_refl eq_refl.
Definition binary64 : format := Format 53 1024 eq_refl eq_refl.

#[global] Instance precision_positive (F : format) : Prec_gt_0 (precision F).
Proof. by rewrite /Prec_gt_0; have := precision_above_one F; lia. Qed.

#[global] Instance exponents_valid (F : format) : Valid_exp (exponents F).
Proof. by apply: FLT_exp_valid; exact: precision_positive. Qed.

(** ** The constants *)

Section Format.
Variable F : format.

Lemma emin_small : (emin F + precision F <= 0)%Z.
Proof. by rewrite /emin; have := precision_above_one F; have := precision_below_emax F; lia. Qed.

Lemma u_pos : 0 < u F.
Proof. exact: bpow_gt_0. Qed.

Lemma u_le_quarter : u F <= / 4.
Proof.
have -> : / 4 = bpow radix2 (- 2) by rewrite /=; lra.
by apply: bpow_le; have := precision_above_one F; lia.
Qed.

Lemma v_pos : 0 < v F.
Proof. by rewrite /v; have := u_pos => u_gt0; apply: Rdiv_lt_0_compat; lra. Qed.

Lemma v_identity : v F * (1 + u F) = u F.
Proof. by rewrite /v; field; have := u_pos; lra. Qed.

Lemma v_le_u : v F <= u F.
Proof. by have := u_pos; have := v_pos; have := v_identity; nra. Qed.

Lemma v_lt_1 : v F < 1.
Proof. by have := v_le_u; have := u_le_quarter; lra. Qed.

(** Rounding once more costs no more than u: v (1 + v) <= u. *)
Lemma v_twice : v F * (1 + v F) <= u F.
Proof. by have := u_pos; have := v_pos; have := v_identity; have := v_le_u; nra. Qed.

Lemma eta_pos : 0 < eta F.
Proof. exact: bpow_gt_0. Qed.

Lemma u_ro_u : u_ro radix2 (precision F) = u F.
Proof.
rewrite /u_ro /u -[/ 2]/(bpow radix2 (- 1)) -bpow_plus.
by congr bpow; ring.
Qed.

(** ** Rounding: exactness, sign, order *)

Lemma fl_float x : is_float F (fl F x).
Proof. exact: generic_format_round. Qed.

Lemma fl_exact x : is_float F x -> fl F x = x.
Proof. by move=> x_float; exact: round_generic. Qed.

Lemma fl_idempotent x : fl F (fl F x) = fl F x.
Proof. by apply: fl_exact; exact: fl_float. Qed.

Lemma fl_0 : fl F 0 = 0.
Proof. exact: round_0. Qed.

Lemma fl_opp x : fl F (- x) = - fl F x.
Proof. exact: round_NE_opp. Qed.

Lemma fl_le x y : x <= y -> fl F x <= fl F y.
Proof. exact: round_le. Qed.

(** The nearest number is no farther than any other number of the format. *)
Lemma fl_nearest x f : is_float F f -> Rabs (fl F x - x) <= Rabs (f - x).
Proof.
move=> f_float; have [_ nearest] := round_N_pt radix2 (exponents F) (fun z => negb (Z.even z)) x.
exact: nearest.
Qed.

Lemma bpow_float e : (emin F <= e)%Z -> is_float F (bpow radix2 e).
Proof. exact: generic_format_FLT_bpow. Qed.

Lemma is_float_opp x : is_float F x -> is_float F (- x).
Proof. exact: generic_format_opp. Qed.

Lemma is_float_0 : is_float F 0.
Proof. exact: generic_format_0. Qed.

Lemma is_float_1 : is_float F 1.
Proof.
rewrite -[1]/(bpow radix2 0); apply: bpow_float.
by have := emin_small; have := precision_above_one F; lia.
Qed.

(** A number of the format that bounds |x| bounds |fl(x)|. *)
Lemma fl_abs_le x b : is_float F b -> Rabs x <= b -> Rabs (fl F x) <= b.
Proof. by move=> b_float x_le; exact: abs_round_le_generic. Qed.

(** ** Binades and spacings *)

Lemma binade_upper x : x <> 0 -> Rabs x <= bpow radix2 (binade x).
Proof.
move=> x_neq0; rewrite /binade; case: (mag radix2 x) => [e within] /=.
by case: Rle_bool_spec => // _; have [_ x_lt] := within x_neq0; exact: Rlt_le.
Qed.

Lemma binade_lower x : x <> 0 -> bpow radix2 (binade x - 1) < Rabs x.
Proof.
move=> x_neq0; rewrite /binade; case: (mag radix2 x) => [e within] /=.
case: Rle_bool_spec => // _; have [x_ge _] := within x_neq0.
by apply: Rlt_le_trans x_ge; apply: bpow_lt; lia.
Qed.

Lemma binade_least x e : x <> 0 -> Rabs x <= bpow radix2 e -> (binade x <= e)%Z.
Proof.
move=> x_neq0 x_le; have := lt_bpow radix2 _ _ (Rlt_le_trans _ _ _ (binade_lower x x_neq0) x_le).
by lia.
Qed.

Lemma spacing_0 : spacing F 0 = eta F.
Proof. by rewrite /spacing Req_bool_true. Qed.

Lemma spacing_neq_0 x : x <> 0 ->
  spacing F x = bpow radix2 (Z.max (binade x - precision F) (emin F)).
Proof. by move=> x_neq0; rewrite /spacing Req_bool_false. Qed.

Lemma eta_le_spacing x : eta F <= spacing F x.
Proof. by rewrite /spacing; case: Req_bool_spec => _; [exact: Rle_refl | apply: bpow_le; lia]. Qed.

Lemma spacing_pos x : 0 < spacing F x.
Proof. by have := eta_pos; have := eta_le_spacing x; lra. Qed.

Lemma spacing_le_bpow x e : Rabs x <= bpow radix2 e ->
  spacing F x <= bpow radix2 (Z.max (e - precision F) (emin F)).
Proof.
move=> x_le; rewrite /spacing; case: Req_bool_spec => x_neq0; apply: bpow_le; first by lia.
by have := binade_least x e x_neq0 x_le; lia.
Qed.

Lemma spacing_le x y : Rabs x <= Rabs y -> spacing F x <= spacing F y.
Proof.
move=> x_le; case: (Req_dec y 0) => [y_eq0|y_neq0].
  have -> : x = 0; last by rewrite y_eq0; exact: Rle_refl.
  by apply: Rabs_eq_R0; move: x_le; rewrite y_eq0 Rabs_R0; have := Rabs_pos x; lra.
rewrite (spacing_neq_0 y y_neq0); apply: spacing_le_bpow.
by have := binade_upper y y_neq0; lra.
Qed.

Lemma spacing_Rabs x : spacing F (Rabs x) = spacing F x.
Proof. by apply: Rle_antisym; apply: spacing_le; rewrite Rabs_Rabsolu; exact: Rle_refl. Qed.

(** Below one the spacing is at most u. *)
Lemma spacing_unit x : Rabs x <= 1 -> spacing F x <= u F.
Proof.
move=> x_le; apply: Rle_trans (spacing_le_bpow x 0 x_le) _.
by apply: bpow_le; have := emin_small; lia.
Qed.

(** Relatively, the spacing is below 2u, except near underflow. *)
Lemma spacing_relative x : spacing F x <= Rmax (2 * u F * Rabs x) (eta F).
Proof.
rewrite /spacing; case: Req_bool_spec => x_neq0; first exact: Rmax_r.
case: (Z.max_spec (binade x - precision F) (emin F)) => [[_ ->]|[_ ->]]; first exact: Rmax_r.
apply: Rle_trans (Rmax_l _ _).
have -> : (binade x - precision F)%Z = (1 + - precision F + (binade x - 1))%Z by ring.
rewrite (bpow_plus radix2 (1 + - precision F)) (bpow_plus radix2 1) -[bpow radix2 1]/2; apply: Rmult_le_compat_l; first by have := u_pos; rewrite /u; lra.
by apply: Rlt_le; exact: binade_lower.
Qed.

Lemma spacing_relative_sum x : spacing F x <= 2 * u F * Rabs x + eta F.
Proof.
apply: Rle_trans (spacing_relative x) _; have u_gt0 := u_pos; have eta_gt0 := eta_pos.
have relative_ge0 : 0 <= 2 * u F * Rabs x by apply: Rmult_le_pos; [lra | exact: Rabs_pos].
by apply: Rmax_lub; lra.
Qed.

Lemma spacing_normal x : smallest_normal F <= Rabs x -> spacing F x <= 2 * u F * Rabs x.
Proof.
move=> x_normal; apply: Rle_trans (spacing_relative x) _; apply: Rmax_lub; first exact: Rle_refl.
have -> : eta F = 2 * u F * smallest_normal F.
  by rewrite /u /smallest_normal /eta -[2]/(bpow radix2 1) -!bpow_plus; congr bpow; ring.
by apply: Rmult_le_compat_l => //; have := u_pos; lra.
Qed.

(** rounding.half-spacing: |fl(x) - x| <= spacing(x)/2, where spacing(x) = max(2^(e-p), η)
    and e is the least integer such that |x| <= 2^e. *)
Theorem rounding_half_spacing (x : R) : Rabs (fl F x - x) <= / 2 * spacing F x.
Proof.
case: (Req_dec x 0) => [->|x_neq0].
  by rewrite fl_0 Rminus_0_r Rabs_R0; have := spacing_pos 0; lra.
have : Rabs (fl F x - x) <= / 2 * ulp radix2 (exponents F) x by exact: error_le_half_ulp.
rewrite spacing_neq_0 // ulp_neq_0 // /cexp /FLT_exp /binade.
case: (mag radix2 x) => [e within] /=; have [x_ge x_lt] := within x_neq0.
case: Rle_bool_spec => // x_le ulp_le.
(* |x| is the power 2^(e-1): a number of the format, or below its spacing *)
have x_power : Rabs x = bpow radix2 (e - 1) by exact: Rle_antisym.
case: (Z_le_dec (emin F) (e - 1)) => [e_ge|e_lt].
  have -> : fl F x = x by apply: fl_exact; apply: generic_format_abs_inv; rewrite x_power; exact: bpow_float.
  by rewrite Rminus_eq_0 Rabs_R0; apply: Rmult_le_pos; [lra | exact: bpow_ge_0].
apply: Rle_trans ulp_le _; apply: Rmult_le_compat_l; first by lra.
by apply: bpow_le; have := precision_above_one F; lia.
Qed.

Lemma half_spacing_le x b : Rabs x <= Rabs b -> Rabs (fl F x - x) <= / 2 * spacing F b.
Proof. by move=> /spacing_le; have := rounding_half_spacing x; lra. Qed.

(** rounding.standard-model: |fl(x) - x| <= v|x| + η/2 with v = u/(1+u); where x = 0 or |x| is at
    least the smallest normal number, |fl(x) - x| <= v|x|; elsewhere, |fl(x) - x| <= η/2. *)
Theorem rounding_standard_model (x : R) :
  Rabs (fl F x - x) <= v F * Rabs x + eta F / 2 /\
  (x = 0 \/ smallest_normal F <= Rabs x -> Rabs (fl F x - x) <= v F * Rabs x) /\
  (Rabs x <= smallest_normal F -> Rabs (fl F x - x) <= eta F / 2).
Proof.
have normal : smallest_normal F <= Rabs x -> Rabs (fl F x - x) <= v F * Rabs x.
  move=> x_normal; rewrite /v -u_ro_u.
  have -> : fl F x = round radix2 (FLX_exp (precision F)) ZnearestE x by exact: round_FLT_FLX.
  by apply: relative_error_N_FLX'; exact: precision_positive.
have tiny : Rabs x <= smallest_normal F -> Rabs (fl F x - x) <= eta F / 2.
  move=> x_le; have spaced : spacing F x <= eta F.
    by apply: Rle_trans (spacing_le_bpow x _ x_le) _; apply: bpow_le; lia.
  by have := rounding_half_spacing x; lra.
have relative_ge0 : 0 <= v F * Rabs x by apply: Rmult_le_pos; [exact: Rlt_le v_pos | exact: Rabs_pos].
split; [|split=> // -[->|]] => //; last by rewrite fl_0 Rminus_0_r Rabs_R0 Rmult_0_r; exact: Rle_refl.
have eta_gt0 := eta_pos; case: (Rle_dec (smallest_normal F) (Rabs x)) => [/normal|x_lt]; first by lra.
by have := tiny (Rlt_le _ _ (Rnot_le_lt _ _ x_lt)); lra.
Qed.

(** ** Range *)

Lemma largest_float : is_float F (largest F).
Proof.
have emax_ge : (emin F <= emax F - precision F)%Z.
  by rewrite /emin; have := precision_above_one F; have := precision_below_emax F; lia.
have -> : largest F = pred radix2 (exponents F) (bpow radix2 (emax F)).
  rewrite pred_bpow /largest /u /FLT_exp Z.max_l //.
  by rewrite /Zminus bpow_plus; ring.
by apply: generic_format_pred; apply: bpow_float; have := precision_above_one F; lia.
Qed.

(** rounding.overflow: |x| <= Ω implies |fl(x)| <= Ω < 2^emax, so an operation whose exact result is
    at most the largest finite number does not overflow. *)
Theorem rounding_overflow (x : R) :
  Rabs x <= largest F -> Rabs (fl F x) <= largest F /\ largest F < bpow radix2 (emax F).
Proof.
move=> x_le; split; first by apply: fl_abs_le => //; exact: largest_float.
by rewrite /largest; have := u_pos; have := bpow_gt_0 radix2 (emax F); nra.
Qed.

End Format.

(** rounding.formats: binary16, bfloat16, binary32 and binary64 have u = 2^-11, 2^-8, 2^-24, 2^-53 and
    smallest subnormal η = 2^-24, 2^-133, 2^-149, 2^-1074; binary16 reaches Ω = 65504. *)
Theorem rounding_formats :
  (u binary16 = / 2 ^ 11 /\ eta binary16 = / 2 ^ 24 /\ largest binary16 = 65504) /\
  (u bfloat16 = / 2 ^ 8 /\ eta bfloat16 = / 2 ^ 133) /\
  (u binary32 = / 2 ^ 24 /\ eta binary32 = / 2 ^ 149) /\
  (u binary64 = / 2 ^ 53 /\ eta binary64 = / 2 ^ 1074).
Proof.
have power (n : nat) : bpow radix2 (- Z.of_nat n) = / 2 ^ n.
  by rewrite bpow_opp bpow_powerRZ -pow_powerRZ.
by repeat split; try (rewrite -power; reflexivity); rewrite /largest /u /=; lra.
Qed.
