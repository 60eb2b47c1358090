; A quantifier below arithmetic through ite.
(set-logic ALL)
(declare-const n Int)
(assert (= (+ n (ite (exists ((i Int)) (and (< n i) (< i (+ n 2)))) 10 20)) 13))
(set-info :status sat)
(check-sat)
