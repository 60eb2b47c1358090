; A predicate over predicates.
(set-logic HO_ALL)
(declare-fun holds ((-> Bool Bool)) Bool)
(assert (holds (lambda ((b Bool)) (not b))))
(assert (not (holds (lambda ((b Bool)) b))))
(set-info :status sat)
(check-sat)
