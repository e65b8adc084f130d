(** * The sinusoidal encoding: its forms, its size, its neighbours

  What is claimed.  The forms in which the encoding is written are one function when the
  frequencies are counted from 0 (counted from 1 it is another one); its components are
  bounded and its length is constant; sines alone vanish at position 0; neighbours are
  equally and positively far apart; none of this depends on the frequencies, or on the
  position being one that occurred before.

  pairwise_form base d t f == f (2i) = sin (t base^(-2i/d)), f (2i+1) = cos (t base^(-2i/d)),
                              for the pairs i = 0 ... d/2-1
  floor_form base d t f    == f j = sin or cos (j even or odd) of t base^(-2 floor(j/2)/d),
                              for the components j = 0 ... d-1
  division_form base d t f == the same written as in the documents' formulas, sin (t / base^(2i/d))
  int_division_form base d t f
                           == component j from t / base^(i'/d), i' = 2 int(j/2)
  division_from_1_form base d t f
                           == rows 2(m-1) and 2(m-1)+1 from t / base^(2m/d), m = 1 ... d/2
  sine_only n ω t          == the column of the n sines sin (t ω_i)

  Main results: the theorems named by their claims, sinusoid.definition, .bounded,
  .sine-only, .neighbours and .extrapolation, and their corollaries.

  Not claimed: that a trained model extrapolates to lengths it has not seen; the theorem
  on extrapolation says what the encoding itself offers there. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The forms of the definition *)

Definition pairwise_form (base : R) (d : nat) (t : R) (f : nat -> R) : Prop :=
  forall i : nat, (i < d./2)%N ->
    f (2 * i)%N = sin (t * frequency base d i) /\
    f (2 * i + 1)%N = cos (t * frequency base d i).

Definition floor_form (base : R) (d : nat) (t : R) (f : nat -> R) : Prop :=
  forall j : nat, (j < d)%N ->
    let omega := Rpower base (- (2 * IZR (Int_part (INR j / 2)) / INR d)) in
    f j = if odd j then cos (t * omega) else sin (t * omega).

(** floor(j/2), computed in the reals, is the number of the pair. *)
Lemma floor_half (j : nat) : IZR (Int_part (INR j / 2)) = INR j./2.
Proof.
have [floor_le floor_gt] := base_Int_part (INR j / 2).
have j_bit : INR j = (if odd j then 1 else 0) + 2 * INR j./2.
  by rewrite -[in LHS](odd_double_half j) -muln2 plus_INR mult_INR; case: odd => /=; ring.
rewrite [RHS]INR_IZR_INZ; congr IZR; apply: Zle_antisym; apply: Zlt_succ_le; apply: lt_IZR.
  by rewrite succ_IZR -INR_IZR_INZ; case: odd j_bit; lra.
by rewrite succ_IZR -INR_IZR_INZ; case: odd j_bit; lra.
Qed.

Lemma floor_formE base d t f :
  floor_form base d t f <-> (forall j, (j < d)%N -> f j = pe (frequency base d) t j).
Proof.
by split=> f_floor j lt_jd; move: (f_floor j lt_jd); rewrite /= floor_half.
Qed.

(** A function is the encoding of t when each pair of its components is. *)
Lemma pairs_pe omega d t (f : nat -> R) : ~~ odd d ->
  (forall i, (i < d./2)%N -> f (2 * i)%N = sin (t * omega i) /\ f (2 * i + 1)%N = cos (t * omega i)) <->
  (forall j, (j < d)%N -> f j = pe omega t j).
Proof.
move=> d_even; have d_double : d = d./2.*2 by rewrite -[LHS]odd_double_half (negbTE d_even).
split=> [f_pairs j lt_jd | f_pe i lt_ih].
  have lt_pair : (j./2 < d./2)%N.
    by rewrite -ltn_double -d_double (leq_ltn_trans _ lt_jd) // -{2}(odd_double_half j) leq_addl.
  have [f_even f_odd] := f_pairs _ lt_pair; rewrite /pe -[in LHS](odd_double_half j).
  case: (odd j); first by rewrite -f_odd mul2n addnC.
  by rewrite -f_even mul2n.
rewrite addn1 !mul2n !f_pe ?pe_even ?pe_odd // d_double.
  by rewrite ltn_Sdouble.
by rewrite ltn_double.
Qed.

Lemma pairwise_formE base d t f : ~~ odd d ->
  pairwise_form base d t f <-> (forall j, (j < d)%N -> f j = pe (frequency base d) t j).
Proof. exact: pairs_pe. Qed.

(** sinusoid.definition: For every even d, every base > 0 and every t, the pairwise form (PE(t)_{2i}
    = sin(t·ω_i), PE(t)_{2i+1} = cos(t·ω_i), ω_i = base^(−2i/d), i = 0 … d/2−1) and the floor form
    (component j from ω = base^(−2⌊j/2⌋/d), sine for even j, cosine for odd j) are one function. *)
Theorem sinusoid_definition (base : R) (d : nat) (t : R) : ~~ odd d ->
  pairwise_form base d t (pe (frequency base d) t) /\
  floor_form base d t (pe (frequency base d) t) /\
  forall f : nat -> R, pairwise_form base d t f <-> floor_form base d t f.
Proof.
move=> d_even; split; first exact/pairwise_formE.
split; first exact/floor_formE.
by move=> f; rewrite pairwise_formE // floor_formE.
Qed.

(** *** With divisions, as the documents write it *)

Definition division_form (base : R) (d : nat) (t : R) (f : nat -> R) : Prop :=
  forall i : nat, (i < d./2)%N ->
    f (2 * i)%N = sin (t / Rpower base (2 * INR i / INR d)) /\
    f (2 * i + 1)%N = cos (t / Rpower base (2 * INR i / INR d)).

Definition int_division_form (base : R) (d : nat) (t : R) (f : nat -> R) : Prop :=
  forall j : nat, (j < d)%N ->
    let omega := Rpower base (INR (j./2 * 2) / INR d) in
    f j = if odd j then cos (t / omega) else sin (t / omega).

Definition division_from_1_form (base : R) (d : nat) (t : R) (f : nat -> R) : Prop :=
  forall m : nat, (1 <= m)%N -> (m <= d./2)%N ->
    f (2 * (m - 1))%N = sin (t / Rpower base (2 * INR m / INR d)) /\
    f (2 * (m - 1) + 1)%N = cos (t / Rpower base (2 * INR m / INR d)).

Lemma times_frequency base d t i : t * frequency base d i = t / Rpower base (2 * INR i / INR d).
Proof. by rewrite /frequency Rpower_Ropp. Qed.

(** The divisions are multiplications by the frequencies, in each of the documents' formulas. *)
Corollary sinusoid_definition_division (base : R) (d : nat) (t : R) (f : nat -> R) : ~~ odd d ->
  (division_form base d t f <-> pairwise_form base d t f) /\
  (int_division_form base d t f <-> floor_form base d t f) /\
  (division_form base d t f <-> int_division_form base d t f) /\
  (division_from_1_form base d t f <->
     forall j, (j < d)%N -> f j = pe (frequency_from_1 base d) t j).
Proof.
move=> d_even; have pairs : division_form base d t f <-> pairwise_form base d t f.
  by split=> form i /form; rewrite times_frequency.
have floors : int_division_form base d t f <-> floor_form base d t f.
  rewrite floor_formE; split=> form j /form; rewrite /pe times_frequency mult_INR [INR 2]/=.
    by rewrite [INR _ * _]Rmult_comm.
  by rewrite [2 * _]Rmult_comm.
split=> //; split=> //; split; first by rewrite pairs floors pairwise_formE // floor_formE.
rewrite -(pairs_pe _ _ _ d_even) /frequency_from_1; split=> form.
  by move=> i lt_ih; rewrite times_frequency; have := form i.+1 isT lt_ih; rewrite subn1.
by case=> // i _ lt_ih; rewrite subn1 -times_frequency; apply: form.
Qed.

(** The witness: t = 1, first pair, d = 512, where the first frequency is 1 counted from
    0 and 10000^(-1/256) counted from 1. *)
Corollary sinusoid_definition_witness :
  0.84147 < pe (frequency 10000 512) 1 0 < 0.84148 /\
  0.82185 < pe (frequency_from_1 10000 512) 1 0 < 0.82186.
Proof.
rewrite /pe [odd 0]/= [0./2]/= frequency_0; last lra.
rewrite /frequency_from_1 (frequency_pairs 10000 256) /Rpower INR_IZR_INZ [INR 256]INR_IZR_INZ /=.
by split; split; interval with (i_prec 40).
Qed.

Lemma counted_from_1_differs :
  pe (frequency_from_1 10000 512) 1 0 < pe (frequency 10000 512) 1 0.
Proof.
have freq_lt : frequency 10000 512 1 < frequency 10000 512 0 by apply: frequency_lt => //; lra.
rewrite frequency_0 in freq_lt; last lra.
have freq_gt0 := frequency_gt0 10000 512 1; have PI_bound := PI2_1.
rewrite /pe [odd 0]/= [0./2]/= frequency_0; last lra.
by rewrite !Rmult_1_l; apply: sin_increasing_1; rewrite /frequency_from_1; lra.
Qed.

(** sinusoid.definition, as written: Counting the frequencies from 1 (ω_m = base^(−2m/d),
    m = 1 … d/2) gives the same function. *)
Theorem sinusoid_definition_as_written_false :
  ~ (forall (base : R) (d : nat) (t : R) (j : nat), 1 < base -> ~~ odd d -> (j < d)%N ->
       pe (frequency_from_1 base d) t j = pe (frequency base d) t j).
Proof.
move=> same; have := counted_from_1_differs.
by rewrite same //; lra.
Qed.

(** ** Size *)

Lemma pe_bounded omega t j : -1 <= pe omega t j <= 1.
Proof. by rewrite /pe; case: odd; [apply: COS_bound | apply: SIN_bound]. Qed.

(** sinusoid.bounded: For every d, all frequencies and every t, each component of PE(t)
    lies in [−1, 1] and ‖PE(t)‖² = d/2. *)
Theorem sinusoid_bounded (h : nat) (omega : nat -> R) (t : R) :
  (forall j, -1 <= PE h omega t j ord0 <= 1) /\ norm2 (PE h omega t) = INR h.*2 / 2.
Proof.
split=> [j|]; first by rewrite PE_component; apply: pe_bounded.
by rewrite norm2_PE INR_half_double.
Qed.

Definition sine_only (n : nat) (omega : nat -> R) (t : R) : 'cV[R]_n :=
  \matrix_(i, j) sin (t * omega i).

(** sinusoid.sine-only: The encoding made of sines alone is the zero vector at t = 0, so
    its dot product with every vector is 0; the encoding by pairs has norm² d/2 there. *)
Theorem sinusoid_sine_only (n h : nat) (omega : nat -> R) :
  sine_only n omega 0 = zeroR /\
  (forall v : 'cV[R]_n, dot (sine_only n omega 0) v = 0) /\
  norm2 (PE h omega 0) = INR h.*2 / 2.
Proof.
have sines_0 : sine_only n omega 0 = zeroR.
  by apply/matrixP => i j; rewrite !mxE Rmult_0_l sin_0.
split=> //; split=> [v|]; last by rewrite norm2_PE INR_half_double.
by rewrite sines_0 /dot big1 // => i _; rewrite mxE Rmult_0_l.
Qed.

(** ** Neighbours *)

Lemma chord_ge0 a : 0 <= 2 - 2 * cos a.
Proof. by have [_ cos_le1] := COS_bound a; lra. Qed.

Lemma cos_1_lt1 : cos 1 < 1.
Proof. by rewrite -{2}cos_0; apply: cos_decreasing_1; have := PI2_1; lra. Qed.

(** sinusoid.neighbours: ‖PE(t+1) − PE(t)‖² = Σ_i 2 − 2·cos(ω_i) for every t, the same at every t,
    and for ω_i = base^(−2i/d) it is positive. *)
Theorem sinusoid_neighbours (base : R) (h : nat) : 0 < base -> (0 < h)%N ->
  (forall (omega : nat -> R) (t : R),
     distance2 (PE h omega (t + 1)) (PE h omega t) = \rsum_(i < h) (2 - 2 * cos (omega i))) /\
  (forall (omega : nat -> R) (s t : R),
     distance2 (PE h omega (s + 1)) (PE h omega s) =
     distance2 (PE h omega (t + 1)) (PE h omega t)) /\
  0 < \rsum_(i < h) (2 - 2 * cos (frequency base h.*2 i)).
Proof.
move=> base_gt0 h_gt0.
have step omega t :
    distance2 (PE h omega (t + 1)) (PE h omega t) = \rsum_(i < h) (2 - 2 * cos (omega i)).
  rewrite distance2_PE; apply: eq_bigr => i _; congr (_ - _ * cos _); ring.
split=> //; split=> [omega s t|]; first by rewrite !step.
apply: (Rlt_le_trans _ (2 - 2 * cos (frequency base h.*2 (Ordinal h_gt0)))).
  by rewrite /= frequency_0 //; have := cos_1_lt1; lra.
apply: (rsum_ge_term (F := fun i : 'I_h => 2 - 2 * cos (frequency base h.*2 i))) => i.
exact: chord_ge0.
Qed.

(** ** Every position *)

(** sinusoid.extrapolation: PE(t) is defined at every real t, has norm² d/2 there, and one
    T(k) shifts it at every t. *)
Theorem sinusoid_extrapolation (h : nat) (omega : nat -> R) :
  (forall t : R, norm2 (PE h omega t) = INR h.*2 / 2) /\
  (forall k : R, exists T : 'M[R]_(h.*2), forall t : R, T *m PE h omega t = PE h omega (t + k)).
Proof.
split=> [t | k]; first by rewrite norm2_PE INR_half_double.
by exists (shift_matrix h omega k) => t; rewrite shift_matrix_PE.
Qed.
