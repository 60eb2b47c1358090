; Constant arrays, as both z3 and cvc5 write them.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(declare-const a (Array Int Int))
(assert (= a (store (store ((as const (Array Int Int)) 0) i 1) j 2)))
(assert (and (> (select a (+ i 1)) 1) (distinct j (+ i 1))))
(set-info :status unsat)
(check-sat)
