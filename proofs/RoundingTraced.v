(** * The traced kernels are the models of the theorems

  What is claimed.  The program makes the operations of binary32, binary16 and bfloat16 in binary64, and rounds each once
  more.  Of numbers of such a format that is the format's own operation, so that the traces (RoundingTraces.v) of its rotated
  pair, dot product, softmax, angle, stored entry and llama3 rule are, to the letter, what the rounding theorems speak of.

  Dictionary:
  - [simulated F] == F is binary64, or binary64 has more than twice its precision and the range of its products and quotients;
  - [reals fused], [machine fused], [finite], [start] == see RoundingTrace.v.

  Main results: one theorem [rounding_trace_...] for each kernel, over real numbers for either [fused]; and
  [rounding_trace_machine_pair], for IEEE numbers: where every step is finite, their values are the model's.

  Assumes: inputs are numbers of the formats as stated; over real numbers, that nothing overflows. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core Double_rounding BinarySingleNaN.
From Posproof Require Import RoundingFormat RoundingModel RoundingIEEE RoundingSum RoundingDot RoundingRope RoundingScaled.
From Posproof Require Import RoundingWeights RoundingComposite RoundingTrace RoundingTraces.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).

Definition simulated (F : format) : Prop :=
  F = binary64 \/
  ((2 * precision F + 1 <= 53)%Z /\ (- 1074 <= 2 * emin F)%Z /\ (- 1074 <= emin F - precision F - 2)%Z).

Lemma simulated_formats :
  simulated binary16 /\ simulated bfloat16 /\ simulated binary32 /\ simulated binary64.
Proof. by split; [|split; [|split]]; [right | right | right | left]; repeat split; apply/Z.leb_le. Qed.

(** ** Twice rounded is once rounded *)

Section Twice.
Variable F : format.
Hypothesis F_simulated : simulated F.
Variables x y : R.
Hypothesis x_float : is_float F x.
Hypothesis y_float : is_float F y.

Let x_FLT := FLT_format_generic radix2 (emin F) (precision F) x x_float.
Let y_FLT := FLT_format_generic radix2 (emin F) (precision F) y y_float.

Lemma twice_product : fl F (fl64 (x * y)) = fl F (x * y).
Proof.
case: F_simulated x_FLT y_FLT => [-> _ _|[wide [deep _]] x_in y_in]; first exact: fl_idempotent.
by apply: round_round_mult_FLT => //; move: wide => /=; lia.
Qed.

Lemma twice_sum : fl F (fl64 (x + y)) = fl F (x + y).
Proof.
case: F_simulated x_FLT y_FLT => [-> _ _|[wide [_ deep]] x_in y_in]; first exact: fl_idempotent.
by apply: round_round_plus_FLT => //; move: deep; have := precision_above_one F; rewrite {2}/emin /=; lia.
Qed.

Lemma twice_difference : fl F (fl64 (x - y)) = fl F (x - y).
Proof.
case: F_simulated x_FLT y_FLT => [-> _ _|[wide [_ deep]] x_in y_in]; first exact: fl_idempotent.
by apply: round_round_minus_FLT => //; move: deep; have := precision_above_one F; rewrite {2}/emin /=; lia.
Qed.

Lemma twice_quotient : y <> 0 -> fl F (fl64 (x / y)) = fl F (x / y).
Proof.
move=> y_neq0; case: F_simulated x_FLT y_FLT => [-> _ _|[wide [_ deep]] x_in y_in]; first exact: fl_idempotent.
by apply: round_round_div_FLT => //; [exists 1%Z | move: wide => /=; lia].
Qed.

End Twice.

Lemma simulated_contained F x : simulated F -> is_float F x -> is_float binary64 x.
Proof.
case=> [-> //|[wide [_ deep]]]; have p_gt1 := precision_above_one F.
apply: float_inclusion; first by change (precision F <= 53)%Z; lia.
by change (- 1074 <= emin F)%Z; lia.
Qed.

Lemma simulated_rounded fused F x : simulated F -> rounded (reals fused) F x = fl F x.
Proof. by move=> F_simulated /=; apply: fl_exact; apply: (simulated_contained F) => //; exact: fl_float. Qed.

(** A product of numbers of two formats that binary64 holds exactly. *)
Definition exact_products (F G : format) : Prop :=
  (precision F + precision G <= 53)%Z /\ (- 1074 <= emin F + emin G)%Z.

Lemma exact_product F G x y : exact_products F G -> is_float F x -> is_float G y -> is_float binary64 (x * y).
Proof.
move=> [digits deep] /FLT_format_generic [fx -> x_lt x_ge] /FLT_format_generic [fy -> y_lt y_ge].
apply: generic_format_FLT; exists (Float radix2 (Fnum fx * Fnum fy) (Fexp fx + Fexp fy)).
- by rewrite /F2R /= mult_IZR bpow_plus; ring.
- change (Z.abs (Fnum fx * Fnum fy) < 2 ^ 53)%Z; rewrite Z.abs_mul.
  apply: Z.lt_le_trans (_ : 2 ^ precision F * 2 ^ precision G <= _)%Z.
    by apply: Z.mul_lt_mono_nonneg => //; lia.
  have pF := precision_above_one F; have pG := precision_above_one G.
  by rewrite -Z.pow_add_r; try lia; apply: Z.pow_le_mono_r; lia.
- by change (- 1074 <= Fexp fx + Fexp fy)%Z; lia.
Qed.

(** ** Rotated pairs, dot products, logits *)

Section Kernels.
Variable fused : bool.
Local Notation real := (reals fused).

(** rounding.trace-rotated-pair: the program's rotated pair is that of rounding.rotated-pair and all that follows from it. *)
Theorem rounding_trace_rotated_pair (F : format) (x y c s : R) : simulated F ->
  is_float F x -> is_float F y -> is_float F c -> is_float F s ->
  rotated_pair real F x y c s = [:: rotated_x F false x y c s; rotated_y F false x y c s].
Proof.
move=> F_simulated x_float y_float c_float s_float.
rewrite rotated_x_difference /rotated_y /two_products /rotated_pair !simulated_rounded //=.
by rewrite !(twice_product F) // twice_difference ?twice_sum //; exact: fl_float.
Qed.

Lemma dot_step_model (F : format) (sum x y : R) : simulated F -> is_float F sum -> is_float F x -> is_float F y ->
  dot_step real F sum x y = [:: fl F (sum + fl F (x * y))].
Proof.
move=> F_simulated sum_float x_float y_float.
by rewrite /dot_step !simulated_rounded //= (twice_product F) // twice_sum //; exact: fl_float.
Qed.

Lemma computed_dot_float F x y o : is_float F (computed_dot F x y o).
Proof. by rewrite /computed_dot; case: o => [i|l r] /=; exact: fl_float. Qed.

(** The program's loop: a step for each term, from 0 on. *)
Fixpoint dot_steps (F : format) (x y : nat -> R) (n : nat) : R :=
  match n with
  | O => 0
  | S n => head 0 (dot_step real F (dot_steps F x y n) (x n) (y n))
  end.

(** rounding.trace-dot: the program's loop over n + 1 terms is the dot product, one term after the other, of rounding.dot. *)
Theorem rounding_trace_dot (F : format) (x y : nat -> R) (n : nat) : simulated F ->
  (forall i, (i <= n)%N -> is_float F (x i) /\ is_float F (y i)) ->
  dot_steps F x y n.+1 = computed_dot F x y (sequential n).
Proof.
move=> F_simulated; elim: n => [|n IHn] floats.
  have [x_float y_float] := floats 0%N (leqnn 0).
  change (dot_steps F x y 1) with (head 0 (dot_step real F 0 (x 0%N) (y 0%N))).
  rewrite dot_step_model //; last exact: is_float_0.
  by rewrite /= Rplus_0_l fl_idempotent.
have [x_float y_float] := floats n.+1 (leqnn n.+1).
have steps := IHn (fun i le => floats i (leq_trans le (leqnSn n))).
change (dot_steps F x y n.+2) with (head 0 (dot_step real F (dot_steps F x y n.+1) (x n.+1) (y n.+1))).
by rewrite steps dot_step_model //; exact: computed_dot_float.
Qed.

(** The constants 0 and 1. *)
Lemma constant_0 : constant real 0 0 = 0.
Proof. by rewrite /= Rmult_0_l fl_0. Qed.

Lemma constant_1 : constant real 1 0 = 1.
Proof. by rewrite /= Rmult_1_r; apply: fl_exact; exact: is_float_1. Qed.

(** rounding.trace-dot-of-four: the loop traced as a whole is the same. *)
Theorem rounding_trace_dot_of_four (F : format) (x y : nat -> R) : simulated F ->
  (forall i, (i < 4)%N -> is_float F (x i) /\ is_float F (y i)) ->
  dot_of_four real F (x 0%N) (x 1%N) (x 2%N) (x 3%N) (y 0%N) (y 1%N) (y 2%N) (y 3%N) =
  [:: computed_dot F x y (sequential 3)].
Proof. by move=> F_simulated floats; rewrite -(rounding_trace_dot F x y 3) // /dot_of_four constant_0. Qed.

(** rounding.trace-scaled-score: where products of numbers of the formats of scale and score are exact in binary64, or the
    score is in binary64 itself, the program's logit is fl(σ' ŝ) of rounding.logit. *)
Theorem rounding_trace_scaled_score (S G : format) (scale score : R) : simulated S ->
  exact_products S G \/ S = binary64 -> is_float S scale -> is_float G score ->
  scaled_score real S scale score = [:: fl S (scale * score)].
Proof.
move=> S_simulated products scale_float score_float; rewrite /scaled_score simulated_rounded //=.
case: products => [exact|->]; last by rewrite fl_idempotent.
by rewrite (fl_exact binary64) //; exact: (exact_product S G).
Qed.

(** ** Softmax *)

Lemma shifted_score_model (S : format) (score largest : R) : simulated S -> is_float S score -> is_float S largest ->
  shifted_score real S score largest = [:: fl S (score - largest)].
Proof. by move=> S_simulated ? ?; rewrite /shifted_score simulated_rounded //= twice_difference. Qed.

(** rounding.trace-softmax: the program's softmax of four scores has the differences, the sum and the quotients of
    rounding.softmax, each quotient cast. *)
Theorem rounding_trace_softmax (S W : format) (e : nat -> R) (score largest : R) : simulated S -> simulated W ->
  (forall i, (i < 4)%N -> is_float S (e i)) -> is_float S score -> is_float S largest ->
  computed_sum S e (sequential 3) <> 0 ->
  shifted_score real S score largest = [:: fl S (score - largest)] /\
  softmax_of_four real S W (e 0%N) (e 1%N) (e 2%N) (e 3%N) =
  [seq fl W (fl S (e i / computed_sum S e (sequential 3))) | i <- iota 0 4].
Proof.
move=> S_simulated W_simulated floats score_float largest_float sum_neq0; split; first exact: shifted_score_model.
have e_float i : (i < 4)%N -> is_float S (e i) by exact: floats.
have summed : rounded real S (add real (rounded real S (add real (rounded real S (add real
    (rounded real S (add real (constant real 0 0) (e 0%N))) (e 1%N))) (e 2%N))) (e 3%N)) = computed_sum S e (sequential 3).
  rewrite constant_0 !simulated_rounded //=.
  have -> : fl S (fl64 (0 + e 0%N)) = e 0%N.
    have e0_float := e_float 0%N isT.
    by rewrite Rplus_0_l (fl_exact binary64) ?fl_exact //; exact: (simulated_contained S).
  have [e0 e1 e2 e3] : [/\ is_float S (e 0%N), is_float S (e 1%N), is_float S (e 2%N) & is_float S (e 3%N)].
    by split; exact: e_float.
  by rewrite !(twice_sum S) //; exact: fl_float.
rewrite /softmax_of_four summed !(simulated_rounded fused S) // !(simulated_rounded fused W) //=.
have sum_float : is_float S (computed_sum S e (sequential 3)) by exact: fl_float.
by rewrite !(twice_quotient S) //; exact: e_float.
Qed.

(** ** Tables *)

(** rounding.trace-table-angle: the program's angle of a position n and a frequency is fl(fl(n) ω') of rounding.angle. *)
Theorem rounding_trace_table_angle (P T : format) (n : Z) (w : R) : simulated P -> simulated T ->
  (forall a, is_float P a -> is_float T a) -> is_float T w ->
  table_angle real P T (IZR n) w = [:: fl T (fl P (IZR n) * w)].
Proof.
move=> P_simulated T_simulated contained w_float; rewrite /table_angle !simulated_rounded //=.
by rewrite (twice_product T) //; apply: contained; exact: fl_float.
Qed.

(** rounding.trace-stored: the program stores fl_S(w) of a sine or cosine w, or fl_S(fl_T(X w)) with an amplitude X, as in
    rounding.table-entry and rounding.table-amplitude. *)
Theorem rounding_trace_stored (T S : format) (gain wave : R) : simulated T -> simulated S ->
  is_float T gain -> is_float T wave ->
  stored_wave real T S wave = [:: fl S wave] /\
  stored_amplified real T S gain wave = [:: fl S (fl T (gain * wave))].
Proof.
move=> T_simulated S_simulated gain_float wave_float.
by rewrite /stored_wave /stored_amplified !simulated_rounded //= (twice_product T).
Qed.

(** ** The rule of llama3 *)

Lemma clamp_model (x : R) :
  lesser real (greater real x (constant real 0 0)) (constant real 1 0) = clamp x.
Proof. by rewrite constant_0 constant_1 /= /clamp Rmin_comm Rmax_comm. Qed.

Lemma clamp_float F (x : R) : is_float F x -> is_float F (clamp x).
Proof.
by move=> x_float; case: (clamp_cases x) => [[_ ->]|[[_ ->]|[_ ->]]] //; [exact: is_float_0 | exact: is_float_1].
Qed.

(** rounding.trace-llama3: the program's wavelength is that of rounding.frequency-weights, and its blend is the one of
    rounding.frequency-llama3, with the weights computed there. *)
Theorem rounding_trace_llama3 (W : format) (factor low high length w : R) : simulated W ->
  is_float W factor -> is_float W low -> is_float W (high - low) -> is_float W length -> is_float W w ->
  factor <> 0 -> high - low <> 0 -> w <> 0 -> wavelength W w <> 0 ->
  let g := computed_weight W length low high w in
  llama3 real W factor low (high - low) length (fl W (2 * PI)) w =
  [:: wavelength W w; two_products W false (fl W (1 - g)) (fl W (w / factor)) g w].
Proof.
move=> W_simulated factor_float low_float range_float length_float w_float factor_neq0 range_neq0 w_neq0 wave_neq0 g.
have turn_float : is_float W (fl W (2 * PI)) by exact: fl_float.
have wave_eq : rounded real W (divide real (fl W (2 * PI)) w) = wavelength W w.
  by rewrite simulated_rounded //= (twice_quotient W).
have wave_float : is_float W (wavelength W w) by exact: fl_float.
rewrite /llama3 wave_eq !clamp_model.
have weight_eq : clamp (rounded real W (divide real (rounded real W (subtract real
    (rounded real W (divide real length (wavelength W w))) low)) (high - low))) = g.
  rewrite !simulated_rounded //= (twice_quotient W W_simulated length) // (twice_difference W) //; last exact: fl_float.
  by rewrite (twice_quotient W) //; exact: fl_float.
rewrite weight_eq constant_1 !simulated_rounded //=; rewrite /two_products.
have g_float : is_float W g by apply: clamp_float; exact: fl_float.
have one_float := is_float_1 W.
rewrite (twice_difference W) // (twice_quotient W) // (twice_product W W_simulated g w) //.
by rewrite (twice_product W) // ?(twice_sum W) //; exact: fl_float.
Qed.

End Kernels.

(** ** IEEE numbers *)

(** rounding.trace-machine-pair: in IEEE arithmetic, where every step of the program's rotated pair is finite, its values are
    the model's, with no hypothesis on ranges. *)
Theorem rounding_trace_machine_pair (fused : bool) (F : format) (x y c s : ieee binary64) : simulated F ->
  is_float F (value x) -> is_float F (value y) -> is_float F (value c) -> is_float F (value s) ->
  let made := rotated_pair (machine fused) F (start x) (start y) (start c) (start s) in
  finite made ->
  [seq value z.1 | z <- made] =
  [:: rotated_x F false (value x) (value y) (value c) (value s); rotated_y F false (value x) (value y) (value c) (value s)].
Proof.
move=> F_simulated x_float y_float c_float s_float made all_finite.
rewrite -(rounding_trace_rotated_pair fused F) //.
exact: (rounding_trace_sound (rotated_pair (both fused) F (input x) (input y) (input c) (input s))).
Qed.
