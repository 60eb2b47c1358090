; The secant is the reciprocal of the cosine where that is nonzero.
(set-logic ALL)
(declare-const x Real)
(assert (= x 0.0))
(assert (distinct (sec x) (/ 1.0 (cos x))))
(set-info :status unsat)
(check-sat)
