; Out-of-range substr and at give the empty string.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(declare-const n Int)
(assert (or (< i 0) (>= i (str.len s)) (<= n 0)))
(assert (or (distinct (str.substr s i n) "") (and (> n 0) (distinct (str.at s i) ""))))
(set-info :status unsat)
(check-sat)
