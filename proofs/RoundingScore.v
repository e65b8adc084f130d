(** * The error of a score: a dot product of computed pairs

  What is claimed.  A dot product of two vectors of h pairs, each pair known to
  an error in length, is bounded; hence the RoPE score of rotated queries and
  keys, the difference of two scores at the same distance, the dot product of
  two positions' encodings, and the residual of the shift matrix T(k).

  Dictionary (F: format of the rotation, G: of the dot product, o: any order):
  - [pairs f g] == the vector whose pair j is (f j, g j), at indices 2j and 2j+1;
  - [pair_norm x j] == the length of pair j of x;
  - [turned_x x y θ], [turned_y x y θ] == the pair (x, y) turned by θ;
  - [rotated w t q] == q with pair j turned by t ω_j; [computed_rotated F fused c s q]
    == q with pair j rotated by the tabulated (c_j, s_j), computed in F;
  - [rope_score h w m n q k] == rotated(q, m) · rotated(k, n);
  - [product_mass h a b q k] == M = Σ_j (‖q_j‖ + a_j)(‖k_j‖ + b_j);
  - [score_bound G h a b q k] == M - Σ_j ‖q_j‖‖k_j‖ + dot_bound(G, 2h, M), where
    dot_bound(G, n, M) = n u M + n (1 + (n-1) u) η/2 (RoundingDot.v).

  Formulas:
    |q'·k' computed - q·k| <= score_bound(a, b)
        where ‖q'_j - q_j‖ <= a_j, ‖k'_j - k_j‖ <= b_j            [rounding_score]
    |computed score - rope_score| <= score_bound(a, b)
        with a_j = pair_bound(τ_j, ‖q_j‖), b_j likewise           [rounding_rope_score]
    two scores at one distance differ by at most B + B'        [rounding_relative_position]
    |PE(t)·PE(s) computed - Σ_j cos((t - s) ω_j)|
        <= Σ_j (1 + τ_j)(1 + τ'_j) - h + dot_bound(2h, ...)            [rounding_toeplitz]
    ‖T(k) PE(t) computed - PE(t+k) computed‖, in pair j,
        <= pair_bound(τ_k, 1 + τ_t) + τ_t + τ_(t+k)             [rounding_shift_residual]
  where τ bounds ‖(c', s') - (cos, sin)‖ of a pair of table entries:
  τ = min(2, α) + √2 (κ u_A + e) by rounding_table_pair.

  Assumes: no overflow. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingPlane.
From Posproof Require Import RoundingSum RoundingDot RoundingRope.

Open Scope R_scope.

Definition pairs (f g : nat -> R) (i : nat) : R := if odd i then g i./2 else f i./2.
Definition pair_norm (x : nat -> R) (j : nat) : R := plane_norm (x j.*2) (x j.*2.+1).
Definition pair_distance (x' x : nat -> R) (j : nat) : R :=
  plane_norm (x' j.*2 - x j.*2) (x' j.*2.+1 - x j.*2.+1).

Definition turned_x (x y theta : R) : R := x * cos theta - y * sin theta.
Definition turned_y (x y theta : R) : R := x * sin theta + y * cos theta.

Definition rotated (w : nat -> R) (t : R) (q : nat -> R) : nat -> R :=
  pairs (fun j => turned_x (q j.*2) (q j.*2.+1) (t * w j))
        (fun j => turned_y (q j.*2) (q j.*2.+1) (t * w j)).

Definition computed_rotated (F : format) (fused : bool) (c s q : nat -> R) : nat -> R :=
  pairs (fun j => rotated_x F fused (q j.*2) (q j.*2.+1) (c j) (s j))
        (fun j => rotated_y F fused (q j.*2) (q j.*2.+1) (c j) (s j)).

Definition rope_score (h : nat) (w : nat -> R) (m n : R) (q k : nat -> R) : R :=
  \rsum_(i < h.*2) (rotated w m q i * rotated w n k i).

Definition product_mass (h : nat) (a b q k : nat -> R) : R :=
  \rsum_(j < h) ((pair_norm q j + a j) * (pair_norm k j + b j)).

Definition score_bound (G : format) (h : nat) (a b q k : nat -> R) : R :=
  product_mass h a b q k - \rsum_(j < h) (pair_norm q j * pair_norm k j)
  + dot_bound G h.*2 (product_mass h a b q k).

(** ** Pairs *)

Lemma pairs_even f g j : pairs f g j.*2 = f j.
Proof. by rewrite /pairs odd_double doubleK. Qed.

Lemma pairs_odd f g j : pairs f g j.*2.+1 = g j.
Proof. by rewrite /pairs /= odd_double /= uphalf_double. Qed.

Lemma rsum_by_pairs (f : nat -> R) h :
  \rsum_(i < h.*2) f i = \rsum_(j < h) (f j.*2 + f j.*2.+1).
Proof.
elim: h => [|h IH]; first by rewrite !big_ord0.
rewrite (rsum_last (fun j => f j.*2 + f j.*2.+1)) -IH doubleS !(rsum_last f).
by rewrite Rplus_assoc.
Qed.

Lemma turned_norm x y theta : plane_norm (turned_x x y theta) (turned_y x y theta) = plane_norm x y.
Proof. by rewrite plane_norm_product plane_norm_unit Rmult_1_r. Qed.

Lemma pair_norm_rotated w t q j : pair_norm (rotated w t q) j = pair_norm q j.
Proof. by rewrite /pair_norm /rotated pairs_even pairs_odd turned_norm. Qed.

(** The score depends on the positions through their difference only. *)
Lemma rope_score_relative h w m n q k :
  rope_score h w m n q k
  = \rsum_(j < h) ((q j.*2 * k j.*2 + q j.*2.+1 * k j.*2.+1) * cos ((m - n) * w j)
                   - (q j.*2.+1 * k j.*2 - q j.*2 * k j.*2.+1) * sin ((m - n) * w j)).
Proof.
rewrite /rope_score (rsum_by_pairs (fun i => rotated w m q i * rotated w n k i)).
apply: eq_bigr => j _; cbn beta; rewrite /rotated !pairs_even !pairs_odd /turned_x /turned_y.
have -> : (m - n) * w j = m * w j - n * w j by ring.
by rewrite cos_minus sin_minus; ring.
Qed.

(** ** Dot products of pairs known to an error in length *)

Lemma pair_dot_difference q0 q1 k0 k1 q0' q1' k0' k1' a b :
  plane_norm (q0' - q0) (q1' - q1) <= a -> plane_norm (k0' - k0) (k1' - k1) <= b ->
  let Q := plane_norm q0 q1 in let K := plane_norm k0 k1 in
  Rabs ((q0' * k0' + q1' * k1') - (q0 * k0 + q1 * k1)) <= (Q + a) * (K + b) - Q * K /\
  Rabs (q0' * k0') + Rabs (q1' * k1') <= (Q + a) * (K + b).
Proof.
move=> near_q near_k /=; set Q := plane_norm q0 q1; set K := plane_norm k0 k1.
have [Q_ge0 K_ge0] : 0 <= Q /\ 0 <= K by split; exact: plane_norm_ge_0.
have a_ge0 : 0 <= a by apply: Rle_trans near_q; exact: plane_norm_ge_0.
have K'_le : plane_norm k0' k1' <= K + b.
  have -> : k0' = k0 + (k0' - k0) by ring.
  have -> : k1' = k1 + (k1' - k1) by ring.
  by move: (plane_norm_triangle k0 k1 (k0' - k0) (k1' - k1)); rewrite -/K; lra.
have Q'_le : plane_norm q0' q1' <= Q + a.
  have -> : q0' = q0 + (q0' - q0) by ring.
  have -> : q1' = q1 + (q1' - q1) by ring.
  by move: (plane_norm_triangle q0 q1 (q0' - q0) (q1' - q1)); rewrite -/Q; lra.
split; last first.
  apply: Rle_trans (plane_norm_cauchy _ _ _ _) _.
  by apply: Rmult_le_compat => //; exact: plane_norm_ge_0.
have -> : q0' * k0' + q1' * k1' - (q0 * k0 + q1 * k1)
  = ((q0' - q0) * k0' + (q1' - q1) * k1') + (q0 * (k0' - k0) + q1 * (k1' - k1)) by ring.
apply: Rle_trans (Rabs_triang _ _) _.
have left_le : Rabs ((q0' - q0) * k0' + (q1' - q1) * k1') <= a * (K + b).
  apply: Rle_trans (Rabs_triang _ _) _; apply: Rle_trans (plane_norm_cauchy _ _ _ _) _.
  by apply: Rmult_le_compat => //; exact: plane_norm_ge_0.
have right_le : Rabs (q0 * (k0' - k0) + q1 * (k1' - k1)) <= Q * b.
  apply: Rle_trans (Rabs_triang _ _) _; apply: Rle_trans (plane_norm_cauchy _ _ _ _) _.
  by apply: Rmult_le_compat_l.
by lra.
Qed.

Lemma rsum_abs_le (f g : nat -> R) h : (forall j, (j < h)%N -> Rabs (f j) <= g j) ->
  Rabs (\rsum_(j < h) f j) <= \rsum_(j < h) g j.
Proof.
elim: h => [|h IH] le_fg; first by rewrite !big_ord0 Rabs_R0; exact: Rle_refl.
rewrite (rsum_last f) (rsum_last g); apply: Rle_trans (Rabs_triang _ _) _.
apply: Rplus_le_compat; last exact: le_fg.
by apply: IH => j lt_jh; apply: le_fg; exact: leqW.
Qed.

(** The same for all pairs. *)
Lemma pairs_dot_difference h (q k q' k' a b : nat -> R) :
  (forall j, (j < h)%N -> pair_distance q' q j <= a j) ->
  (forall j, (j < h)%N -> pair_distance k' k j <= b j) ->
  \rsum_(i < h.*2) Rabs (q' i * k' i) <= product_mass h a b q k /\
  Rabs (\rsum_(i < h.*2) (q' i * k' i) - \rsum_(i < h.*2) (q i * k i))
    <= product_mass h a b q k - \rsum_(j < h) (pair_norm q j * pair_norm k j).
Proof.
move=> near_q near_k; pose M j := (pair_norm q j + a j) * (pair_norm k j + b j).
split.
  rewrite (rsum_by_pairs (fun i => Rabs (q' i * k' i))); apply: Rle_trans (Rle_abs _) _.
  apply: (rsum_abs_le (fun j => Rabs (q' j.*2 * k' j.*2) + Rabs (q' j.*2.+1 * k' j.*2.+1)) M) => j lt_jh.
  have [_ le_M] := pair_dot_difference _ _ _ _ _ _ _ _ _ _ (near_q j lt_jh) (near_k j lt_jh).
  rewrite Rabs_pos_eq; first exact: le_M.
  by apply: Rplus_le_le_0_compat; exact: Rabs_pos.
rewrite (rsum_by_pairs (fun i => q' i * k' i)) (rsum_by_pairs (fun i => q i * k i)) /product_mass -!rsum_sub.
apply: (rsum_abs_le (fun j => q' j.*2 * k' j.*2 + q' j.*2.+1 * k' j.*2.+1
    - (q j.*2 * k j.*2 + q j.*2.+1 * k j.*2.+1)) (fun j => M j - pair_norm q j * pair_norm k j)) => j lt_jh.
by have [] := pair_dot_difference _ _ _ _ _ _ _ _ _ _ (near_q j lt_jh) (near_k j lt_jh).
Qed.

Lemma dot_bound_le G n S S' : S <= S' -> dot_bound G n S <= dot_bound G n S'.
Proof.
move=> le_S; rewrite /dot_bound; apply: Rplus_le_compat_r; apply: Rmult_le_compat_l => //.
by apply: Rmult_le_pos; [exact: pos_INR | move: (u_pos G); lra].
Qed.

(** The bound depends on the lengths of the pairs only. *)
Lemma score_bound_norms G h a b q k q' k' :
  (forall j, pair_norm q j = pair_norm q' j) -> (forall j, pair_norm k j = pair_norm k' j) ->
  score_bound G h a b q k = score_bound G h a b q' k'.
Proof.
move=> same_q same_k; rewrite /score_bound.
have -> : product_mass h a b q k = product_mass h a b q' k'.
  by apply: eq_bigr => j _; rewrite same_q same_k.
by congr (_ - _ + _); apply: eq_bigr => j _; rewrite same_q same_k.
Qed.

(** rounding.score: for vectors of h pairs with ‖q'_j - q_j‖ <= a_j and ‖k'_j - k_j‖ <= b_j, the dot
    product of q' and k' computed in any order is within M - Σ_j ‖q_j‖‖k_j‖ + 2h u M
    + 2h(1 + (2h - 1)u)η/2 of q·k, where M = Σ_j (‖q_j‖ + a_j)(‖k_j‖ + b_j). *)
Theorem rounding_score (G : format) (h : nat) (o : order) (q k q' k' a b : nat -> R) :
  perm_eq (terms o) (iota 0 h.*2) ->
  (forall j, (j < h)%N -> pair_distance q' q j <= a j) ->
  (forall j, (j < h)%N -> pair_distance k' k j <= b j) ->
  Rabs (computed_dot G q' k' o - \rsum_(i < h.*2) (q i * k i)) <= score_bound G h a b q k.
Proof.
move=> each_once near_q near_k.
have [dot_le _] := rounding_dot G q' k' h.*2 o each_once.
have [mass_le dots_le] := pairs_dot_difference _ _ _ _ _ _ _ near_q near_k.
move: (dot_bound_le G h.*2 _ _ mass_le).
move: (Rabs_diff_triangle (computed_dot G q' k' o) (\rsum_(i < h.*2) (q' i * k' i))
         (\rsum_(i < h.*2) (q i * k i))).
by rewrite /score_bound; lra.
Qed.

(** ** The RoPE score *)

(** rounding.rope-score: with tables (c_j, s_j) within τ_j of (cos mω_j, sin mω_j) for the query and (c'_j,
    s'_j) within τ'_j of (cos nω_j, sin nω_j) for the key, rotations computed in F and the dot product in G
    in any order, the computed score is within score_bound of the exact one, a_j = pair_bound(τ_j, ‖q_j‖)
    and b_j = pair_bound(τ'_j, ‖k_j‖). *)
Theorem rounding_rope_score (F G : format) (fused : bool) (h : nat) (o : order)
    (w : nat -> R) (m n : R) (q k c s c' s' tau tau' : nat -> R) :
  perm_eq (terms o) (iota 0 h.*2) ->
  (forall j, (j < h)%N -> plane_norm (c j - cos (m * w j)) (s j - sin (m * w j)) <= tau j) ->
  (forall j, (j < h)%N -> plane_norm (c' j - cos (n * w j)) (s' j - sin (n * w j)) <= tau' j) ->
  Rabs (computed_dot G (computed_rotated F fused c s q) (computed_rotated F fused c' s' k) o
        - rope_score h w m n q k)
  <= score_bound G h (fun j => pair_bound F fused (tau j) (pair_norm q j))
                     (fun j => pair_bound F fused (tau' j) (pair_norm k j)) q k.
Proof.
move=> each_once near_m near_n.
have distance t' c0 s0 x tau0 j :
    plane_norm (c0 j - cos (t' * w j)) (s0 j - sin (t' * w j)) <= tau0 j ->
    pair_distance (computed_rotated F fused c0 s0 x) (rotated w t' x) j
    <= pair_bound F fused (tau0 j) (pair_norm x j).
  rewrite /pair_distance /computed_rotated /rotated !pairs_even !pairs_odd.
  exact: rounding_rotated_pair_length.
rewrite (score_bound_norms G h _ _ q k (rotated w m q) (rotated w n k)).
- apply: rounding_score => // j lt_jh; apply: distance; [exact: near_m | exact: near_n].
- by move=> j; rewrite pair_norm_rotated.
- by move=> j; rewrite pair_norm_rotated.
Qed.

(** rounding.relative-position: two computed scores at positions (m, n) and (m + t, n + t), within B and B' of
    the exact scores, differ by at most B + B'. *)
Theorem rounding_relative_position (h : nat) (w : nat -> R) (m n t : R) (q k : nat -> R)
    (score score' B B' : R) :
  Rabs (score - rope_score h w m n q k) <= B ->
  Rabs (score' - rope_score h w (m + t) (n + t) q k) <= B' ->
  Rabs (score - score') <= B + B'.
Proof.
move=> near_score near_score'.
have same : rope_score h w (m + t) (n + t) q k = rope_score h w m n q k.
  by rewrite !rope_score_relative; have -> : m + t - (n + t) = m - n by ring.
rewrite same Rabs_minus_sym in near_score'.
by move: (Rabs_diff_triangle score (rope_score h w m n q k) score'); lra.
Qed.

(** ** The sinusoidal encoding: dot products and shifts *)

(** rounding.toeplitz: for encodings of positions t and s whose pairs (sin, cos) are within τ_j and τ'_j, the
    dot product computed in any order is within M - h + 2h u M + 2h(1 + (2h - 1)u)η/2 of
    Σ_j cos((t - s)ω_j), where M = Σ_j (1 + τ_j)(1 + τ'_j). *)
Theorem rounding_toeplitz (G : format) (h : nat) (o : order) (w : nat -> R) (t s : R)
    (p p' tau tau' : nat -> R) :
  perm_eq (terms o) (iota 0 h.*2) ->
  (forall j, (j < h)%N ->
     plane_norm (p j.*2 - sin (t * w j)) (p j.*2.+1 - cos (t * w j)) <= tau j) ->
  (forall j, (j < h)%N ->
     plane_norm (p' j.*2 - sin (s * w j)) (p' j.*2.+1 - cos (s * w j)) <= tau' j) ->
  let M := \rsum_(j < h) ((1 + tau j) * (1 + tau' j)) in
  Rabs (computed_dot G p p' o - \rsum_(j < h) cos ((t - s) * w j))
  <= M - INR h + dot_bound G h.*2 M.
Proof.
move=> each_once near_t near_s M.
pose pe r := pairs (fun j => sin (r * w j)) (fun j => cos (r * w j)).
have unit r j : pair_norm (pe r) j = 1.
  by rewrite /pair_norm /pe pairs_even pairs_odd plane_norm_swap plane_norm_unit.
have distance r x tau0 j :
    plane_norm (x j.*2 - sin (r * w j)) (x j.*2.+1 - cos (r * w j)) <= tau0 j ->
    pair_distance x (pe r) j <= tau0 j.
  by rewrite /pair_distance /pe pairs_even pairs_odd.
have := rounding_score G h o (pe t) (pe s) p p' tau tau' each_once
  (fun j lt_jh => distance t p tau j (near_t j lt_jh))
  (fun j lt_jh => distance s p' tau' j (near_s j lt_jh)).
have -> : \rsum_(i < h.*2) (pe t i * pe s i) = \rsum_(j < h) cos ((t - s) * w j).
  rewrite (rsum_by_pairs (fun i => pe t i * pe s i)); apply: eq_bigr => j _.
  cbn beta; rewrite /pe !pairs_even !pairs_odd.
  have -> : (t - s) * w j = t * w j - s * w j by ring.
  by rewrite cos_minus; ring.
have mass : product_mass h tau tau' (pe t) (pe s) = M.
  by apply: eq_bigr => j _; rewrite !unit.
have norms : \rsum_(j < h) (pair_norm (pe t) j * pair_norm (pe s) j) = INR h.
  under eq_bigr do rewrite !unit Rmult_1_l.
  elim: (h) => [|n IH]; first by rewrite big_ord0.
  by rewrite (rsum_last (fun=> 1)) IH S_INR.
by rewrite /score_bound mass norms.
Qed.

(** rounding.shift-residual: with computed pairs (C, S) within τ_t, τ_k and τ' of (cos, sin) at the angles
    a, b and a + b, the pair (C_a, S_a) rotated in F by (C_b, S_b) is within pair_bound(τ_k, 1 + τ_t) + τ_t
    + τ' of the pair of a + b. *)
Theorem rounding_shift_residual (F : format) (fused : bool)
    (a b Ca Sa Cb Sb Cab Sab tau_t tau_k tau' : R) :
  plane_norm (Ca - cos a) (Sa - sin a) <= tau_t ->
  plane_norm (Cb - cos b) (Sb - sin b) <= tau_k ->
  plane_norm (Cab - cos (a + b)) (Sab - sin (a + b)) <= tau' ->
  plane_norm (rotated_x F fused Ca Sa Cb Sb - Cab) (rotated_y F fused Ca Sa Cb Sb - Sab)
  <= pair_bound F fused tau_k (1 + tau_t) + tau_t + tau'.
Proof.
move=> near_a near_b near_ab.
set X := rotated_x _ _ _ _ _ _; set Y := rotated_y _ _ _ _ _ _.
have rotated_le := rounding_rotated_pair_length F fused Ca Sa Cb Sb b tau_k near_b.
rewrite -/X -/Y -/(turned_x Ca Sa b) -/(turned_y Ca Sa b) in rotated_le.
have tau_k_ge0 : 0 <= tau_k by apply: Rle_trans near_b; exact: plane_norm_ge_0.
have length_a : plane_norm Ca Sa <= 1 + tau_t.
  have -> : Ca = cos a + (Ca - cos a) by ring.
  have -> : Sa = sin a + (Sa - sin a) by ring.
  by move: (plane_norm_triangle (cos a) (sin a) (Ca - cos a) (Sa - sin a)); rewrite plane_norm_unit; lra.
have bound_le : pair_bound F fused tau_k (plane_norm Ca Sa) <= pair_bound F fused tau_k (1 + tau_t).
  apply: Rplus_le_compat_r; apply: Rmult_le_compat_l => //.
  have rel_ge0 := rotation_relative_ge_0 F fused.
  have : 0 <= rotation_relative F fused * (1 + tau_k) by apply: Rmult_le_pos => //; lra.
  by lra.
have turned_le : plane_norm (turned_x Ca Sa b - cos (a + b)) (turned_y Ca Sa b - sin (a + b)) <= tau_t.
  rewrite cos_plus sin_plus /turned_x /turned_y.
  have -> : Ca * cos b - Sa * sin b - (cos a * cos b - sin a * sin b)
    = turned_x (Ca - cos a) (Sa - sin a) b by rewrite /turned_x; ring.
  have -> : Ca * sin b + Sa * cos b - (sin a * cos b + cos a * sin b)
    = turned_y (Ca - cos a) (Sa - sin a) b by rewrite /turned_y; ring.
  by rewrite turned_norm.
have -> : X - Cab = (X - turned_x Ca Sa b)
    + ((turned_x Ca Sa b - cos (a + b)) + - (Cab - cos (a + b))) by ring.
have -> : Y - Sab = (Y - turned_y Ca Sa b)
    + ((turned_y Ca Sa b - sin (a + b)) + - (Sab - sin (a + b))) by ring.
apply: Rle_trans (plane_norm_triangle _ _ _ _) _.
have := plane_norm_triangle (turned_x Ca Sa b - cos (a + b)) (turned_y Ca Sa b - sin (a + b))
  (- (Cab - cos (a + b))) (- (Sab - sin (a + b))).
rewrite -(plane_norm_abs (- _)) !Rabs_Ropp plane_norm_abs.
by lra.
Qed.
