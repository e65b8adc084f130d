(** * A logit in IEEE 754 arithmetic: if it is finite, the bound holds

  What is claimed.  A query and a key are rotated in one format, cast to another, multiplied and
  summed there in any order, scaled and rounded in a third, every step an operation of IEEE 754. An
  overflow anywhere leaves an infinity or a NaN, so that a finite logit is within the bound of
  rounding.logit, with no hypothesis on ranges.

  Dictionary (see RoundingComposite.v for the operations, RoundingAttention.v for the bound):
  - [ieee_partly F fused r c s q] == q, the first r pairs of it turned by the table (c, s);
  - [ieee_score] == the dot product in G of two such vectors of F, in the order o;
  - [ieee_logit] == the score cast to S, by the scale.

  Assumes: nothing beyond Flocq's definitions; that formats hold those before them (bf16, f16 in f32). *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core BinarySingleNaN.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingIEEE RoundingSum RoundingDot.
From Posproof Require Import RoundingProducts RoundingPlane RoundingRope RoundingScore RoundingUnitScore.
From Posproof Require Import RoundingComposite RoundingAttention.

Open Scope R_scope.

Definition ieee_partly (F : format) (fused : bool) (r : nat) (c s q : nat -> ieee F) (i : nat) : ieee F :=
  let j := i./2 in
  if (j < r)%N then
    if odd i then ieee_rotated_y F fused (q j.*2) (q j.*2.+1) (c j) (s j)
    else ieee_rotated_x F fused (q j.*2) (q j.*2.+1) (c j) (s j)
  else q i.

Definition ieee_score (F G : format) (x y : nat -> ieee F) (o : order) : ieee G :=
  ieee_dot G (fun i => cast F G (x i)) (fun i => cast F G (y i)) o.

Definition ieee_logit (F G S : format) (x y : nat -> ieee F) (o : order) (scale : ieee S) : ieee S :=
  Bmult mode_NE scale (cast G S (ieee_score F G x y o)).

Section Vector.
Variables (F : format) (fused : bool) (r : nat) (c s q : nat -> ieee F).

(** The vector that the theorems on real numbers speak of. *)
Definition turned (i : nat) : R :=
  partly r (computed_rotated F fused (values c) (values s) (values q)) (values q) i.

Lemma partly_finite i : is_finite (ieee_partly F fused r c s q i) ->
  value (ieee_partly F fused r c s q i) = turned i.
Proof.
rewrite /ieee_partly /turned /partly /computed_rotated /pairs /values; case: ifP => // _; case: ifP => _.
  by move=> /two_products_finite.
by move=> /two_products_finite; rewrite /ieee_rotated_x => ->; rewrite /rotated_x; congr two_products; exact: B2R_Bopp.
Qed.

Lemma turned_float i : is_float F (turned i).
Proof.
rewrite /turned /partly /computed_rotated /pairs; case: ifP => _; last exact: value_is_float.
by case: ifP => _; rewrite /rotated_x /rotated_y /two_products; case: (fused); exact: fl_float.
Qed.

End Vector.

Lemma computed_sum_ext G (p q : nat -> R) o : (forall i, i \in terms o -> p i = q i) ->
  computed_sum G p o = computed_sum G q o.
Proof.
elim: o => [i|l IHl r IHr] /= same; first by apply: same; rewrite inE.
by rewrite IHl ?IHr // => i i_in; apply: same; rewrite mem_cat i_in ?orbT.
Qed.

(** A finite score is the one that [accumulated] speaks of. *)
Lemma score_finite (F G : format) (x y : nat -> ieee F) (x' y' : nat -> R) (o : order) :
  (forall a, is_float F a -> is_float G a) ->
  (forall i, is_finite (x i) -> value (x i) = x' i) -> (forall i, is_finite (y i) -> value (y i) = y' i) ->
  is_finite (ieee_score F G x y o) -> value (ieee_score F G x y o) = computed_dot G x' y' o.
Proof.
move=> contains x_eq y_eq finite; have [inputs ->] := dot_finite G _ _ o finite.
have cast_exact (z : ieee F) : is_finite (cast F G z) -> is_finite z /\ value (cast F G z) = value z.
  by move/cast_finite => [z_finite ->]; split=> //; apply: fl_exact; apply: contains; exact: value_is_float.
apply: computed_sum_ext => i /inputs[/cast_exact[x_finite x_value] /cast_exact[y_finite y_value]].
by rewrite /product /values x_value y_value (x_eq _ x_finite) (y_eq _ y_finite).
Qed.

(** rounding.ieee-logit: a query and a key of lengths at most Q and K, the first r of h pairs rotated in F by tables
    within τ, cast to G, multiplied and summed there in any order, cast to S and scaled by σ' within μσ of σ: if the
    logit is finite, it is within the bound of rounding.logit of σ times the exact score, for rounded products, and for exact
    ones where G has twice the precision of F. *)
Theorem rounding_ieee_logit (F G S : format) (fused : bool) (how : products) (h r : nat) (w : nat -> R) (m n : R)
    (q k c s c' s' : nat -> ieee F) (o : order) (scale : ieee S) (tau Q K sigma mu : R) :
  perm_eq (terms o) (iota 0 h.*2) ->
  (forall a, is_float F a -> is_float G a) -> (forall a, is_float G a -> is_float S a) ->
  how = Rounded \/ how = Exact /\ (2 * precision F <= precision G)%Z ->
  (0 < h)%N -> (r <= h)%N -> 0 <= tau ->
  (forall j, (j < r)%N -> plane_norm (value (c j) - cos (m * w j)) (value (s j) - sin (m * w j)) <= tau) ->
  (forall j, (j < r)%N -> plane_norm (value (c' j) - cos (n * w j)) (value (s' j) - sin (n * w j)) <= tau) ->
  0 < Q -> 0 < K ->
  \rsum_(j < h) (pair_norm (values q) j * pair_norm (values q) j) <= Q * Q ->
  \rsum_(j < h) (pair_norm (values k) j * pair_norm (values k) j) <= K * K ->
  0 < sigma -> Rabs (value scale - sigma) <= mu * sigma ->
  let logit := ieee_logit F G S (ieee_partly F fused r c s q) (ieee_partly F fused r c' s' k) o scale in
  let exact := \rsum_(i < h.*2) (partly r (rotated w m (values q)) (values q) i * partly r (rotated w n (values k)) (values k) i) in
  is_finite logit ->
  Rabs (value logit - sigma * exact) <= logit_bound S sigma mu (Q * K) (score_lengths F fused G how h r tau Q K).
Proof.
move=> each_once F_in_G G_in_S way h_gt0 r_le tau_ge0 near_m near_n Q_gt0 K_gt0 q_le k_le sigma_gt0 scale_near.
move=> logit exact /mult_finite[_ /cast_finite[score_is_finite cast_value] logit_value].
have score := score_finite F G _ _ _ _ o F_in_G (partly_finite F fused r c s q) (partly_finite F fused r c' s' k)
  score_is_finite.
have cast_exact : value (cast G S (ieee_score F G (ieee_partly F fused r c s q) (ieee_partly F fused r c' s' k) o)) =
    computed_dot G (turned F fused r c s q) (turned F fused r c' s' k) o.
  by rewrite cast_value score; apply: fl_exact; rewrite -score; apply: G_in_S; exact: value_is_float.
rewrite /logit /ieee_logit logit_value cast_exact /exact.
apply: (rounding_logit F G fused how h r w m n (values q) (values k) (values c) (values s) (values c') (values s')) => //.
case: way => [-> | [-> wide]]; first by exists o.
split; last by exists o.
by move=> i; apply: (product_underflow F) => //; exact: turned_float.
Qed.
