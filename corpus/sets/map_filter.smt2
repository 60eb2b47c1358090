; Mapping and filtering a concrete set.
(set-logic HO_ALL)
(declare-const s (Set Int))
(assert (= s (set.insert 1 2 (set.singleton 3))))
(assert (set.member 9 (set.map (lambda ((x Int)) (* 2 x)) (set.filter (lambda ((y Int)) (< y 3)) s))))
(set-info :status unsat)
(check-sat)
