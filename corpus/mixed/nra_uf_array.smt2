; A nonlinear index computation over real arithmetic with a cast.
(set-logic ALL)
(declare-const a (Array Int Real))
(declare-const x Real)
(assert (= (* x x) 4.0))
(assert (> x 0.0))
(assert (distinct (select (store a (to_int x) 1.5) 2) 1.5))
(set-info :status unsat)
(check-sat)
