; cvc5 extensions: reverse and update.
(set-logic ALL)
(declare-const s (Seq Int))
(declare-const x Int)
(assert (= s (seq.++ (seq.unit 1) (seq.unit x) (seq.unit 3))))
(assert (distinct (seq.update (seq.rev s) 0 (seq.unit 7)) (seq.++ (seq.unit 7) (seq.unit x) (seq.unit 1))))
(set-info :status unsat)
(check-sat)
