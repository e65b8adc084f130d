(** * Softmax and attention in IEEE 754 arithmetic: if the sum and the result are finite, the bound holds

  What is claimed.  The shifted softmax and a component of attention's output, made of the operations of IEEE 754 as Flocq
  specifies them bit by bit, with any library function for exp of the stated accuracy: where the differences of the scores, the
  sum of the exponentials and the result are finite, the bounds of rounding.softmax and rounding.attention hold, with no
  hypothesis on ranges.

  Dictionary (all to nearest, ties to even):
  - [exponential library s t j] == the library's exp of s_j - s_t, rounded;
  - [ieee_weight W library s t o j] == that by the sum of all, in the order o, cast to the format W;
  - [ieee_output W G V library s t o x o'] == the sum of weights times values in G, in the order o', cast to V.

  The sum has to be said to be finite: in binary16 the sum of 65520 exponentials of 0 is infinite, all weights are then 0,
  which is finite, and the result is 0 whatever the values are.  Scores of -∞, as masks have them, are no differences
  that are finite: a masked key is a term that is left out.

  Assumes: nothing beyond Flocq's definitions, and of exp the stated accuracy.
  Not claimed: that a given machine, compiler or accelerator follows IEEE 754. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core BinarySingleNaN.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingIEEE RoundingSum RoundingDot.
From Posproof Require Import RoundingSoftmaxScores RoundingSoftmax RoundingAttention RoundingComposite.

Open Scope R_scope.

Section Softmax.
Variables F W : format.
Variable library : ieee F -> ieee F.
Variable kappa : R.
Hypothesis kappa_ge0 : 0 <= kappa.
Hypothesis library_accurate : forall a, is_finite a ->
  accurate F kappa (value (library a)) (exp (value a)) /\ 0 <= value (library a).

Definition exponential (s : nat -> ieee F) (t j : nat) : ieee F := library (Bminus mode_NE (s j) (s t)).
Definition ieee_weight (s : nat -> ieee F) (t : nat) (o : order) (j : nat) : ieee W :=
  cast F W (Bdiv mode_NE (exponential s t j) (ieee_sum F (exponential s t) o)).

(** What a quotient and its cast lose. *)
Definition quotient_relative : R := (1 + v W) * (1 + v F) - 1.
Definition quotient_absolute : R := eta W / 2 + (1 + v W) * (eta F / 2).

Variables (n : nat) (s : nat -> ieee F) (t : 'I_n) (o : order).
Hypothesis each_once : perm_eq (terms o) (iota 0 n).
Hypothesis largest : forall j, (j < n)%N -> value (s j) <= value (s t).
Hypothesis differences : forall j, (j < n)%N -> is_finite (Bminus mode_NE (s j) (s t)).
Hypothesis sum_is_finite : is_finite (ieee_sum F (exponential s t) o).

Let E j := value (exponential s t j).
Let S := value (ieee_sum F (exponential s t) o).

Lemma exponential_accurate j : (j < n)%N -> accurate F kappa (E j) (exp (fl F (value (s j) - value (s t)))) /\ 0 <= E j.
Proof.
move=> lt_jn; have finite := differences j lt_jn; have [_ _ <-] := minus_finite F _ _ finite.
exact: library_accurate.
Qed.

Lemma sum_value : S = computed_sum F E o.
Proof. by rewrite /S; have [_ ->] := sum_finite F (exponential s t) E o (fun _ _ => erefl) sum_is_finite. Qed.

(** A sum of exponentials that are all finite numbers, and those after the n-th as 0. *)
Lemma sum_near : Rabs (S - \rsum_(j < n) E j) <= (INR n - 1) * v F * \rsum_(j < n) E j.
Proof.
rewrite sum_value; pose E' j := if (j < n)%N then E j else 0.
have same : computed_sum F E o = computed_sum F E' o.
  have : all (fun i => (i < n)%N) (terms o) by apply/allP => i; rewrite (perm_mem each_once) mem_iota.
  elim: (o) => [i|l IHl r IHr] /=; first by rewrite andbT /E' => ->.
  by rewrite all_cat => /andP[/IHl -> /IHr ->].
have sums : \rsum_(j < n) E j = \rsum_(j < n) E' j by apply: eq_bigr => j _; rewrite /E' ltn_ord.
rewrite same sums; apply: normaliser_any_order => // j; rewrite /E'; case: ifP => [lt_jn|_].
- exact: value_is_float.
- exact: is_float_0.
- by have [] := exponential_accurate j lt_jn.
- exact: Rle_refl.
Qed.

Lemma weight_near j : (j < n)%N -> is_finite (ieee_weight s t o j) ->
  near quotient_relative quotient_absolute (value (ieee_weight s t o j)) (E j / S).
Proof.
move=> lt_jn /cast_finite [quotient ->]; have [_ _ ->] := div_finite F _ _ quotient sum_is_finite.
by apply: near_trans; [apply: Rlt_le; exact: v_pos | exact: near_fl_exact | exact: near_fl_exact].
Qed.

Lemma theta_ge0 : 0 <= (INR n - 1) * v F.
Proof.
have : (0 < n)%N by exact: leq_ltn_trans (ltn_ord t).
move/ltP/lt_INR => /= n_gt0; have n_ge1 : 1 <= INR n by apply: (le_INR 1); apply: INR_lt => /=; lra.
by apply: Rmult_le_pos; [lra | apply: Rlt_le; exact: v_pos].
Qed.

Lemma omega_ge0 : 0 <= quotient_relative.
Proof.
have vW := v_pos W; have vF := v_pos F; rewrite /quotient_relative.
by have := Rmult_le_pos _ _ (Rlt_le _ _ vW) (Rlt_le _ _ vF); lra.
Qed.

Lemma scores_float j : (j < n)%N -> is_float F (value (s j)).
Proof. by move=> _; exact: value_is_float. Qed.

(** rounding.ieee-softmax: where the differences of the scores from the largest, the sum of their exponentials, and a weight are
    finite, the weight is within the bound of rounding.softmax of the exact one, quotient and cast counted; and all of
    them together, where all are finite. *)
Theorem rounding_ieee_softmax :
  let theta := (INR n - 1) * v F in
  normaliser F kappa n theta < 1 ->
  (forall j, (j < n)%N -> is_finite (ieee_weight s t o j)) ->
  (forall j, (j < n)%N -> Rabs (value (ieee_weight s t o j) - weight n (fun i => value (s i)) j)
     <= weight_bound F kappa n theta quotient_relative quotient_absolute (value (s t) - value (s j))
          (weight n (fun i => value (s i)) j)) /\
  \rsum_(j < n) Rabs (value (ieee_weight s t o j) - weight n (fun i => value (s i)) j)
  <= weights_bound F kappa n theta quotient_relative quotient_absolute.
Proof.
move=> theta normal weights_finite.
apply: (rounding_softmax F kappa theta quotient_relative quotient_absolute n (fun i => value (s i)) t kappa_ge0 theta_ge0
  omega_ge0 scores_float largest E (fun j => value (ieee_weight s t o j)) S _ sum_near) => //.
- by move=> j /exponential_accurate [].
- by move=> j lt_jn; apply: weight_near => //; exact: weights_finite.
Qed.

(** The output: weights and values cast to G, multiplied and added there, cast to V. *)
Definition ieee_output (G V : format) (x : nat -> ieee W) (o' : order) : ieee V :=
  ieee_wide_dot W G V (ieee_weight s t o) x o'.

(** rounding.ieee-attention: scores within ε of the exact ones, values at most X, weights of a format whose numbers G holds: where
    the differences of the scores, the sum of the exponentials and the component of the output are finite, it is within
    (1 + v_V)B + v_V |exact| + η_V/2 of the exact one, with the bound B of rounding.attention. *)
Theorem rounding_ieee_attention (G V : format) (x : nat -> ieee W) (o' : order) (exact_logit : nat -> R) (epsilon X : R) :
  let theta := (INR n - 1) * v F in
  let exact := \rsum_(j < n) (weight n exact_logit j * value (x j)) in
  let B := output_bound G Rounded n
    (2 * gain epsilon + weights_bound F kappa n theta quotient_relative quotient_absolute) X in
  normaliser F kappa n theta < 1 -> (forall a, is_float W a -> is_float G a) ->
  perm_eq (terms o') (iota 0 n) ->
  (forall j, (j < n)%N -> Rabs (value (s j) - exact_logit j) <= epsilon) ->
  (forall j, (j < n)%N -> Rabs (value (x j)) <= X) ->
  is_finite (ieee_output G V x o') ->
  Rabs (value (ieee_output G V x o') - exact) <= (1 + v V) * B + v V * Rabs exact + eta V / 2.
Proof.
move=> theta exact B normal contains each_once' logit_near x_le /cast_finite [wide ->].
have [inputs dot_eq] := dot_finite G _ _ o' wide.
have cast_exact (z : ieee W) : is_finite (cast W G z) -> is_finite z /\ value (cast W G z) = value z.
  by move/cast_finite => [z_finite ->]; split=> //; apply: fl_exact; apply: contains; exact: value_is_float.
have each j : (j < n)%N -> is_finite (ieee_weight s t o j) /\
    value (cast W G (ieee_weight s t o j)) = value (ieee_weight s t o j) /\ value (cast W G (x j)) = value (x j).
  move=> lt_jn; have j_term : j \in terms o' by rewrite (perm_mem each_once') mem_iota.
  by have [/cast_exact [weight_finite weight_eq] /cast_exact [_ x_eq]] := inputs j j_term.
have output := rounding_attention F G Rounded kappa theta quotient_relative quotient_absolute epsilon X n exact_logit
  (fun i => value (s i)) E (fun j => value (cast W G (ieee_weight s t o j))) (fun j => value (cast W G (x j))) t S
  (value (ieee_dot G (fun i => cast W G (ieee_weight s t o i)) (fun i => cast W G (x i)) o')).
have sums : \rsum_(j < n) (weight n exact_logit j * value (cast W G (x j))) = exact.
  by apply: eq_bigr => j _; have [_ [_ ->]] := each j (ltn_ord j).
rewrite sums -/B in output.
have close : Rabs (value (ieee_dot G (fun i => cast W G (ieee_weight s t o i)) (fun i => cast W G (x i)) o') - exact) <= B.
  apply: output => //; first exact: theta_ge0.
  - exact: omega_ge0.
  - exact: scores_float.
  - by move=> j /exponential_accurate [].
  - exact: sum_near.
  - by move=> j lt_jn; have [finite [-> _]] := each j lt_jn; exact: weight_near.
  - by move=> j lt_jn; have [_ [_ ->]] := each j lt_jn; exact: x_le.
  - by exists o'.
move: close; set d := value (ieee_dot G _ _ o') => close.
have stored := near_fl_exact V d; rewrite /near in stored.
have size := Rabs_by_diff d exact; have v_gt0 := v_pos V.
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v_gt0) size; have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v_gt0) close.
by move: (Rabs_diff_triangle (fl V d) d exact); lra.
Qed.

End Softmax.
