; A recursive measure on trees reaches two.
(set-logic ALL)
(declare-datatype T ((lf) (nd (lt T) (rt T))))
(define-fun-rec depth ((x T)) Int
  (ite ((_ is lf) x) 0 (+ 1 (ite (> (depth (lt x)) (depth (rt x))) (depth (lt x)) (depth (rt x))))))
(declare-const t T)
(assert (= t (nd lf (nd lf lf))))
(assert (= (depth t) 2))
(set-info :status sat)
(check-sat)
