; A wildcard case in match catches the remaining constructors.
(set-logic ALL)
(declare-datatype Op ((add (l1 Int) (r1 Int)) (neg (n1 Int)) (lit (v Int)) (skip)))
(declare-const o Op)
(define-fun ev ((x Op)) Int (match x (((add a b) (+ a b)) ((neg a) (- a)) (other 0))))
(assert (distinct (ev o) 0))
(assert (or ((_ is lit) o) (= o skip)))
(set-info :status unsat)
(check-sat)
