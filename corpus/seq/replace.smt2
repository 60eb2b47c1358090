; Replacing the first occurrence of a unit.
(set-logic ALL)
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 1))))
(assert (distinct (seq.replace s (seq.unit 1) (as seq.empty (Seq Int))) (seq.++ (seq.unit 2) (seq.unit 1))))
(set-info :status unsat)
(check-sat)
