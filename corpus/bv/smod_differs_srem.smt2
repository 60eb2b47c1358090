; The two signed remainders differ.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (distinct y #x00))
(assert (= (bvsub (bvsmod x y) (bvsrem x y)) y))
(assert (bvslt y #xf8))
(set-info :status sat)
(check-sat)
