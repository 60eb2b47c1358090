; Nothing finite absorbs every addend.
(set-logic FP)
(assert (exists ((x Float32)) (and (not (fp.isNaN x)) (not (fp.isInfinite x))
  (forall ((y Float32)) (=> (not (fp.isNaN y)) (fp.eq (fp.add RNE x y) x))))))
(set-info :status unsat)
(check-sat)
