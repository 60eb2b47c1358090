; Real-valued cells with linear constraints between neighbours.
(set-logic ALL)
(declare-const a (Array Int Real))
(assert (= (+ (select a 0) (select a 1)) (/ 1.0 3.0)))
(assert (< (select a 2) (select a 1) (select a 0)))
(assert (= (select (store a 1 (select a 2)) 1) (- (/ 1.0 7.0))))
(set-info :status sat)
(check-sat)
