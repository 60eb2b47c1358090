; Pi lies between 3.1415 and 3.1416.
(set-logic ALL)
(assert (or (< real.pi 3.1415) (> real.pi 3.1416)))
(set-info :status unsat)
(check-sat)
