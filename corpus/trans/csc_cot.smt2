; Cosecant and cotangent by their definitions.
(set-logic ALL)
(declare-const x Real)
(assert (= x 1.0))
(assert (distinct (+ (csc x) (cot x)) (+ (/ 1.0 (sin x)) (/ (cos x) (sin x)))))
(set-info :status unsat)
(check-sat)
