(** * Pairs of coordinates and block-diagonal matrices

  A vector of even dimension d = h.*2 seen as h pairs, and the matrices that act on each
  pair by itself. Pair i holds the coordinates 2i and 2i+1 (the interleaved layout).

  at_pair i b       == the coordinate 2i (b = false) or 2i+1 (b = true), in 'I_(h.*2)
  pair_no j         == the pair that coordinate j belongs to, j./2
  bit b             == 0 (b = false) or 1 (b = true) in 'I_2
  mx22 a b c d      == the matrix [[a, b], [c, d]]
  col2 a b          == the column (a, b)
  block_diag B      == the matrix with the 2x2 blocks B i along the diagonal, 0 elsewhere
  join_pairs v      == the vector whose pair i is the column v i
  pair_of x i       == pair i of the vector x, a column of length 2

  Main results: [pairP] (every coordinate is one of a pair), [rsum_pairs] (a sum over
  coordinates is a sum over pairs), and product, transpose, identity and action of
  block-diagonal matrices block by block. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Two by two *)

Definition bit (b : bool) : 'I_2 := if b then lift ord0 ord0 else ord0.

Lemma bit_inj : injective bit.
Proof. by case; case. Qed.

Lemma bitP (i : 'I_2) : exists b, i = bit b.
Proof. by case: i => [[|[|//]]] lt_i2; [exists false | exists true]; apply: val_inj. Qed.

Lemma rsum2 (F : 'I_2 -> R) : \rsum_i F i = F (bit false) + F (bit true).
Proof. by rewrite !big_ord_recl big_ord0 /= R_addr0. Qed.

Definition mx22 (a b c d : R) : 'M[R]_2 :=
  \matrix_(i, j) if i == bit false then (if j == bit false then a else b)
                 else (if j == bit false then c else d).
Definition col2 (a b : R) : 'cV[R]_2 := \matrix_(i, j) if i == bit false then a else b.

Lemma mx22E a b c d i j :
  mx22 a b c d (bit i) (bit j) = if i then (if j then d else c) else (if j then b else a).
Proof. by rewrite mxE !(inj_eq bit_inj); case: i; case: j. Qed.

Lemma col2E a b i j : col2 a b (bit i) j = if i then b else a.
Proof. by rewrite mxE (inj_eq bit_inj); case: i. Qed.

(** Matrices with two rows are equal when their rows are. *)
Lemma rows2P p (A B : 'M[R]_(2, p)) : (forall b j, A (bit b) j = B (bit b) j) -> A = B.
Proof. by move=> eq_AB; apply/matrixP => i j; have [b ->] := bitP i. Qed.

Lemma mx22P (A B : 'M[R]_2) : (forall b c, A (bit b) (bit c) = B (bit b) (bit c)) -> A = B.
Proof. by move=> eq_AB; apply: rows2P => b j; have [c ->] := bitP j. Qed.

Lemma mx22_of (A : 'M[R]_2) :
  A = mx22 (A (bit false) (bit false)) (A (bit false) (bit true))
           (A (bit true) (bit false)) (A (bit true) (bit true)).
Proof. by apply: mx22P => [[] []]; rewrite mx22E. Qed.

Lemma mx22_mul a b c d a' b' c' d' :
  mx22 a b c d *m mx22 a' b' c' d' =
  mx22 (a * a' + b * c') (a * b' + b * d') (c * a' + d * c') (c * b' + d * d').
Proof. by apply: mx22P => [[] []]; rewrite mxE rsum2 !mx22E. Qed.

Lemma mx22_col2 a b c d x y : mx22 a b c d *m col2 x y = col2 (a * x + b * y) (c * x + d * y).
Proof. by apply: rows2P => [[] j]; rewrite mxE rsum2 !mx22E !col2E. Qed.

Lemma mx22_tr a b c d : (mx22 a b c d)^T = mx22 a c b d.
Proof. by apply: mx22P => [[] []]; rewrite mxE !mx22E. Qed.

Lemma mx22_id : idR 2 = mx22 1 0 0 1.
Proof. by apply: mx22P => [[] []]; rewrite mxE mx22E (inj_eq bit_inj). Qed.

Lemma dot_col2 a b c d : dot (col2 a b) (col2 c d) = a * c + b * d.
Proof. by rewrite /dot rsum2 !col2E. Qed.

(** ** Coordinates in pairs *)

Section Pairs.

Variable h : nat.

Lemma at_pair_subproof (i : 'I_h) (b : bool) : (i.*2 + b < h.*2)%N.
Proof. by case: b; rewrite ?addn1 ?addn0 ?ltn_Sdouble ?ltn_double. Qed.

Definition at_pair (i : 'I_h) (b : bool) : 'I_(h.*2) := Ordinal (at_pair_subproof i b).

Lemma pair_no_subproof (j : 'I_(h.*2)) : (j./2 < h)%N.
Proof.
by rewrite -ltn_double (leq_ltn_trans _ (ltn_ord j)) // -{2}(odd_double_half j) leq_addl.
Qed.

Definition pair_no (j : 'I_(h.*2)) : 'I_h := Ordinal (pair_no_subproof j).

Lemma pair_no_at i b : pair_no (at_pair i b) = i.
Proof. by apply: val_inj; rewrite /= addnC half_bit_double. Qed.

Lemma odd_at i b : odd (at_pair i b) = b.
Proof. by rewrite /= oddD odd_double; case: b. Qed.

Lemma at_pairK (j : 'I_(h.*2)) : at_pair (pair_no j) (odd j) = j.
Proof. by apply: val_inj; rewrite /= addnC odd_double_half. Qed.

(** Every coordinate is the first or the second of a pair. *)
Lemma pairP (j : 'I_(h.*2)) : exists i b, j = at_pair i b.
Proof. by exists (pair_no j), (odd j); rewrite at_pairK. Qed.

Lemma at_pair_eq i b i' b' : (at_pair i b == at_pair i' b') = (i == i') && (b == b').
Proof.
apply/eqP/andP => [eq_at | [/eqP -> /eqP ->] //].
have := congr1 pair_no eq_at; have := congr1 (fun j : 'I_(h.*2) => odd j) eq_at.
by rewrite /= !pair_no_at !odd_at => -> ->.
Qed.

(** A sum over coordinates is a sum over pairs. *)
Lemma rsum_pairs (F : 'I_(h.*2) -> R) :
  \rsum_j F j = \rsum_i (F (at_pair i false) + F (at_pair i true)).
Proof.
rewrite (partition_big pair_no predT) //=; apply: eq_bigr => i _.
rewrite (bigD1 (at_pair i false)) ?pair_no_at //= (bigD1 (at_pair i true)) /=; last first.
  by rewrite pair_no_at at_pair_eq eqxx.
rewrite big1 ?R_addr0 // => j; have [i' [b ->]] := pairP j.
by rewrite pair_no_at !at_pair_eq => /andP[/andP[/eqP -> ]]; rewrite eqxx; case: b.
Qed.

Definition pair_of (x : 'cV[R]_(h.*2)) (i : 'I_h) : 'cV[R]_2 :=
  col2 (x (at_pair i false) ord0) (x (at_pair i true) ord0).
Definition join_pairs (v : 'I_h -> 'cV[R]_2) : 'cV[R]_(h.*2) :=
  \matrix_(j, k) v (pair_no j) (bit (odd j)) ord0.

Lemma pair_ofE x i b k : pair_of x i (bit b) k = x (at_pair i b) ord0.
Proof. by rewrite col2E; case: b. Qed.

Lemma pair_of_join v i : pair_of (join_pairs v) i = v i.
Proof. by apply: rows2P => b k; rewrite pair_ofE mxE pair_no_at odd_at (ord1 k). Qed.

(** Vectors are equal when their pairs are. *)
Lemma pairs_eq (x y : 'cV[R]_(h.*2)) : (forall i, pair_of x i = pair_of y i) -> x = y.
Proof.
move=> eq_pairs; apply/matrixP => j k; have [i [b ->]] := pairP j.
by rewrite (ord1 k) -!(pair_ofE _ _ _ ord0) eq_pairs.
Qed.

(** Inner products pair by pair. *)
Lemma dot_pairs (x y : 'cV[R]_(h.*2)) : dot x y = \rsum_i dot (pair_of x i) (pair_of y i).
Proof. by rewrite /dot rsum_pairs; apply: eq_bigr => i _; rewrite rsum2 !pair_ofE. Qed.

(** ** Block-diagonal matrices *)

Definition block_diag (B : 'I_h -> 'M[R]_2) : 'M[R]_(h.*2) :=
  \matrix_(j, k) if pair_no j == pair_no k then B (pair_no j) (bit (odd j)) (bit (odd k)) else 0.

Lemma block_diagE B i b i' b' :
  block_diag B (at_pair i b) (at_pair i' b') = if i == i' then B i (bit b) (bit b') else 0.
Proof. by rewrite mxE !pair_no_at !odd_at. Qed.

(** Matrices are equal when they agree block by block. *)
Lemma blocksP (A B : 'M[R]_(h.*2)) :
  (forall i b i' b', A (at_pair i b) (at_pair i' b') = B (at_pair i b) (at_pair i' b')) -> A = B.
Proof.
move=> eq_AB; apply/matrixP => j k.
by have [i [b ->]] := pairP j; have [i' [b' ->]] := pairP k.
Qed.

Lemma eq_block_diag B C : (forall i, B i = C i) -> block_diag B = block_diag C.
Proof. by move=> eq_BC; apply: blocksP => i b i' b'; rewrite !block_diagE eq_BC. Qed.

Lemma block_diag_mul B C : block_diag B *m block_diag C = block_diag (fun i => B i *m C i).
Proof.
apply: blocksP => i b i' b'; rewrite mxE rsum_pairs (rsum_one (i0 := i)) => [|l].
  by rewrite !block_diagE eqxx mxE rsum2; case: eqP => // _; ring.
by rewrite !block_diagE eq_sym => /negPf ->; ring.
Qed.

Lemma block_diag_tr B : (block_diag B)^T = block_diag (fun i => (B i)^T).
Proof.
apply: blocksP => i b i' b'; rewrite mxE !block_diagE eq_sym mxE.
by case: eqP => // ->.
Qed.

Lemma block_diag_id : block_diag (fun=> idR 2) = idR h.*2.
Proof.
apply: blocksP => i b i' b'; rewrite block_diagE !mxE at_pair_eq (inj_eq bit_inj).
by case: eqP.
Qed.

(** A block-diagonal matrix acts on each pair by itself. *)
Lemma pair_of_block_diag B x i : pair_of (block_diag B *m x) i = B i *m pair_of x i.
Proof.
apply: rows2P => b k; rewrite pair_ofE !mxE rsum_pairs (rsum_one (i0 := i)) => [|l].
  by rewrite rsum2 !block_diagE eqxx !pair_ofE.
by rewrite !block_diagE eq_sym => /negPf ->; ring.
Qed.

End Pairs.
