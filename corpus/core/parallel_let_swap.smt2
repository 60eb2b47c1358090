; let binds in parallel: the inner binding of y sees the outer x.
(set-logic QF_UF)
(declare-const x Bool)
(declare-const y Bool)
(assert (let ((x y) (y x)) (and x (not y))))
(assert (=> y x))
(set-info :status unsat)
(check-sat)
