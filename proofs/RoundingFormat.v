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
Proof. generalize (precision_above_one F). unfold Prec_gt_0. lia. Qed.

#[global] Instance exponents_valid (F : format) : Valid_exp (exponents F).
Proof. apply FLT_exp_valid. apply precision_positive. Qed.

(** ** The constants *)

Section Format.
Variable F : format.

Lemma emin_small : (emin F + precision F <= 0)%Z.
Proof. unfold emin. generalize (precision_above_one F) (precision_below_emax F). lia. Qed.

Lemma u_pos : 0 < u F.
Proof. apply bpow_gt_0. Qed.

Lemma u_le_quarter : u F <= / 4.
Proof.
  replace (/ 4) with (bpow radix2 (- 2)) by (simpl; lra).
  apply bpow_le. generalize (precision_above_one F). lia.
Qed.

Lemma v_pos : 0 < v F.
Proof.
  generalize u_pos. intro Hu. unfold v.
  apply Rdiv_lt_0_compat; lra.
Qed.

Lemma v_identity : v F * (1 + u F) = u F.
Proof. generalize u_pos. intro Hu. unfold v. field. lra. Qed.

Lemma v_le_u : v F <= u F.
Proof. generalize u_pos v_pos v_identity. intros Hu Hv Hi. nra. Qed.

Lemma v_lt_1 : v F < 1.
Proof. generalize v_le_u u_le_quarter. lra. Qed.

(** Rounding once more costs no more than u: v (1 + v) <= u. *)
Lemma v_twice : v F * (1 + v F) <= u F.
Proof. generalize u_pos v_pos v_identity v_le_u. intros. nra. Qed.

Lemma eta_pos : 0 < eta F.
Proof. apply bpow_gt_0. Qed.

Lemma u_ro_u : u_ro radix2 (precision F) = u F.
Proof.
  unfold u_ro, u. change (/ 2) with (bpow radix2 (- 1)).
  rewrite <- bpow_plus. f_equal. ring.
Qed.

(** ** Rounding: exactness, sign, order *)

Lemma fl_float x : is_float F (fl F x).
Proof. apply generic_format_round; auto with typeclass_instances. Qed.

Lemma fl_exact x : is_float F x -> fl F x = x.
Proof. intro H. apply round_generic; auto with typeclass_instances. Qed.

Lemma fl_idempotent x : fl F (fl F x) = fl F x.
Proof. apply fl_exact, fl_float. Qed.

Lemma fl_0 : fl F 0 = 0.
Proof. apply round_0; auto with typeclass_instances. Qed.

Lemma fl_opp x : fl F (- x) = - fl F x.
Proof. apply round_NE_opp. Qed.

Lemma fl_le x y : x <= y -> fl F x <= fl F y.
Proof. apply round_le; auto with typeclass_instances. Qed.

(** The nearest number is no farther than any other number of the format. *)
Lemma fl_nearest x f : is_float F f -> Rabs (fl F x - x) <= Rabs (f - x).
Proof.
  intro Hf.
  exact (proj2 (round_N_pt radix2 (exponents F) (fun z => negb (Z.even z)) x) f Hf).
Qed.

Lemma bpow_float e : (emin F <= e)%Z -> is_float F (bpow radix2 e).
Proof. apply generic_format_FLT_bpow, precision_positive. Qed.

Lemma is_float_opp x : is_float F x -> is_float F (- x).
Proof. apply generic_format_opp. Qed.

Lemma is_float_0 : is_float F 0.
Proof. apply generic_format_0. Qed.

Lemma is_float_1 : is_float F 1.
Proof.
  change 1 with (bpow radix2 0). apply bpow_float.
  generalize emin_small (precision_above_one F). lia.
Qed.

(** A number of the format that bounds |x| bounds |fl(x)|. *)
Lemma fl_abs_le x b : is_float F b -> Rabs x <= b -> Rabs (fl F x) <= b.
Proof. intros Hb Hx. apply abs_round_le_generic; auto with typeclass_instances. Qed.

(** ** Binades and spacings *)

Lemma binade_upper x : x <> 0 -> Rabs x <= bpow radix2 (binade x).
Proof.
  intro Hx. unfold binade. destruct (mag radix2 x) as [e He]. simpl.
  case Rle_bool_spec; intro H.
  - exact H.
  - apply Rlt_le, (He Hx).
Qed.

Lemma binade_lower x : x <> 0 -> bpow radix2 (binade x - 1) < Rabs x.
Proof.
  intro Hx. unfold binade. destruct (mag radix2 x) as [e He]. simpl.
  case Rle_bool_spec; intro H.
  - apply Rlt_le_trans with (bpow radix2 (e - 1)).
    + apply bpow_lt. lia.
    + apply (He Hx).
  - exact H.
Qed.

Lemma binade_least x e : x <> 0 -> Rabs x <= bpow radix2 e -> (binade x <= e)%Z.
Proof.
  intros Hx He.
  generalize (lt_bpow radix2 _ _ (Rlt_le_trans _ _ _ (binade_lower x Hx) He)). lia.
Qed.

Lemma spacing_0 : spacing F 0 = eta F.
Proof. unfold spacing. now rewrite Req_bool_true. Qed.

Lemma spacing_neq_0 x : x <> 0 ->
  spacing F x = bpow radix2 (Z.max (binade x - precision F) (emin F)).
Proof. intro Hx. unfold spacing. now rewrite Req_bool_false. Qed.

Lemma eta_le_spacing x : eta F <= spacing F x.
Proof.
  unfold spacing. case Req_bool_spec; intro Hx.
  - apply Rle_refl.
  - apply bpow_le. lia.
Qed.

Lemma spacing_pos x : 0 < spacing F x.
Proof. generalize eta_pos (eta_le_spacing x). lra. Qed.

Lemma spacing_le_bpow x e : Rabs x <= bpow radix2 e ->
  spacing F x <= bpow radix2 (Z.max (e - precision F) (emin F)).
Proof.
  intro He. unfold spacing. case Req_bool_spec; intro Hx.
  - apply bpow_le. lia.
  - apply bpow_le. generalize (binade_least x e Hx He). lia.
Qed.

Lemma spacing_le x y : Rabs x <= Rabs y -> spacing F x <= spacing F y.
Proof.
  intro Hxy. case (Req_dec y 0); intro Hy.
  - replace x with 0; [now rewrite Hy; apply Rle_refl|].
    symmetry. apply Rabs_eq_R0. rewrite Hy, Rabs_R0 in Hxy.
    generalize (Rabs_pos x). lra.
  - rewrite (spacing_neq_0 y Hy). apply spacing_le_bpow.
    generalize (binade_upper y Hy). lra.
Qed.

Lemma spacing_Rabs x : spacing F (Rabs x) = spacing F x.
Proof. apply Rle_antisym; apply spacing_le; rewrite Rabs_Rabsolu; apply Rle_refl. Qed.

(** Below one the spacing is at most u. *)
Lemma spacing_unit x : Rabs x <= 1 -> spacing F x <= u F.
Proof.
  intro Hx. apply Rle_trans with (1 := spacing_le_bpow x 0 Hx).
  apply bpow_le. generalize emin_small. lia.
Qed.

(** Relatively, the spacing is below 2u, except near underflow. *)
Lemma spacing_relative x : spacing F x <= Rmax (2 * u F * Rabs x) (eta F).
Proof.
  unfold spacing. case Req_bool_spec; intro Hx.
  - apply Rmax_r.
  - case (Z.max_spec (binade x - precision F) (emin F)); intros [H E]; rewrite E.
    + apply Rmax_r.
    + apply Rle_trans with (2 := Rmax_l _ _).
      replace (binade x - precision F)%Z with (1 + - precision F + (binade x - 1))%Z by ring.
      rewrite !bpow_plus. change (bpow radix2 1) with 2.
      apply Rmult_le_compat_l; [|apply Rlt_le, binade_lower, Hx].
      generalize u_pos. unfold u. lra.
Qed.

Lemma spacing_relative_sum x : spacing F x <= 2 * u F * Rabs x + eta F.
Proof.
  apply Rle_trans with (1 := spacing_relative x).
  generalize u_pos eta_pos (Rabs_pos x). intros Hu He Hx.
  assert (0 <= 2 * u F * Rabs x) by (apply Rmult_le_pos; lra).
  apply Rmax_lub; lra.
Qed.

Lemma spacing_normal x : smallest_normal F <= Rabs x -> spacing F x <= 2 * u F * Rabs x.
Proof.
  intro Hx. apply Rle_trans with (1 := spacing_relative x).
  apply Rmax_lub; [apply Rle_refl|].
  replace (eta F) with (2 * u F * smallest_normal F).
  - apply Rmult_le_compat_l; [generalize u_pos; lra|exact Hx].
  - unfold u, smallest_normal, eta. change 2 with (bpow radix2 1).
    rewrite <- !bpow_plus. f_equal. ring.
Qed.

(** rounding.half-spacing: |fl(x) - x| <= spacing(x)/2, where spacing(x) = max(2^(e-p), η)
    and e is the least integer such that |x| <= 2^e. *)
Theorem rounding_half_spacing (x : R) : Rabs (fl F x - x) <= / 2 * spacing F x.
Proof.
  case (Req_dec x 0); intro Hx.
  { rewrite Hx, fl_0, Rminus_0_r, Rabs_R0.
    generalize (spacing_pos 0). lra. }
  assert (Hulp : Rabs (fl F x - x) <= / 2 * ulp radix2 (exponents F) x)
    by (apply error_le_half_ulp, exponents_valid).
  rewrite spacing_neq_0 by exact Hx.
  rewrite ulp_neq_0 in Hulp by exact Hx. unfold cexp, FLT_exp in Hulp. revert Hulp.
  unfold binade. destruct (mag radix2 x) as [e He]. simpl. specialize (He Hx).
  case Rle_bool_spec; intros H Hulp; [|exact Hulp].
  (* |x| is the power 2^(e-1): a number of the format, or below its spacing *)
  assert (Ex : Rabs x = bpow radix2 (e - 1)) by (apply Rle_antisym; [exact H|apply He]).
  case (Z_le_dec (emin F) (e - 1)); intro Hmin.
  - rewrite fl_exact.
    + replace (x - x) with 0 by ring. rewrite Rabs_R0.
      apply Rmult_le_pos; [lra|apply bpow_ge_0].
    + apply generic_format_abs_inv. rewrite Ex. now apply bpow_float.
  - apply Rle_trans with (1 := Hulp). apply Rmult_le_compat_l; [lra|].
    apply bpow_le. generalize (precision_above_one F). lia.
Qed.

Lemma half_spacing_le x b : Rabs x <= Rabs b -> Rabs (fl F x - x) <= / 2 * spacing F b.
Proof.
  intro H. generalize (rounding_half_spacing x) (spacing_le x b H). lra.
Qed.

(** rounding.standard-model: |fl(x) - x| <= v|x| + η/2 with v = u/(1+u); where x = 0 or |x| is at
    least the smallest normal number, |fl(x) - x| <= v|x|; elsewhere, |fl(x) - x| <= η/2. *)
Theorem rounding_standard_model (x : R) :
  Rabs (fl F x - x) <= v F * Rabs x + eta F / 2 /\
  (x = 0 \/ smallest_normal F <= Rabs x -> Rabs (fl F x - x) <= v F * Rabs x) /\
  (Rabs x <= smallest_normal F -> Rabs (fl F x - x) <= eta F / 2).
Proof.
  assert (Hbig : smallest_normal F <= Rabs x -> Rabs (fl F x - x) <= v F * Rabs x).
  { intro Hx.
    assert (E : fl F x = round radix2 (FLX_exp (precision F)) ZnearestE x)
      by (apply round_FLT_FLX, Hx).
    rewrite E. unfold v. rewrite <- u_ro_u.
    apply relative_error_N_FLX', precision_positive. }
  assert (Hsmall : Rabs x <= smallest_normal F -> Rabs (fl F x - x) <= eta F / 2).
  { intro Hx. generalize (rounding_half_spacing x) (spacing_le_bpow x _ Hx).
    replace (Z.max _ _) with (emin F) by lia. fold (eta F). lra. }
  assert (Hnonneg : 0 <= v F * Rabs x)
    by (apply Rmult_le_pos; [apply Rlt_le, v_pos|apply Rabs_pos]).
  split; [|split].
  - generalize eta_pos. intro He.
    case (Rle_dec (smallest_normal F) (Rabs x)); intro Hx.
    + generalize (Hbig Hx). lra.
    + generalize (Hsmall (Rlt_le _ _ (Rnot_le_lt _ _ Hx))). lra.
  - intros [Hx | Hx].
    + rewrite Hx, fl_0, Rminus_0_r, Rabs_R0, Rmult_0_r. apply Rle_refl.
    + exact (Hbig Hx).
  - exact Hsmall.
Qed.

(** ** Range *)

Lemma largest_float : is_float F (largest F).
Proof.
  replace (largest F) with (pred radix2 (exponents F) (bpow radix2 (emax F))).
  - apply generic_format_pred; auto with typeclass_instances.
    apply bpow_float. unfold emin. generalize (precision_above_one F) (precision_below_emax F). lia.
  - rewrite pred_bpow. unfold largest, u, FLT_exp.
    rewrite Z.max_l.
    + unfold Zminus. rewrite bpow_plus. ring.
    + unfold emin. generalize (precision_above_one F) (precision_below_emax F). lia.
Qed.

(** rounding.overflow: |x| <= Ω implies |fl(x)| <= Ω < 2^emax, so an operation whose exact result is
    at most the largest finite number does not overflow. *)
Theorem rounding_overflow (x : R) :
  Rabs x <= largest F -> Rabs (fl F x) <= largest F /\ largest F < bpow radix2 (emax F).
Proof.
  intro Hx. split.
  - apply fl_abs_le; [apply largest_float|exact Hx].
  - unfold largest. generalize u_pos (bpow_gt_0 radix2 (emax F)). nra.
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
  assert (H : forall n : nat, bpow radix2 (- Z.of_nat n) = / 2 ^ n).
  { intro n. rewrite bpow_opp. f_equal. rewrite bpow_powerRZ.
    now rewrite <- pow_powerRZ. }
  repeat split; try (rewrite <- H; reflexivity).
  unfold largest, u. simpl. lra.
Qed.
