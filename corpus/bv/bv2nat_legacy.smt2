; The older names bv2nat and int2bv.
(set-logic ALL)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (> (+ (bv2nat a) (bv2nat b)) 15))
(assert (= (bv2nat (bvadd a b)) (+ (bv2nat a) (bv2nat b))))
(set-info :status unsat)
(check-sat)
