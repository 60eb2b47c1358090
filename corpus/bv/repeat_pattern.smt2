; A repeated nibble multiplies by 0x1111.
(set-logic QF_BV)
(declare-const n (_ BitVec 4))
(assert (distinct ((_ repeat 4) n) (bvmul ((_ zero_extend 12) n) #x1111)))
(set-info :status unsat)
(check-sat)
