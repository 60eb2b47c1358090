; Nothing lies strictly between n and n+1, with a quantifier.
(set-logic LIA)
(declare-const n Int)
(assert (exists ((k Int)) (and (< n k) (< k (+ n 1)))))
(set-info :status unsat)
(check-sat)
