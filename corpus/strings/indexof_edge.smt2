; indexof of the empty string is the offset, when the offset is inside.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (= (str.len s) 3))
(assert (distinct (str.indexof s "" i) (ite (and (<= 0 i) (<= i 3)) i (- 1))))
(set-info :status unsat)
(check-sat)
