(** * Rotary positional encoding (RoPE)

  Eight of the nine claims on turning a vector by an angle that grows with its position: in two
  dimensions with one frequency θ, and in d = h.*2 dimensions, pair i with its own
  frequency ω_i, for every h and all real frequencies and positions.

  rotate theta x m        == f(x, m) = R(mθ) x, in two dimensions
  rotary_matrix h omega m == the d x d matrix with blocks R(m ω_i) on pairs (2i, 2i+1)
  rotary h omega x m      == rotary_matrix h omega m times the column x
  polar r phi             == the point r (cos φ, sin φ)
  vector_norm x           == ‖x‖
  rational x              == x = p/q for integers p and q, q <> 0 (RationalPower)
  [rotation], R(a), is defined in Encoding; counter-clockwise means from the first axis to
  the second, so that polar r φ is turned into polar r (φ + a).

  Main results: the theorems below, one for each claim; their names are the claims' ids. The
  ninth claim, on the layout of the pairs, is in RotaryLayout. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix Pairs Encoding RationalPower Wavelengths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition rotate (theta : R) (x : 'cV[R]_2) (m : R) : 'cV[R]_2 := rotation (m * theta) *m x.
Definition rotary_matrix (h : nat) (omega : nat -> R) (m : R) : 'M[R]_(h.*2) :=
  block_diag (fun i => rotation (m * omega i)).
Definition rotary (h : nat) (omega : nat -> R) (x : 'cV[R]_(h.*2)) (m : R) : 'cV[R]_(h.*2) :=
  rotary_matrix h omega m *m x.
Definition polar (r phi : R) : 'cV[R]_2 := col2 (r * cos phi) (r * sin phi).
Definition vector_norm n (x : 'cV[R]_n) : R := sqrt (norm2 x).

(** ** One rotation *)

(** rope.rotation: f(x, m) = R(mθ) x turns x counter-clockwise by mθ: if x = r·(cos φ, sin φ)
    then f(x, m) = r·(cos(φ+mθ), sin(φ+mθ)), for all r, φ, m and θ. *)
Theorem rope_rotation (r phi m theta : R) :
  rotate theta (polar r phi) m = polar r (phi + m * theta).
Proof. by rewrite /rotate /polar mx22_col2 cos_plus sin_plus; congr col2; ring. Qed.

(** With θ = 10° the positions 1, 2 and 3 turn by 10°, 20° and 30°. *)
Corollary rope_rotation_ten_degrees r phi :
  let degree := PI / 180 in
  rotate (10 * degree) (polar r phi) 1 = polar r (phi + 10 * degree) /\
  rotate (10 * degree) (polar r phi) 2 = polar r (phi + 20 * degree) /\
  rotate (10 * degree) (polar r phi) 3 = polar r (phi + 30 * degree).
Proof. by rewrite /= !rope_rotation; do !split; congr polar; lra. Qed.

Lemma rotation_tr a : (rotation a)^T = rotation (- a).
Proof. by rewrite mx22_tr /rotation cos_neg sin_neg Ropp_involutive. Qed.

Lemma rotation_0 : rotation 0 = idR 2.
Proof. by rewrite mx22_id /rotation cos_0 sin_0 Ropp_0. Qed.

(** rope.composition: R(a) R(b) = R(a+b) for all a and b. *)
Theorem rope_composition (a b : R) : rotation a *m rotation b = rotation (a + b).
Proof. by rewrite mx22_mul /rotation cos_plus sin_plus; congr mx22; ring. Qed.

(** rope.inverse: R(θ)ᵀ = R(−θ) = R(θ)⁻¹ for every θ. *)
Theorem rope_inverse (theta : R) :
  (rotation theta)^T = rotation (- theta) /\
  rotation theta *m rotation (- theta) = idR 2 /\ rotation (- theta) *m rotation theta = idR 2.
Proof.
by rewrite rotation_tr !rope_composition Rplus_opp_r Rplus_opp_l rotation_0.
Qed.

(** ** A rotation of each pair *)

Section Rotary.

Variables (h : nat) (omega : nat -> R).
Implicit Types x y q k : 'cV[R]_(h.*2).

Lemma rotary_matrix_tr m : (rotary_matrix h omega m)^T = rotary_matrix h omega (- m).
Proof.
rewrite block_diag_tr; apply: eq_block_diag => i.
by rewrite rotation_tr; congr rotation; ring.
Qed.

Lemma rotary_matrix_mul m n :
  rotary_matrix h omega m *m rotary_matrix h omega n = rotary_matrix h omega (m + n).
Proof.
rewrite block_diag_mul; apply: eq_block_diag => i.
by rewrite rope_composition; congr rotation; ring.
Qed.

Lemma rotary_matrix_0 : rotary_matrix h omega 0 = idR h.*2.
Proof.
rewrite -block_diag_id; apply: eq_block_diag => i.
by rewrite R_mul0 rotation_0.
Qed.

Lemma pair_of_rotary x m i : pair_of (rotary omega x m) i = rotate (omega i) (pair_of x i) m.
Proof. exact: pair_of_block_diag. Qed.

(** Coordinates 2i and 2i+1 turn together. *)
Lemma rotary_component x m (i : 'I_h) :
  let a := m * omega i in
  rotary omega x m (at_pair i false) ord0 =
    cos a * x (at_pair i false) ord0 - sin a * x (at_pair i true) ord0 /\
  rotary omega x m (at_pair i true) ord0 =
    sin a * x (at_pair i false) ord0 + cos a * x (at_pair i true) ord0.
Proof.
rewrite /= -!(pair_ofE _ i _ ord0) pair_of_rotary /rotate.
by rewrite /rotation /pair_of mx22_col2 !col2E; split; ring.
Qed.

(** f(x, m) and f(y, n) meet as x and the turned y do. *)
Lemma dot_rotary x y m n :
  dot (rotary omega x m) (rotary omega y n) =
  (x^T *m rotary_matrix h omega (n - m) *m y) ord0 ord0.
Proof.
rewrite dot_mulR_l dot_mulR rotary_matrix_tr [rotary_matrix _ _ _ *m _]mulR_A.
rewrite rotary_matrix_mul mulR_A.
by rewrite (_ : - m + n = n - m); [ | ring].
Qed.

End Rotary.

Lemma dot_rotate theta x y m n :
  dot (rotate theta x m) (rotate theta y n) =
  (x^T *m rotation ((n - m) * theta) *m y) ord0 ord0.
Proof.
rewrite dot_mulR_l dot_mulR rotation_tr [rotation _ *m _]mulR_A rope_composition mulR_A.
by rewrite (_ : - (m * theta) + n * theta = (n - m) * theta); [ | ring].
Qed.

(** rope.relative-position: ⟨R(mθ)q, R(nθ)k⟩ = qᵀ R((n−m)θ) k for all m, n, q and k, in two
    dimensions and, pair by pair, in d dimensions with any frequencies. *)
Theorem rope_relative_position :
  (forall (theta m n : R) (q k : 'cV[R]_2),
     dot (rotation (m * theta) *m q) (rotation (n * theta) *m k) =
     (q^T *m rotation ((n - m) * theta) *m k) ord0 ord0) /\
  (forall h (omega : nat -> R) (m n : R) (q k : 'cV[R]_(h.*2)),
     dot (rotary omega q m) (rotary omega k n) =
       (q^T *m rotary_matrix h omega (n - m) *m k) ord0 ord0 /\
     dot (rotary omega q m) (rotary omega k n) =
       \rsum_(i < h) ((pair_of q i)^T *m rotation ((n - m) * omega i) *m pair_of k i) ord0 ord0).
Proof.
split=> [theta m n q k | h omega m n q k]; first exact: dot_rotate.
split; first exact: dot_rotary.
by rewrite dot_pairs; apply: eq_bigr => i _; rewrite !pair_of_rotary dot_rotate.
Qed.

Lemma norm2_rotary h omega (x : 'cV[R]_(h.*2)) m : norm2 (rotary omega x m) = norm2 x.
Proof. by rewrite /norm2 dot_rotary Rminus_diag_eq // rotary_matrix_0 mulR1 dot_mulR. Qed.

Lemma norm2_rotate theta x m : norm2 (rotate theta x m) = norm2 x.
Proof. by rewrite /norm2 dot_rotate Rminus_diag_eq // R_mul0 rotation_0 mulR1 dot_mulR. Qed.

(** rope.isometry: ‖f(x, m)‖ = ‖x‖ for all x and m, every d and all frequencies. *)
Theorem rope_isometry :
  (forall (theta m : R) (x : 'cV[R]_2), vector_norm (rotate theta x m) = vector_norm x) /\
  (forall h (omega : nat -> R) (m : R) (x : 'cV[R]_(h.*2)),
     vector_norm (rotary omega x m) = vector_norm x).
Proof. by rewrite /vector_norm; split=> *; rewrite ?norm2_rotate ?norm2_rotary. Qed.

(** rope.linear: f(a·x + b·y, m) = a·f(x, m) + b·f(y, m) for all vectors x and y and all
    scalars a and b. *)
Theorem rope_linear :
  (forall (theta m a b : R) (x y : 'cV[R]_2),
     rotate theta (a *: x +m b *: y) m = a *: rotate theta x m +m b *: rotate theta y m) /\
  (forall h (omega : nat -> R) (m a b : R) (x y : 'cV[R]_(h.*2)),
     rotary omega (a *: x +m b *: y) m = a *: rotary omega x m +m b *: rotary omega y m).
Proof. by rewrite /rotate /rotary; split=> *; rewrite mulR_Dr !mulR_scale. Qed.

(** ** Row vectors *)

Lemma row_rotation r phi a : (polar r phi)^T *m rotation a = (polar r (phi - a))^T.
Proof.
rewrite -[rotation a]trmxK -trmx_mulR rotation_tr -[a in rotation (- a)]Rmult_1_r.
by rewrite Ropp_mult_distr_r -[_ *m _]/(rotate _ _ _) rope_rotation; congr (polar _ _)^T; ring.
Qed.

(** rope.row-vector: With x a row vector, x·M(m) = (M(−m) xᵀ)ᵀ: it turns by −mθ; the scores
    then obey ⟨qM(m), kM(n)⟩ = q M(m−n) kᵀ, the relative-position property with the sign of
    m−n reversed. *)
Theorem rope_row_vector :
  (forall h (omega : nat -> R) (m : R) (x : 'rV[R]_(h.*2)),
     x *m rotary_matrix h omega m = (rotary_matrix h omega (- m) *m x^T)^T) /\
  (forall theta m r phi : R,
     (polar r phi)^T *m rotation (m * theta) = (polar r (phi - m * theta))^T) /\
  (forall h (omega : nat -> R) (m n : R) (q k : 'rV[R]_(h.*2)),
     (q *m rotary_matrix h omega m) *m (k *m rotary_matrix h omega n)^T =
     q *m rotary_matrix h omega (m - n) *m k^T).
Proof.
split=> [h omega m x | ]; first by rewrite trmx_mulR trmxK rotary_matrix_tr Ropp_involutive.
split=> [theta m r phi | h omega m n q k]; first exact: row_rotation.
by rewrite trmx_mulR rotary_matrix_tr mulR_A -(mulR_A q) rotary_matrix_mul.
Qed.

(** rope.row-vector, as written: With x a row vector, x·M(m) turns x by mθ, as multiplication
    by e^(imθ) does. *)
Theorem rope_row_vector_as_written_false :
  ~ (forall theta m r phi : R,
       (polar r phi)^T *m rotation (m * theta) = (polar r (phi + m * theta))^T).
Proof.
move=> /(_ (PI / 2) 1 1 0); rewrite row_rotation.
move/matrixP => /(_ ord0 (bit true)); rewrite !mxE !R_mul1.
rewrite /bit /= /Rminus !Rplus_0_l sin_neg sin_PI2; lra.
Qed.

(** ** The same map at two positions *)

(** Equal rotations differ by whole turns. *)
Lemma rotation_eq a b : rotation a = rotation b -> exists z : Z, a - b = 2 * IZR z * PI.
Proof.
move=> eq_rotation.
have eq_cos : cos a = cos b.
  by move/matrixP: eq_rotation => /(_ (bit false) (bit false)); rewrite !mx22E.
have eq_sin : sin a = sin b.
  by move/matrixP: eq_rotation => /(_ (bit true) (bit false)); rewrite !mx22E.
have [z turns] := proj1 (same_angle a b) (conj eq_sin eq_cos).
by exists z; lra.
Qed.

Lemma rotation_turn a (z : Z) : rotation (a + 2 * IZR z * PI) = rotation a.
Proof.
have -> : 2 * IZR z * PI = 2 * PI * IZR z by ring.
by rewrite /rotation cos_add_turns sin_add_turns.
Qed.

(** rope.aliasing: With one θ ≠ 0, positions m and m + 2π/θ give the same map; two nonzero
    frequencies of irrational ratio give the same map at no two distinct positions. *)
Theorem rope_aliasing :
  (forall theta m : R, theta <> 0 ->
     forall x, rotate theta x (m + 2 * PI / theta) = rotate theta x m) /\
  (forall h (omega : nat -> R) (i j : 'I_h),
     omega j <> 0 -> ~ rational (omega i / omega j) ->
     forall m n : R, (forall x : 'cV[R]_(h.*2), rotary omega x m = rotary omega x n) -> m = n).
Proof.
split=> [theta m theta_neq0 x | h omega i j omega_neq0 irrational_ratio m n same_map].
  rewrite /rotate -[in RHS](rotation_turn _ 1); congr (rotation _ *m x).
  by field.
have same_turn (l : 'I_h) : exists z : Z, (m - n) * omega l = 2 * IZR z * PI.
  rewrite Rmult_minus_distr_r; apply: rotation_eq; apply: mx22P => b c.
  have /matrixP/(_ (at_pair l b) (at_pair l c)) := mulR_ext same_map.
  by rewrite !block_diagE eqxx.
have [zi turn_i] := same_turn i; have [zj turn_j] := same_turn j.
have PI_neq0 := PI_neq0; case: (Req_dec m n) => // m_neq_n; case: irrational_ratio.
have difference_neq0 : m - n <> 0 by lra.
have zj_neq0 : IZR zj <> 0.
  move=> zj0; apply: (Rmult_integral_contrapositive_currified _ _ difference_neq0 omega_neq0).
  by rewrite turn_j zj0; ring.
exists zi, zj; split; first by move=> zj0; apply: zj_neq0; rewrite zj0.
apply: (Rmult_eq_reg_l (m - n)) => //.
have -> : (m - n) * (omega i / omega j) = 2 * IZR zi * PI / omega j by rewrite -turn_i; field.
have -> : m - n = 2 * IZR zj * PI / omega j by rewrite -turn_j; field.
by field.
Qed.
