; A function passed to a function.
(set-logic HO_ALL)
(declare-fun twice ((-> Int Int) Int) Int)
(declare-fun f (Int) Int)
(declare-fun g (Int) Int)
(assert (= f g))
(assert (distinct (twice f 3) (twice g 3)))
(set-info :status unsat)
(check-sat)
