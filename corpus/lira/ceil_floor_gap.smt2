; ceil(x) - floor(x) is 0 or 1.
(set-logic QF_LIRA)
(declare-const x Real)
(define-fun ceil ((r Real)) Int (- (to_int (- r))))
(assert (distinct (- (ceil x) (to_int x)) 0 1))
(set-info :status unsat)
(check-sat)
