; Modular clock: what time is it 1000 hours later?
(set-logic QF_LIA)
(declare-const now Int)
(declare-const later Int)
(assert (and (<= 0 now) (< now 24)))
(assert (= later (mod (+ now 1000) 24)))
(assert (= (mod (* 5 later) 24) (mod (- now 4) 24)))
(set-info :status sat)
(check-sat)
