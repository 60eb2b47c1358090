; An involution on two-bit vectors without fixed points on a pair.
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(declare-const x (_ BitVec 2))
(assert (and (= (f (f x)) x) (distinct (f x) x (bvnot x))))
(assert (= (f (bvnot x)) (bvadd (f x) #b01)))
(set-info :status sat)
(check-sat)
