(** * Every identity of the ledger, for arbitrary frequencies

  What is claimed.  10000 is a hyperparameter: the identities on encodings, shifts, similarities,
  rotations and phasors hold for any real frequencies ω_0, ω_1, ... whatever, with no base, no
  geometric progression and no relation between them.

  encoding_identities h ω   == what the ledger says of PE, for these frequencies
  shift_identities h ω      == ... of T(k)
  similarity_identities h ω == ... of dot products of encodings
  rotary_identities h ω     == ... of rotary encoding
  phasor_identities h ω     == ... of complex exponentials and Fourier coefficients

  Main result: the corollary of sinusoid.any-base. Each field of each record is a theorem of
  another file at these frequencies. *)

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

Record encoding_identities (h : nat) (omega : nat -> R) : Prop := {
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
    x *m rotary_matrix h omega m = (rotary_matrix h omega (- m) *m x^T)^T
}.

Record phasor_identities (h : nat) (omega : nat -> R) : Prop := {
  any_phasors : forall t, PE h omega t = vector_im_re (fun i : 'I_h => phasor (omega i * t));
  any_phasor_shift : forall t k, shift_matrix h omega k *m PE h omega t =
    vector_im_re (fun i : 'I_h => phasor (omega i * k) * phasor (omega i * t))%C;
  any_coefficients : forall t, PE h omega t = coefficients h omega (impulse t);
  any_delay : forall t k, shift_matrix h omega k *m coefficients h omega (impulse t) =
    coefficients h omega (delay k (impulse t))
}.

Lemma any_encoding h omega : encoding_identities h omega.
Proof.
split=> [t j | t | t | s t | j n t omega_neq0].
- by have [bounded _] := sinusoid_bounded h omega t.
- by have [_ norm] := sinusoid_bounded h omega t.
- by rewrite distance2_PE; apply: eq_bigr => i _; congr (_ - _ * cos _); ring.
- exact: distance2_PE.
- exact: sinusoid_periodic_component.
Qed.

Lemma any_shifts h omega : shift_identities h omega.
Proof.
split=> [t k | k i i' b b' | | j k | k | k | k].
- exact: shift_linearity.
- by have [blocks _] := shift_block_structure h omega k.
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
split=> [m n q k | m x | m a b x y | m n | m | m x].
- exact: dot_rotary.
- by have [_ isometry] := rope_isometry; apply: isometry.
- by have [_ linear] := rope_linear; apply: linear.
- exact: rotary_matrix_mul.
- exact: rotary_matrix_tr.
- by have [row _] := rope_row_vector; apply: row.
Qed.

Lemma any_phasor h omega : phasor_identities h omega.
Proof.
have phasors t : PE h omega t = vector_im_re (fun i : 'I_h => phasor (omega i * t)).
  apply: pairs_eq => i; rewrite pair_of_PE pair_of_join /sin_cos /im_re phasorE.
  by rewrite Rmult_comm.
split=> [// | t k | t | t k].
- rewrite shift_matrix_PE phasors; congr vector_im_re.
  apply: FunctionalExtensionality.functional_extensionality => i.
  by rewrite phasor_add; congr phasor; ring.
- exact: sinusoid_fourier_PE.
- by have [] := sinusoid_fourier_shift h omega t k.
Qed.

(** Whatever the frequencies, all of it holds. *)
Corollary sinusoid_any_base_identities (h : nat) (omega : nat -> R) :
  [/\ encoding_identities h omega, shift_identities h omega, similarity_identities h omega,
      rotary_identities h omega & phasor_identities h omega].
Proof.
split; [exact: any_encoding | exact: any_shifts | exact: any_similarity | exact: any_rotary |
  exact: any_phasor].
Qed.
