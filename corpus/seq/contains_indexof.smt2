; Position of a subsequence.
(set-logic ALL)
(declare-const s (Seq Int))
(assert (seq.contains s (seq.++ (seq.unit 0) (seq.unit (- 1)))))
(assert (= (seq.indexof s (seq.unit (- 1)) 0) 2))
(assert (= (seq.len s) 3))
(set-info :status sat)
(check-sat)
