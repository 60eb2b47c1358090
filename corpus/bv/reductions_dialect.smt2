; Reduction operators as z3 and cvc5 name them.
(set-logic ALL)
(declare-const x (_ BitVec 5))
(assert (or (distinct (bvredor x) (bvnot (bvcomp x #b00000))) (distinct (bvredand x) (bvcomp x #b11111))))
(set-info :status unsat)
(check-sat)
