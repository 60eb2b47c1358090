; indexof is -1 exactly when contains fails.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= (str.contains s t) (= (str.indexof s t 0) (- 1))))
(set-info :status unsat)
(check-sat)
