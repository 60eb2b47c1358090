; Rounding by adding one half is idempotent.
(set-logic QF_LIRA)
(declare-const x Real)
(define-fun rnd ((r Real)) Int (to_int (+ r (/ 1 2))))
(assert (distinct (rnd (to_real (rnd x))) (rnd x)))
(set-info :status unsat)
(check-sat)
