; Euclidean division: the remainder is never negative, for either sign of the divisor.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const q Int)
(declare-const r Int)
(assert (or (and (= q (div x 7)) (= r (mod x 7))) (and (= q (div x (- 7))) (= r (mod x (- 7))))))
(assert (or (< r 0) (> r 6) (distinct x (+ (* 7 (div x 7)) (mod x 7)))))
(set-info :status unsat)
(check-sat)
