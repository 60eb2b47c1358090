; match on a parametric list with a nested pattern result.
(set-logic ALL)
(declare-datatypes ((Lst 1)) ((par (X) ((nil) (cons (hd X) (tl (Lst X)))))))
(declare-const l (Lst Int))
(define-fun first_or ((x (Lst Int)) (d Int)) Int (match x ((nil d) ((cons h t) h))))
(assert (= (first_or l 7) (+ (first_or (tl l) 7) 1)))
(assert (match l ((nil false) ((cons h t) (match t ((nil (< h 9)) ((cons h2 t2) (= t2 (as nil (Lst Int)))))))) ))
(set-info :status sat)
(check-sat)
