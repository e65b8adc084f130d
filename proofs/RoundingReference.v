(** * The reference of worst cases

  What is claimed.  Worst cases of programs are found beside a reference: points of a circle, times an amplitude, at consecutive
  positions, each part a head and a tail.  The traced kernel multiplies two such points: its heads are exact, and head and tail
  together are within 2^(k - 76) of the product of what the factors' heads and tails stand for.

  Dictionary: as in RoundingHeads.v; P = 2^k is not below the amplitude.

  Main result: [rounding_trace_reference].

  Assumes: nothing overflows. The factors themselves, rounded from 192 bits, are not its subject. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingTrace RoundingTraces RoundingDouble RoundingAccepted RoundingHeads.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).
Local Notation float := (is_float binary64).
Local Notation eta64 := (eta binary64).
Local Notation w := (/ 9007199254740992).

Lemma rounded_near x B : Rabs x <= B -> Rabs (fl64 x - x) <= w * B + eta64 /\ Rabs (fl64 x) <= (1 + w) * B + eta64.
Proof.
move=> x_le; have [standard _] := rounding_standard_model binary64 x; have eta_gt0 := eta_pos binary64.
have v_le := v_le_u binary64; rewrite unit_value in v_le; have v_gt0 := v_pos binary64.
have size := Rmult_le_compat _ _ _ _ (Rlt_le _ _ v_gt0) (Rabs_pos x) v_le x_le.
by have := Rabs_by_diff (fl64 x) x; lra.
Qed.

(** Six products, four of a head and a tail and two of tails. *)
Lemma tail_near (Q a b c d e f : R) : 0 <= Q -> Rabs a <= Q -> Rabs b <= Q -> Rabs c <= Q -> Rabs d <= Q ->
  Rabs e <= / 1000000 * Q -> Rabs f <= / 1000000 * Q ->
  Rabs (fl64 (fl64 (fl64 (fl64 a + fl64 b) - fl64 (fl64 c + fl64 d)) + fl64 (fl64 e - fl64 f)) - (a + b - (c + d) + (e - f)))
  <= 161 / 10 * w * Q + 20 * eta64.
Proof.
move=> Q_ge0 a_le b_le c_le d_le e_le f_le; have eta_gt0 := eta_pos binary64.
have [a1 a2] := rounded_near a Q a_le; have [b1 b2] := rounded_near b Q b_le.
have [c1 c2] := rounded_near c Q c_le; have [d1 d2] := rounded_near d Q d_le.
have [e1 e2] := rounded_near e _ e_le; have [f1 f2] := rounded_near f _ f_le.
set a' := fl64 a in a1 a2 *; set b' := fl64 b in b1 b2 *; set c' := fl64 c in c1 c2 *; set d' := fl64 d in d1 d2 *.
set e' := fl64 e in e1 e2 *; set f' := fl64 f in f1 f2 *.
have ab_le : Rabs (a' + b') <= 2 * ((1 + w) * Q + eta64) by move: a2 b2; absolutely.
have cd_le : Rabs (c' + d') <= 2 * ((1 + w) * Q + eta64) by move: c2 d2; absolutely.
have ef_le : Rabs (e' - f') <= 2 * ((1 + w) * (/ 1000000 * Q) + eta64) by move: e2 f2; absolutely.
have [ab1 ab2] := rounded_near _ _ ab_le; have [cd1 cd2] := rounded_near _ _ cd_le; have [ef1 ef2] := rounded_near _ _ ef_le.
set ab := fl64 (a' + b') in ab1 ab2 *; set cd := fl64 (c' + d') in cd1 cd2 *; set ef := fl64 (e' - f') in ef1 ef2 *.
have four_le : Rabs (ab - cd) <= 4001 / 1000 * Q + 8 * eta64 by move: ab2 cd2; absolutely.
have [four1 four2] := rounded_near _ _ four_le; set four := fl64 (ab - cd) in four1 four2 *.
have all_le : Rabs (four + ef) <= 4002 / 1000 * Q + 14 * eta64 by move: four2 ef2; absolutely.
have [all1 _] := rounded_near _ _ all_le.
by move: a1 b1 c1 d1 e1 f1 ab1 cd1 ef1 four1 all1; absolutely.
Qed.

Lemma head_of_terms k x y z t : (- 1022 <= k)%Z -> head k x -> head 0 y -> head k z -> head 0 t ->
  fl64 (fl64 (x * y) + fl64 (z * t)) = x * y + z * t.
Proof.
move=> k_ge x_head y_head z_head t_head.
have [m [xy m_le]] := heads_product k x y x_head y_head; have [n [zt n_le]] := heads_product k z t z_head t_head.
have xy_float : float (x * y) by rewrite xy; apply: whole_float; lia.
have zt_float : float (z * t) by rewrite zt; apply: whole_float; lia.
rewrite !(fl_exact binary64 (x * y)) // !(fl_exact binary64 (z * t)) //; apply: fl_exact.
by rewrite xy zt -Rmult_plus_distr_r -plus_IZR; apply: whole_float; lia.
Qed.

(** rounding.trace-reference: heads on their grids, tails at most 2^(k - 27) and 2^-27: the traced heads are exact, and a head with
    its tail is within (161/10) 2^(k - 80) + 20η of the cosine, or the sine, of the product. *)
Theorem rounding_trace_reference (fused : bool) (k : Z) (ch cl sh sl c c' s s' : R) : (- 1022 <= k)%Z ->
  head k ch -> head k sh -> head 0 c -> head 0 s ->
  let P := bpow radix2 k in
  Rabs ch <= P -> Rabs sh <= P -> Rabs c <= 1 -> Rabs s <= 1 ->
  Rabs cl <= P / 134217728 -> Rabs sl <= P / 134217728 -> Rabs c' <= / 134217728 -> Rabs s' <= / 134217728 ->
  exists hc tc hs ts, reference_turn (reals fused) ch cl sh sl c c' s s' = [:: hc; tc; hs; ts] /\
    hc = ch * c - sh * s /\ hs = sh * c + ch * s /\
    Rabs (hc + tc - ((ch + cl) * (c + c') - (sh + sl) * (s + s'))) <= 161 / 10 * w * (P / 134217728) + 20 * eta64 /\
    Rabs (hs + ts - ((sh + sl) * (c + c') + (ch + cl) * (s + s'))) <= 161 / 10 * w * (P / 134217728) + 20 * eta64.
Proof.
move=> k_ge ch_head sh_head c_head s_head P ch_le sh_le c_le s_le cl_le sl_le c'_le s'_le.
have P_gt0 : 0 < P by exact: bpow_gt_0.
have s_opposite : head 0 (- s).
  by case: s_head => m [-> m_le]; exists (- m)%Z; split; [rewrite opp_IZR; ring | rewrite Z.abs_opp].
have product x y A B : Rabs x <= A -> Rabs y <= B -> Rabs (x * y) <= A * B.
  by move=> x_le y_le; rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos.
have large x y : Rabs x <= P -> Rabs y <= / 134217728 -> Rabs (x * y) <= P / 134217728 by move=> x_le y_le; exact: product.
have small x y : Rabs x <= P / 134217728 -> Rabs y <= 1 -> Rabs (x * y) <= P / 134217728.
  by move=> x_le y_le; have := product _ _ _ _ x_le y_le; lra.
have tiny x y : Rabs x <= P / 134217728 -> Rabs y <= / 134217728 -> Rabs (x * y) <= / 1000000 * (P / 134217728).
  by move=> x_le y_le; have := product _ _ _ _ x_le y_le; lra.
do 4! eexists; split; first by reflexivity.
have cosine : fl64 (fl64 (ch * c) - fl64 (sh * s)) = ch * c - sh * s.
  have -> : fl64 (ch * c) - fl64 (sh * s) = fl64 (ch * c) + fl64 (sh * - s).
    by rewrite (_ : sh * - s = - (sh * s)) ?fl_opp //; ring.
  by rewrite (head_of_terms k) //; ring.
have sine : fl64 (fl64 (sh * c) + fl64 (ch * s)) = sh * c + ch * s by exact: (head_of_terms k).
split; first exact: cosine.
split; first exact: sine.
have Q_ge0 : 0 <= P / 134217728 by lra.
split; rewrite /= ?cosine ?sine.
  have near := tail_near (P / 134217728) (ch * c') (cl * c) (sh * s') (sl * s) (cl * c') (sl * s') Q_ge0
    (large _ _ ch_le c'_le) (small _ _ cl_le c_le) (large _ _ sh_le s'_le) (small _ _ sl_le s_le)
    (tiny _ _ cl_le c'_le) (tiny _ _ sl_le s'_le).
  by move: near; set t := fl64 _ => near; rewrite (_ : ch * c - sh * s + t - _ =
    t - (ch * c' + cl * c - (sh * s' + sl * s) + (cl * c' - sl * s'))) //; ring.
have near := tail_near (P / 134217728) (sh * c') (sl * c) (- ch * s') (- cl * s) (sl * c') (- cl * s') Q_ge0
  (large _ _ sh_le c'_le) (small _ _ sl_le c_le) (large _ _ _ s'_le) (small _ _ _ s_le)
  (tiny _ _ sl_le c'_le) (tiny _ _ _ s'_le).
have opposite x y : fl64 (- x * y) = - fl64 (x * y) by rewrite (_ : - x * y = - (x * y)) ?fl_opp //; ring.
rewrite !opposite in near.
have both : fl64 (- fl64 (ch * s') + - fl64 (cl * s)) = - fl64 (fl64 (ch * s') + fl64 (cl * s)).
  by rewrite -(fl_opp binary64 (fl64 (ch * s') + fl64 (cl * s))); congr (fl binary64 _); ring.
rewrite both in near; move: near; rewrite !Rabs_Ropp => /(_ ch_le cl_le cl_le).
have -> : fl64 (fl64 (sh * c') + fl64 (sl * c)) - - fl64 (fl64 (ch * s') + fl64 (cl * s)) =
  fl64 (fl64 (sh * c') + fl64 (sl * c)) + fl64 (fl64 (ch * s') + fl64 (cl * s)) by ring.
have -> : fl64 (sl * c') - - fl64 (cl * s') = fl64 (sl * c') + fl64 (cl * s') by ring.
set t := fl64 _ => near; rewrite (_ : sh * c + ch * s + t - _ =
  t - (sh * c' + sl * c - (- ch * s' + - cl * s) + (sl * c' - - cl * s'))) //; ring.
Qed.
