; No integer between two neighbours of the same residue class; needs a cut.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (< 2 (+ (* 4 x) (* 6 y)) 4))
(set-info :status unsat)
(check-sat)
