(** Traces of kernels evaluated on the machine's numbers, beside what the program computes.

  A number of binary64 is two halves of its 64 bits, which Coq reads fast. A case is the inputs of a kernel followed by its
  results, and it holds where Coq makes the same results of these inputs, bit for bit. *)

From Coq Require Import ZArith List Uint63.
From Posproof Require Import RoundingFormat RoundingTrace RoundingTraces.
Import ListNotations.

Fixpoint words (halves : list int) : list Z :=
  match halves with
  | high :: low :: rest => (Z.shiftl (to_Z high) 32 + to_Z low)%Z :: words rest
  | _ => nil
  end.

Fixpoint same (made : list marked) (found : list Z) : bool :=
  match made, found with
  | nil, nil => true
  | x :: made, n :: found => andb (Z.eqb (to_bits (fst x)) n) (same made found)
  | _, _ => false
  end.

(** So many cases, and nothing after them. *)
Fixpoint agree (cases inputs results : nat) (kernel : list marked -> list marked) (numbers : list Z) : bool :=
  match cases with
  | O => match numbers with nil => true | _ => false end
  | S cases =>
      let made := kernel (map (fun n => start (of_bits n)) (firstn inputs numbers)) in
      andb (same made (firstn results (skipn inputs numbers)))
        (agree cases inputs results kernel (skipn (inputs + results) numbers))
  end.

Open Scope uint63_scope.
