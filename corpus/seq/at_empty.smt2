; seq.at outside the bounds is empty.
(set-logic ALL)
(declare-const s (Seq Bool))
(declare-const i Int)
(assert (or (< i 0) (>= i (seq.len s))))
(assert (distinct (seq.at s i) (as seq.empty (Seq Bool))))
(set-info :status unsat)
(check-sat)
