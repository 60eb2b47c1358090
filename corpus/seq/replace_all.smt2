; Every occurrence of a unit is replaced.
(set-logic ALL)
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 1))))
(assert (distinct (seq.replace_all s (seq.unit 1) (seq.unit 0)) (seq.++ (seq.unit 0) (seq.unit 2) (seq.unit 0))))
(set-info :status unsat)
(check-sat)
