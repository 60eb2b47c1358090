; The xor swap, stepwise with lets.
(set-logic QF_BV)
(declare-const a (_ BitVec 64))
(declare-const b (_ BitVec 64))
(assert (let ((a1 (bvxor a b)))
  (let ((b1 (bvxor a1 b)))
    (let ((a2 (bvxor a1 b1))) (not (and (= a2 b) (= b1 a)))))))
(set-info :status unsat)
(check-sat)
