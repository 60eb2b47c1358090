; No integer has a square between two given consecutive ones.
(set-logic NIA)
(assert (exists ((x Int)) (and (<= 0 x 10) (< 25 (* x x) 36))))
(set-info :status unsat)
(check-sat)
