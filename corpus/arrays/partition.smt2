; Two reads decide the place of a pivot.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const p Int)
(assert (<= 0 p 2))
(assert (= (select (store a p 100) 1) 100))
(assert (< (select a 0) (select a p) (select a 2)))
(set-info :status sat)
(check-sat)
