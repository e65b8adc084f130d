(** * Arithmetics that the kernels of the program are traced over

  What is claimed.  A kernel of the program that has no way to branch on its numbers is run once on symbols; what it does to
  them is written by the program itself as a definition over any arithmetic (RoundingTraces.v).  Over the machine's numbers
  such a definition can be evaluated; over real numbers theorems speak of it; and where every step of the first is finite,
  its value is the second.

  Dictionary:
  - [arithmetic] == numbers with the operations that a kernel may make;
  - [reals fused] == real numbers, each operation rounded to binary64 by [fl]; [fused] tells whether a multiplication and an
    addition that belong together are rounded once, as vector instructions do it, or twice;
  - [machine fused] == numbers of binary64 as Flocq specifies them bit by bit, each with a mark that it and all that it is
    made of is finite;
  - [start x] == an input of the machine; [finite l] == every number of a list is marked;
  - [of_bits n], [to_bits x] == a number of binary64 from its 64 bits, and back.

  Main result: [rounding_trace_sound], of which each kernel's theorem is an instance.

  Assumes: nothing.  Not claimed: that the compiler and the processor make the operations of IEEE 754. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core BinarySingleNaN.
From Posproof Require Import RoundingFormat RoundingIEEE RoundingComposite.

Open Scope R_scope.

Record arithmetic := Arithmetic {
  number : Type;
  constant : Z -> Z -> number;
  add : number -> number -> number;
  subtract : number -> number -> number;
  multiply : number -> number -> number;
  divide : number -> number -> number;
  negate : number -> number;
  magnitude : number -> number;
  lesser : number -> number -> number;
  greater : number -> number -> number;
  rounded : format -> number -> number;
  multiply_add : number -> number -> number -> number;
  multiply_subtract : number -> number -> number -> number;
  subtract_product : number -> number -> number -> number;
  product_error : number -> number -> number -> number
}.

(** ** Real numbers *)

Local Notation fl64 := (fl binary64).

(** Veltkamp's upper half of 26 bits, and Dekker's error of a product. *)
Definition upper_half (x : R) : R := fl64 (fl64 (134217729 * x) - fl64 (fl64 (134217729 * x) - x)).
Definition lower_half (x : R) : R := fl64 (x - upper_half x).
Definition dekker (x y p : R) : R :=
  fl64 (fl64 (fl64 (fl64 (fl64 (upper_half x * upper_half y) - p) + fl64 (upper_half x * lower_half y))
        + fl64 (lower_half x * upper_half y)) + fl64 (lower_half x * lower_half y)).

Definition real_multiply_add (fused : bool) (x y z : R) : R :=
  if fused then fl64 (x * y + z) else fl64 (fl64 (x * y) + z).

Definition reals (fused : bool) : arithmetic := {|
  number := R;
  constant m e := fl64 (IZR m * bpow radix2 e);
  add x y := fl64 (x + y);
  subtract x y := fl64 (x - y);
  multiply x y := fl64 (x * y);
  divide x y := fl64 (x / y);
  negate x := - x;
  magnitude x := Rabs x;
  lesser x y := Rmin x y;
  greater x y := Rmax x y;
  rounded F x := fl64 (fl F x);
  multiply_add x y z := real_multiply_add fused x y z;
  multiply_subtract x y z := real_multiply_add fused x y (- z);
  subtract_product x y z := real_multiply_add fused (- x) y z;
  product_error x y p := if fused then fl64 (x * y + - p) else dekker x y p
|}.

(** ** The machine *)

Local Notation binary := (ieee binary64).

Definition written (m e : Z) : binary := binary_normalize _ _ _ _ mode_NE m e false.

Definition machine_upper_half (x : binary) : binary :=
  Bminus mode_NE (Bmult mode_NE (written 134217729 0) x)
    (Bminus mode_NE (Bmult mode_NE (written 134217729 0) x) x).
Definition machine_dekker (x y p : binary) : binary :=
  let xh := machine_upper_half x in let xl := Bminus mode_NE x xh in
  let yh := machine_upper_half y in let yl := Bminus mode_NE y yh in
  Bplus mode_NE (Bplus mode_NE (Bplus mode_NE (Bminus mode_NE (Bmult mode_NE xh yh) p) (Bmult mode_NE xh yl))
    (Bmult mode_NE xl yh)) (Bmult mode_NE xl yl).

Definition machine_multiply_add (fused : bool) (x y z : binary) : binary :=
  if fused then Bfma mode_NE x y z else Bplus mode_NE (Bmult mode_NE x y) z.

(** A number with the mark that it and all that it is made of is finite. *)
Definition marked : Type := (binary * bool)%type.
Definition made (x : binary) (operands : bool) : marked := (x, is_finite x && operands).
Definition start (x : binary) : marked := made x true.
Definition finite (l : seq marked) : bool := all snd l.

Definition machine (fused : bool) : arithmetic := {|
  number := marked;
  constant m e := start (written m e);
  add x y := made (Bplus mode_NE x.1 y.1) (x.2 && y.2);
  subtract x y := made (Bminus mode_NE x.1 y.1) (x.2 && y.2);
  multiply x y := made (Bmult mode_NE x.1 y.1) (x.2 && y.2);
  divide x y := made (Bdiv mode_NE x.1 y.1) (x.2 && y.2);
  negate x := made (Bopp x.1) x.2;
  magnitude x := made (Babs x.1) x.2;
  lesser x y := made (if Bltb y.1 x.1 || is_nan x.1 then y.1 else x.1) (x.2 && y.2);
  greater x y := made (if Bltb x.1 y.1 || is_nan x.1 then y.1 else x.1) (x.2 && y.2);
  rounded F x := made (cast F binary64 (cast binary64 F x.1)) x.2;
  multiply_add x y z := made (machine_multiply_add fused x.1 y.1 z.1) [&& x.2, y.2 & z.2];
  multiply_subtract x y z := made (machine_multiply_add fused x.1 y.1 (Bopp z.1)) [&& x.2, y.2 & z.2];
  subtract_product x y z := made (machine_multiply_add fused (Bopp x.1) y.1 z.1) [&& x.2, y.2 & z.2];
  product_error x y p :=
    made (if fused then Bfma mode_NE x.1 y.1 (Bopp p.1) else machine_dekker x.1 y.1 p.1) [&& x.2, y.2 & p.2]
|}.

(** ** Values of what the machine makes *)

Section Operations.
Implicit Types x y z p : binary.

Lemma minus_value x y : is_finite (Bminus mode_NE x y) -> value (Bminus mode_NE x y) = fl64 (value x - value y).
Proof. by move/minus_finite => []. Qed.

Lemma minus_operands x y : is_finite (Bminus mode_NE x y) -> is_finite x /\ is_finite y.
Proof. by move/minus_finite => []. Qed.

Lemma plus_value x y : is_finite (Bplus mode_NE x y) -> value (Bplus mode_NE x y) = fl64 (value x + value y).
Proof. by move/plus_finite => []. Qed.

Lemma mult_value x y : is_finite (Bmult mode_NE x y) -> value (Bmult mode_NE x y) = fl64 (value x * value y).
Proof. by move/mult_finite => []. Qed.

Lemma div_value x y : is_finite (Bdiv mode_NE x y) -> is_finite y ->
  value (Bdiv mode_NE x y) = fl64 (value x / value y).
Proof. by move=> result y_finite; have [] := div_finite binary64 x y result y_finite. Qed.

Lemma written_value m e : is_finite (written m e) -> value (written m e) = fl64 (IZR m * bpow radix2 e).
Proof. by move/normalize_finite. Qed.

Lemma cast_value F x : is_finite (cast F binary64 (cast binary64 F x)) ->
  value (cast F binary64 (cast binary64 F x)) = fl64 (fl F (value x)).
Proof. by move/cast_finite => [/cast_finite [_ inner] ->]; rewrite inner. Qed.

Lemma fma_value x y z : is_finite (Bfma mode_NE x y z) ->
  value (Bfma mode_NE x y z) = fl64 (value x * value y + value z).
Proof. by move/fma_finite => []. Qed.

Lemma multiply_add_value fused x y z : is_finite (machine_multiply_add fused x y z) ->
  value (machine_multiply_add fused x y z) = real_multiply_add fused (value x) (value y) (value z).
Proof.
rewrite /machine_multiply_add /real_multiply_add; case: fused; first exact: fma_value.
by move/plus_finite => [/mult_value product _ ->]; rewrite product.
Qed.

Lemma upper_half_value x : is_finite (machine_upper_half x) -> value (machine_upper_half x) = upper_half (value x).
Proof.
have scale : value (written 134217729 0) = 134217729.
  rewrite written_value // Rmult_1_r; apply: fl_exact; apply: generic_format_FLT.
  by exists (Float radix2 134217729 0) => //; rewrite /F2R /= Rmult_1_r.
rewrite /upper_half => halved; rewrite minus_value //.
have [/mult_value first rest] := minus_operands _ _ halved.
by rewrite minus_value // first scale.
Qed.

Lemma dekker_value x y p : is_finite (machine_dekker x y p) ->
  value (machine_dekker x y p) = dekker (value x) (value y) (value p).
Proof.
rewrite /machine_dekker /dekker /lower_half.
move/plus_finite => [/plus_finite [/plus_finite [first hl third] lh second] ll ->].
have [hh p_finite] := minus_operands _ _ first.
have [xh_finite yl_finite hl_value] := mult_finite _ _ _ hl.
have [xl_finite yh_finite lh_value] := mult_finite _ _ _ lh.
have lower w : is_finite (Bminus mode_NE w (machine_upper_half w)) ->
    value (Bminus mode_NE w (machine_upper_half w)) = fl64 (value w - upper_half (value w)).
  move=> result; rewrite minus_value //; congr (fl64 (_ - _)); apply: upper_half_value.
  by have [] := minus_operands _ _ result.
rewrite second third minus_value // hl_value lh_value (mult_value _ _ ll) (mult_value _ _ hh) !lower //.
by rewrite !upper_half_value.
Qed.

Lemma finite_is_number x : is_finite x -> is_nan x = false.
Proof. by case: x. Qed.

Lemma lesser_value x y : is_finite x -> is_finite y ->
  value (if Bltb y x || is_nan x then y else x) = Rmin (value x) (value y).
Proof.
move=> x_finite y_finite; rewrite finite_is_number // orbF Bltb_correct //; case: Rlt_bool_spec => [y_lt | x_le].
  by rewrite Rmin_right //; exact: Rlt_le.
by rewrite Rmin_left.
Qed.

Lemma greater_value x y : is_finite x -> is_finite y ->
  value (if Bltb x y || is_nan x then y else x) = Rmax (value x) (value y).
Proof.
move=> x_finite y_finite; rewrite finite_is_number // orbF Bltb_correct //; case: Rlt_bool_spec => [x_lt | y_le].
  by rewrite Rmax_right //; exact: Rlt_le.
by rewrite Rmax_left.
Qed.

Lemma opp_value x : value (Bopp x) = - value x.
Proof. exact: B2R_Bopp. Qed.

End Operations.

(** ** Both at once *)

Record tracked := Tracked {
  by_machine : marked;
  by_reals : R;
  agreeing : by_machine.2 -> is_finite by_machine.1 /\ value by_machine.1 = by_reals
}.

Lemma agreed (x : tracked) : (by_machine x).2 -> value (by_machine x).1 = by_reals x.
Proof. by move/(agreeing x) => []. Qed.

Lemma is_agreed (x : tracked) : (by_machine x).2 -> is_finite (by_machine x).1.
Proof. by move/(agreeing x) => []. Qed.

Lemma made_agrees (x : binary) (b : bool) (e : R) :
  (is_finite x -> b -> value x = e) -> (made x b).2 -> is_finite (made x b).1 /\ value (made x b).1 = e.
Proof. by move=> equal /= /andP[finite before]; split=> //; exact: equal. Qed.

Definition by_both (x : binary) (b : bool) (e : R) (equal : is_finite x -> b -> value x = e) : tracked :=
  Tracked (made x b) e (made_agrees x b e equal).

Definition input (x : binary) : tracked := by_both x true (value x) (fun _ _ => erefl).

Section Both.
Variable fused : bool.
Implicit Types x y z : tracked.

Local Notation m x := (by_machine x).
Local Notation r x := (by_reals x).

Lemma add_agrees x y : is_finite (add (machine fused) (m x) (m y)).1 -> (m x).2 && (m y).2 ->
  value (add (machine fused) (m x) (m y)).1 = add (reals fused) (r x) (r y).
Proof. by move=> result /andP[/agreed <- /agreed <-]; exact: plus_value. Qed.

Lemma subtract_agrees x y : is_finite (subtract (machine fused) (m x) (m y)).1 -> (m x).2 && (m y).2 ->
  value (subtract (machine fused) (m x) (m y)).1 = subtract (reals fused) (r x) (r y).
Proof. by move=> result /andP[/agreed <- /agreed <-]; exact: minus_value. Qed.

Lemma multiply_agrees x y : is_finite (multiply (machine fused) (m x) (m y)).1 -> (m x).2 && (m y).2 ->
  value (multiply (machine fused) (m x) (m y)).1 = multiply (reals fused) (r x) (r y).
Proof. by move=> result /andP[/agreed <- /agreed <-]; exact: mult_value. Qed.

Lemma divide_agrees x y : is_finite (divide (machine fused) (m x) (m y)).1 -> (m x).2 && (m y).2 ->
  value (divide (machine fused) (m x) (m y)).1 = divide (reals fused) (r x) (r y).
Proof.
move=> result /andP[/agreed <- y_marked]; rewrite -(agreed y y_marked); apply: div_value => //.
exact: is_agreed.
Qed.

Lemma negate_agrees x : is_finite (negate (machine fused) (m x)).1 -> (m x).2 ->
  value (negate (machine fused) (m x)).1 = negate (reals fused) (r x).
Proof. by move=> _ /agreed <-; exact: opp_value. Qed.

Lemma magnitude_agrees x : is_finite (magnitude (machine fused) (m x)).1 -> (m x).2 ->
  value (magnitude (machine fused) (m x)).1 = magnitude (reals fused) (r x).
Proof. by move=> _ /agreed <-; exact: B2R_Babs. Qed.

Lemma lesser_agrees x y : is_finite (lesser (machine fused) (m x) (m y)).1 -> (m x).2 && (m y).2 ->
  value (lesser (machine fused) (m x) (m y)).1 = lesser (reals fused) (r x) (r y).
Proof.
move=> _ /andP[x_marked y_marked]; rewrite -(agreed x x_marked) -(agreed y y_marked).
by apply: lesser_value; exact: is_agreed.
Qed.

Lemma greater_agrees x y : is_finite (greater (machine fused) (m x) (m y)).1 -> (m x).2 && (m y).2 ->
  value (greater (machine fused) (m x) (m y)).1 = greater (reals fused) (r x) (r y).
Proof.
move=> _ /andP[x_marked y_marked]; rewrite -(agreed x x_marked) -(agreed y y_marked).
by apply: greater_value; exact: is_agreed.
Qed.

Lemma rounded_agrees F x : is_finite (rounded (machine fused) F (m x)).1 -> (m x).2 ->
  value (rounded (machine fused) F (m x)).1 = rounded (reals fused) F (r x).
Proof. by move=> result /agreed <-; exact: cast_value. Qed.

Lemma multiply_add_agrees x y z : is_finite (multiply_add (machine fused) (m x) (m y) (m z)).1 ->
  [&& (m x).2, (m y).2 & (m z).2] ->
  value (multiply_add (machine fused) (m x) (m y) (m z)).1 = multiply_add (reals fused) (r x) (r y) (r z).
Proof. by move=> result /and3P[/agreed <- /agreed <- /agreed <-]; exact: multiply_add_value. Qed.

Lemma multiply_subtract_agrees x y z : is_finite (multiply_subtract (machine fused) (m x) (m y) (m z)).1 ->
  [&& (m x).2, (m y).2 & (m z).2] ->
  value (multiply_subtract (machine fused) (m x) (m y) (m z)).1 = multiply_subtract (reals fused) (r x) (r y) (r z).
Proof.
move=> result /and3P[/agreed <- /agreed <- /agreed <-] /=.
by rewrite multiply_add_value // opp_value.
Qed.

Lemma subtract_product_agrees x y z : is_finite (subtract_product (machine fused) (m x) (m y) (m z)).1 ->
  [&& (m x).2, (m y).2 & (m z).2] ->
  value (subtract_product (machine fused) (m x) (m y) (m z)).1 = subtract_product (reals fused) (r x) (r y) (r z).
Proof.
move=> result /and3P[/agreed <- /agreed <- /agreed <-] /=.
by rewrite multiply_add_value // opp_value.
Qed.

Lemma product_error_agrees x y z : is_finite (product_error (machine fused) (m x) (m y) (m z)).1 ->
  [&& (m x).2, (m y).2 & (m z).2] ->
  value (product_error (machine fused) (m x) (m y) (m z)).1 = product_error (reals fused) (r x) (r y) (r z).
Proof.
move=> result /and3P[/agreed <- /agreed <- /agreed <-]; move: result => /=.
by case: fused => [/fma_value -> | /dekker_value //]; rewrite opp_value.
Qed.

Lemma constant_agrees p q : is_finite (constant (machine fused) p q).1 -> true ->
  value (constant (machine fused) p q).1 = constant (reals fused) p q.
Proof. by move=> result _; exact: written_value. Qed.

Definition both : arithmetic := {|
  number := tracked;
  constant p q := by_both _ _ _ (constant_agrees p q);
  add x y := by_both _ _ _ (add_agrees x y);
  subtract x y := by_both _ _ _ (subtract_agrees x y);
  multiply x y := by_both _ _ _ (multiply_agrees x y);
  divide x y := by_both _ _ _ (divide_agrees x y);
  negate x := by_both _ _ _ (negate_agrees x);
  magnitude x := by_both _ _ _ (magnitude_agrees x);
  lesser x y := by_both _ _ _ (lesser_agrees x y);
  greater x y := by_both _ _ _ (greater_agrees x y);
  rounded F x := by_both _ _ _ (rounded_agrees F x);
  multiply_add x y z := by_both _ _ _ (multiply_add_agrees x y z);
  multiply_subtract x y z := by_both _ _ _ (multiply_subtract_agrees x y z);
  subtract_product x y z := by_both _ _ _ (subtract_product_agrees x y z);
  product_error x y z := by_both _ _ _ (product_error_agrees x y z)
|}.

(** rounding.trace-sound: numbers made in both arithmetics at once are, by the machine, what the machine alone makes, and
    by the reals, what the reals alone make; where the machine marks all of them as finite, their values are the reals. *)
Theorem rounding_trace_sound (l : seq tracked) :
  finite [seq by_machine x | x <- l] -> [seq value (by_machine x).1 | x <- l] = [seq by_reals x | x <- l].
Proof. by elim: l => [|x l IHl] //= /andP[/agreed -> /IHl ->]. Qed.

End Both.

(** ** Bits *)

Definition of_bits (n : Z) : binary :=
  let negative := (2 ^ 63 <=? n)%Z in
  let e := (n / 2 ^ 52 mod 2 ^ 11)%Z in
  let f := (n mod 2 ^ 52)%Z in
  let signed z := if negative then (- z)%Z else z in
  if (e =? 2047)%Z then (if (f =? 0)%Z then B754_infinity negative else B754_nan)
  else if (e =? 0)%Z then binary_normalize _ _ _ _ mode_NE (signed f) (- 1074) negative
  else binary_normalize _ _ _ _ mode_NE (signed (2 ^ 52 + f)%Z) (e - 1075) negative.

Definition to_bits (x : binary) : Z :=
  let signed (s : bool) n := if s then (2 ^ 63 + n)%Z else n in
  match x with
  | B754_zero s => signed s 0%Z
  | B754_infinity s => signed s (2047 * 2 ^ 52)%Z
  | B754_nan => (2047 * 2 ^ 52 + 2 ^ 51)%Z
  | B754_finite s m e _ =>
      signed s (if (Zpos m <? 2 ^ 52)%Z then Zpos m else (e + 1075) * 2 ^ 52 + (Zpos m - 2 ^ 52))%Z
  end.
