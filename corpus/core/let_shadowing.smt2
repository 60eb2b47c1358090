; Nested lets that shadow a declared constant and each other.
(set-logic QF_UF)
(declare-const p Bool)
(declare-const q Bool)
(assert
  (let ((p (or p q)))
    (let ((q (and p (not q))) (p (xor p q)))
      (let ((p (=> q p))) (and p q)))))
(assert p)
(set-info :status sat)
(check-sat)
