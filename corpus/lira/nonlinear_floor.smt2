; floor of a square is nonnegative.
(set-logic QF_NIRA)
(declare-const x Real)
(declare-const n Int)
(assert (= n (to_int (* x x))))
(assert (< n 0))
(set-info :status unsat)
(check-sat)
