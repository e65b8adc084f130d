(** * Whole computations in IEEE 754 arithmetic: if the result is finite, the bound holds

  What is claimed.  In computations made of the operations of IEEE 754, as Flocq specifies them bit
  by bit, an overflow anywhere leaves an infinity or a NaN that no later addition, product or cast
  takes away. So where the result is finite every step was, the result is the one that the rounding
  theorems speak of, and their bounds hold with no hypothesis on ranges: for a table entry, a
  rotated pair, a dot product in any order, with and without fused multiply-add, and one of inputs
  in a short format (bf16) accumulated in a longer (f32), casts included.

  Dictionary (all to nearest, ties to even)
  - [ieee F], [value x] == IEEE numbers and their real numbers (RoundingIEEE);
  - [cast F G x] == x converted from the format F to G;
  - [ieee_integer F n] == the integer n converted to F;
  - [ieee_sum p o], [ieee_dot x y o] == the sum of the p_i, of the products x_i y_i, in the order o;
  - [ieee_fused_dot x y n] == x_(n-1) y_(n-1) + (... + (x_0 y_0 + 0)), each step fused;
  - [ieee_wide_dot S G F x y o] == inputs of S cast to G, the dot product in G, its cast to F;
  - [ieee_two_products fused a b c d] == a b + c d, the first product fused into the addition or not;
  - [ieee_angle], [ieee_entry] == the angle and the stored entry of a table.

  Main results: [rounding_ieee_finite] and the theorems named after the computations.

  Assumes: nothing beyond Flocq's definitions, and of sine and cosine the stated accuracy.
  Not claimed: that a given machine, compiler or accelerator follows IEEE 754. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core BinarySingleNaN.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingIEEE RoundingSum RoundingDot.
From Posproof Require Import RoundingPlane RoundingRope RoundingAngle RoundingTable.

Open Scope R_scope.

(** ** Operations *)

Definition cast (F G : format) (x : ieee F) : ieee G :=
  match x with
  | B754_zero s => B754_zero s
  | B754_infinity s => B754_infinity s
  | B754_nan => B754_nan
  | B754_finite s m e _ => binary_normalize _ _ _ _ mode_NE (cond_Zopp s (Zpos m)) e s
  end.

Definition ieee_integer (F : format) (n : Z) : ieee F := binary_normalize _ _ _ _ mode_NE n 0 false.

Section Operations.
Variable F : format.
Implicit Types x y z r : ieee F.

(** An overflow is not finite. *)
Lemma overflow_infinite r s : B2SF r = binary_overflow (precision F) (emax F) mode_NE s -> is_finite r = false.
Proof. by rewrite -is_finite_SF_B2SF => ->. Qed.

Lemma plus_finite x y : is_finite (Bplus mode_NE x y) ->
  [/\ is_finite x, is_finite y & value (Bplus mode_NE x y) = fl F (value x + value y)].
Proof.
move=> result; have [x_finite y_finite] : is_finite x /\ is_finite y.
  by move: x y result => [?|?||????] [?|?||????] //=; case: ifP.
split=> //; have := Bplus_correct _ _ (precision_positive F) (precision_lt_emax F) mode_NE x y x_finite y_finite.
by case: Rlt_bool => [[value_eq _] // | [/overflow_infinite]]; rewrite result.
Qed.

Lemma mult_finite x y : is_finite (Bmult mode_NE x y) ->
  [/\ is_finite x, is_finite y & value (Bmult mode_NE x y) = fl F (value x * value y)].
Proof.
move=> result; have := Bmult_correct _ _ (precision_positive F) (precision_lt_emax F) mode_NE x y.
case: Rlt_bool => [[value_eq [finite_eq _]] | overflow]; last first.
  by rewrite (overflow_infinite _ _ overflow) in result.
by move: finite_eq; rewrite result => /esym/andP[x_finite y_finite].
Qed.

Lemma fma_finite x y z : is_finite (Bfma mode_NE x y z) ->
  [/\ is_finite x, is_finite y, is_finite z &
      value (Bfma mode_NE x y z) = fl F (value x * value y + value z)].
Proof.
move=> result; have [x_finite y_finite z_finite] : [/\ is_finite x, is_finite y & is_finite z].
  by move: x y z result => [?|?||????] [?|?||????] [?|?||????] //=; case: ifP.
split=> //.
have := Bfma_correct _ _ (precision_positive F) (precision_lt_emax F) mode_NE x y z x_finite y_finite z_finite.
cbv zeta; case: Rlt_bool => [[value_eq _] // | overflow].
by rewrite (overflow_infinite _ _ overflow) in result.
Qed.

Lemma minus_finite x y : is_finite (Bminus mode_NE x y) ->
  [/\ is_finite x, is_finite y & value (Bminus mode_NE x y) = fl F (value x - value y)].
Proof.
move=> result; have [x_finite y_finite] : is_finite x /\ is_finite y.
  by move: x y result => [?|?||????] [?|?||????] //=; case: ifP.
split=> //; have := Bminus_correct _ _ (precision_positive F) (precision_lt_emax F) mode_NE x y x_finite y_finite.
by case: Rlt_bool => [[value_eq _] // | [/overflow_infinite]]; rewrite result.
Qed.

(** A finite number by an infinite one is 0, which is finite. *)
Lemma div_finite x y : is_finite (Bdiv mode_NE x y) -> is_finite y ->
  [/\ is_finite x, value y <> 0 & value (Bdiv mode_NE x y) = fl F (value x / value y)].
Proof.
move=> result y_finite; have y_neq0 : value y <> 0.
  move: y result y_finite => [s|s||s m e bounded] //=; first by case: x => [?|?||????].
  by move=> _ _; rewrite /value /=; apply: F2R_neq_0 => /=; case: s.
split=> //; first by move: x y result y_finite {y_neq0} => [?|?||????] [?|?||????].
have := Bdiv_correct _ _ (precision_positive F) (precision_lt_emax F) mode_NE x y y_neq0.
case: Rlt_bool => [[value_eq _] // | overflow].
by rewrite (overflow_infinite _ _ overflow) in result.
Qed.

Lemma normalize_finite m e s : is_finite (binary_normalize _ _ _ _ mode_NE m e s : ieee F) ->
  value (binary_normalize _ _ _ _ mode_NE m e s : ieee F) = fl F (F2R (Float radix2 m e)).
Proof.
move=> result; have := binary_normalize_correct _ _ (precision_positive F) (precision_lt_emax F) mode_NE m e s.
cbv zeta; case: Rlt_bool => [[value_eq _] // | overflow].
by rewrite (overflow_infinite _ _ overflow) in result.
Qed.

Lemma integer_finite n : is_finite (ieee_integer F n) -> value (ieee_integer F n) = fl F (IZR n).
Proof. by move/normalize_finite => ->; rewrite /F2R /= Rmult_1_r. Qed.

End Operations.

Lemma cast_finite F G (x : ieee F) : is_finite (cast F G x) ->
  is_finite x /\ value (cast F G x) = fl G (value x).
Proof.
case: x => [s|s||s m e bounded] //= result; split=> //; first by rewrite fl_0.
exact: normalize_finite.
Qed.

(** rounding.ieee-finite: where a sum, difference by negation, product, fused product or cast is finite, so
    are its operands, and its value is fl of the exact result: no hypothesis on ranges is needed. *)
Theorem rounding_ieee_finite (F G : format) (x y z : ieee F) :
  (is_finite (Bplus mode_NE x y) -> [/\ is_finite x, is_finite y &
     value (Bplus mode_NE x y) = fl F (value x + value y)]) /\
  (is_finite (Bmult mode_NE x y) -> [/\ is_finite x, is_finite y &
     value (Bmult mode_NE x y) = fl F (value x * value y)]) /\
  (is_finite (Bfma mode_NE x y z) -> [/\ is_finite x, is_finite y, is_finite z &
     value (Bfma mode_NE x y z) = fl F (value x * value y + value z)]) /\
  (is_finite (cast F G x) -> is_finite x /\ value (cast F G x) = fl G (value x)).
Proof.
split; first exact: plus_finite; split; first exact: mult_finite.
by split; [exact: fma_finite | exact: cast_finite].
Qed.

(** ** Sums and dot products *)

Fixpoint ieee_sum (F : format) (p : nat -> ieee F) (o : order) : ieee F :=
  match o with Term i => p i | Add l r => Bplus mode_NE (ieee_sum F p l) (ieee_sum F p r) end.

Definition ieee_dot (F : format) (x y : nat -> ieee F) (o : order) : ieee F :=
  ieee_sum F (fun i => Bmult mode_NE (x i) (y i)) o.

Fixpoint ieee_fused_dot (F : format) (x y : nat -> ieee F) (n : nat) : ieee F :=
  match n with
  | O => B754_zero false
  | S n => Bfma mode_NE (x n) (y n) (ieee_fused_dot F x y n)
  end.

Definition ieee_wide_dot (S G F : format) (x y : nat -> ieee S) (o : order) : ieee F :=
  cast G F (ieee_dot G (fun i => cast S G (x i)) (fun i => cast S G (y i)) o).

Definition values (F : format) (x : nat -> ieee F) (i : nat) : R := value (x i).
Arguments values {F} x i.

Lemma sum_finite F (p : nat -> ieee F) (q : nat -> R) o :
  (forall i, is_finite (p i) -> value (p i) = q i) -> is_finite (ieee_sum F p o) ->
  (forall i, i \in terms o -> is_finite (p i)) /\ value (ieee_sum F p o) = computed_sum F q o.
Proof.
move=> p_q; elim: o => [i|l IHl r IHr] /= result.
  by split=> [j | ]; [rewrite inE => /eqP -> | exact: p_q].
have [l_finite r_finite value_eq] := plus_finite F _ _ result.
have [terms_l value_l] := IHl l_finite; have [terms_r value_r] := IHr r_finite.
split=> [i | ]; first by rewrite mem_cat => /orP[/terms_l | /terms_r].
by rewrite value_eq value_l value_r.
Qed.

Lemma dot_finite F (x y : nat -> ieee F) o : is_finite (ieee_dot F x y o) ->
  (forall i, i \in terms o -> is_finite (x i) /\ is_finite (y i)) /\
  value (ieee_dot F x y o) = computed_dot F (values x) (values y) o.
Proof.
have product_value i : is_finite (Bmult mode_NE (x i) (y i)) ->
    value (Bmult mode_NE (x i) (y i)) = product F (values x) (values y) i.
  by move/mult_finite => [].
move/(sum_finite F _ _ o product_value) => [products value_eq]; split=> // i /products.
by move/mult_finite => [].
Qed.

Lemma fused_finite F (x y : nat -> ieee F) n : is_finite (ieee_fused_dot F x y n) ->
  (forall i, (i < n)%N -> is_finite (x i) /\ is_finite (y i)) /\
  value (ieee_fused_dot F x y n) = fused_dot F (values x) (values y) n.
Proof.
elim: n => [|n IHn] //= /fma_finite [x_finite y_finite rest value_eq].
have [terms value_rest] := IHn rest; split=> [i | ]; last by rewrite value_eq value_rest.
by rewrite ltnS leq_eqVlt => /orP[/eqP -> | /terms].
Qed.

(** rounding.ieee-dot: if the dot product computed in IEEE arithmetic, in any order that takes each of
    0 ... n-1 once, is finite, then all inputs were, and |computed - exact| <= n u S + n(1 + (n - 1)u)η/2,
    S = Σ|x_i y_i|; and with a fused product in each step, one after the other, n v S + n(1 + v)^n η/2. *)
Theorem rounding_ieee_dot (F : format) (x y : nat -> ieee F) (n : nat) (o : order) :
  perm_eq (terms o) (iota 0 n) ->
  let exact := \rsum_(i < n) (value (x i) * value (y i)) in
  let S := \rsum_(i < n) Rabs (value (x i) * value (y i)) in
  (is_finite (ieee_dot F x y o) ->
   (forall i, (i < n)%N -> is_finite (x i) /\ is_finite (y i)) /\
   Rabs (value (ieee_dot F x y o) - exact) <= dot_bound F n S) /\
  (is_finite (ieee_fused_dot F x y n) ->
   (forall i, (i < n)%N -> is_finite (x i) /\ is_finite (y i)) /\
   Rabs (value (ieee_fused_dot F x y n) - exact) <= INR n * v F * S + INR n * (1 + v F) ^ n * (eta F / 2)).
Proof.
move=> each_once exact S; split.
  move/dot_finite => [inputs ->]; split.
    by move=> i lt_in; apply: inputs; rewrite (perm_mem each_once) mem_iota.
  by have [bound _] := rounding_dot F (values x) (values y) n o each_once; apply: bound.
by move/fused_finite => [inputs ->]; split=> //; apply: rounding_dot_fused.
Qed.

(** rounding.ieee-wide-dot: inputs of a format S whose numbers are all numbers of G (bf16 in f32), cast to G,
    multiplied and accumulated there in any order, cast to F: if the result is finite, it is within
    v_F |exact| + (1 + v_F)(n u_G S + n(1 + (n - 1)u_G)η_G/2) + η_F/2 of the exact dot product of the inputs. *)
Theorem rounding_ieee_wide_dot (S G F : format) (x y : nat -> ieee S) (n : nat) (o : order) :
  perm_eq (terms o) (iota 0 n) -> (forall a, is_float S a -> is_float G a) ->
  let exact := \rsum_(i < n) (value (x i) * value (y i)) in
  is_finite (ieee_wide_dot S G F x y o) ->
  Rabs (value (ieee_wide_dot S G F x y o) - exact)
  <= v F * Rabs exact + (1 + v F) * dot_bound G n (\rsum_(i < n) Rabs (value (x i) * value (y i)))
     + eta F / 2.
Proof.
move=> each_once contains exact /cast_finite [wide ->].
have [inputs ->] := dot_finite G _ _ o wide.
have cast_exact z : is_finite (cast S G z) -> value (cast S G z) = value z.
  by move/cast_finite => [_ ->]; apply: fl_exact; apply: contains; apply: value_is_float.
have same i : (i < n)%N -> values (fun j => cast S G (x j)) i = value (x i) /\
                            values (fun j => cast S G (y j)) i = value (y i).
  move=> lt_in; have i_term : i \in terms o by rewrite (perm_mem each_once) mem_iota.
  by have [x_finite y_finite] := inputs i i_term; rewrite /values !cast_exact.
have := rounding_dot_wide F G (values (fun j => cast S G (x j))) (values (fun j => cast S G (y j)))
  n o each_once.
have -> : \rsum_(i < n) (values (fun j => cast S G (x j)) i * values (fun j => cast S G (y j)) i) = exact.
  by apply: eq_bigr => i _; have [-> ->] := same i (ltn_ord i).
have -> : \rsum_(i < n) Rabs (values (fun j => cast S G (x j)) i * values (fun j => cast S G (y j)) i) =
          \rsum_(i < n) Rabs (value (x i) * value (y i)).
  by apply: eq_bigr => i _; have [-> ->] := same i (ltn_ord i).
by [].
Qed.

(** Numbers of a format are numbers of every format with at least its precision and range below. *)
Lemma float_inclusion (F G : format) : (precision F <= precision G)%Z -> (emin G <= emin F)%Z ->
  forall a, is_float F a -> is_float G a.
Proof. by move=> precision_le emin_le a; apply: generic_inclusion_mag => _; rewrite /FLT_exp; lia. Qed.

(** rounding.ieee-bf16-dot: bf16 inputs, products and sums in f32 in any order, the result stored in bf16: if
    it is finite, it is within v |exact| + (1 + v)(n 2^-24 S + n(1 + (n - 1)2^-24)2^-150) + 2^-134 of the
    exact dot product of the inputs, v = 2^-8/(1 + 2^-8). *)
Theorem rounding_ieee_bf16_dot (x y : nat -> ieee bfloat16) (n : nat) (o : order) :
  perm_eq (terms o) (iota 0 n) ->
  let exact := \rsum_(i < n) (value (x i) * value (y i)) in
  let S := \rsum_(i < n) Rabs (value (x i) * value (y i)) in
  is_finite (ieee_wide_dot bfloat16 binary32 bfloat16 x y o) ->
  Rabs (value (ieee_wide_dot bfloat16 binary32 bfloat16 x y o) - exact)
  <= v bfloat16 * Rabs exact + (1 + v bfloat16) * dot_bound binary32 n S + eta bfloat16 / 2.
Proof.
move=> each_once; apply: rounding_ieee_wide_dot => //.
exact: float_inclusion.
Qed.

(** ** A rotated pair *)

Definition ieee_two_products (F : format) (fused : bool) (a b c d : ieee F) : ieee F :=
  if fused then Bfma mode_NE a b (Bmult mode_NE c d)
  else Bplus mode_NE (Bmult mode_NE a b) (Bmult mode_NE c d).

Definition ieee_rotated_x (F : format) (fused : bool) (x y c s : ieee F) : ieee F :=
  ieee_two_products F fused x c (Bopp y) s.
Definition ieee_rotated_y (F : format) (fused : bool) (x y c s : ieee F) : ieee F :=
  ieee_two_products F fused x s y c.

Lemma two_products_finite F fused (a b c d : ieee F) : is_finite (ieee_two_products F fused a b c d) ->
  value (ieee_two_products F fused a b c d) =
  two_products F fused (value a) (value b) (value c) (value d).
Proof.
rewrite /ieee_two_products /two_products; case: fused.
  by move/fma_finite => [_ _ /mult_finite [_ _ cd] ->]; rewrite cd.
by move/plus_finite => [/mult_finite [_ _ ab] /mult_finite [_ _ cd] ->]; rewrite ab cd.
Qed.

(** rounding.ieee-rotated-pair: if both coordinates of a pair rotated in IEEE arithmetic by a table's (c, s)
    are finite and ‖(c, s) - (cos θ, sin θ)‖ <= τ, the pair is within (τ + (1 + √2)u(1 + τ))‖(x, y)‖ +
    √2(1 + v)η of the pair rotated by θ; with fused multiply-add 2u stands for (1 + √2)u. *)
Theorem rounding_ieee_rotated_pair (F : format) (fused : bool) (x y c s : ieee F) (theta tau : R) :
  plane_norm (value c - cos theta) (value s - sin theta) <= tau ->
  is_finite (ieee_rotated_x F fused x y c s) -> is_finite (ieee_rotated_y F fused x y c s) ->
  plane_norm (value (ieee_rotated_x F fused x y c s) - (value x * cos theta - value y * sin theta))
             (value (ieee_rotated_y F fused x y c s) - (value x * sin theta + value y * cos theta))
  <= pair_bound F fused tau (plane_norm (value x) (value y)).
Proof.
move=> near /two_products_finite x_eq /two_products_finite y_eq.
have opposite : value (Bopp y) = - value y by exact: B2R_Bopp.
rewrite /ieee_rotated_x x_eq /ieee_rotated_y y_eq opposite.
exact: rounding_rotated_pair_length.
Qed.

(** ** A table entry *)

(** The angle: the position as an integer of P, cast to A, times the frequency. *)
Definition ieee_angle (P A : format) (n : Z) (frequency : ieee A) : ieee A :=
  Bmult mode_NE (cast P A (ieee_integer P n)) frequency.

(** The entry: the library's sine or cosine of that angle, cast to S. *)
Definition ieee_entry (P A S : format) (library : ieee A -> ieee A) (n : Z) (frequency : ieee A) : ieee S :=
  cast A S (library (ieee_angle P A n frequency)).

(** rounding.ieee-table-entry: with integers of P that are numbers of A and a library function whose value
    at every finite angle is within κ ulp of sine or cosine and in [-1, 1], if the computed angle and the
    stored entry are finite then |entry - wave(nω)| is at most the bound of rounding.table-a-priori. *)
Theorem rounding_ieee_table_entry (P A S : format) (even : bool) (kappa : R) (library : ieee A -> ieee A)
    (n : Z) (frequency : ieee A) (w rho sigma : R) :
  0 <= kappa -> (forall a, is_float P a -> is_float A a) ->
  (forall a, is_finite a -> accurate A kappa (value (library a)) (wave even (value a)) /\
     Rabs (value (library a)) <= 1) ->
  near rho sigma (value frequency) w ->
  is_finite (ieee_angle P A n frequency) -> is_finite (ieee_entry P A S library n frequency) ->
  Rabs (value (ieee_entry P A S library n frequency) - wave even (IZR n * w))
  <= table_bound P A kappa n w rho sigma (u S / 2).
Proof.
move=> kappa_ge0 contains library_accurate near_w angle_finite /cast_finite [_ entry_eq].
have [accurate_at below_1] := library_accurate _ angle_finite.
have [position_finite _ angle_eq] := mult_finite A _ _ angle_finite.
have [integer position_eq] := cast_finite P A _ position_finite.
rewrite entry_eq; apply: (rounding_table_a_priori P A S kappa n (value frequency)) => //.
exists (value (library (ieee_angle P A n frequency))); split; last by split=> //; split=> //; left.
have position : value (cast P A (ieee_integer P n)) = fl P (IZR n).
  rewrite position_eq (integer_finite P n integer); apply: fl_exact.
  by apply: contains; apply: fl_float.
by rewrite {2}/ieee_angle angle_eq position in accurate_at.
Qed.
