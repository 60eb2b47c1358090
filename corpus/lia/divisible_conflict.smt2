; Divisible by 6 and by 10 means divisible by 30.
(set-logic QF_LIA)
(declare-const n Int)
(assert (and ((_ divisible 6) n) ((_ divisible 10) n) (not ((_ divisible 30) n))))
(set-info :status unsat)
(check-sat)
