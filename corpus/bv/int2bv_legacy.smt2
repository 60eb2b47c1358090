; The older name int2bv for a parameter beyond the width.
(set-logic ALL)
(declare-const n Int)
(assert (= ((_ int2bv 4) n) #xe))
(assert (and (< 20 n) (< n 40)))
(set-info :status sat)
(check-sat)
