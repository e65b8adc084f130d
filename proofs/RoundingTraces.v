(** * Traces of the program's kernels

  What is here.  Each definition is written by the program: one of its kernels, run once on symbols, over any arithmetic
  (RoundingTrace.v).  A test compares this file with what the program writes.  Theorems about the definitions are in
  RoundingTraced.v and the files after it.

  Assumes: nothing.  Not claimed here: anything. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith.
From mathcomp Require Import ssreflect seq.
From Posproof Require Import RoundingFormat RoundingTrace.

Section Traces.
Variable A : arithmetic.

Local Notation "x + y" := (add A x y).
Local Notation "x - y" := (subtract A x y).
Local Notation "x * y" := (multiply A x y).
Local Notation "x / y" := (divide A x y).

Definition rotated_pair (F : format) (x y c s : number A) : list (number A) :=
  [:: rounded A F ((rounded A F (x * c)) - (rounded A F (y * s)));
      rounded A F ((rounded A F (x * s)) + (rounded A F (y * c)))].

Definition dot_step (F : format) (sum x y : number A) : list (number A) :=
  [:: rounded A F (sum + (rounded A F (x * y)))].

Definition dot_of_four (F : format) (x0 x1 x2 x3 y0 y1 y2 y3 : number A) : list (number A) :=
  [:: rounded A F ((rounded A F ((rounded A F ((rounded A F ((constant A (0) (0)) + (rounded A F (x0 * y0)))) + (rounded A F (x1 * y1)))) + (rounded A F (x2 * y2)))) + (rounded A F (x3 * y3)))].

Definition scaled_score (S : format) (scale score : number A) : list (number A) :=
  [:: rounded A S (scale * score)].

Definition shifted_score (S : format) (score largest : number A) : list (number A) :=
  [:: rounded A S (score - largest)].

Definition softmax_of_four (S : format) (W : format) (e0 e1 e2 e3 : number A) : list (number A) :=
  let r1 := rounded A S ((rounded A S ((rounded A S ((rounded A S ((constant A (0) (0)) + e0)) + e1)) + e2)) + e3) in
  [:: rounded A W (rounded A S (e0 / r1));
      rounded A W (rounded A S (e1 / r1));
      rounded A W (rounded A S (e2 / r1));
      rounded A W (rounded A S (e3 / r1))].

Definition table_angle (P : format) (T : format) (t w : number A) : list (number A) :=
  [:: rounded A T ((rounded A P t) * w)].

Definition stored_wave (T : format) (S : format) (wave : number A) : list (number A) :=
  [:: rounded A S wave].

Definition stored_amplified (T : format) (S : format) (gain wave : number A) : list (number A) :=
  [:: rounded A S (rounded A T (gain * wave))].

Definition llama3 (W : format) (factor low range length turn w : number A) : list (number A) :=
  let r1 := rounded A W (turn / w) in
  let r2 := lesser A (greater A (rounded A W ((rounded A W ((rounded A W (length / r1)) - low)) / range)) (constant A (0) (0))) (constant A (1) (0)) in
  [:: r1;
      rounded A W ((rounded A W ((rounded A W ((constant A (1) (0)) - r2)) * (rounded A W (w / factor)))) + (rounded A W (r2 * w)))].

Definition reference_turn (ch cl sh sl c c_low s s_low : number A) : list (number A) :=
  [:: (ch * c) - (sh * s);
      (((ch * c_low) + (cl * c)) - ((sh * s_low) + (sl * s))) + ((cl * c_low) - (sl * s_low));
      (sh * c) + (ch * s);
      (((sh * c_low) + (sl * c)) + ((ch * s_low) + (cl * s))) + ((sl * c_low) + (cl * s_low))].

Definition two_sum (x y : number A) : list (number A) :=
  let r1 := x + y in
  let r2 := r1 - x in
  [:: r1;
      (x - (r1 - r2)) + (y - r2)].

Definition two_difference (x y : number A) : list (number A) :=
  let r1 := x - y in
  let r2 := r1 - x in
  [:: r1;
      (x - (r1 - r2)) - (y + r2)].

Definition two_product (x y : number A) : list (number A) :=
  let r1 := x * y in
  [:: r1;
      product_error A x y r1].

Definition double_product (a al b bl c cl d dl : number A) : list (number A) :=
  let r1 := a * c in
  let r2 := b * d in
  let r3 := r1 - r2 in
  let r4 := r3 - r1 in
  let r5 := (((product_error A a c r1) - (product_error A b d r2)) + ((multiply_add A a cl (al * c)) - (multiply_add A b dl (bl * d)))) + ((r1 - (r3 - r4)) - (r2 + r4)) in
  let r6 := r3 + r5 in
  let r7 := r6 - r3 in
  let r8 := a * d in
  let r9 := b * c in
  let r10 := r8 + r9 in
  let r11 := r10 - r8 in
  let r12 := (((product_error A a d r8) + (product_error A b c r9)) + ((multiply_add A a dl (al * d)) + (multiply_add A b cl (bl * c)))) + ((r8 - (r10 - r11)) + (r9 - r11)) in
  let r13 := r10 + r12 in
  let r14 := r13 - r10 in
  [:: r6;
      (r3 - (r6 - r7)) + (r5 - r7);
      r13;
      (r10 - (r13 - r14)) + (r12 - r14)].

Definition head_and_tail (high low shift : number A) : list (number A) :=
  let r1 := (high + shift) - shift in
  [:: r1;
      (high - r1) + low].

Definition turned_anchor (c1 s1 c2 s2 : number A) : list (number A) :=
  [:: subtract_product A s1 s2 (c1 * c2);
      multiply_add A c1 s2 (s1 * c2)].

Definition ends_of_binary32 (c1 s1 c2 s2 less_s twice_s less_c twice_c : number A) : list (number A) :=
  let r1 := multiply_add A c1 s2 (multiply_add A s1 c2 less_s) in
  let r2 := multiply_add A c1 c2 (subtract_product A s1 s2 less_c) in
  [:: rounded A binary32 r1;
      rounded A binary32 (r1 + twice_s);
      rounded A binary32 r2;
      rounded A binary32 (r2 + twice_c)].

Definition ends_of_binary64 (ch1 ct1 sh1 st1 c1 s1 ch2 ct2 sh2 st2 less twice : number A) : list (number A) :=
  let r1 := multiply_add A ch1 sh2 (sh1 * ch2) in
  let r2 := multiply_add A c1 st2 (multiply_add A s1 ct2 (multiply_add A ct1 sh2 (multiply_add A st1 ch2 less))) in
  let r3 := subtract_product A sh1 sh2 (ch1 * ch2) in
  let r4 := subtract_product A s1 st2 (multiply_add A c1 ct2 (subtract_product A st1 sh2 (multiply_add A ct1 ch2 less))) in
  [:: r1 + r2;
      r1 + (r2 + twice);
      r3 + r4;
      r3 + (r4 + twice)].

Definition recurrence_step (rate now before : number A) : list (number A) :=
  [:: multiply_subtract A rate now before].

Definition product_error_by_halves (x y p : number A) : list (number A) :=
  let r1 := (constant A (134217729) (0)) * x in
  let r2 := r1 - (r1 - x) in
  let r3 := x - r2 in
  let r4 := (constant A (134217729) (0)) * y in
  let r5 := r4 - (r4 - y) in
  let r6 := y - r5 in
  [:: ((((r2 * r5) - p) + (r2 * r6)) + (r3 * r5)) + (r3 * r6)].

Definition sine_error (gain factors s1 sines : number A) : list (number A) :=
  [:: ((constant A (3039929748475085) (-101)) * (lesser A (((magnitude A s1) + (gain * sines)) * (constant A (281474976992131) (-48))) gain)) + factors].

Definition cosine_error (gain factors : number A) : list (number A) :=
  [:: ((constant A (3039929748475085) (-101)) * gain) + factors].

Definition tail_error (power factors : number A) : list (number A) :=
  [:: ((constant A (25) (-80)) * power) + factors].

End Traces.
