; A datatype holding an array.
(set-logic ALL)
(declare-datatype St ((st (pc Int) (mem (Array Int Int)))))
(declare-const s St)
(define-fun step ((x St)) St (st (+ (pc x) 1) (store (mem x) (pc x) (pc x))))
(assert (distinct (select (mem (step (step s))) (pc s)) (pc s)))
(set-info :status unsat)
(check-sat)
