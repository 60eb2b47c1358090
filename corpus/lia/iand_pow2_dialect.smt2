; cvc5 extensions: integer and of a width, power of two.
(set-logic ALL)
(declare-const x Int)
(assert (and (<= 0 x) (< x 8)))
(assert (> ((_ iand 3) x 5) 5))
(assert (= (int.pow2 3) 8))
(set-info :status unsat)
(check-sat)
