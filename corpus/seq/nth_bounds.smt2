; nth inside the bounds is what unit put there.
(set-logic ALL)
(declare-const s (Seq Int))
(declare-const i Int)
(assert (= s (seq.++ (seq.unit 4) (seq.unit 5) (seq.unit 6))))
(assert (and (<= 0 i) (< i (seq.len s))))
(assert (distinct (seq.nth s i) (+ i 4)))
(set-info :status unsat)
(check-sat)
