(** * Formulas that are evaluated with enclosures

  What is claimed.  A formula written as a term has an enclosure that Coq computes; where the enclosure of
  a difference is not positive, one formula is at most the other.  The bounds of programs are compared with the
  formulas of the theorems in this way, and certificates of bounds are checked.

  Dictionary (t: a term):
  - [value t] == the real number that t denotes; [Whole z] denotes z, [Scaled m e] m 2^e;
  - [enclosure prec t] == an interval with bounds of that precision that contains it;
  - [at_most s t] == true only where the enclosures, [coarse] ones first and [precise] ones where those do not
    tell, show that s is at most t.

  Main result: [at_most_sound].  Not claimed: that [at_most] finds every inequality. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import ssreflect ssrfun ssrbool.
From Flocq Require Import Core.
From Interval Require Import Xreal Interval.
From Posproof Require Import IntervalTactic.

Open Scope R_scope.

Inductive term :=
| Whole (z : Z)
| Scaled (m e : Z)
| HalfTurn
| Sum (x y : term)
| Difference (x y : term)
| Product (x y : term)
| Quotient (x y : term)
| Least (x y : term)
| Greatest (x y : term)
| Magnitude (x : term)
| Root (x : term)
| Exponential (x : term)
| Logarithm (x : term)
| Sine (x : term)
| Cosine (x : term).

Fixpoint value (t : term) : R :=
  match t with
  | Whole z => IZR z
  | Scaled m e => IZR m * bpow radix2 e
  | HalfTurn => PI
  | Sum x y => value x + value y
  | Difference x y => value x - value y
  | Product x y => value x * value y
  | Quotient x y => value x / value y
  | Least x y => Rmin (value x) (value y)
  | Greatest x y => Rmax (value x) (value y)
  | Magnitude x => Rabs (value x)
  | Root x => sqrt (value x)
  | Exponential x => exp (value x)
  | Logarithm x => ln (value x)
  | Sine x => sin (value x)
  | Cosine x => cos (value x)
  end.

(** ** Enclosures of one precision *)

Section Precision.

Variable prec : StdZEnclosure.F.precision.

Definition halved (x : StdZEnclosure.type) : StdZEnclosure.type := StdZEnclosure.div prec x (StdZEnclosure.fromZ prec 2).

Fixpoint enclosure (t : term) : StdZEnclosure.type :=
  match t with
  | Whole z => StdZEnclosure.fromZ prec z
  | Scaled m e =>
    if (0 <=? e)%Z then StdZEnclosure.fromZ prec (m * 2 ^ e)
    else StdZEnclosure.div prec (StdZEnclosure.fromZ prec m) (StdZEnclosure.fromZ prec (2 ^ (- e)))
  | HalfTurn => StdZEnclosure.pi prec
  | Sum x y => StdZEnclosure.add prec (enclosure x) (enclosure y)
  | Difference x y => StdZEnclosure.sub prec (enclosure x) (enclosure y)
  | Product x y => StdZEnclosure.mul prec (enclosure x) (enclosure y)
  | Quotient x y => StdZEnclosure.div prec (enclosure x) (enclosure y)
  | Least x y => let (x, y) := (enclosure x, enclosure y) in
    match StdZEnclosure.sign_large (StdZEnclosure.sub prec x y) with
    | Xlt => x
    | Xgt => y
    | _ => halved (StdZEnclosure.sub prec (StdZEnclosure.add prec x y) (StdZEnclosure.abs (StdZEnclosure.sub prec x y)))
    end
  | Greatest x y => let (x, y) := (enclosure x, enclosure y) in
    halved (StdZEnclosure.add prec (StdZEnclosure.add prec x y) (StdZEnclosure.abs (StdZEnclosure.sub prec x y)))
  | Magnitude x => StdZEnclosure.abs (enclosure x)
  | Root x => StdZEnclosure.sqrt prec (enclosure x)
  | Exponential x => StdZEnclosure.exp prec (enclosure x)
  | Logarithm x => StdZEnclosure.ln prec (enclosure x)
  | Sine x => StdZEnclosure.sin prec (enclosure x)
  | Cosine x => StdZEnclosure.cos prec (enclosure x)
  end.

Definition at_most_with (s t : term) : bool :=
  match StdZEnclosure.sign_large (StdZEnclosure.sub prec (enclosure s) (enclosure t)) with
  | Xeq | Xlt => true
  | _ => false
  end.

(** What contains the undefined number is the interval of everything. *)
Lemma contains_everything (i : interval) (x : ExtendedR) : contains i Xnan -> contains i x.
Proof. by case: i. Qed.

Lemma quotient_enclosed x y i j : contains (StdZEnclosure.convert i) (Xreal x) -> contains (StdZEnclosure.convert j) (Xreal y) ->
  contains (StdZEnclosure.convert (StdZEnclosure.div prec i j)) (Xreal (x / y)).
Proof.
move=> x_in y_in; have := StdZEnclosure.div_correct prec _ _ _ _ x_in y_in.
by rewrite /= /Xdiv'; case: is_zero => //; apply: contains_everything.
Qed.

Lemma halved_enclosed x i : contains (StdZEnclosure.convert i) (Xreal x) -> contains (StdZEnclosure.convert (halved i)) (Xreal (x / 2)).
Proof. by move=> x_in; apply: quotient_enclosed => //; apply: StdZEnclosure.fromZ_correct. Qed.

Lemma scaled_enclosed m e : contains (StdZEnclosure.convert (enclosure (Scaled m e))) (Xreal (IZR m * bpow radix2 e)).
Proof.
cbn [enclosure]; case: Z.leb_spec => e_sign.
  by rewrite -(IZR_Zpower radix2) // -mult_IZR; apply: StdZEnclosure.fromZ_correct.
have -> : IZR m * bpow radix2 e = IZR m / IZR (2 ^ (- e)).
  by rewrite (IZR_Zpower radix2); [rewrite bpow_opp /Rdiv Rinv_inv | lia].
by apply: quotient_enclosed; apply: StdZEnclosure.fromZ_correct.
Qed.

Lemma Rmin_halves x y : Rmin x y = (x + y - Rabs (x - y)) / 2.
Proof. by rewrite /Rmin /Rabs; case: Rle_dec => ?; case: Rcase_abs => ?; lra. Qed.

Lemma Rmax_halves x y : Rmax x y = (x + y + Rabs (x - y)) / 2.
Proof. by rewrite /Rmax /Rabs; case: Rle_dec => ?; case: Rcase_abs => ?; lra. Qed.

(** The enclosure of a term contains its value. *)
Lemma enclosed (t : term) : contains (StdZEnclosure.convert (enclosure t)) (Xreal (value t)).
Proof.
elim: t => [z | m e | | x IHx y IHy | x IHx y IHy | x IHx y IHy | x IHx y IHy | x IHx y IHy | x IHx y IHy
  | x IHx | x IHx | x IHx | x IHx | x IHx | x IHx].
- exact (StdZEnclosure.fromZ_correct prec z).
- exact (scaled_enclosed m e).
- exact (StdZEnclosure.pi_correct prec).
- exact (StdZEnclosure.add_correct prec _ _ _ _ IHx IHy).
- exact (StdZEnclosure.sub_correct prec _ _ _ _ IHx IHy).
- exact (StdZEnclosure.mul_correct prec _ _ _ _ IHx IHy).
- exact (quotient_enclosed _ _ _ _ IHx IHy).
- have inside := StdZEnclosure.sub_correct prec _ _ _ _ IHx IHy; cbn [enclosure value].
  have formula := halved_enclosed _ _ (StdZEnclosure.sub_correct prec _ _ _ _ (StdZEnclosure.add_correct prec _ _ _ _ IHx IHy)
    (StdZEnclosure.abs_correct _ _ inside)); rewrite -[(_ / 2)%R]Rmin_halves in formula.
  case: StdZEnclosure.sign_large (StdZEnclosure.sign_large_correct (StdZEnclosure.sub prec (enclosure x) (enclosure y))) => // /(_ _ inside) [_ /= sign].
    by rewrite Rmin_left; [exact IHx | lra].
  by rewrite Rmin_right; [exact IHy | lra].
- cbn [enclosure value]; rewrite Rmax_halves; apply: halved_enclosed.
  exact (StdZEnclosure.add_correct prec _ _ _ _ (StdZEnclosure.add_correct prec _ _ _ _ IHx IHy)
    (StdZEnclosure.abs_correct _ _ (StdZEnclosure.sub_correct prec _ _ _ _ IHx IHy))).
- exact (StdZEnclosure.abs_correct _ _ IHx).
- exact (StdZEnclosure.sqrt_correct prec _ _ IHx).
- exact (StdZEnclosure.exp_correct prec _ _ IHx).
- have := StdZEnclosure.ln_correct prec _ _ IHx; cbn [enclosure value Xbind]; rewrite /Xln'.
  by case: is_positive => //; apply: contains_everything.
- exact (StdZEnclosure.sin_correct prec _ _ IHx).
- exact (StdZEnclosure.cos_correct prec _ _ IHx).
Qed.

(** What is found to be at most is at most. *)
Lemma at_most_with_sound (s t : term) : at_most_with s t = true -> value s <= value t.
Proof.
have inside := StdZEnclosure.sub_correct prec _ _ _ _ (enclosed s) (enclosed t).
rewrite /at_most_with; case: StdZEnclosure.sign_large (StdZEnclosure.sign_large_correct (StdZEnclosure.sub prec (enclosure s) (enclosure t))) => // sign _.
- by have := sign _ inside; case=> ?; lra.
- by have [_ /=] := sign _ inside; lra.
Qed.

End Precision.

(** ** Two precisions

  Nearly every comparison is decided by enclosures of 64 bits, which take a tenth of the time of those of 192. *)

Definition coarse : StdZEnclosure.F.precision := StdZEnclosure.F.PtoP 64.
Definition precise : StdZEnclosure.F.precision := StdZEnclosure.F.PtoP 192.

Definition at_most (s t : term) : bool :=
  if at_most_with coarse s t then true else at_most_with precise s t.

Lemma at_most_sound (s t : term) : at_most s t = true -> value s <= value t.
Proof.
rewrite /at_most; case coarsely: (at_most_with coarse s t).
  by move=> _; exact: at_most_with_sound coarsely.
exact: at_most_with_sound.
Qed.
