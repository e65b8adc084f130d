(** * Sums of lengths by whole numbers

  A(s) is a sum of the lengths of 64 complex numbers. At thousands of distances it is computed with integers: rows of 2^b cos
  and 2^b sin at two distances, to within 1, give by products rows at their sum, and lengths are square roots of integers.
  The four products of two numbers serve their difference as well.

  mirrored s           == the row s at the opposite distance
  onward k st zw       == x, y and the total of the lengths so far, and those with one product more; lengths are of
                          numbers 2^-k x and 2^-k y
  length_sum k r s     == the total for the rows r and s
  length_sums k r s    == that, and the total for the rows r and mirrored s
  near_row b h q v r   == the row r is of 2^b cos (v q^i) and 2^b sin (v q^i), to within 1

  Main result: [length_sum_near], how far the total is from 2^(2b - k) A(s). *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding Phasor IntervalTactic Figures ComplexSum CosineRows.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition near_row (b : Z) : nat -> R -> R -> seq (Z * Z) -> Prop := within b 1.

(** The same row at the opposite distance. *)
Definition mirrored (s : seq (Z * Z)) : seq (Z * Z) := [seq (x.1, (- x.2)%Z) | x <- s].

Lemma mirrored_near b h q v s : near_row b h q v s -> near_row b h q (- v) (mirrored s).
Proof.
move=> [size_s at_s]; split=> [|z i lt_i]; first by rewrite size_map.
rewrite (nth_map z) ?size_s // Ropp_mult_distr_l_reverse cos_neg sin_neg; have [c_near s_near] := at_s z i lt_i.
split=> //=; rewrite opp_IZR -Rabs_Ropp [X in Rabs X](_ : _ = IZR (nth z s i).2 - 2 ^ Z.to_nat b * sin (v * q ^ i)) //; ring.
Qed.

Lemma shifted_near (x k : Z) : (0 <= k)%Z -> Rabs (IZR (Z.shiftr x k) - IZR x / 2 ^ Z.to_nat k) <= 1.
Proof.
move=> k_ge0; rewrite Z.shiftr_div_pow2 // pow_IZR Z2Nat.id //; set K := (2 ^ k)%Z.
have K_gt0 : (0 < K)%Z by exact: Z.pow_pos_nonneg.
have K_pos : 0 < IZR K by exact: IZR_lt.
have := Z.mul_div_le x K K_gt0; have := Z.mul_succ_div_gt x K K_gt0; set d := (x / K)%Z => lt le.
have {}lt : IZR x <= IZR K * (IZR d + 1) by rewrite -plus_IZR -mult_IZR; apply: IZR_le; lia.
have {}le : IZR K * IZR d <= IZR x by rewrite -mult_IZR; exact: IZR_le.
have whole : IZR x / IZR K * IZR K = IZR x by field; lra.
by apply: Rabs_le; split; apply: (Rmult_le_reg_r (IZR K)) => //; lra.
Qed.

(** ** The sum of lengths *)

Definition onward (k : Z) (st : Z * Z * Z) (zw : (Z * Z) * (Z * Z)) : Z * Z * Z :=
  let x := (st.1.1 + (zw.1.1 * zw.2.1 - zw.1.2 * zw.2.2))%Z in
  let y := (st.1.2 + (zw.1.1 * zw.2.2 + zw.1.2 * zw.2.1))%Z in
  let u := Z.shiftr x k in
  let v := Z.shiftr y k in
  (x, y, (st.2 + Z.sqrt (u * u + v * v))%Z).

Definition length_sum (k : Z) (r s : seq (Z * Z)) : Z := (foldl (onward k) (0%Z, 0%Z, 0%Z) (zip r s)).2.

Definition onwards (k : Z) (st : (Z * Z * Z) * (Z * Z * Z)) (zw : (Z * Z) * (Z * Z)) : (Z * Z * Z) * (Z * Z * Z) :=
  let cc := (zw.1.1 * zw.2.1)%Z in
  let ss := (zw.1.2 * zw.2.2)%Z in
  let cs := (zw.1.1 * zw.2.2)%Z in
  let sc := (zw.1.2 * zw.2.1)%Z in
  let next (st : Z * Z * Z) (c s : Z) :=
    let x := (st.1.1 + c)%Z in
    let y := (st.1.2 + s)%Z in
    let u := Z.shiftr x k in
    let v := Z.shiftr y k in
    (x, y, (st.2 + Z.sqrt (u * u + v * v))%Z) in
  (next st.1 (cc - ss)%Z (cs + sc)%Z, next st.2 (cc + ss)%Z (sc - cs)%Z).

Definition length_sums (k : Z) (r s : seq (Z * Z)) : Z * Z :=
  let st := foldl (onwards k) ((0%Z, 0%Z, 0%Z), (0%Z, 0%Z, 0%Z)) (zip r s) in (st.1.2, st.2.2).

Lemma length_sumsE k r s : length_sums k r s = (length_sum k r s, length_sum k r (mirrored s)).
Proof.
have onwardsE st zw : onwards k st zw = (onward k st.1 zw, onward k st.2 (zw.1, (zw.2.1, (- zw.2.2)%Z))).
  move: st zw => [[[x y] t] [[x' y'] t']] [[a b] [c d]]; rewrite /onwards /onward /=.
  by rewrite Z.mul_opp_r Z.sub_opp_r (_ : (a * - d + b * c = b * c - a * d)%Z); last by ring.
suff each st st' : foldl (onwards k) (st, st') (zip r s) =
  (foldl (onward k) st (zip r s), foldl (onward k) st' (zip r (mirrored s))) by rewrite /length_sums each.
by elim: r s st st' => [|z r IHr] [|w s] st st' //=; rewrite onwardsE IHr.
Qed.

Lemma Cmod_parts x y : Cmod (x, y) <= Rabs x + Rabs y.
Proof.
have -> : (x, y) = ((x, 0) + (0, y))%C by apply: C_eq; rewrite /=; ring.
apply: Rle_trans (Cmod_triangle _ _) _; rewrite /Cmod /= !Rmult_1_r !Rmult_0_r Rplus_0_r Rplus_0_l.
by rewrite -!/(Rsqr _) !sqrt_Rsqr_abs; lra.
Qed.

(** Lengths of numbers that are near each other. *)
Lemma length_near u v x y e : Rabs (u - x) <= e -> Rabs (v - y) <= e -> Rabs (Cmod (u, v) - Cmod (x, y)) <= 2 * e.
Proof.
have one a b c d : Rabs (a - c) <= e -> Rabs (b - d) <= e -> Cmod (a, b) <= Cmod (c, d) + 2 * e.
  move=> ac bd; have -> : (a, b) = ((c, d) + (a - c, b - d)%R)%C by apply: C_eq; rewrite /=; ring.
  apply: Rle_trans (Cmod_triangle _ _) _; have := Cmod_parts (a - c) (b - d); lra.
move=> near_u near_v; have := one _ _ _ _ near_u near_v.
rewrite Rabs_minus_sym in near_u; rewrite Rabs_minus_sym in near_v; have := one _ _ _ _ near_u near_v.
by move=> ? ?; apply: Rabs_le; lra.
Qed.

Lemma root_near (u v : Z) : IZR (Z.sqrt (u * u + v * v)) <= Cmod (IZR u, IZR v) <= IZR (Z.sqrt (u * u + v * v)) + 1.
Proof.
have n_ge0 : (0 <= u * u + v * v)%Z by nia.
have := Z.sqrt_spec _ n_ge0; have := Z.sqrt_nonneg (u * u + v * v); set r := Z.sqrt _ => r_ge0 [le lt].
have sum : IZR u * (IZR u * 1) + IZR v * (IZR v * 1) = IZR (u * u + v * v) by rewrite plus_IZR !mult_IZR; ring.
have r0 : 0 <= IZR r by exact: (IZR_le 0).
rewrite /Cmod /= sum; split.
  by rewrite -(sqrt_Rsqr (IZR r)) //; apply: sqrt_le_1_alt; rewrite /Rsqr -mult_IZR; exact: IZR_le.
rewrite -(sqrt_Rsqr (IZR r + 1)); last by lra.
by apply: sqrt_le_1_alt; rewrite /Rsqr -plus_IZR -mult_IZR; apply: IZR_le; lia.
Qed.

Section Lengths.
Variables (b k : Z) (h : nat) (q v w : R) (r s : seq (Z * Z)).
Hypothesis b_ge3 : (3 <= b)%Z.
Hypothesis k_ge0 : (0 <= k)%Z.
Hypothesis r_near : near_row b h q v r.
Hypothesis s_near : near_row b h q w s.

Let P : R := 2 ^ Z.to_nat b.
Let K : R := 2 ^ Z.to_nat k.
Let theta (i : nat) : R := q ^ i.
Let sum (n : nat) : C := partial_sum theta (v + w) n.

(** The error of the total of n terms. *)
Definition length_error (n : nat) : R := 5 * 2 ^ Z.to_nat b * (INR n * (INR n + 1)) / 2 ^ Z.to_nat k + 3 * INR n.

Lemma P_ge8 : 8 <= P.
Proof.
rewrite /P (_ : 8 = 2 ^ 3); last by ring.
by apply: Rle_pow; [lra | lia].
Qed.

Lemma K_ge1 : 1 <= K.
Proof. by apply: pow_R1_Rle; lra. Qed.

(** One term more, of the sum without its lengths. *)
Lemma added_near n x y : (n < h)%N -> Rabs (IZR x - P * P * (sum n).1) <= 5 * P * INR n ->
  Rabs (IZR y - P * P * (sum n).2) <= 5 * P * INR n -> let z := nth (0%Z, 0%Z) r n in let w := nth (0%Z, 0%Z) s n in
  Rabs (IZR (x + (z.1 * w.1 - z.2 * w.2)) - P * P * (sum n.+1).1) <= 5 * P * (INR n + 1) /\
  Rabs (IZR (y + (z.1 * w.2 + z.2 * w.1)) - P * P * (sum n.+1).2) <= 5 * P * (INR n + 1).
Proof.
move=> lt_n x_near y_near z0 w0; have [size_r at_r] := r_near; have [size_s at_s] := s_near; have P8 := P_ge8.
have [a_near b_near] := at_r (0%Z, 0%Z) n lt_n; have [c_near d_near] := at_s (0%Z, 0%Z) n lt_n.
have P1 : 1 <= P by lra.
have [re im] := product_near P1 a_near b_near c_near d_near; rewrite -Rmult_plus_distr_r in re im.
have five : 2 * (P * (1 + 1) + 1 * 1) <= 5 * P by lra.
have {}re := Rle_trans _ _ _ re five; have {}im := Rle_trans _ _ _ im five.
have sumS : sum n.+1 = ((sum n).1 + cos ((v + w) * q ^ n), (sum n).2 + sin ((v + w) * q ^ n)).
  by rewrite /sum /partial_sum /= phasorE.
rewrite -/z0 -/w0 in re im; split.
  rewrite sumS plus_IZR minus_IZR !mult_IZR [(_, _).1]/=; move: re x_near; set e := _ - P * P * cos _;
    set f := IZR x - _ => re x_near.
  rewrite [X in Rabs X](_ : _ = f + e); last by rewrite /f /e; ring.
  by have := Rabs_triang f e; lra.
rewrite sumS plus_IZR plus_IZR !mult_IZR [(_, _).2]/=; move: im y_near; set e := _ - P * P * sin _;
  set f := IZR y - _ => im y_near.
rewrite [X in Rabs X](_ : _ = f + e); last by rewrite /f /e; ring.
by have := Rabs_triang f e; lra.
Qed.

Lemma onward_near n : (n <= h)%N -> let st := foldl (onward k) (0%Z, 0%Z, 0%Z) (take n (zip r s)) in
  Rabs (IZR st.1.1 - P * P * (sum n).1) <= 5 * P * INR n /\ Rabs (IZR st.1.2 - P * P * (sum n).2) <= 5 * P * INR n /\
  Rabs (IZR st.2 - P * P / K * \rsum_(j < n) Cmod (sum j.+1)) <= length_error n.
Proof.
have [size_r _] := r_near; have [size_s _] := s_near;
  have size_rs : size (zip r s) = h by rewrite size_zip size_r size_s minnn.
have P8 := P_ge8; have K1 := K_ge1.
elim: n => [|n IHn] lt_n; first by rewrite take0 big_ord0 /length_error /= !Rmult_0_r !Rminus_0_r Rabs_R0 Rmult_0_l Rmult_0_r /Rdiv Rmult_0_l; lra.
have [x_near [y_near t_near]] := IHn (ltnW lt_n); pose z0 := (0%Z, 0%Z).
rewrite -[INR n.+1]/(INR (S n)) S_INR (take_nth (z0, z0)) ?size_rs // foldl_rcons nth_zip ?size_r ?size_s //.
move: (foldl _ _ _) x_near y_near t_near => [[x y] total] /= x_near y_near t_near.
have [x'_near y'_near] := added_near lt_n x_near y_near; move: x'_near y'_near.
set x' := (x + _)%Z; set y' := (y + _)%Z => x'_near y'_near.
split; [exact: x'_near | split; [exact: y'_near | ]].
pose e := 5 * P * (INR n + 1) / K + 1.
have part_near (t : Z) (T : R) : Rabs (IZR t - P * P * T) <= 5 * P * (INR n + 1) ->
    Rabs (IZR (Z.shiftr t k) - P * P / K * T) <= e.
  move=> near; have := shifted_near t k_ge0; rewrite -/K => shifted.
  have scaled : Rabs (IZR t / K - P * P / K * T) <= 5 * P * (INR n + 1) / K.
    have -> : IZR t / K - P * P / K * T = (IZR t - P * P * T) / K by field; lra.
    rewrite /Rdiv Rabs_mult (Rabs_pos_eq (/ K)); last by apply/Rlt_le/Rinv_0_lt_compat; lra.
    by apply: Rmult_le_compat_r; [apply/Rlt_le/Rinv_0_lt_compat; lra | exact: near].
  rewrite [X in Rabs X](_ : _ = (IZR (Z.shiftr t k) - IZR t / K) + (IZR t / K - P * P / K * T)); last by ring.
  by apply: Rle_trans (Rabs_triang _ _) _; rewrite /e; lra.
have lengths := length_near (part_near _ _ x'_near) (part_near _ _ y'_near); have := root_near (Z.shiftr x' k) (Z.shiftr y' k).
have -> : \rsum_(j < n.+1) Cmod (sum j.+1) = \rsum_(j < n) Cmod (sum j.+1) + Cmod (sum n.+1) by exact: big_ord_recr.
rewrite plus_IZR => root; set L := Cmod (IZR _, IZR _) in lengths root.
have PPK_ge0 : 0 <= P * P / K by apply: Rmult_le_pos; [nra | apply/Rlt_le/Rinv_0_lt_compat; lra].
have scaled_length : Cmod (P * P / K * (sum n.+1).1, P * P / K * (sum n.+1).2) = P * P / K * Cmod (sum n.+1).
  rewrite -[X in X * Cmod _](Rabs_pos_eq _ PPK_ge0) -Cmod_R -Cmod_mult; congr Cmod.
  by apply: C_eq; rewrite /=; ring.
rewrite scaled_length in lengths; set S := \rsum_(j < n) _ in t_near *.
have -> : length_error n.+1 = length_error n + (2 * e + 1).
  by rewrite /length_error -addn1 plus_INR [INR 1]/= /e -/P -/K; field; lra.
set g := IZR (Z.sqrt _) in root *; have root' : Rabs (g - L) <= 1 by apply: Rabs_le; lra.
rewrite [X in Rabs X](_ : _ = (IZR total - P * P / K * S) + (g - L) + (L - P * P / K * Cmod (sum n.+1))); last by ring.
by have := Rabs_triang (IZR total - P * P / K * S + (g - L)) (L - P * P / K * Cmod (sum n.+1));
  have := Rabs_triang (IZR total - P * P / K * S) (g - L); lra.
Qed.

Lemma length_sum_near : Rabs (IZR (length_sum k r s) - P * P / K * amplitude h theta (v + w)) <= length_error h.
Proof.
have [size_r _] := r_near; have [size_s _] := s_near; have size_rs : size (zip r s) = h by rewrite size_zip size_r size_s minnn.
by have [_ [_ near]] := onward_near (leqnn h); rewrite take_oversize ?size_rs // in near.
Qed.

End Lengths.
