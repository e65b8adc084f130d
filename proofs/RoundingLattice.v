(** * The largest error of an angle over a stretch of integer positions

  What is claimed.  Where the products t w', t = first ... last, of a computed frequency
  w' = P 2^e lie in one binade, the rounded product is 2^g times floor((P t + h)/2^k): so its
  distance from t w is at most the maximum of a linear function a x + b floor((c x + d)/m) over
  the integers 0 <= x < n.  That maximum is found by Euclid's algorithm, in as many steps as
  m/c has partial quotients, instead of n.

  Argument.  If a and b have one sign, or the floor is constant, the maximum is at an end.
  Otherwise only the first (a < 0) or the last (a >= 0) x of each value y of the floor matters;
  as a function of y it is again such an expression, with c and m exchanged.

  weighted_floor a b c d m x == a x + b floor((c x + d)/m)
  last_floor n m c d         == floor((c (n-1) + d)/m)
  at_ends n m a b c d        == the greater of 0 and a (n-1) + b last_floor n m c d
  euclid fuel n m a b c d    == the maximum over 0 <= x < n, by Euclid's algorithm
  is_maximum f n v           == v is the largest of f 0, ... f (n-1)

  Main results: [rounding_lattice_maximum], the algorithm returns the maximum;
  [rounding_lattice_angle], the bound on the error of the angle that it gives. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Reals Lra Lia.
From mathcomp Require Import ssreflect ssrbool ssrfun.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat.

Local Open Scope Z_scope.

Definition weighted_floor (a b c d m x : Z) : Z := a * x + b * ((c * x + d) / m).

Definition is_maximum (f : Z -> Z) (n v : Z) : Prop :=
  (forall x, 0 <= x < n -> f x <= v) /\ (exists x, 0 <= x < n /\ f x = v).

Definition last_floor (n m c d : Z) : Z := (c * (n - 1) + d) / m.

Definition at_ends (n m a b c d : Z) : Z := Z.max 0 (a * (n - 1) + b * last_floor n m c d).

Fixpoint euclid (fuel : nat) (n m a b c d : Z) : Z :=
  if fuel is S fuel' then
    let: (a', c', d') := (a + b * (c / m), c mod m, d mod m) in
    b * (d / m) +
      (if (last_floor n m c' d' =? 0) || Bool.eqb (0 <=? a') (0 <=? b) then at_ends n m a' b c' d'
       else Z.max (at_ends n m a' b c' d')
              ((if a' <? 0 then a' + b else 0) + euclid fuel' (last_floor n m c' d') c' b a' m (m - d' - 1)))
  else 0.

(** ** One step *)

(** Whole multiples of m in c and d only add to a and to the value. *)
Lemma weighted_floor_mod a b c d m x : 0 < m ->
  weighted_floor a b c d m x = b * (d / m) + weighted_floor (a + b * (c / m)) b (c mod m) (d mod m) m x.
Proof.
move=> m_gt0; rewrite /weighted_floor.
have c_eq : c = m * (c / m) + c mod m by apply: Z.div_mod; lia.
have d_eq : d = m * (d / m) + d mod m by apply: Z.div_mod; lia.
have -> : c * x + d = (c mod m * x + d mod m) + (c / m * x + d / m) * m.
  by rewrite {1}c_eq {1}d_eq; ring.
by rewrite Z.div_add; [ring | lia].
Qed.

Lemma maximum_mod n m a b c d v : 0 < m ->
  is_maximum (weighted_floor (a + b * (c / m)) b (c mod m) (d mod m) m) n (v - b * (d / m)) ->
  is_maximum (weighted_floor a b c d m) n v.
Proof.
move=> m_gt0 [upper [x0 [x0_range attained]]]; split=> [x x_range | ].
  by rewrite weighted_floor_mod //; have := upper x x_range; lia.
by exists x0; split=> //; rewrite weighted_floor_mod // attained; lia.
Qed.

(** Each step halves the product of m and c. *)
Lemma halved (m c : Z) (fuel : nat) : 0 < c < m -> m * c < 2 ^ Z.of_nat (S fuel) ->
  c * (m mod c) < 2 ^ Z.of_nat fuel.
Proof.
move=> c_range; rewrite Nat2Z.inj_succ Z.pow_succ_r; last lia.
have m_eq : m = c * (m / c) + m mod c by apply: Z.div_mod; lia.
have quotient : 1 <= m / c by apply: Z.div_le_lower_bound; lia.
have r_range : 0 <= m mod c < c by apply: Z.mod_pos_bound; lia.
have small : 2 * (m mod c) <= m by nia.
by nia.
Qed.

Section Step.

Variables (n m a b c d : Z).
Hypotheses (n_gt0 : 1 <= n) (c_range : 0 <= c < m) (d_range : 0 <= d < m).

Let f := weighted_floor a b c d m.
Let floor x := (c * x + d) / m.
Let highest := floor (n - 1).
Let ends := Z.max 0 (a * (n - 1) + b * highest).

Lemma floor_0 : floor 0 = 0.
Proof. by rewrite /floor Z.mul_0_r; apply: Z.div_small. Qed.

Lemma floor_le x y : x <= y -> floor x <= floor y.
Proof. by move=> le_xy; apply: Z.div_le_mono; nia. Qed.

Lemma floor_range x : 0 <= x < n -> 0 <= floor x <= highest.
Proof. by move=> x_range; rewrite -floor_0; split; apply: floor_le; lia. Qed.

Lemma ends_taken : ends = f 0 \/ ends = f (n - 1).
Proof.
by rewrite /ends /f /weighted_floor -/(floor 0) -/(floor (n - 1)) floor_0 -/highest; lia.
Qed.

(** The maximum at an end: one sign, or one value of the floor. *)
Lemma ends_maximum : highest = 0 \/ (0 <= a /\ 0 <= b) \/ (a < 0 /\ b < 0) -> is_maximum f n ends.
Proof.
move=> simple; split; last by case: ends_taken => ->; [exists 0 | exists (n - 1)]; split=> //; lia.
move=> x x_range; have [floor_ge0 floor_le_h] := floor_range x x_range.
rewrite /ends /f /weighted_floor -/(floor x).
case: simple => [top | [[a_ge0 b_ge0] | [a_lt0 b_lt0]]].
- have -> : floor x = 0 by lia.
  rewrite top !Z.mul_0_r !Z.add_0_r; have [a_ge0 | a_lt0] : 0 <= a \/ a < 0 by lia.
    have far : a * x <= a * (n - 1) by apply: Z.mul_le_mono_nonneg_l; lia.
    lia.
  have near : a * x <= 0 by apply: Z.mul_nonpos_nonneg; lia.
  lia.
- have far : a * x <= a * (n - 1) by apply: Z.mul_le_mono_nonneg_l; lia.
  have high : b * floor x <= b * highest by apply: Z.mul_le_mono_nonneg_l; lia.
  lia.
- have near : a * x <= 0 by apply: Z.mul_nonpos_nonneg; lia.
  have low : b * floor x <= 0 by apply: Z.mul_nonpos_nonneg; lia.
  lia.
Qed.

(** The numbers x of a value y of the floor: those from [start y] to [start (y + 1) - 1]. *)
Definition last_below (y : Z) : Z := (m * y + (m - d - 1)) / c.

Hypothesis highest_gt0 : 0 < highest.

Lemma c_gt0 : 0 < c.
Proof.
have [//|c_eq0] : 0 < c \/ c = 0 by lia.
move: highest_gt0; rewrite /highest /floor c_eq0 Z.mul_0_l Z.add_0_l Z.div_small; lia.
Qed.

(** x is at most [last_below y] exactly when its floor is at most y. *)
Lemma last_belowP x y : x <= last_below y <-> floor x <= y.
Proof.
have c_pos := c_gt0; rewrite /last_below /floor; split=> [le_x | le_y].
  have : c * x <= m * y + (m - d - 1).
    by have := Z.mul_div_le (m * y + (m - d - 1)) c c_pos; nia.
  by move=> below; apply: Zlt_succ_le; apply: Z.div_lt_upper_bound; lia.
apply: Z.div_le_lower_bound => //.
have : c * x + d < m * (y + 1).
  by have := Z.mul_succ_div_gt (c * x + d) m; nia.
lia.
Qed.

Lemma last_below_range y : 0 <= y < highest -> 0 <= last_below y /\ last_below y + 1 < n.
Proof.
move=> y_range; split; first by apply/last_belowP; rewrite floor_0; lia.
have [//|beyond] : last_below y + 1 < n \/ n - 1 <= last_below y by lia.
by move/last_belowP: beyond; rewrite -/highest; lia.
Qed.

Let inverse := weighted_floor b a m (m - d - 1) c.

Lemma inverseE y : inverse y = b * y + a * last_below y.
Proof. by []. Qed.

(** a >= 0 > b: the last x of each value below the highest. *)
Lemma last_maximum v : 0 <= a -> b < 0 -> is_maximum inverse highest v -> is_maximum f n (Z.max ends v).
Proof.
move=> a_ge0 b_lt0 [upper [y0 [y0_range attained]]]; split.
  move=> x x_range; have [floor_ge0 floor_le_h] := floor_range x x_range.
  have value : f x = a * x + b * floor x by [].
  have [top | below] : floor x = highest \/ floor x < highest by lia.
    by rewrite value top /ends; nia.
  have /last_belowP x_le : floor x <= floor x by lia.
  by have := upper (floor x) (conj floor_ge0 below); rewrite inverseE value; nia.
have [ge_ends | lt_ends] : ends <= v \/ v < ends by lia.
  have [x0_ge0 x0_lt] := last_below_range y0 y0_range.
  exists (last_below y0); split; first lia.
  have le_y0 : floor (last_below y0) <= y0 by apply/last_belowP; lia.
  have ge_y0 : y0 <= floor (last_below y0).
    have [//|lt_y0] : y0 <= floor (last_below y0) \/ floor (last_below y0) <= y0 - 1 by lia.
    (* then the floor would skip y0: it grows by at most 1 a step, as c < m *)
    have next : floor (last_below y0 + 1) <= y0.
      have step : floor (last_below y0 + 1) <= floor (last_below y0) + 1.
        rewrite /floor -(Z.div_add _ 1 m) ?Z.mul_1_l; last lia.
        by apply: Z.div_le_mono; lia.
      lia.
    by move/last_belowP: next; lia.
  have value : f (last_below y0) = a * last_below y0 + b * floor (last_below y0) by [].
  by rewrite inverseE in attained; rewrite value (Z.le_antisymm _ _ le_y0 ge_y0); lia.
by case: ends_taken => eq_ends; [exists 0 | exists (n - 1)]; (split; first lia); rewrite -eq_ends; lia.
Qed.

(** a < 0 <= b: the first x of each value above 0. *)
Lemma first_maximum v : a < 0 -> 0 <= b -> is_maximum inverse highest v ->
  is_maximum f n (Z.max ends (a + b + v)).
Proof.
move=> a_lt0 b_ge0 [upper [y0 [y0_range attained]]]; split.
  move=> x x_range; have [floor_ge0 floor_le_h] := floor_range x x_range.
  have value : f x = a * x + b * floor x by [].
  have [bottom | above] : floor x = 0 \/ 0 < floor x by lia.
    by rewrite value bottom /ends; nia.
  have x_gt : last_below (floor x - 1) < x.
    have [//|x_le] : last_below (floor x - 1) < x \/ x <= last_below (floor x - 1) by lia.
    by move/last_belowP: x_le; lia.
  have y_range : 0 <= floor x - 1 < highest by lia.
  by have := upper _ y_range; rewrite inverseE value; nia.
have [ge_ends | lt_ends] : ends <= a + b + v \/ a + b + v < ends by lia.
  have [x0_ge0 x0_lt] := last_below_range y0 y0_range.
  exists (last_below y0 + 1); split; first lia.
  have gt_y0 : y0 < floor (last_below y0 + 1).
    have [//|le_y0] : y0 < floor (last_below y0 + 1) \/ floor (last_below y0 + 1) <= y0 by lia.
    by move/last_belowP: le_y0; lia.
  have le_y0 : floor (last_below y0) <= y0 by apply/last_belowP; lia.
  have step : floor (last_below y0 + 1) <= floor (last_below y0) + 1.
    rewrite /floor -(Z.div_add _ 1 m) ?Z.mul_1_l; last lia.
    by apply: Z.div_le_mono; lia.
  have value : f (last_below y0 + 1) = a * (last_below y0 + 1) + b * floor (last_below y0 + 1) by [].
  have floor_eq : floor (last_below y0 + 1) = y0 + 1 by lia.
  by rewrite inverseE in attained; rewrite value floor_eq; lia.
by case: ends_taken => eq_ends; [exists 0 | exists (n - 1)]; (split; first lia); rewrite -eq_ends; lia.
Qed.

End Step.

(** One step is right where the next, if it is taken, is. *)
Lemma euclid_step (fuel : nat) (n m a b c d : Z) : 1 <= n -> 0 < m ->
  (let a' := a + b * (c / m) in let c' := c mod m in let d' := d mod m in
   let highest := (c' * (n - 1) + d') / m in
   0 < highest -> is_maximum (weighted_floor b a' m (m - d' - 1) c') highest
                    (euclid fuel highest c' b a' m (m - d' - 1))) ->
  is_maximum (weighted_floor a b c d m) n (euclid (S fuel) n m a b c d).
Proof.
move=> n_ge1 m_gt0 next; apply: maximum_mod => //; cbn [euclid]; rewrite Z.add_simpl_l /at_ends /last_floor.
move: next; set a' := a + _; set c' := c mod m; set d' := d mod m; cbv zeta.
set highest := (_ + d') / m; set ends := Z.max 0 _ => next.
have c_range : 0 <= c' < m by apply: Z.mod_pos_bound.
have d_range : 0 <= d' < m by apply: Z.mod_pos_bound.
have highest_ge0 : 0 <= highest by apply: Z.div_pos; nia.
case: Z.eqb_spec => [highest_0 | highest_ne0]; first by apply: ends_maximum => //; left.
have highest_gt0 : 0 < highest by lia.
case: Z.leb_spec => a_sign; case: Z.leb_spec => b_sign.
- by apply: ends_maximum => //; right; left.
- have -> : (a' <? 0) = false by apply/Z.ltb_ge.
  by apply: last_maximum => //; apply: next.
- have -> : (a' <? 0) = true by apply/Z.ltb_lt.
  by apply: first_maximum => //; apply: next.
- by apply: ends_maximum => //; right; right.
Qed.

(** rounding.lattice-maximum: Euclid's algorithm returns the maximum of a x + b floor((c x + d)/m) over the
    integers 0 <= x < n, for n, m >= 1 and c, d >= 0, in at most 1 + log2(m (c mod m)) steps, rounded up. *)
Theorem rounding_lattice_maximum (fuel : nat) (n m a b c d : Z) :
  1 <= n -> 1 <= m -> 0 <= c -> 0 <= d -> m * (c mod m) < 2 ^ Z.of_nat fuel ->
  is_maximum (weighted_floor a b c d m) n (euclid (S fuel) n m a b c d).
Proof.
elim: fuel n m a b c d => [|fuel IHfuel] n m a b c d n_ge1 m_ge1 c_ge0 d_ge0 enough;
  apply: euclid_step => [|| a' c' d' highest highest_gt0]; try lia.
all: have c_range : 0 <= c' < m by [apply: Z.mod_pos_bound; lia].
all: have d_range : 0 <= d' < m by [apply: Z.mod_pos_bound; lia].
all: have c'_gt0 : 0 < c' by [apply: c_gt0 highest_gt0].
  by rewrite [2 ^ _]/= -/c' in enough; nia.
have r_range : 0 <= m mod c' < c' by apply: Z.mod_pos_bound.
by apply: IHfuel; try lia; apply: halved enough; lia.
Qed.

(** ** The angle *)

(** A number of the format is a multiple of 2^g for every exponent g up to its own. *)
Lemma float_multiple (A : format) (x : R) (g : Z) : is_float A x -> g <= cexp radix2 (exponents A) x ->
  exists z : Z, x = (IZR z * bpow radix2 g)%R.
Proof.
move=> x_float; set c := cexp radix2 (exponents A) x => g_le.
exists (Ztrunc (scaled_mantissa radix2 (exponents A) x) * 2 ^ (c - g))%Z.
rewrite mult_IZR (IZR_Zpower radix2); last lia.
by rewrite Rmult_assoc -bpow_plus (_ : c - g + g = c); [exact: x_float | ring].
Qed.

Section Angle.

Variables (A : format) (P e E first n : Z).

(** The computed frequency, and the exponent of the multiples to which its products are rounded. *)
Let computed : R := (IZR P * bpow radix2 e)%R.
Let g : Z := Z.max (E - precision A) (emin A).
Let k : Z := g - e.

Hypotheses (P_ge0 : 0 <= P) (k_ge1 : 1 <= k) (first_ge0 : 0 <= first) (n_ge1 : 1 <= n).
Hypothesis one_binade : forall t, first <= t < first + n ->
  (bpow radix2 (E - 1) < IZR t * computed <= bpow radix2 E)%R.

(** The rounded product is the multiple of 2^g that is nearest; ties may go either way. *)
Lemma product_multiple t : first <= t < first + n -> exists z : Z,
  fl A (IZR t * computed) = (IZR z * bpow radix2 g)%R /\
  (P * t + (2 ^ (k - 1) - 1)) / 2 ^ k <= z <= (P * t + 2 ^ (k - 1)) / 2 ^ k.
Proof.
move=> /one_binade [product_gt product_le]; set x := (IZR t * computed)%R.
have x_gt0 : (0 < x)%R by have := bpow_gt_0 radix2 (E - 1); rewrite /x; lra.
have error := rounding_half_spacing A x.
have x_abs : Rabs x = x by apply: Rabs_pos_eq; lra.
have spacing_x : (spacing A x <= bpow radix2 g)%R by apply: spacing_le_bpow; rewrite x_abs.
have [z z_eq] : exists z : Z, fl A x = (IZR z * bpow radix2 g)%R.
  apply: (float_multiple A _ g (fl_float A x)); rewrite /g /cexp /FLT_exp.
  have [small | normal] := Z_le_gt_dec (E - precision A) (emin A); first by lia.
  suff : E <= mag radix2 (fl A x) by lia.
  have power_float : is_float A (bpow radix2 (E - 1)).
    by apply: bpow_float; have := precision_above_one A; lia.
  have fl_ge : (bpow radix2 (E - 1) <= fl A x)%R.
    by rewrite -(fl_exact A _ power_float); apply/fl_le/Rlt_le.
  by apply: mag_ge_bpow; rewrite Rabs_pos_eq //; apply: Rle_trans fl_ge; apply: bpow_ge_0.
exists z; split=> //.
have product_eq : x = (IZR (P * t) * bpow radix2 e)%R by rewrite /x /computed mult_IZR; ring.
have g_eq : bpow radix2 g = (IZR (2 ^ k) * bpow radix2 e)%R.
  by rewrite (IZR_Zpower radix2) -?bpow_plus; [congr bpow; rewrite /k; ring | lia].
have half : (2 ^ k = 2 * 2 ^ (k - 1))%Z by rewrite -Z.pow_succ_r; [congr Z.pow; lia | lia].
have near : (Rabs (IZR (z * 2 ^ k - P * t)) <= IZR (2 ^ (k - 1)))%R.
  apply: (Rmult_le_reg_r (bpow radix2 e)); first exact: bpow_gt_0.
  rewrite -{1}(Rabs_pos_eq (bpow radix2 e)); last exact: bpow_ge_0.
  rewrite -Rabs_mult minus_IZR mult_IZR.
  have -> : ((IZR z * IZR (2 ^ k) - IZR (P * t)) * bpow radix2 e = fl A x - x)%R.
    by rewrite z_eq product_eq g_eq; ring.
  have : (/ 2 * bpow radix2 g = IZR (2 ^ (k - 1)) * bpow radix2 e)%R.
    by rewrite g_eq half mult_IZR; field.
  lra.
have {}near : Z.abs (z * 2 ^ k - P * t) <= 2 ^ (k - 1) by apply: le_IZR; rewrite abs_IZR.
have power_gt0 : 0 < 2 ^ k by apply: Z.pow_pos_nonneg; lia.
split; last by apply: Z.div_le_lower_bound; lia.
by apply: Zlt_succ_le; apply: Z.div_lt_upper_bound; lia.
Qed.

(** rounding.lattice-angle: where the products t w', first <= t < first + n, of the computed frequency w' =
    P 2^e lie in one binade (2^(E-1), 2^E], rounded to multiples of 2^g, and low <= w 2^s <= high, the error
    fl(t w') - t w is at most (U - low first)/2^s and at least -(D + high first)/2^s, where U and D are the
    maxima over 0 <= x < n of -low x + q floor((P x + P first + 2^(k-1))/2^k) and high x - q floor((P x + P
    first + 2^(k-1) - 1)/2^k), q = 2^(g+s), k = g - e, as Euclid's algorithm returns them. *)
Theorem rounding_lattice_angle (fuel : nat) (w : R) (s low high t : Z) :
  2 ^ k * (P mod 2 ^ k) < 2 ^ Z.of_nat fuel -> 0 <= g + s ->
  (IZR low <= w * bpow radix2 s <= IZR high)%R -> first <= t < first + n ->
  let q := 2 ^ (g + s) in
  let up := euclid (S fuel) n (2 ^ k) (- low) q P (P * first + 2 ^ (k - 1)) in
  let down := euclid (S fuel) n (2 ^ k) high (- q) P (P * first + (2 ^ (k - 1) - 1)) in
  (- IZR (down + high * first) * bpow radix2 (- s) <= fl A (IZR t * computed) - IZR t * w
   <= IZR (up - low * first) * bpow radix2 (- s))%R.
Proof.
move=> enough scale_ge0 [low_le high_ge] t_range q up down.
have power_gt0 : 0 < 2 ^ k by apply: Z.pow_pos_nonneg; lia.
have half_gt0 : 0 < 2 ^ (k - 1) by apply: Z.pow_pos_nonneg; lia.
have x_range : 0 <= t - first < n by lia.
have maximum a b d : 0 <= d -> weighted_floor a b P d (2 ^ k) (t - first) <= euclid (S fuel) n (2 ^ k) a b P d.
  move=> d_ge0; have m_ge1 : 1 <= 2 ^ k by lia.
  have [upper _] := rounding_lattice_maximum fuel n (2 ^ k) a b P d n_ge1 m_ge1 P_ge0 d_ge0 enough.
  exact: upper.
have up_ge := maximum (- low) q (P * first + 2 ^ (k - 1)) ltac:(nia).
have down_ge := maximum high (- q) (P * first + (2 ^ (k - 1) - 1)) ltac:(nia).
rewrite -/up -/down /weighted_floor in up_ge down_ge.
have [z [fl_eq [z_ge z_le]]] := product_multiple t t_range.
have shift d : P * (t - first) + (P * first + d) = P * t + d by ring.
rewrite !shift in up_ge down_ge.
have q_gt0 : 0 < q by apply: Z.pow_pos_nonneg; lia.
have t_ge0 : (0 <= IZR t)%R by apply: IZR_le; lia.
have scaled : ((fl A (IZR t * computed) - IZR t * w) * bpow radix2 s =
    IZR (q * z) - IZR t * (w * bpow radix2 s))%R.
  rewrite fl_eq mult_IZR /q (IZR_Zpower radix2) // bpow_plus; ring.
have above : (IZR (q * z) - IZR t * (w * bpow radix2 s) <= IZR (up - low * first))%R.
  have : (IZR (q * z - low * t) <= IZR (up - low * first))%R by apply: IZR_le; nia.
  have := Rmult_le_compat_l _ _ _ t_ge0 low_le; rewrite minus_IZR !mult_IZR; lra.
have below : (- IZR (down + high * first) <= IZR (q * z) - IZR t * (w * bpow radix2 s))%R.
  have : (IZR (- (down + high * first)) <= IZR (q * z - high * t))%R by apply: IZR_le; nia.
  have := Rmult_le_compat_l _ _ _ t_ge0 high_ge; rewrite opp_IZR minus_IZR !mult_IZR; lra.
have scale_gt0 := bpow_gt_0 radix2 s; have inverse_gt0 := bpow_gt_0 radix2 (- s).
have inverse : (bpow radix2 s * bpow radix2 (- s) = 1)%R by rewrite -bpow_plus Z.add_opp_diag_r.
have -> : (fl A (IZR t * computed) - IZR t * w =
    (IZR (q * z) - IZR t * (w * bpow radix2 s)) * bpow radix2 (- s))%R.
  by rewrite -scaled Rmult_assoc inverse Rmult_1_r.
by split; apply: Rmult_le_compat_r => //; lra.
Qed.

End Angle.
