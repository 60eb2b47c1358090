; Sequences of integers: concatenation, unit, length, extract.
(set-logic ALL)
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (= (seq.++ s (seq.unit 3) t) (seq.++ (seq.unit 1) (seq.unit 3) (seq.unit 3))))
(assert (= (seq.len s) 1))
(assert (= (seq.extract t 0 1) (seq.unit 3)))
(set-info :status sat)
(check-sat)
