; A prefix is never greater.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(assert (str.prefixof x y))
(assert (str.< y x))
(set-info :status unsat)
(check-sat)
