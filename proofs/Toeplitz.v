(** * Dot products of encodings: a Toeplitz matrix

    The dot product of two encodings is a sum of cosines of the distance of their
    positions.  So the matrix of these products is constant along its diagonals.
    That it is positive semidefinite is in Gram.v; its values are in
    PrintedValues.v.

    Dictionary
      D h w s t == PE(s) . PE(t), the dot product of the encodings of the real positions
                   s and t, for h pairs (d = h.*2) with the frequencies w 0 ... w (h-1)
      PE, dot   == the encoding (Encoding.v) and the dot product (RealMatrix.v)

    Everything holds for arbitrary real frequencies and positions. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition D (h : nat) (omega : nat -> R) (s t : R) : R := dot (PE h omega s) (PE h omega t).

Section Similarity.

Variables (h : nat) (omega : nat -> R).

Lemma D_cos s t : D h omega s t = \rsum_(i < h) cos ((s - t) * omega i).
Proof. exact: dot_PE. Qed.

(** From position 0: the similarity as a function of the distance. *)
Lemma D_0 t : D h omega 0 t = \rsum_(i < h) cos (t * omega i).
Proof.
rewrite D_cos; apply: eq_bigr => i _.
by rewrite -cos_neg; congr cos; ring.
Qed.

Lemma D_difference s t s' t' : s - t = s' - t' -> D h omega s t = D h omega s' t'.
Proof. by rewrite !D_cos => ->. Qed.

Lemma D_sym s t : D h omega s t = D h omega t s.
Proof. exact: dotC. Qed.

Lemma D_diagonal t : D h omega t t = INR h.
Proof. exact: norm2_PE. Qed.

End Similarity.

(** toeplitz.product-identity: sin x sin y + cos x cos y = cos(x − y) for all real x and y. *)
Theorem toeplitz_product_identity (x y : R) : sin x * sin y + cos x * cos y = cos (x - y).
Proof. by rewrite cos_minus; ring. Qed.

(** toeplitz.dot-product: PE(s)·PE(t) = Σ_i cos((s−t)·ω_i) for every d, all frequencies and
    all real s and t. *)
Theorem toeplitz_dot_product (h : nat) (omega : nat -> R) (s t : R) :
  dot (PE h omega s) (PE h omega t) = \rsum_(i < h) cos ((s - t) * omega i).
Proof. exact: dot_PE. Qed.

(** toeplitz.structure: D_st = PE(s)·PE(t) satisfies D_st = D_(s+k)(t+k) for all real s, t and
    k. *)
Theorem toeplitz_structure (h : nat) (omega : nat -> R) (s t k : R) :
  D h omega s t = D h omega (s + k) (t + k).
Proof. by apply: D_difference; ring. Qed.

(** toeplitz.symmetric: D_st = D_ts and D_tt = d/2 for all real s and t. *)
Theorem toeplitz_symmetric (h : nat) (omega : nat -> R) (s t : R) :
  D h omega s t = D h omega t s /\ D h omega t t = INR h.*2 / 2.
Proof. by rewrite D_diagonal INR_half_double; split; first exact: D_sym. Qed.

(** toeplitz.shift-invariance: D_st depends on s − t alone: s − t = s′ − t′ implies D_st =
    D_s′t′, for all real positions. *)
Theorem toeplitz_shift_invariance (h : nat) (omega : nat -> R) (s t s' t' : R) :
  s - t = s' - t' -> D h omega s t = D h omega s' t'.
Proof. exact: D_difference. Qed.
