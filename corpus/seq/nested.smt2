; Sequences of sequences.
(set-logic ALL)
(declare-const s (Seq (Seq Int)))
(assert (= (seq.len s) 2))
(assert (= (seq.++ (seq.nth s 0) (seq.nth s 1)) (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3))))
(assert (distinct (seq.nth s 0) (as seq.empty (Seq Int))))
(set-info :status sat)
(check-sat)
