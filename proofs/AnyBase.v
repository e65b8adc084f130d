(** * Every identity of the ledger, for arbitrary frequencies

  What is claimed.  10000 is a hyperparameter: the identities on encodings, shifts, similarities,
  rotations and phasors hold for any real frequencies ω_0, ω_1, ... whatever, with no base, no
  geometric progression and no relation between them.

  encoding_identities h ω   == what the ledger says of PE, for these frequencies
  shift_identities h ω      == ... of T(k)
  similarity_identities h ω == ... of dot products of encodings
  rotary_identities h ω     == ... of rotary encoding
  layout_identities h ω     == ... of its two layouts of pairs
  phasor_identities h ω     == ... of complex exponentials and Fourier coefficients
  swap_pairs h              == the matrix that exchanges the two components of every pair

  Main results: sinusoid.any-base, and its corollary, of which each field of each record is a theorem
  of another file at these frequencies. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Coquelicot Require Import Complex.
From Posproof Require Import RealMatrix Pairs Encoding Determinant Sinusoid Wavelengths Shift Toeplitz Gram.
From Posproof Require Import Rotary RotaryLayout Phasor FourierSeries.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition swap_pairs (h : nat) : 'M[R]_(h.*2) := block_diag (fun=> swap).

Record encoding_identities (h : nat) (omega : nat -> R) : Prop := {
  any_components : forall t (i : 'I_h),
    PE h omega t (at_pair i false) ord0 = sin (t * omega i) /\
    PE h omega t (at_pair i true) ord0 = cos (t * omega i);
  any_sine_only : sine_only h omega 0 = zeroR;
  any_bounded : forall t j, -1 <= PE h omega t j ord0 <= 1;
  any_norm : forall t, norm2 (PE h omega t) = INR h.*2 / 2;
  any_neighbours : forall t,
    distance2 (PE h omega (t + 1)) (PE h omega t) = \rsum_(i < h) (2 - 2 * cos (omega i));
  any_distance : forall s t, distance2 (PE h omega s) (PE h omega t) =
    \rsum_(i < h) (2 - 2 * cos ((s - t) * omega i));
  any_period : forall j (n : Z) t, omega j./2 <> 0 ->
    pe omega (t + IZR n * (2 * PI / omega j./2)) j = pe omega t j
}.

Record shift_identities (h : nat) (omega : nat -> R) : Prop := {
  any_shift : forall t k, shift_matrix h omega k *m PE h omega t = PE h omega (t + k);
  any_blocks : forall k (i i' : 'I_h) (b b' : bool),
    shift_matrix h omega k (at_pair i b) (at_pair i' b') =
    if i == i' then (rotation (omega i * k))^T (bit b) (bit b') else 0;
  any_transposed_rotation : forall k, shift_matrix h omega k = (rotary_matrix h omega k)^T;
  any_swapped : forall k, swap_pairs h *m shift_matrix h omega k *m swap_pairs h = rotary_matrix h omega k;
  any_unit : shift_matrix h omega 0 = idR h.*2;
  any_add : forall j k,
    shift_matrix h omega j *m shift_matrix h omega k = shift_matrix h omega (j + k);
  any_transpose : forall k, shift_matrix h omega (- k) = (shift_matrix h omega k)^T;
  any_inverse : forall k, shift_matrix h omega (- k) *m shift_matrix h omega k = idR h.*2;
  any_determinant : forall k, det (shift_matrix h omega k) = 1
}.

Record similarity_identities (h : nat) (omega : nat -> R) : Prop := {
  any_dot : forall s t, D h omega s t = \rsum_(i < h) cos ((s - t) * omega i);
  any_toeplitz : forall s t k, D h omega s t = D h omega (s + k) (t + k);
  any_symmetric : forall s t, D h omega s t = D h omega t s;
  any_diagonal : forall t, D h omega t t = INR h.*2 / 2;
  any_semidefinite : forall n (t : 'I_n -> R) c, 0 <= quadratic_form (gram h omega t) c;
  any_rank : forall n (t : 'I_n -> R), rank_at_most h.*2 (gram h omega t)
}.

Record rotary_identities (h : nat) (omega : nat -> R) : Prop := {
  any_rotation_blocks : forall m (i i' : 'I_h) (b b' : bool),
    rotary_matrix h omega m (at_pair i b) (at_pair i' b') =
    if i == i' then rotation (m * omega i) (bit b) (bit b') else 0;
  any_turn : forall (m r phi : R) (x : 'cV[R]_(h.*2)) (i : 'I_h), pair_of x i = polar r phi ->
    pair_of (rotary omega x m) i = polar r (phi + m * omega i);
  any_relative : forall (m n : R) (q k : 'cV[R]_(h.*2)),
    dot (rotary omega q m) (rotary omega k n) =
    (q^T *m rotary_matrix h omega (n - m) *m k) ord0 ord0;
  any_isometry : forall (m : R) (x : 'cV[R]_(h.*2)), vector_norm (rotary omega x m) = vector_norm x;
  any_linear : forall (m a b : R) (x y : 'cV[R]_(h.*2)),
    rotary omega (a *: x +m b *: y) m = a *: rotary omega x m +m b *: rotary omega y m;
  any_composition : forall m n,
    rotary_matrix h omega m *m rotary_matrix h omega n = rotary_matrix h omega (m + n);
  any_rotary_inverse : forall m, (rotary_matrix h omega m)^T = rotary_matrix h omega (- m);
  any_row_vector : forall (m : R) (x : 'rV[R]_(h.*2)),
    x *m rotary_matrix h omega m = (rotary_matrix h omega (- m) *m x^T)^T;
  any_row_score : forall (m n : R) (q k : 'rV[R]_(h.*2)),
    (q *m rotary_matrix h omega m) *m (k *m rotary_matrix h omega n)^T =
    q *m rotary_matrix h omega (m - n) *m k^T
}.

Record layout_identities (h : nat) (omega : nat -> R) : Prop := {
  any_layout : forall m, half_split_matrix h omega m =
    perm_matrix (regroup h) *m rotary_matrix h omega m *m (perm_matrix (regroup h))^T;
  any_layout_turn : forall (m : R) (x : 'cV[R]_(h.*2)),
    half_split omega (to_halves x) m = to_halves (rotary omega x m);
  any_layout_components : forall (m : R) (x : 'cV[R]_(h.*2)) (i : 'I_h), let a := m * omega i in
    half_split omega x m (at_half i false) ord0 =
      cos a * x (at_half i false) ord0 - sin a * x (at_half i true) ord0 /\
    half_split omega x m (at_half i true) ord0 =
      sin a * x (at_half i false) ord0 + cos a * x (at_half i true) ord0;
  any_layout_score : forall (q k : 'cV[R]_(h.*2)) (m n : R),
    dot (half_split omega (to_halves q) m) (half_split omega (to_halves k) n) =
    dot (rotary omega q m) (rotary omega k n);
  any_layout_shift : forall k t,
    (half_split_matrix h omega k)^T *m to_halves (PE h omega t) = to_halves (PE h omega (t + k))
}.

Record phasor_identities (h : nat) (omega : nat -> R) : Prop := {
  any_rotation_matrix : forall k (z : 'I_h -> C),
    vector_re_im (fun i => phasor (k * omega i) * z i)%C = rotary_matrix h omega k *m vector_re_im z;
  any_phasor_score : forall (x y : 'I_h -> C) (m n : R),
    dot (rotary omega (vector_re_im x) m) (rotary omega (vector_re_im y) n) =
    \rsum_(i < h) Re (x i * Cconj (y i) * phasor ((m - n) * omega i))%C;
  any_phasors : forall t, PE h omega t = vector_im_re (fun i : 'I_h => phasor (omega i * t));
  any_phasor_shift : forall t k, shift_matrix h omega k *m PE h omega t =
    vector_im_re (fun i : 'I_h => phasor (omega i * k) * phasor (omega i * t))%C;
  any_coefficients : forall t, PE h omega t = coefficients h omega (impulse t);
  any_delay : forall t k, shift_matrix h omega k *m coefficients h omega (impulse t) =
    coefficients h omega (delay k (impulse t))
}.

Lemma any_encoding h omega : encoding_identities h omega.
Proof.
split=> [t i | | t j | t | t | s t | j n t omega_neq0].
- by rewrite -!(pair_ofE _ i _ ord0) pair_of_PE !col2E.
- by have [zero _] := sinusoid_sine_only h h omega.
- by have [bounded _] := sinusoid_bounded h omega t.
- by have [_ norm] := sinusoid_bounded h omega t.
- by rewrite distance2_PE; apply: eq_bigr => i _; congr (_ - _ * cos _); ring.
- exact: distance2_PE.
- exact: sinusoid_periodic_component.
Qed.

Lemma any_shifts h omega : shift_identities h omega.
Proof.
have transposed k : shift_matrix h omega k = (rotary_matrix h omega k)^T.
  rewrite block_diag_tr; apply: eq_block_diag => i.
  by rewrite Rmult_comm.
split=> [t k | k i i' b b' | // | k | | j k | k | k | k].
- exact: shift_linearity.
- by have [blocks _] := shift_block_structure h omega k.
- rewrite !block_diag_mul; apply: eq_block_diag => i.
  have [derived [_ [_ [swapped _]]]] := shift_rotary_transpose (omega i * k).
  by rewrite /shift_block -derived swapped Rmult_comm.
- exact: shift_matrix_0.
- exact: shift_matrix_add.
- by rewrite shift_matrix_tr.
- by rewrite shift_matrix_add Rplus_opp_l shift_matrix_0.
- exact: det_shift_matrix.
Qed.

Lemma any_similarity h omega : similarity_identities h omega.
Proof.
split=> [s t | s t k | s t | t | n t c | n t].
- exact: toeplitz_dot_product.
- exact: toeplitz_structure.
- exact: D_sym.
- by rewrite D_diagonal INR_half_double.
- exact: gram_semidefinite.
- by exists (encodings h omega t), (encodings h omega t)^T; apply: gram_factors.
Qed.

Lemma any_rotary h omega : rotary_identities h omega.
Proof.
split=> [m i i' b b' | m r phi x i x_i | m n q k | m x | m a b x y | m n | m | m x | m n q k].
- by rewrite block_diagE.
- by rewrite pair_of_rotary x_i rope_rotation.
- exact: dot_rotary.
- by have [_ isometry] := rope_isometry; apply: isometry.
- by have [_ linear] := rope_linear; apply: linear.
- exact: rotary_matrix_mul.
- exact: rotary_matrix_tr.
- by have [row _] := rope_row_vector; apply: row.
- by have [_ [_ score]] := rope_row_vector; apply: score.
Qed.

Lemma any_layouts h omega : layout_identities h omega.
Proof.
split=> [m | m x | m x i | q k m n | k t].
- exact: half_split_matrix_regroup.
- exact: half_split_to_halves.
- exact: half_split_component.
- by have [_ [_ [score _]]] := rope_pair_layout; apply: score.
rewrite half_split_matrix_regroup !trmx_mulR trmxK /to_halves !mulR_A -(mulR_A _ (perm_matrix _)^T).
rewrite tr_perm_matrix_mul mulR1 -mulR_A; have [_ _ transposed _ _ _ _ _ _] := any_shifts h omega.
by rewrite -transposed shift_matrix_PE.
Qed.

Lemma any_phasor h omega : phasor_identities h omega.
Proof.
have phasors t : PE h omega t = vector_im_re (fun i : 'I_h => phasor (omega i * t)).
  apply: pairs_eq => i; rewrite pair_of_PE pair_of_join /sin_cos /im_re phasorE.
  by rewrite Rmult_comm.
split=> [k z | x y m n | // | t k | t | t k].
- by have [_ blocks] := phasor_rotation_matrix; exact: (blocks h (fun i => k * omega i)).
- rewrite dot_pairs; apply: eq_bigr => i _; rewrite !pair_of_rotary !pair_of_join.
  have turned z p : rotate (omega i) (re_im z) p = re_im (encode (omega i) z p).
    by have [one _] := phasor_rotation_matrix; rewrite /rotate -one Cmult_comm.
  by rewrite !turned; have [] := phasor_relative_position (omega i) (x i) (y i) m n.
- rewrite shift_matrix_PE phasors; congr vector_im_re.
  apply: FunctionalExtensionality.functional_extensionality => i.
  by rewrite phasor_add; congr phasor; ring.
- exact: sinusoid_fourier_PE.
- by have [] := sinusoid_fourier_shift h omega t k.
Qed.

(** sinusoid.any-base: For arbitrary real frequencies ω_i, every t and every k: ‖PE(t)‖² = d/2, T(k)
    PE(t) = PE(t+k), and PE(s)·PE(t) = Σ_i cos((s−t)·ω_i); T(k) is the transpose of RoPE's rotation
    matrix R(k) of these frequencies, in the interleaved and in the half-split layout of pairs. *)
Theorem sinusoid_any_base (h : nat) (omega : nat -> R) (s t k : R) :
  norm2 (PE h omega t) = INR h.*2 / 2 /\
  shift_matrix h omega k *m PE h omega t = PE h omega (t + k) /\
  dot (PE h omega s) (PE h omega t) = \rsum_(i < h) cos ((s - t) * omega i) /\
  shift_matrix h omega k = (rotary_matrix h omega k)^T /\
  perm_matrix (regroup h) *m shift_matrix h omega k *m (perm_matrix (regroup h))^T =
    (half_split_matrix h omega k)^T /\
  (half_split_matrix h omega k)^T *m to_halves (PE h omega t) = to_halves (PE h omega (t + k)).
Proof.
rewrite norm2_PE INR_half_double shift_matrix_PE dot_PE; do 3! split=> //.
have transposed := any_transposed_rotation (any_shifts h omega) k; split=> //; split.
  by rewrite half_split_matrix_regroup !trmx_mulR trmxK mulR_A -transposed.
exact: any_layout_shift (any_layouts h omega) k t.
Qed.

(** Whatever the frequencies, all of it holds. *)
Corollary sinusoid_any_base_identities (h : nat) (omega : nat -> R) :
  encoding_identities h omega /\ shift_identities h omega /\ similarity_identities h omega /\
  rotary_identities h omega /\ layout_identities h omega /\ phasor_identities h omega.
Proof.
split; first exact: any_encoding.
split; first exact: any_shifts.
split; first exact: any_similarity.
split; first exact: any_rotary.
by split; [exact: any_layouts | exact: any_phasor].
Qed.
