; Multiplication, division and negation overflow predicates.
(set-logic QF_BV)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (or
  (distinct (bvumulo a b) (bvugt (bvmul ((_ zero_extend 4) a) ((_ zero_extend 4) b)) #x0f))
  (distinct (bvsmulo a b)
    (distinct (bvmul ((_ sign_extend 4) a) ((_ sign_extend 4) b)) ((_ sign_extend 4) (bvmul a b))))
  (distinct (bvsdivo a b) (and (= a #x8) (= b #xf)))
  (distinct (bvnego a) (= a #x8))))
(set-info :status unsat)
(check-sat)
