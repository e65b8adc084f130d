(** * ALiBi: attention with linear biases

  Instead of encoding positions, ALiBi subtracts slope · distance from the score of a key. What
  that does to the weights of a row with equal raw scores, and which slopes belong to 16 heads.

  alibi_row slope c n == the 1 x n matrix of the scores c - slope * j of the keys at distances j
  slopes n            == the slopes 2^(-8i/n), i = 1 ... n, of n heads, the largest first
  with_means s        == the list s with the geometric mean of neighbours between them

  Main results: alibi.recency, alibi.slopes. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix AttentionLayer.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Recency *)

Definition alibi_row (slope c : R) (n : nat) : 'M[R]_(1, n) := \matrix_(i, j) (c - slope * INR j).

Lemma exp_lt1 slope : 0 < slope -> 0 < exp (- slope) < 1.
Proof.
move=> slope_gt0; split; first exact: exp_pos.
by rewrite -exp_0; apply: exp_increasing; lra.
Qed.

Lemma exp_power a n : exp a ^ n = exp (a * INR n).
Proof.
elim: n => [|n IHn]; first by rewrite /= Rmult_0_r exp_0.
by rewrite [LHS]/= IHn -exp_plus S_INR; congr exp; ring.
Qed.

(** The mass of an infinite row from distance x on. *)
Lemma tail_mass slope c (x : nat) : 0 < slope ->
  is_series (fun j => exp (c - slope * INR (x + j))) (exp (c - slope * INR x) / (1 - exp (- slope))).
Proof.
move=> slope_gt0; have [q_gt0 q_lt1] := exp_lt1 slope_gt0.
have geometric := is_series_geom (exp (- slope)) ltac:(rewrite Rabs_pos_eq; lra).
apply: is_series_ext (is_series_scal (exp (c - slope * INR x)) _ _ geometric) => j.
rewrite /scal /= /mult /= exp_power -exp_plus plus_INR; congr exp.
by rewrite /Rminus; ring.
Qed.

(** alibi.recency: With equal raw scores and bias −m·distance, the weight of a key is e^(−m) times
    that of the next nearer one, for every slope m > 0: it falls with the distance, and beyond
    distance x no more than e^(−mx) of the mass of an infinite row is left. *)
Theorem alibi_recency (slope c : R) : 0 < slope ->
  (forall (n : nat) (j k : 'I_n.+1), nat_of_ord k = j.+1 ->
     let weight := softmax (alibi_row slope c n.+1) ord0 in
     weight k = exp (- slope) * weight j /\ weight k < weight j) /\
  (forall x : nat, exists total tail : R,
     is_series (fun j => exp (c - slope * INR j)) total /\
     is_series (fun j => exp (c - slope * INR (x + j))) tail /\
     0 < total /\ tail = exp (- (slope * INR x)) * total).
Proof.
move=> slope_gt0; have [q_gt0 q_lt1] := exp_lt1 slope_gt0; split=> [n j k next | x].
  have weight_k : softmax (alibi_row slope c n.+1) ord0 k =
                  exp (- slope) * softmax (alibi_row slope c n.+1) ord0 j.
    rewrite !mxE next S_INR; set total := \rsum_i _.
    by rewrite /Rdiv -Rmult_assoc -exp_plus; congr (exp _ * _); ring.
  cbv zeta; rewrite weight_k; have := softmax_gt0 (alibi_row slope c n.+1) ord0 j; split=> //; nra.
exists (exp (c - slope * INR 0) / (1 - exp (- slope))), (exp (c - slope * INR x) / (1 - exp (- slope))).
split; first by exact: (@tail_mass slope c 0).
split; first exact: tail_mass.
split; first by apply: Rdiv_lt_0_compat; [exact: exp_pos | lra].
rewrite /Rdiv -Rmult_assoc -exp_plus; congr (exp _ * _).
by rewrite /=; ring.
Qed.

(** ** Slopes *)

Definition slopes (n : nat) : seq R := [seq Rpower 2 (- (8 * INR i / INR n)) | i <- iota 1 n].

Fixpoint with_means (s : seq R) : seq R :=
  if s is x :: rest then
    if rest is y :: _ then x :: sqrt (x * y) :: with_means rest else [:: x]
  else [::].

Lemma mean_of_powers a b : sqrt (Rpower 2 a * Rpower 2 b) = Rpower 2 ((a + b) / 2).
Proof.
rewrite -Rpower_plus -(sqrt_pow2 (Rpower 2 ((a + b) / 2))); last exact/Rlt_le/exp_pos.
by rewrite /= Rmult_1_r -Rpower_plus; congr (sqrt (Rpower _ _)); field.
Qed.

Lemma slopes_16 : slopes 16 = [seq Rpower 2 (- (INR i / 2)) | i <- iota 1 16].
Proof. by apply: eq_map => i; congr Rpower; rewrite /=; field. Qed.

Lemma slopes_8 : slopes 8 = [seq Rpower 2 (- INR i) | i <- iota 1 8].
Proof. by apply: eq_map => i; congr Rpower; rewrite /=; field. Qed.

Lemma with_means_8 : with_means (slopes 8) = behead (slopes 16).
Proof.
rewrite slopes_8 slopes_16 /= !mean_of_powers.
by repeat (congr (Rpower 2 _ :: _); first by field).
Qed.

(** alibi.slopes: For 16 heads the slopes are 2^(−i/2), i = 1 … 16; those of 8 heads, 2^(−i), with
    the geometric means of neighbours are 15, the same but for the largest, 2^(−1/2). *)
Theorem alibi_slopes :
  slopes 16 = [seq Rpower 2 (- (INR i / 2)) | i <- iota 1 16] /\
  slopes 8 = [seq Rpower 2 (- INR i) | i <- iota 1 8] /\
  size (with_means (slopes 8)) = 15%N /\
  slopes 16 = Rpower 2 (- (1 / 2)) :: with_means (slopes 8) /\
  (forall i, (i < 15)%N -> nth 0 (with_means (slopes 8)) i < Rpower 2 (- (1 / 2))).
Proof.
split; first exact: slopes_16.
split; first exact: slopes_8.
split; first by rewrite with_means_8 size_behead size_map.
split; first by rewrite with_means_8 slopes_16.
move=> i i_lt; rewrite with_means_8 slopes_16 nth_behead (nth_map 0%N) ?size_iota // nth_iota //.
apply: Rpower_lt; first by lra.
rewrite add1n S_INR S_INR; have := pos_INR i; lra.
Qed.

(** alibi.slopes, as written: The slopes of 16 heads are those of 8 heads interpolated by
    geometrically averaging neighbours: the first is the first of these. *)
Theorem alibi_slopes_as_written_false :
  head 0 (slopes 16) <> head 0 (with_means (slopes 8)).
Proof.
have [_ [_ [_ [-> below]]]] := alibi_slopes.
by have := below 0%N isT; rewrite nth0 /=; lra.
Qed.
