(** * Sums of complex numbers, and chords of the unit circle

  csum n F              == the sum of the complex F 0 ... F (n-1)
  partial_sum w s j     == S_j = sum_(i<j) e^(i s w_i)
  amplitude h w s       == A(s) = |S_1| + ... + |S_h|
  rope_score h c w s    == a(s) = Re sum_(i<h) c_i e^(i s w_i), c_i = q_i conj(k_i)

  Main results: [Cmod_csum_le], [Cmod_chord], and [amplitude_between], a figure by interval
  arithmetic. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Interval Require Import Xreal Basic Specific_ops Interval Float_full.
From Posproof Require Import RealMatrix Pairs Encoding Gram Wavelengths Phasor IntervalTactic Figures.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Fixpoint csum (n : nat) (F : nat -> C) : C := if n is m.+1 then (csum m F + F m)%C else RtoC 0.

Definition partial_sum (omega : nat -> R) (s : R) (j : nat) : C := csum j (fun i => phasor (s * omega i)).
Definition amplitude (h : nat) (omega : nat -> R) (s : R) : R :=
  \rsum_(j < h) Cmod (partial_sum omega s j.+1).
Definition rope_score (h : nat) (c : nat -> C) (omega : nat -> R) (s : R) : R :=
  Re (csum h (fun i => c i * phasor (s * omega i))%C).

(** ** Sums *)

Lemma eq_csum n F G : (forall i, F i = G i) -> csum n F = csum n G.
Proof. by move=> same; elim: n => //= n ->; rewrite same. Qed.

Lemma csum_add n F G : csum n (fun i => F i + G i)%C = (csum n F + csum n G)%C.
Proof. by elim: n => [|n IHn] /=; [ring | rewrite IHn; ring]. Qed.

Lemma csum_opp n F : csum n (fun i => - F i)%C = (- csum n F)%C.
Proof. by elim: n => [|n IHn] /=; [ring | rewrite IHn; ring]. Qed.

Lemma csum_recl n F : csum n.+1 F = (F 0%N + csum n (fun i => F i.+1))%C.
Proof. by elim: n => [|n IHn]; [rewrite /=; ring | rewrite [LHS]/= -/(csum n.+1 F) IHn /=; ring]. Qed.

Lemma Re_csum n F : Re (csum n F) = \rsum_(i < n) Re (F i).
Proof. by elim: n => [|n IHn]; [rewrite big_ord0 | rewrite big_ord_recr -IHn]. Qed.

Lemma Cmod_csum_le n F (b : nat -> R) : (forall i, (i < n)%N -> Cmod (F i) <= b i) ->
  Cmod (csum n F) <= \rsum_(i < n) b i.
Proof.
elim: n => [|n IHn] below; first by rewrite big_ord0 /= Cmod_0; exact: Rle_refl.
rewrite big_ord_recr /=; apply: Rle_trans (Cmod_triangle _ _) _.
by apply: Rplus_le_compat; [apply: IHn => i /ltnW lt_i; exact: below | exact: below].
Qed.

Lemma Re_le_Cmod z : Rabs (Re z) <= Cmod z.
Proof.
rewrite -sqrt_Rsqr_abs /Cmod; apply: sqrt_le_1_alt; rewrite /Rsqr /Re.
by have := pow2_ge_0 (snd z); rewrite /=; lra.
Qed.

(** ** The unit circle *)

(** The length of a chord. *)
Lemma Cmod_chord a : Cmod (phasor a - RtoC 1)%C = 2 * Rabs (sin (a / 2)).
Proof.
apply: Rsqr_inj; [exact: Cmod_ge_0 | by have := Rabs_pos (sin (a / 2)); lra | ].
rewrite /Rsqr Cmod_sqr phasorE /=.
have -> : 2 * Rabs (sin (a / 2)) * (2 * Rabs (sin (a / 2))) = 4 * Rabs (sin (a / 2) * sin (a / 2)).
  by rewrite Rabs_mult; ring.
rewrite Rabs_pos_eq; last exact: Rle_0_sqr.
have := cos_2a_sin (a / 2); have := sin2_cos2 a; rewrite /Rsqr (_ : 2 * (a / 2) = a); last by field.
by move=> unit half; nra.
Qed.

Lemma Cmod_chord_le a : Cmod (phasor a - RtoC 1)%C <= Rabs a.
Proof.
apply: Rsqr_incr_0; [ | exact: Cmod_ge_0 | exact: Rabs_pos].
rewrite -Rsqr_abs /Rsqr Cmod_sqr phasorE /=.
by have := cos_ge a; have := sin2_cos2 a; rewrite /Rsqr; nra.
Qed.

Lemma phasor_add_turns a n : phasor (a + 2 * PI * IZR n) = phasor a.
Proof. by rewrite !phasorE cos_add_turns sin_add_turns. Qed.

(** ** Figures *)

(** A precision of 36 bits. *)
Definition medium := StdZFloat.PtoP 36.

Fixpoint amplitude_sum (m : nat) (q a re im acc : I.type) : I.type :=
  if m is m'.+1 then
    let: (re', im') := (I.add medium re (I.cos medium a), I.add medium im (I.sin medium a)) in
    amplitude_sum m' q (I.mul medium a q) re' im'
      (I.add medium acc (I.sqrt medium (I.add medium (I.mul medium re' re') (I.mul medium im' im'))))
  else acc.

Lemma encloses_sin p xi x : encloses xi x -> encloses (I.sin p xi) (sin x).
Proof. exact: I.sin_correct. Qed.

Lemma encloses_sqrt xi x : encloses xi x -> encloses (I.sqrt medium xi) (sqrt x).
Proof. exact: I.sqrt_correct. Qed.

Lemma amplitude_sum_encloses m qi ai xi yi si q a x y s :
  encloses qi q -> encloses ai a -> encloses xi x -> encloses yi y -> encloses si s ->
  encloses (amplitude_sum m qi ai xi yi si)
           (s + \rsum_(j < m) Cmod ((x, y) + csum j.+1 (fun i => phasor (a * q ^ i)))%C).
Proof.
move=> q_in; elim: m ai xi yi si a x y s => [|m IHm] ai xi yi si a x y s a_in x_in y_in s_in.
  by rewrite big_ord0 Rplus_0_r.
have x'_in := encloses_add (p := medium) x_in (encloses_cos (p := medium) a_in).
have y'_in := encloses_add (p := medium) y_in (encloses_sin medium a_in).
have length_in := encloses_sqrt (encloses_add (p := medium) (encloses_mul (p := medium) x'_in x'_in)
                                              (encloses_mul (p := medium) y'_in y'_in)).
have := IHm _ _ _ _ _ _ _ _ (encloses_mul (p := medium) a_in q_in) x'_in y'_in
            (encloses_add (p := medium) s_in length_in).
rewrite big_ord_recl -Rplus_assoc; set total := _ + _ + _; set total' := _ + _ + _.
suff -> : total = total' by [].
rewrite /total /total'; congr (_ + _ + _).
  by rewrite [csum _ _]/= Rmult_1_r phasorE /Cmod /=; congr sqrt; ring.
apply: eq_bigr => j _.
have first_apart : csum j.+2 (fun i => phasor (a * q ^ i)) =
    ((cos a, sin a) + csum j.+1 (fun i => phasor (a * q * q ^ i)))%C.
  rewrite [LHS]csum_recl; congr Cplus; first by rewrite /= Rmult_1_r phasorE.
  by apply: eq_csum => i; rewrite /=; congr phasor; ring.
rewrite lift0 first_apart; case: (csum _ _) => re im.
by congr Cmod; apply: C_eq; rewrite /=; ring.
Qed.

Definition amplitude_enclosure (base : positive) (h : nat) (s : Z) : I.type :=
  amplitude_sum h (ratio_enclosure base h) (I.fromZ prec s) I.zero I.zero I.zero.

Lemma amplitude_encloses base h s : (0 < h)%N ->
  encloses (amplitude_enclosure base h s) (amplitude h (frequency (IZR (Zpos base)) h.*2) (IZR s)).
Proof.
move=> h_pos; have := amplitude_sum_encloses h (ratio_encloses base h_pos) (encloses_Z s)
  encloses_0 encloses_0 encloses_0; rewrite Rplus_0_l.
set t := \rsum_(j < h) _; set t' := amplitude _ _ _; suff -> : t = t' by [].
apply: eq_bigr => j _; congr Cmod; set q := Rpower _ _.
have -> : csum j.+1 (fun i => phasor (IZR s * q ^ i)) =
    partial_sum (frequency (IZR (Zpos base)) h.*2) (IZR s) j.+1.
  by apply: eq_csum => i; rewrite frequency_ratio //; apply: IZR_lt.
by case: (partial_sum _ _ _) => re im; apply: C_eq; rewrite /=; ring.
Qed.

Lemma amplitude_between base h s lo hi den : (0 < h)%N ->
  between lo hi den (amplitude_enclosure base h s) ->
  IZR lo / IZR (Zpos den) < amplitude h (frequency (IZR (Zpos base)) h.*2) (IZR s) <
  IZR hi / IZR (Zpos den).
Proof. by move=> h_pos; apply: betweenP; apply: amplitude_encloses. Qed.
