; from_int of a negative number is empty, of a natural number round-trips.
(set-logic QF_SLIA)
(declare-const n Int)
(assert (< n 10))
(assert (distinct (str.from_int n) ""))
(assert (or (< n 0) (distinct (str.to_int (str.from_int n)) n)))
(set-info :status unsat)
(check-sat)
