; The most negative number divided by minus one is itself.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(assert (= x #x8000))
(assert (or (distinct (bvsdiv x #xffff) x) (distinct (bvsrem x #xffff) #x0000) (distinct (bvneg x) x)))
(set-info :status unsat)
(check-sat)
