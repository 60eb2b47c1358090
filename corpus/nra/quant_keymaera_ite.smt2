; Implication between sign conditions under two quantifiers.
(set-logic NRA)
(declare-const y Real)
(assert (not (forall ((x Real))
  (=> (and (> x 0.0) (> y 0.0) (not (= (* x y) 0.0)))
      (exists ((k Real)) (and (> k 0.0) (= (* 4.0 k) (+ y (* x x)))))))))
(set-info :status unsat)
(check-sat)
