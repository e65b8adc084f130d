(** * Rows of cosines and sines at whole distances

  Cosines at a great number of distances are dear, products are cheap: rows of the cosines and sines of all angles at two
  distances give by products those at the sum of the distances. The rows are of integers: 2^b cos and 2^b sin.

  digits b r          == for each pair of intervals x of the row r, integers that are within 1 of 2^b x, if [digits_fit]
  rounded k x         == 2^-k x, rounded to an integer
  fewer_digits k r    == the digits of r without the last k
  turned_row b r s    == the products of the rows r and s
  doubled b k r       == the row at 2^k times the distance of r
  rows b r s k        == the rows at that of r and 0 ... 2^k - 1 times that of s beyond: from those of one k to those of the
                         next the errors grow by 4, where step by step they would grow much faster
  row_0, row_1        == the row at the distance 0; enclosures of the row at 1
  within e b h q v r  == the row r is of 2^b cos (v q^i) and 2^b sin (v q^i) for the h angles v q^i, to within e
  stands h q r m      == the row of intervals r encloses cos (m q^i) and sin (m q^i)

  Main results: [rows_within], [fewer_within]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix IntervalTactic Figures ComplexSum CosineTable.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Enclosures at the distance 1 *)

Definition row_1 (p : I.precision) (h : nat) (qi : I.type) : seq (I.type * I.type) :=
  [seq (I.cos p a, I.sin p a) | a <- @traject I.type (fun a => I.mul p a qi) (I.fromZ prec 1) h].

Definition stands (h : nat) (q : R) (r : seq (I.type * I.type)) (m : nat) : Prop := size r = h /\ forall z i, (i < h)%N ->
  encloses (nth z r i).1 (cos (INR m * q ^ i)) /\ encloses (nth z r i).2 (sin (INR m * q ^ i)).

Lemma row_1_stands p h qi q : encloses qi q -> stands h q (row_1 p h qi) 1.
Proof.
move=> q_in; split=> [|z i lt_i]; first by rewrite size_map size_traject.
rewrite /row_1; set angles := traject _ _ _.
have angle_in : encloses (nth (I.fromZ prec 1) angles i) (INR 1 * q ^ i).
  rewrite nth_traject // Rmult_1_l; elim: i {lt_i} => [|i IHi]; first exact: encloses_Z.
  by rewrite iterS [q ^ _]/= Rmult_comm; exact: (encloses_mul IHi q_in).
rewrite (nth_map (I.fromZ prec 1)) ?size_traject //.
by split; [exact: encloses_cos | exact: encloses_sin].
Qed.

(** ** Digits *)

Definition one : I.type := I.fromZ prec 1.
Definition two : I.type := I.fromZ prec 2.

Section Digits.
Variable b : Z.

Definition expanded (x : I.type) : I.type := I.mul finest x (I.fromZ prec (2 ^ b)).

(** Rounded to the nearest, and raised by 2 before that, which makes it positive. *)
Definition digit (x : I.type) : Z :=
  (Z.div2 (whole_part (I.lower (expanded (I.mul finest two (I.add finest x two)))) + 1) - 2 * 2 ^ b)%Z.

Definition digit_fits (x : I.type) : bool :=
  let offset := I.sub finest (expanded x) (I.fromZ finest (digit x)) in
  is_positive_interval (I.add finest offset one) && is_positive_interval (I.sub finest one offset).

Definition digits (r : seq (I.type * I.type)) : seq (Z * Z) := [seq (digit x.1, digit x.2) | x <- r].
Definition digits_fit (r : seq (I.type * I.type)) : bool := all (fun x => digit_fits x.1 && digit_fits x.2) r.

Hypothesis b_ge0 : (0 <= b)%Z.

Lemma digit_near xi x : encloses xi x -> digit_fits xi -> Rabs (IZR (digit xi) - 2 ^ Z.to_nat b * x) <= 1.
Proof.
move=> x_in /andP[/positive_interval above /positive_interval below].
have scaled : encloses (expanded xi) (x * IZR (2 ^ b)) := encloses_mul x_in (encloses_Z _).
have offset := encloses_sub (p := finest) scaled (encloses_Z_to finest (digit xi)).
have := above _ (encloses_add offset (encloses_Z 1)); have := below _ (encloses_sub (encloses_Z 1) offset).
by rewrite -{1 2}(Z2Nat.id b b_ge0) -pow_IZR => lt gt; apply: Rabs_le; lra.
Qed.

Definition within (e : R) (h : nat) (q v : R) (r : seq (Z * Z)) : Prop := size r = h /\ forall z i, (i < h)%N ->
  Rabs (IZR (nth z r i).1 - 2 ^ Z.to_nat b * cos (v * q ^ i)) <= e /\
  Rabs (IZR (nth z r i).2 - 2 ^ Z.to_nat b * sin (v * q ^ i)) <= e.

Lemma within_le e e' h q v r : e <= e' -> within e h q v r -> within e' h q v r.
Proof.
move=> le [size_r at_r]; split=> // z i lt_i; have [c_near s_near] := at_r z i lt_i.
by split; apply: Rle_trans le.
Qed.

Lemma digits_near h q m r : stands h q r m -> digits_fit r -> within 1 h q (INR m) (digits r).
Proof.
move=> [size_r r_in] fit; split=> [|z i lt_i]; first by rewrite size_map.
pose x0 := (I.zero, I.zero); rewrite (nth_map x0) ?size_r //; have [c_in s_in] := r_in x0 i lt_i.
have /andP[c_fits s_fits] : digit_fits (nth x0 r i).1 && digit_fits (nth x0 r i).2.
  by move: fit => /(all_nthP x0); apply; rewrite size_r.
by split; apply: digit_near.
Qed.

End Digits.

(** Fewer digits: k of them are left out. *)
Definition rounded (k x : Z) : Z := Z.shiftr (x + 2 ^ (k - 1)) k.
Definition fewer_digits (k : Z) (r : seq (Z * Z)) : seq (Z * Z) := [seq (rounded k x.1, rounded k x.2) | x <- r].

Lemma rounded_near (x k : Z) : (1 <= k)%Z -> Rabs (IZR (rounded k x) - IZR x / 2 ^ Z.to_nat k) <= / 2.
Proof.
move=> k_ge1; rewrite /rounded Z.shiftr_div_pow2 ?pow_IZR ?Z2Nat.id; [ | lia | lia].
set H := (2 ^ (k - 1))%Z; have -> : (2 ^ k = 2 * H)%Z by rewrite /H -Z.pow_succ_r; [congr Z.pow; lia | lia].
have H_gt0 : (0 < H)%Z by apply: Z.pow_pos_nonneg; lia.
have H_pos : 0 < IZR H by exact: IZR_lt.
have := Z.mul_div_le (x + H) (2 * H) ltac:(lia); have := Z.mul_succ_div_gt (x + H) (2 * H) ltac:(lia).
set d := (_ / _)%Z => lt le; rewrite mult_IZR.
have {}lt : IZR x + IZR H <= 2 * IZR H * (IZR d + 1) by rewrite -!plus_IZR -!mult_IZR; apply: IZR_le; lia.
have {}le : 2 * IZR H * IZR d <= IZR x + IZR H by rewrite -!plus_IZR -!mult_IZR; apply: IZR_le; lia.
have whole : IZR x / (2 * IZR H) * (2 * IZR H) = IZR x by field; lra.
by apply: Rabs_le; split; apply: (Rmult_le_reg_r (2 * IZR H)) => //; lra.
Qed.

Lemma fewer_within b k e h q v r : (0 <= b)%Z -> (1 <= k)%Z -> 2 * e <= 2 ^ Z.to_nat k ->
  within (b + k) e h q v r -> within b 1 h q v (fewer_digits k r).
Proof.
move=> b_ge0 k_ge1 e_le [size_r at_r]; split=> [|z i lt_i]; first by rewrite size_map.
have K_gt0 : 0 < 2 ^ Z.to_nat k by apply: pow_lt; lra.
have one (x : Z) (t : R) : Rabs (IZR x - 2 ^ Z.to_nat (b + k) * t) <= e -> Rabs (IZR (rounded k x) - 2 ^ Z.to_nat b * t) <= 1.
  rewrite Z2Nat.inj_add ?pow_add //; last by lia.
  have := @rounded_near x k k_ge1; set K := 2 ^ Z.to_nat k in K_gt0 e_le *; set B := 2 ^ Z.to_nat b => near_x near.
  have scaled : Rabs (IZR x / K - B * t) <= / 2.
    have -> : IZR x / K - B * t = (IZR x - B * K * t) / K by field; lra.
    rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ K)); last by apply/Rlt_le/Rinv_0_lt_compat; lra.
    by apply: (Rmult_le_reg_r K); [lra | rewrite Rmult_assoc Rinv_l; lra].
  rewrite [X in Rabs X](_ : _ = (IZR (rounded k x) - IZR x / K) + (IZR x / K - B * t)); last by ring.
  by have := Rabs_triang (IZR (rounded k x) - IZR x / K) (IZR x / K - B * t); lra.
pose x0 := (0%Z, 0%Z); rewrite (nth_map x0) ?size_r //; have [c_in s_in] := at_r x0 i lt_i.
by split; apply: one.
Qed.

(** ** Products *)

Lemma product_near (P e e' a b c d x y : R) : 1 <= P ->
  Rabs (a - P * cos x) <= e -> Rabs (b - P * sin x) <= e -> Rabs (c - P * cos y) <= e' -> Rabs (d - P * sin y) <= e' ->
  Rabs (a * c - b * d - P * P * cos (x + y)) <= 2 * (P * (e + e') + e * e') /\
  Rabs (a * d + b * c - P * P * sin (x + y)) <= 2 * (P * (e + e') + e * e').
Proof.
move=> P_ge1 a_near b_near c_near d_near.
have one (f g F G : R) : Rabs (f - P * F) <= e -> Rabs (g - P * G) <= e' -> Rabs F <= 1 -> Rabs G <= 1 ->
    Rabs (f * g - P * P * (F * G)) <= P * (e + e') + e * e'.
  move=> f_near g_near F_le G_le; have -> : f * g - P * P * (F * G) = (f - P * F) * g + P * F * (g - P * G) by ring.
  have g_le : Rabs g <= P + e'.
    have -> : g = (g - P * G) + P * G by ring.
    apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_mult (Rabs_pos_eq P); last by lra.
    by have := Rabs_pos G; nra.
  apply: Rle_trans (Rabs_triang _ _) _; rewrite !Rabs_mult (Rabs_pos_eq P); last by lra.
  have first := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos g) f_near g_le.
  have PF_le : P * Rabs F <= P by have := Rabs_pos F; nra.
  have PF_ge0 : 0 <= P * Rabs F by apply: Rmult_le_pos; [lra | exact: Rabs_pos].
  have second := Rmult_le_compat _ _ _ _ PF_ge0 (Rabs_pos _) PF_le g_near.
  by lra.
have cos_le t : Rabs (cos t) <= 1 by apply: Rabs_le; exact: COS_bound.
have sin_le t : Rabs (sin t) <= 1 by apply: Rabs_le; exact: SIN_bound.
have cc := one _ _ _ _ a_near c_near (cos_le x) (cos_le y); have ss := one _ _ _ _ b_near d_near (sin_le x) (sin_le y).
have cs := one _ _ _ _ a_near d_near (cos_le x) (sin_le y); have sc := one _ _ _ _ b_near c_near (sin_le x) (cos_le y).
rewrite cos_plus sin_plus; split.
  have -> : a * c - b * d - P * P * (cos x * cos y - sin x * sin y) =
      (a * c - P * P * (cos x * cos y)) + - (b * d - P * P * (sin x * sin y)) by ring.
  by have := Rabs_triang (a * c - P * P * (cos x * cos y)) (- (b * d - P * P * (sin x * sin y))); rewrite Rabs_Ropp; lra.
have -> : a * d + b * c - P * P * (sin x * cos y + cos x * sin y) =
    (a * d - P * P * (cos x * sin y)) + (b * c - P * P * (sin x * cos y)) by ring.
by have := Rabs_triang (a * d - P * P * (cos x * sin y)) (b * c - P * P * (sin x * cos y)); lra.
Qed.

Section Rows.
Variables (b : Z) (h : nat) (q : R).
Hypothesis b_ge1 : (1 <= b)%Z.

Definition turned_row (r s : seq (Z * Z)) : seq (Z * Z) :=
  [seq (rounded b (x.1.1 * x.2.1 - x.1.2 * x.2.2), rounded b (x.1.1 * x.2.2 + x.1.2 * x.2.1)) | x <- zip r s].

Definition doubled (k : nat) (r : seq (Z * Z)) : seq (Z * Z) := iter k (fun s => turned_row s s) r.

Definition extended (r : seq (Z * Z)) (l : seq (seq (Z * Z))) : seq (seq (Z * Z)) := l ++ [seq turned_row r s | s <- l].

Fixpoint rows (r s : seq (Z * Z)) (k : nat) : seq (seq (Z * Z)) :=
  if k is k'.+1 then extended (doubled k' s) (rows r s k') else [:: r].

Definition row_0 : seq (Z * Z) := nseq h (2 ^ b, 0)%Z.

Let P : R := 2 ^ Z.to_nat b.

(** The error after k products. *)
Definition grown (k : nat) : R := 2 * 4 ^ k - 1.

Lemma grownS k : 2 * (grown k + grown k) + 2 <= grown k.+1.
Proof. by rewrite /grown [4 ^ k.+1]/=; lra. Qed.

Lemma grown_ge1 k : 1 <= grown k.
Proof. by have := @pow_R1_Rle 4 k ltac:(lra); rewrite /grown; lra. Qed.

Lemma P_ge1 : 1 <= P.
Proof. by apply: pow_R1_Rle; lra. Qed.

Lemma turned_within k v w r s : (4 * k.+1 <= Z.to_nat b)%N ->
  within b (grown k) h q v r -> within b (grown k) h q w s -> within b (grown k.+1) h q (v + w) (turned_row r s).
Proof.
move=> k_le [size_r at_r] [size_s at_s]; have size_rs : size (zip r s) = h by rewrite size_zip size_r size_s minnn.
have P1 := P_ge1; have e1 := grown_ge1 k.
have small : 4 * (grown k * grown k) <= P.
  apply: (Rle_trans _ (2 ^ (4 * k.+1))); last by apply: Rle_pow; [lra | apply/leP].
  have four_k : 1 <= 4 ^ k by apply: pow_R1_Rle; lra.
  have -> : 2 ^ (4 * k.+1) = 16 * (4 ^ k * 4 ^ k).
    by rewrite pow_mult (_ : 2 ^ 4 = 4 * 4) ?Rpow_mult_distr /=; ring.
  by rewrite /grown; nra.
split=> [|z i lt_i]; first by rewrite size_map.
rewrite (nth_map (z, z)) ?size_rs // nth_zip ?size_r ?size_s // Rmult_plus_distr_r /=.
have [c_r s_r] := at_r z i lt_i; have [c_s s_s] := at_s z i lt_i.
have [re im] := product_near P1 c_r s_r c_s s_s.
have one (x : Z) (t : R) : Rabs (IZR x - P * P * t) <= 2 * (P * (grown k + grown k) + grown k * grown k) ->
    Rabs (IZR (rounded b x) - P * t) <= grown k.+1.
  move=> near; have := rounded_near x b_ge1; rewrite -/P => near_x.
  have scaled : Rabs (IZR x / P - P * t) <= 2 * (grown k + grown k) + / 2.
    have -> : IZR x / P - P * t = (IZR x - P * P * t) / P by field; lra.
    rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ P)); last by apply/Rlt_le/Rinv_0_lt_compat; lra.
    by apply: (Rmult_le_reg_r P); [lra | rewrite Rmult_assoc Rinv_l; lra].
  rewrite [X in Rabs X](_ : _ = (IZR (rounded b x) - IZR x / P) + (IZR x / P - P * t)); last by ring.
  by have := Rabs_triang (IZR (rounded b x) - IZR x / P) (IZR x / P - P * t); have := grownS k; lra.
by split; apply: one; rewrite ?minus_IZR ?plus_IZR !mult_IZR.
Qed.

Lemma grown_le m n : (m <= n)%N -> grown m <= grown n.
Proof. by move=> le; have := Rle_pow 4 m n ltac:(lra) (leP le); rewrite /grown; lra. Qed.

Lemma doubled_within n k v r : (4 * (n + k) <= Z.to_nat b)%N -> within b (grown n) h q v r ->
  within b (grown (n + k)) h q (INR (2 ^ k) * v) (doubled k r).
Proof.
move=> + r_near; elim: k => [|k IHk] le; first by rewrite addn0 Rmult_1_l.
have half := IHk (leq_trans (leq_mul (leqnn 4) (leq_add (leqnn n) (leqnSn k))) le).
rewrite addnS in le *; rewrite expnS mul2n -addnn plus_INR Rmult_plus_distr_r.
exact: (turned_within le half half).
Qed.

Lemma size_rows r s k : size (rows r s k) = (2 ^ k)%N.
Proof. by elim: k => [//|k IHk]; rewrite /= /extended size_cat size_map IHk addnn expnS mul2n. Qed.

Lemma rows_within n k u v r s : (4 * (n + k) <= Z.to_nat b)%N ->
  within b (grown n) h q u r -> within b (grown n) h q v s ->
  forall j, (j < 2 ^ k)%N -> within b (grown (n + k)) h q (u + INR j * v) (nth [::] (rows r s k) j).
Proof.
move=> + r_near s_near; elim: k => [|k IHk] le j; first by case: j => // _; rewrite addn0 Rmult_0_l Rplus_0_r.
have le' : (4 * (n + k) <= Z.to_nat b)%N := leq_trans (leq_mul (leqnn 4) (leq_add (leqnn n) (leqnSn k))) le.
have {}IHk := IHk le'; have t_near := doubled_within le' s_near; rewrite addnS in le *.
rewrite expnS mul2n -addnn /= /extended nth_cat size_rows => lt_j; case: ltnP => ge_j.
  by apply: within_le (IHk j ge_j); apply: grown_le.
have lt_rest : (j - 2 ^ k < 2 ^ k)%N by rewrite ltn_subLR.
rewrite (nth_map [::]) ?size_rows //; have := turned_within le t_near (IHk _ lt_rest).
rewrite (_ : _ + _ = u + INR j * v) //.
have -> : INR j = INR (2 ^ k) + INR (j - 2 ^ k) by rewrite -plus_INR plusE subnKC.
by ring.
Qed.

Lemma row_0_within : within b (grown 0) h q 0 row_0.
Proof.
split=> [|z i lt_i]; first by rewrite size_nseq.
have -> : nth z row_0 i = (2 ^ b, 0)%Z by rewrite nth_nseq lt_i.
have PE : IZR (2 ^ b) = 2 ^ Z.to_nat b by rewrite pow_IZR Z2Nat.id //; lia.
rewrite Rmult_0_l cos_0 sin_0 [fst _]/= [snd _]/= PE Rmult_1_r Rmult_0_r !Rminus_diag_eq // Rabs_R0.
by have := grown_ge1 0; split; lra.
Qed.

End Rows.
