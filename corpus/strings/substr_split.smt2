; Cutting a string at any place and joining gives it back.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (and (<= 0 i) (<= i (str.len s))))
(assert (distinct s (str.++ (str.substr s 0 i) (str.substr s i (- (str.len s) i)))))
(set-info :status unsat)
(check-sat)
