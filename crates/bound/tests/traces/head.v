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
