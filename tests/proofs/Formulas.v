(** The formulas of the theorems as terms that are enclosed by computation, each with the proof that it is the theorem's. *)

From Coq Require Import Reals ZArith Lia Lra List Bool.
From Flocq Require Import Core.
From Interval Require Import Xreal.
From Posproof Require Import IntervalTactic RoundingFormat RoundingModel RoundingAngle RoundingFrequency RoundingTable RoundingEnclosure.

Import ListNotations.
Open Scope R_scope.

Definition one_more (t : term) : term := Sum (Whole 1) t.
Definition one_less (t : term) : term := Difference t (Whole 1).
Definition unit_of (F : format) : term := Product (Whole 1) (Scaled 1 (- precision F)).
Definition sharp (F : format) : term := Quotient (unit_of F) (one_more (unit_of F)).
Definition smallest (F : format) : term := Scaled 1 (emin F).
Definition half_smallest (F : format) : term := Quotient (smallest F) (Whole 2).

Lemma unit_value F : value (unit_of F) = u F.
Proof. unfold unit_of, u. cbn [value]. ring. Qed.

Lemma sharp_value F : value (sharp F) = v F.
Proof. unfold sharp, one_more, v. cbn [value]. now rewrite unit_value. Qed.

Lemma smallest_value F : value (smallest F) = eta F.
Proof. unfold smallest, eta. cbn [value]. ring. Qed.

Ltac evaluate := repeat (cbn [value one_more one_less]; rewrite ?unit_value, ?sharp_value, ?smallest_value); try reflexivity.

(** ** The table *)

Definition moved (P : format) (n : Z) : term :=
  if (Z.abs n <=? 2 ^ precision P)%Z then Whole 0 else sharp P.

Lemma moved_value P n : value (moved P n) = position_error P n.
Proof. unfold moved, position_error. destruct (Z.abs n <=? 2 ^ precision P)%Z; evaluate. Qed.

Definition angle (P A : format) (n : Z) (w rho sigma : term) : term :=
  let rounded := Product (one_more (sharp A)) (one_more (moved P n)) in
  Sum (Product (Product (Magnitude (Whole n)) (Magnitude w)) (one_less (Product rounded (one_more rho))))
      (Sum (Product (Product rounded (Magnitude (Whole n))) sigma) (half_smallest A)).

Lemma angle_value P A n w rho sigma :
  value (angle P A n w rho sigma) = angle_bound P A n (value w) (value rho) (value sigma).
Proof.
  unfold angle, angle_bound, angle_relative, angle_absolute, half_smallest, one_more, one_less. cbn [value].
  now rewrite sharp_value, moved_value, smallest_value.
Qed.

Definition table (P A : format) (kappa : term) (n : Z) (w rho sigma storage : term) : term :=
  Least (Whole 2) (Sum (Sum (angle P A n w rho sigma) (Product kappa (unit_of A))) storage).

(** The formula of [rounding_table_a_priori], and of every path's theorem. *)
Lemma table_value P A kappa n w rho sigma storage : value (table P A kappa n w rho sigma storage) =
  table_bound P A (value kappa) n (value w) (value rho) (value sigma) (value storage).
Proof. unfold table, table_bound. cbn [value]. now rewrite angle_value, unit_value. Qed.

(** That of [rounding_table_beyond_one], or that no two values are further apart. *)
Definition beyond_one (P A : format) (kappa : term) (n : Z) (w rho sigma storage : term) : term :=
  Least (Sum (Sum (Whole 2) (Product kappa (unit_of A))) storage)
    (Sum (Sum (angle P A n w rho sigma) (Product kappa (unit_of A))) storage).

(** Half the spacing of numbers up to 1, or beyond. *)
Definition stored (S : format) (beyond : bool) : term := Scaled 1 (- precision S - (if beyond then 0 else 1)).

Lemma stored_within S : value (stored S false) = u S / 2.
Proof.
  unfold stored, u. cbn [value]. replace (- precision S - 1)%Z with (- precision S + - 1)%Z by ring.
  rewrite bpow_plus. change (bpow radix2 (- 1)) with (/ 2). lra.
Qed.

(** ** Frequencies *)

Definition reciprocal (W : format) (kappa gamma : term) : term :=
  one_less (Product (one_more (sharp W))
    (Quotient (Exponential gamma) (Difference (Whole 1) (Product (Product (Whole 2) kappa) (unit_of W))))).

Lemma reciprocal_value W kappa gamma :
  value (reciprocal W kappa gamma) = reciprocal_error W (value kappa) (value gamma).
Proof. unfold reciprocal, reciprocal_error, one_less, one_more. cbn [value]. now rewrite sharp_value, unit_value. Qed.

Definition pow (W : format) (kappa gamma : term) : term :=
  one_less (Product (one_more (Product (Product (Whole 2) kappa) (unit_of W))) (Exponential gamma)).

Lemma pow_value W kappa gamma : value (pow W kappa gamma) = pow_error W (value kappa) (value gamma).
Proof. unfold pow, pow_error, one_less, one_more. cbn [value]. now rewrite unit_value. Qed.

Definition cast (W : format) (rho : term) : term := one_less (Product (one_more (sharp W)) (one_more rho)).
Definition cast_tiny (W : format) (sigma : term) : term := Sum (Product (one_more (sharp W)) sigma) (half_smallest W).

Lemma cast_value W rho sigma :
  value (cast W rho) = cast_relative W (value rho) /\ value (cast_tiny W sigma) = cast_absolute W (value sigma).
Proof.
  unfold cast, cast_tiny, cast_relative, cast_absolute, half_smallest, one_less, one_more. cbn [value].
  now rewrite sharp_value, smallest_value.
Qed.

(** k products with a ratio within ρ, from 1 on: the power by the logarithm, which is enclosed once. *)
Definition repetition (W : format) (rho : term) (k : nat) : term :=
  let grown := Product (one_more (sharp W)) (one_more rho) in
  one_less (Exponential (Product (Whole (Z.of_nat k)) (Logarithm grown))).

Lemma repetition_value W rho k : -1 < value rho ->
  value (repetition W rho k) = repeated_error W k 0 (value rho).
Proof.
  intros positive. unfold repetition, repeated_error, one_less, one_more. cbn [value].
  rewrite sharp_value, <- INR_IZR_INZ. assert (0 < v W) as v_gt0 by apply v_pos.
  fold (Rpower ((1 + v W) * (1 + value rho)) (INR k)).
  rewrite Rpower_pow; [ring | nra].
Qed.

(** Γ of the path exp(-(m log(b)/D)). *)
Definition exp_log (W : format) (kappa : term) (b m D : Z) : term :=
  let rho := cast W (Product (Product (Whole 2) kappa) (unit_of W)) in
  let sigma := cast_tiny W (Quotient (Product kappa (smallest W)) (Whole D)) in
  Sum (Product (cast W rho) (Magnitude (Product (Whole m) (Quotient (Logarithm (Whole b)) (Whole D)))))
      (cast_tiny W (Product (Magnitude (Whole m)) sigma)).

Lemma exp_log_value W kappa b m D : value (exp_log W kappa b m D) =
  exp_log_gamma W (IZR m) (ln (IZR b) / IZR D) (log_relative W (value kappa)) (log_absolute W (value kappa) (IZR D)).
Proof.
  unfold exp_log, exp_log_gamma, product_relative, product_absolute, log_relative, log_absolute.
  unfold cast, cast_tiny, half_smallest, one_less, one_more. cbn [value].
  now rewrite sharp_value, smallest_value, unit_value.
Qed.

(** ** A bound is the formula's: not below it, and not above 1 + 10^-9 times it.

  Formulas take 1 from numbers near 1, and are within a few units in the last place of binary64 of the bounds: 64 bits are
  too few, 128 enough. *)
Definition enough : StdZEnclosure.F.precision := StdZEnclosure.F.PtoP 128.

Definition not_above (i j : StdZEnclosure.type) : bool :=
  match StdZEnclosure.sign_large (StdZEnclosure.sub enough i j) with Xeq | Xlt => true | _ => false end.

(** A bound and what encloses its formula. *)
Definition close_to (bound : term) (f : StdZEnclosure.type) : bool :=
  let b := enclosure enough bound in
  let slack := StdZEnclosure.mul enough f (enclosure enough (Quotient (Whole 1000000001) (Whole 1000000000))) in
  not_above f b && not_above b slack.

(** The formula is enclosed once. *)
Definition close (case : term * term) : bool := let (bound, formula) := case in close_to bound (enclosure enough formula).

(** So [close] says what it is to say. *)
Lemma close_sound bound formula : close (bound, formula) = true ->
  value formula <= value bound <= value formula * (1000000001 / 1000000000).
Proof.
  intros [above below]%andb_prop. split.
  - exact (at_most_with_sound enough formula bound above).
  - exact (at_most_with_sound enough bound (Product formula (Quotient (Whole 1000000001) (Whole 1000000000))) below).
Qed.

(** ** Bounds of many positions and storages

  The frequency and its errors, which take long to enclose, are enclosed once for all of them. *)

(** A table's bound, by either formula. *)
Definition tabulated (beyond : bool) (F : format) (kappa w rho sigma : term) (n : Z) (storage : term) : term :=
  if beyond then beyond_one F F kappa n w rho sigma storage else table F F kappa n w rho sigma storage.

Section Enclosed.

Notation "[ t ]" := (enclosure enough t).
Notation "x + y" := (StdZEnclosure.add enough x y).
Notation "x - y" := (StdZEnclosure.sub enough x y).
Notation "x * y" := (StdZEnclosure.mul enough x y).

Definition angle_enclosure (F : format) (n : Z) (w rho sigma : StdZEnclosure.type) : StdZEnclosure.type :=
  let rounded := [Product (one_more (sharp F)) (one_more (moved F n))] in
  let length := [Magnitude (Whole n)] in
  length * StdZEnclosure.abs w * (rounded * ([Whole 1] + rho) - [Whole 1]) +
    (rounded * length * sigma + [half_smallest F]).

Definition least (x y : StdZEnclosure.type) : StdZEnclosure.type :=
  match StdZEnclosure.sign_large (x - y) with
  | Xlt => x
  | Xgt => y
  | _ => halved enough (x + y - StdZEnclosure.abs (x - y))
  end.

Definition tabulated_enclosure (beyond : bool) (F : format) (kappa : term) (w rho sigma : StdZEnclosure.type) (n : Z)
    (storage : term) : StdZEnclosure.type :=
  let values := [Product kappa (unit_of F)] in
  let bounded := angle_enclosure F n w rho sigma + values + [storage] in
  if beyond then least ([Whole 2] + values + [storage]) bounded else least [Whole 2] bounded.

Lemma tabulated_enclosed beyond F kappa w rho sigma n storage :
  tabulated_enclosure beyond F kappa [w] [rho] [sigma] n storage = [tabulated beyond F kappa w rho sigma n storage].
Proof. now destruct beyond. Qed.

(** Each case is a bound, a length and a storage. *)
Definition all_close (beyond : bool) (F : format) (kappa w rho sigma : term) (cases : list (term * Z * term)) : bool :=
  let w := [w] in let rho := [rho] in let sigma := [sigma] in
  forallb (fun case =>
    let '(bound, n, storage) := case in close_to bound (tabulated_enclosure beyond F kappa w rho sigma n storage)) cases.

End Enclosed.

Lemma all_close_sound beyond F kappa w rho sigma cases : all_close beyond F kappa w rho sigma cases = true ->
  forall bound n storage, In (bound, n, storage) cases ->
  let formula := tabulated beyond F kappa w rho sigma n storage in
  value formula <= value bound <= value formula * (1000000001 / 1000000000).
Proof.
  intros all bound n storage inside formula. apply close_sound. unfold close, formula.
  rewrite <- tabulated_enclosed.
  unfold all_close in all. rewrite forallb_forall in all. exact (all _ inside).
Qed.
