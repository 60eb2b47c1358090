; fp.eq and = differ in both directions.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(declare-const z Float32)
(assert (and (= x y) (not (fp.eq x y))))
(assert (and (fp.eq z (fp.neg z)) (not (= z (fp.neg z)))))
(set-info :status sat)
(check-sat)
