; cos(0) = 1 and sin(pi) = 0.
(set-logic ALL)
(declare-const x Real)
(assert (= x (* 2.0 (cos 0.0))))
(assert (not (= (* x (sin real.pi)) (- (cos 0.0) 1.0))))
(set-info :status unsat)
(check-sat)
