; substr over a concatenation reaches the second part.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (= (str.len x) 2))
(assert (distinct (str.substr (str.++ x y) 2 (str.len y)) y))
(set-info :status unsat)
(check-sat)
