; x = d * (x div d) + x mod d whenever d is nonzero.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const d Int)
(assert (not (= d 0)))
(assert (< (+ (* d (div x d)) (mod x d)) x))
(set-info :status unsat)
(check-sat)
