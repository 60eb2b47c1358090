; A sorted array whose third cell is below its first.
(set-logic AUFLIA)
(declare-const a (Array Int Int))
(assert (forall ((i Int) (j Int)) (=> (<= 0 i j 9) (<= (select a i) (select a j)))))
(assert (< (select a 2) (select a 0)))
(set-info :status unsat)
(check-sat)
