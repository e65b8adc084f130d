(** * Attention and the order of tokens

  The eleven claims on the attention layer of AttentionLayer.v: for every number of tokens,
  all dimensions, every permutation, all tokens and weights. A permutation matrix is
  [perm_matrix s] for a permutation s of the rows ([permutation_matrixP] shows that every
  matrix with a single 1 in each row and column is one).

  swap        == the exchange of two rows
  The two witnesses have two tokens. For [attention_invariance]: dimension 1, tokens 0 and 1,
  weights 1; the token 0 gets 1/2, the token 1 gets e/(1+e). For
  [attention_encoding_breaks_symmetry]: dimension 2, the sinusoidal encodings of positions 0
  and 1 with any base, tokens (1, 0) and (0, 0), weights that read the first coordinate.

  Main results: the theorems below, one for each claim; their names are the claims' ids. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix Pairs Encoding AttentionLayer.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Permutations *)

(** attention.permutation-matrix: P Pᵀ = Pᵀ P = I for every permutation matrix P. *)
Theorem attention_permutation_matrix n (s : 'S_n) :
  let P := perm_matrix s in P *m P^T = idR n /\ P^T *m P = idR n.
Proof. by split; [exact: perm_matrix_mul_tr | exact: tr_perm_matrix_mul]. Qed.

(** attention.projections: (P X) W = P (X W) for every permutation matrix P and all matrices X
    and W. *)
Theorem attention_projections n d_in d (s : 'S_n) (X : 'M[R]_(n, d_in)) (W : 'M[R]_(d_in, d)) :
  let P := perm_matrix s in (P *m X) *m W = P *m (X *m W).
Proof. by rewrite /= mulR_A. Qed.

(** attention.scores: With A = Q Kᵀ/√d, replacing X by P X gives A′ = P A Pᵀ, for every n, d
    and P. *)
Theorem attention_scores n d_in d (s : 'S_n) (W_q W_k : 'M[R]_(d_in, d)) (X : 'M[R]_(n, d_in)) :
  let P := perm_matrix s in
  let A Y := / sqrt (INR d) *: ((Y *m W_q) *m (Y *m W_k)^T) in
  A (P *m X) = P *m A X *m P^T.
Proof. by rewrite /= -!(mulR_A (perm_matrix s) X); exact: (scores_permute s s). Qed.

(** attention.softmax: softmax(P A Pᵀ) = P softmax(A) Pᵀ, softmax along rows, for every n and
    P. *)
Theorem attention_softmax n (s : 'S_n) (A : 'M[R]_n) :
  let P := perm_matrix s in softmax (P *m A *m P^T) = P *m softmax A *m P^T.
Proof. exact: softmax_permute. Qed.

(** attention.equivariance: Attn(P X) = P Attn(X) for the whole layer
    Attn(X) = softmax(X W_q (X W_k)ᵀ/√d) X W_v, for every n, d, P, X and all weights. *)
Theorem attention_equivariance n d_in d d_out (s : 'S_n) (W_q W_k : 'M[R]_(d_in, d))
  (W_v : 'M[R]_(d_in, d_out)) (X : 'M[R]_(n, d_in)) :
  let P := perm_matrix s in
  let Attn Y := softmax (/ sqrt (INR d) *: ((Y *m W_q) *m (Y *m W_k)^T)) *m (Y *m W_v) in
  Attn (P *m X) = P *m Attn X.
Proof. by rewrite /= -!(mulR_A (perm_matrix s) X); exact: (attend_permute s s). Qed.

(** attention.single-query: For one query, reordering keys and values together leaves the
    output unchanged, with softmax weights and with plain dot-product weights. *)
Theorem attention_single_query n d d_out (s : 'S_n) (q : 'rV[R]_d) (K : 'M[R]_(n, d))
  (V : 'M[R]_(n, d_out)) :
  let P := perm_matrix s in
  (forall scale : R,
     softmax (scale *: (q *m (P *m K)^T)) *m (P *m V) = softmax (scale *: (q *m K^T)) *m V) /\
  (q *m (P *m K)^T) *m (P *m V) = (q *m K^T) *m V.
Proof.
have reorder (w : 'rV[R]_n) : (w *m (perm_matrix s)^T) *m (perm_matrix s *m V) = w *m V.
  by rewrite -mulR_A [_^T *m _]mulR_A tr_perm_matrix_mul mul1R.
have softmax_reorder (w : 'rV[R]_n) :
    softmax (w *m (perm_matrix s)^T) = softmax w *m (perm_matrix s)^T.
  by have := softmax_permute 1 s w; rewrite perm_matrix_id !mul1R.
split=> [scale | ]; rewrite trmx_mulR (mulR_A q); last exact: reorder.
by rewrite -scale_mulR softmax_reorder reorder.
Qed.

(** attention.position-blind: Without encoding, the score of a query token and a key token
    depends on the two tokens alone, not on where they stand. *)
Theorem attention_position_blind d_in d (W_q W_k : 'M[R]_(d_in, d)) :
  exists score : 'rV[R]_d_in -> 'rV[R]_d_in -> R,
    forall n (X : 'M[R]_(n, d_in)) i j,
      scores (X *m W_q) (X *m W_k) i j = score (row i X) (row j X).
Proof.
exists (fun x y => scores (x *m W_q) (y *m W_k) ord0 ord0) => n X i j.
rewrite !mxE; congr (_ * _); apply: eq_bigr => l _; rewrite !mxE.
by congr (_ * _); apply: eq_bigr => p _; rewrite mxE.
Qed.

(** ** Weighted sums *)

(** A finite family of reals has a least and a greatest member. *)
Lemma exists_least n (F : 'I_n.+1 -> R) : exists i, forall j, F i <= F j.
Proof.
elim: n F => [F | n IHn F]; first by exists ord0 => j; rewrite (ord1 j); lra.
have [i least] := IHn (fun j => F (lift ord0 j)).
case: (Rle_dec (F ord0) (F (lift ord0 i))) => order.
  exists ord0 => j; case: (unliftP ord0 j) => [j' -> | ->]; last lra.
  by have := least j'; lra.
by exists (lift ord0 i) => j; case: (unliftP ord0 j) => [j' -> | ->]; [exact: least | lra].
Qed.

Lemma exists_greatest n (F : 'I_n.+1 -> R) : exists i, forall j, F j <= F i.
Proof.
by have [i least] := exists_least (fun j => - F j); exists i => j; have := least j; lra.
Qed.

(** A weighted sum lies between any bounds of its terms. *)
Lemma weighted_sum_between n (w F : 'I_n -> R) low high :
  (forall j, 0 <= w j) -> \rsum_j w j = 1 -> (forall j, low <= F j <= high) ->
  low <= \rsum_j (w j * F j) <= high.
Proof.
move=> w_ge0 w_sum between.
have bound c : c = \rsum_j (w j * c) by rewrite rsum_mulr w_sum R_mul1.
split; [rewrite [low]bound | rewrite [high]bound]; apply: rsum_le => j;
  by apply: Rmult_le_compat_l => //; case: (between j).
Qed.

(** attention.weighted-sum: With at least one key, softmax weights are positive and sum to 1, so
    each coordinate of an attention output lies between the least and the greatest of that
    coordinate among the values. *)
Theorem attention_weighted_sum m n d d_out (Q : 'M[R]_(m, d)) (K : 'M[R]_(n.+1, d))
  (V : 'M[R]_(n.+1, d_out)) :
  let weights := softmax (scores Q K) in
  (forall i j, 0 < weights i j) /\ (forall i, \rsum_j weights i j = 1) /\
  (forall i c, attend Q K V i c = \rsum_j (weights i j * V j c)) /\
  (forall c, exists least greatest, (forall j, V least c <= V j c <= V greatest c) /\
     forall i, V least c <= attend Q K V i c <= V greatest c).
Proof.
move=> weights; have weights_gt0 i j : 0 < weights i j by apply: softmax_gt0.
have weights_sum i : \rsum_j weights i j = 1 by apply: softmax_sum.
split; first exact: weights_gt0.
split; first exact: weights_sum.
split=> [i c | c]; first by rewrite mxE.
have [least is_least] := exists_least (fun j => V j c).
have [greatest is_greatest] := exists_greatest (fun j => V j c).
exists least, greatest; split=> // i; rewrite mxE.
by apply: weighted_sum_between => // j; apply: Rlt_le.
Qed.

(** attention.skip-connection: y = x + Attn(x) implies y − Attn(x) = x. *)
Theorem attention_skip_connection n d_in d (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_d_in)
  (x y : 'M[R]_(n, d_in)) :
  let Attn := attention W_q W_k W_v in y = x +m Attn x -> subR y (Attn x) = x.
Proof. by move=> Attn ->; entries; ring. Qed.

(** ** The two witnesses *)

Definition swap : 'S_2 := tperm (bit false) (bit true).

Lemma perm_matrix_swap_entry p (X : 'M[R]_(2, p)) b j :
  (perm_matrix swap *m X) (bit b) j = X (bit (~~ b)) j.
Proof. by rewrite perm_matrix_mul_entry /swap; case: b; rewrite ?tpermL ?tpermR. Qed.

(** The layer on two tokens, when queries, keys and values have dimension 1. *)
Lemma attention_two d_in (W_q W_k W_v : 'M[R]_(d_in, 1)) (X : 'M[R]_(2, d_in)) b :
  let q := (X *m W_q) (bit b) ord0 in
  let k c := (X *m W_k) (bit c) ord0 in
  let v c := (X *m W_v) (bit c) ord0 in
  attention W_q W_k W_v X (bit b) ord0 =
  (exp (q * k false) * v false + exp (q * k true) * v true) /
  (exp (q * k false) + exp (q * k true)).
Proof.
move=> q k v.
have score c : scores (X *m W_q) (X *m W_k) (bit b) (bit c) = q * k c.
  rewrite mxE sqrt_1 Rinv_1 R_mul1 mxE big_ord_recl big_ord0 R_addr0.
  by rewrite [_^T _ _]mxE.
rewrite mxE rsum2 ![softmax _ _ _]mxE rsum2 !score -/(v _) /Rdiv.
by rewrite -!/(v _); ring.
Qed.

(** attention.invariance: The layer is equivariant but not invariant: there are X, weights and
    P with Attn(P X) ≠ Attn(X). *)
Theorem attention_invariance :
  (forall n d_in d d_out (s : 'S_n) (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
     (X : 'M[R]_(n, d_in)),
     attention W_q W_k W_v (perm_matrix s *m X) = perm_matrix s *m attention W_q W_k W_v X) /\
  (exists n d_in d d_out (s : 'S_n) (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
     (X : 'M[R]_(n, d_in)),
     attention W_q W_k W_v (perm_matrix s *m X) <> attention W_q W_k W_v X).
Proof.
split=> [*|]; first exact: attention_equivariance.
exists 2%N, 1%N, 1%N, 1%N, swap, (idR 1), (idR 1), (idR 1), (col2 0 1).
move/matrixP/(_ (bit false) ord0); rewrite !attention_two !mulR1 !perm_matrix_swap_entry !col2E /=.
rewrite !R_mul0 !R_mulr0 !R_mulr1 exp_0; have := exp_lt (x := 0) (y := 1) ltac:(lra).
rewrite exp_0; move: (exp 1) => e e_gt1.
move=> equal_rows; have : e + 0 = (e + 0) / (e + 1) * (e + 1) by field; lra.
by rewrite equal_rows; lra.
Qed.

(** attention.invariance, as written: Attention is permutation invariant: Attn(P X) = Attn(X). *)
Theorem attention_invariance_as_written_false :
  ~ (forall n d_in d d_out (s : 'S_n) (W_q W_k : 'M[R]_(d_in, d)) (W_v : 'M[R]_(d_in, d_out))
       (X : 'M[R]_(n, d_in)),
       attention W_q W_k W_v (perm_matrix s *m X) = attention W_q W_k W_v X).
Proof.
move=> invariant; have [_] := attention_invariance.
by case=> n [d_in [d [d_out [s [W_q [W_k [W_v [X]]]]]]]]; apply.
Qed.

(** The encoding's first coordinate at positions 0 and 1 is sin 0 and sin 1, when the first
    frequency is 1, as it is for every base ([frequency_0]). *)
Definition first_coordinate : 'cV[R]_(1.*2) := unit_column ord0.
Definition two_tokens : 'M[R]_(2, 1.*2) :=
  \matrix_(i, j) if (i == bit false) && (j == ord0) then 1 else 0.

Lemma two_encodings_entry omega b : omega 0%N = 1 ->
  encodings 2 1 omega (bit b) ord0 = if b then sin 1 else 0.
Proof.
by move=> omega0; rewrite mxE PE_component /pe /= omega0 R_mulr1; case: b => //=; exact: sin_0.
Qed.

(** From the first terms of the series: 5/6 <= sin 1, and sin 1 < 1 because 1/2 <= cos 1. *)
Lemma sin_1_between : 0 < sin 1 < 1.
Proof.
have [sin_low _] := pre_sin_bound 1 0 ltac:(lra) ltac:(lra).
have [cos_low _] := pre_cos_bound 1 0 ltac:(lra) ltac:(lra).
have sin1_gt0 : 0 < sin 1 by move: sin_low; rewrite /sin_approx /sin_term /=; lra.
have cos1_gt0 : 0 < cos 1 by move: cos_low; rewrite /cos_approx /cos_term /=; lra.
by have := sin2_cos2 1; rewrite /Rsqr; nra.
Qed.

(** attention.encoding-breaks-symmetry: With a positional encoding E added, order matters:
    there are X, weights and P with Attn(P X + E) ≠ P Attn(X + E). *)
Theorem attention_encoding_breaks_symmetry (omega : nat -> R) : omega 0%N = 1 ->
  exists (W_q W_k W_v : 'M[R]_(1.*2, 1)) (X : 'M[R]_(2, 1.*2)) (s : 'S_2),
    let P := perm_matrix s in
    let E := encodings 2 1 omega in
    let Attn := attention W_q W_k W_v in
    Attn (P *m X +m E) <> P *m Attn (X +m E).
Proof.
move=> omega0; exists first_coordinate, first_coordinate, first_coordinate, two_tokens, swap.
move=> P E Attn /matrixP/(_ (bit false) ord0); rewrite perm_matrix_swap_entry.
have sum_entry Y b : ((Y +m E) *m first_coordinate) (bit b) ord0 =
    Y (bit b) ord0 + if b then sin 1 else 0.
  by rewrite mulR_unit_column mxE mxE two_encodings_entry.
rewrite !attention_two !sum_entry !perm_matrix_swap_entry ![two_tokens _ _]mxE /=.
rewrite !Rplus_0_l !Rplus_0_r !R_mul0 !R_mulr0 !R_mulr1 exp_0.
have [sin1_gt0 sin1_lt1] := sin_1_between.
have := exp_lt (x := sin 1 * sin 1) (y := sin 1) ltac:(nra); have := exp_pos (sin 1 * sin 1).
move: (sin 1) (exp (sin 1)) (exp (_ * _)) sin1_gt0 sin1_lt1 => y a b y_gt0 y_lt1 b_gt0 lt_ba.
move=> equal_rows; have : (a + b * y) = (a + b * y) / (a + b) * (a + b) by field; lra.
by rewrite -equal_rows; nra.
Qed.
