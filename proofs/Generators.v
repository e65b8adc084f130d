(** * Generators of rotary encodings

  Rotary encoding for N axes turns pair i by the sum of p_a omega_(a,i) at position p. Its generators are the
  derivatives at position 0, and lie in the span of the rotations of single pairs.

  turn                == J = [[0, -1], [1, 0]], the derivative of R(a) at 0
  generator i         == J_i, the rotation of pair i alone
  rope c              == sum_i c_i J_i
  combination x omega == the frequencies sum_a x_a omega_(a,i)
  commutator A B      == A B - B A
  block X i k         == the 2x2 block of X in the rows of pair i and the columns of pair k

  Main result: multiaxis.basis. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Coquelicot Require Import Coquelicot.
From Posproof Require Import RealMatrix Pairs Encoding Rotary Determinant.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition turn : 'M[R]_2 := mx22 0 (-1) 1 0.
Definition rope (h : nat) (c : 'I_h -> R) : 'M[R]_(h.*2) := block_diag (fun i => c i *: turn).
Definition generator (h : nat) (i : 'I_h) : 'M[R]_(h.*2) := rope (fun k => if k == i then 1 else 0).
Definition combination (h N : nat) (x : 'I_N -> R) (omega : 'I_N -> 'I_h -> R) : 'I_h -> R :=
  fun i => \rsum_(a < N) (x a * omega a i).
Definition commutator n (A B : 'M[R]_n) : 'M[R]_n := subR (A *m B) (B *m A).
Definition skew n (A : 'M[R]_n) : Prop := A^T = (-1 *: A)%R.
Definition block h (X : 'M[R]_(h.*2)) (i k : 'I_h) : 'M[R]_2 :=
  \matrix_(r, s) X (at_pair i (r != bit false)) (at_pair k (s != bit false)).

(** ** Blocks *)

Lemma once m n (A B : 'M[R]_(m, n)) : subR (1 *: A) (0 *: B) = A.
Proof. by entries; ring. Qed.

Lemma opposite_twice m n (A : 'M[R]_(m, n)) : -1 *: (-1 *: A) = A.
Proof. by entries; ring. Qed.

Lemma opposite_nothing m n p (A : 'M[R]_(m, n)) : -1 *: (A *m (zeroR : 'M[R]_(n, p))) = zeroR.
Proof. by rewrite mulR0; entries; ring. Qed.

Lemma block_nothing h (i k : 'I_h) : block zeroR i k = zeroR.
Proof. by apply/matrixP => r s; rewrite !mxE. Qed.

Lemma blockE h (X : 'M[R]_(h.*2)) i k b c : block X i k (bit b) (bit c) = X (at_pair i b) (at_pair k c).
Proof. by rewrite mxE !(inj_eq bit_inj); case: b; case: c. Qed.

Lemma scaled_turn a b c :
  (a *: turn)%R (bit b) (bit c) = if b then (if c then 0 else a) else (if c then - a else 0).
Proof. by rewrite mxE mx22E; case: b; case: c; ring. Qed.

Lemma turn_square (A : 'M[R]_2) : turn *m (turn *m A) = -1 *: A.
Proof.
by rewrite [A]mx22_of /turn !mx22_mul; apply: mx22P => [[] []]; rewrite [RHS]mxE !mx22E; ring.
Qed.

(** A generator acts on the rows of its pair, or on the columns, and annihilates the others. *)
Lemma rope_rows h c (X : 'M[R]_(h.*2)) i k : block (rope c *m X) i k = c i *: (turn *m block X i k).
Proof.
apply: mx22P => b b'; rewrite blockE !mxE rsum_pairs (rsum_one (i0 := i)) => [|l].
  by rewrite !block_diagE eqxx rsum2 !blockE ![(_ *: _)%R _ _]mxE; ring.
by rewrite !block_diagE eq_sym => /negPf ->; ring.
Qed.

Lemma rope_columns h c (X : 'M[R]_(h.*2)) i k : block (X *m rope c) i k = c k *: (block X i k *m turn).
Proof.
apply: mx22P => b b'; rewrite blockE !mxE rsum_pairs (rsum_one (i0 := k)) => [|l].
  by rewrite !block_diagE eqxx rsum2 !blockE ![(_ *: _)%R _ _]mxE; ring.
by rewrite !block_diagE => /negPf ->; ring.
Qed.

Lemma block_sub h (X Y : 'M[R]_(h.*2)) i k : block (subR X Y) i k = subR (block X i k) (block Y i k).
Proof. by apply/matrixP => r s; rewrite !mxE. Qed.

Lemma blocks_eq h (X Y : 'M[R]_(h.*2)) : (forall i k, block X i k = block Y i k) -> X = Y.
Proof. by move=> same; apply: blocksP => i b k c; rewrite -!blockE same. Qed.

Lemma block_rope h (c : 'I_h -> R) i k : block (rope c) i k = if i == k then c i *: turn else zeroR.
Proof. by apply: mx22P => b b'; rewrite blockE block_diagE; case: eqP => // _; rewrite mxE. Qed.

(** ** The span of the rotations of single pairs *)

Lemma rope_sum h (c : 'I_h -> R) : rope c = \matrix_(j, k) \rsum_i (c i * generator i j k).
Proof.
apply: blocksP => i b k b'; rewrite mxE block_diagE.
under eq_bigr do rewrite block_diagE; case: (i == k); last by rewrite big1 // => l _; ring.
rewrite (rsum_one (i0 := i)) => [|l /negPf l_ne].
  by rewrite eqxx !scaled_turn; case: b; case: b'; ring.
by rewrite scaled_turn eq_sym l_ne; case: b; case: b'; ring.
Qed.

Lemma rope_skew h (c : 'I_h -> R) : skew (rope c).
Proof.
rewrite /skew /rope block_diag_tr; apply: blocksP => i b k b'; rewrite [RHS]mxE !block_diagE.
by case: (i == k); [rewrite mxE !scaled_turn; case: b; case: b'; ring | ring].
Qed.

Lemma rope_commute h (c c' : 'I_h -> R) : rope c *m rope c' = rope c' *m rope c.
Proof.
rewrite /rope !block_diag_mul; apply: eq_block_diag => i.
by rewrite !mulR_scale !scale_mulR; apply/matrixP => r s; rewrite !mxE; ring.
Qed.

Lemma rope_inj h (c c' : 'I_h -> R) : rope c = rope c' -> forall i, c i = c' i.
Proof.
move=> same i; have := congr1 (fun X => block X i i (bit true) (bit false)) same.
by rewrite !block_rope eqxx !scaled_turn.
Qed.

(** What commutes with the rotation of pair i has nothing between that pair and another. *)
Lemma block_recovered h (X : 'M[R]_(h.*2)) i k : k != i ->
  block X i k = -1 *: (turn *m block (commutator (generator i) X) i k).
Proof.
move=> /negPf k_ne; rewrite block_sub rope_rows rope_columns eqxx k_ne.
by rewrite once turn_square opposite_twice.
Qed.

Lemma commuting_apart h (X : 'M[R]_(h.*2)) i k : skew X -> commutator (generator i) X = zeroR -> k != i ->
  block X i k = zeroR /\ block X k i = zeroR.
Proof.
move=> X_skew commutes k_ne; have row_0 : block X i k = zeroR.
  by rewrite block_recovered // commutes block_nothing opposite_nothing.
split=> //; apply: mx22P => b b'; rewrite blockE mxE.
have /matrixP/(_ (bit b') (bit b)) := row_0; rewrite blockE mxE => entry_0.
by have /matrixP/(_ (at_pair i b') (at_pair k b)) := X_skew; rewrite !mxE entry_0; lra.
Qed.

Lemma skew_block h (X : 'M[R]_(h.*2)) i : skew X ->
  block X i i = X (at_pair i true) (at_pair i false) *: turn.
Proof.
move=> X_skew; have entry b c : X (at_pair i b) (at_pair i c) = - X (at_pair i c) (at_pair i b).
  by have /matrixP/(_ (at_pair i c) (at_pair i b)) := X_skew; rewrite !mxE; lra.
apply: mx22P => b c; rewrite blockE scaled_turn.
by case: b; case: c; [have := entry true true | | have := entry false true | have := entry false false]; lra.
Qed.

Lemma commuting_rope h (X : 'M[R]_(h.*2)) : skew X -> (forall i, commutator (generator i) X = zeroR) ->
  X = rope (fun i => X (at_pair i true) (at_pair i false)).
Proof.
move=> X_skew commutes; apply: blocks_eq => i k; rewrite block_rope.
have [<- | /eqP i_ne] := eqP; first exact: skew_block.
by have [] := commuting_apart X_skew (commutes i) (k := k) ltac:(by rewrite eq_sym).
Qed.

(** ** Bases of it *)

(** As many frequencies as pairs are needed to reach every choice, and more are dependent. *)
Lemma basis_size h N (omega : 'I_N -> 'I_h -> R) :
  (forall c, exists x, forall i, c i = combination x omega i) ->
  (forall x, (forall i, combination x omega i = 0) -> forall a, x a = 0) -> N = h.
Proof.
move=> spans independent; apply/eqP; rewrite eqn_leq; apply/andP; split; rewrite leqNgt; apply/negP => less.
  have [v [v_ne0 v_0]] := underdetermined (\matrix_(i, a) omega a i : 'M[R]_(h, N)) less.
  case: v_ne0; apply/matrixP => a j; rewrite (ord1 j) [RHS]mxE.
  apply: (independent (fun a => v a ord0)) => i; have /matrixP/(_ i ord0) := v_0; rewrite !mxE => <-.
  by apply: eq_bigr => b _; rewrite mxE; ring.
have [v [v_ne0 v_0]] := underdetermined (\matrix_(a, i) omega a i : 'M[R]_(N, h)) less.
have [x v_x] := spans (fun i => v i ord0); case: v_ne0; apply: norm2_eq0.
rewrite /norm2 /dot; under eq_bigr do rewrite {1}v_x /combination -rsum_mulr.
rewrite rsum_exchange big1 // => a _; transitivity (x a * (\rsum_i (omega a i * v i ord0))).
  by rewrite -rsum_mull; apply: eq_bigr => i _; ring.
have /matrixP/(_ a ord0) := v_0; rewrite !mxE => row_0.
set sum := \rsum_i _ in row_0; suff -> : \rsum_i (omega a i * v i ord0) = sum by rewrite row_0 R_mulr0.
by apply: eq_bigr => i _; rewrite mxE.
Qed.

(** The derivative of the rotation at position 0. *)
Lemma rotary_derivative h (omega : nat -> R) j k :
  is_derive (fun m => rotary_matrix h omega m j k) 0 (rope (fun i : 'I_h => omega i) j k).
Proof.
have [i [b ->]] := pairP j; have [i' [b' ->]] := pairP k; rewrite block_diagE.
apply: (is_derive_ext (fun m => if i == i' then rotation (m * omega i) (bit b) (bit b') else 0)) => [m|].
  by rewrite block_diagE.
case: (i == i'); last exact: is_derive_const.
apply: (is_derive_ext (fun m => if b then (if b' then cos (m * omega i) else sin (m * omega i))
  else (if b' then - sin (m * omega i) else cos (m * omega i)))) => [m|].
  by rewrite /rotation mx22E.
by rewrite scaled_turn; case: b; case: b'; auto_derive => //; rewrite ?R_mul0 ?sin_0 ?cos_0; ring.
Qed.

(** ** The claim *)

(** The first pair's rotation is no multiple of the generator of one axis. *)
Lemma first_no_multiple h (omega : nat -> R) (t : R) : omega 1%N <> 0 ->
  generator (ord0 : 'I_h.+2) <> (t *: rope (fun i : 'I_h.+2 => omega i))%R.
Proof.
move=> omega_ne0 /matrixP same; pose first : 'I_h.+2 := ord0; pose second : 'I_h.+2 := lift ord0 ord0.
have := same (at_pair first true) (at_pair first false); have := same (at_pair second true) (at_pair second false).
rewrite ![(_ *: rope _)%R _ _]mxE !block_diagE !eqxx !scaled_turn /= => at_second.
by have [-> | //] := Rmult_integral _ _ (esym at_second); lra.
Qed.

(** multiaxis.basis: RoPE for N axes has N commuting generators, which lie in a maximal abelian
    subalgebra of so(d) and are a basis of it only if N = ⌊d/2⌋: one-dimensional RoPE has the one
    generator B = Σ_i θ_i·J_i, with which the rotation J_0 of its first pair commutes although it is no
    multiple of B, for every even d ≥ 4 and θ_1 ≠ 0. A skew matrix X that commutes with J_0 has no
    entries between the first pair and the others, as its block there is −J·[J_0, X]: none commutes
    with all J_i but their combinations. *)
Theorem multiaxis_basis :
  (forall (h : nat) (omega : nat -> R) j k,
     is_derive (fun m => rotary_matrix h omega m j k) 0 (rope (fun i : 'I_h => omega i) j k)) /\
  (forall (h : nat) (c c' : 'I_h -> R),
     rope c = (\matrix_(j, k) \rsum_i (c i * generator i j k))%R /\ skew (rope c) /\
     rope c *m rope c' = rope c' *m rope c) /\
  (forall (h : nat) (X : 'M[R]_(h.*2)), skew X -> (forall i, commutator (generator i) X = zeroR) ->
     exists c, X = rope c) /\
  (forall (h N : nat) (omega : 'I_N -> 'I_h -> R),
     (forall c, exists x, rope c = rope (combination x omega)) ->
     (forall x, rope (combination x omega) = zeroR -> forall a, x a = 0) -> N = h) /\
  (forall (h : nat) (omega : nat -> R), omega 1%N <> 0 ->
     let B := rope (fun i : 'I_h.+2 => omega i) in
     commutator B (generator ord0) = zeroR /\ forall t, generator ord0 <> (t *: B)%R) /\
  (forall (h : nat) (X : 'M[R]_(h.+1.*2)) (k : 'I_h.+1), k != ord0 ->
     block X ord0 k = -1 *: (turn *m block (commutator (generator ord0) X) ord0 k) /\
     (skew X -> commutator (generator ord0) X = zeroR -> block X ord0 k = zeroR /\ block X k ord0 = zeroR)).
Proof.
split; first exact: rotary_derivative.
split; first by move=> h c c'; split; [exact: rope_sum | split; [exact: rope_skew | exact: rope_commute]].
split.
  move=> h X X_skew commutes; exists (fun i => X (at_pair i true) (at_pair i false)); exact: commuting_rope.
split.
  move=> h N omega spans independent; apply: (basis_size (omega := omega)) => [c | x x_0].
    by have [x /rope_inj same] := spans c; exists x.
  apply: independent; apply: blocks_eq => i k; rewrite block_rope block_nothing x_0.
  by case: (i == k) => //; apply/matrixP => r s; rewrite mxE R_mul0 mxE.
split=> [h omega omega_ne0 B | h X k k_ne].
  split=> [|t]; last exact: first_no_multiple.
  by rewrite /commutator rope_commute; entries; ring.
by split=> [|X_skew commutes]; [exact: block_recovered | exact: commuting_apart].
Qed.

(** multiaxis.basis, as written: Every valid RoPE is a basis of a maximal abelian subalgebra: J_0, which
    commutes with B, is a multiple of B. *)
Theorem multiaxis_basis_as_written_false :
  ~ (forall (h : nat) (omega : nat -> R), omega 1%N <> 0 ->
       exists t : R, generator ord0 = (t *: rope (fun i : 'I_h.+2 => omega i))%R).
Proof. by move=> /(_ 0%N (fun=> 1) R1_neq_R0)[t]; exact: (@first_no_multiple 0 (fun=> 1) t R1_neq_R0). Qed.
