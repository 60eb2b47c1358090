; All escape forms of one character are one character; a lone backslash is not an escape.
(set-logic QF_SLIA)
(assert (not (and
  (= "\u{41}" "\u0041" "\u{00041}" "A")
  (= (str.len "\u{2FFFF}\u{0}\u{7f}") 3)
  (= (str.len "\x41") 4)
  (= (str.len "\u{}") 4)
  (= (str.len "a""b") 3)
  (= (str.to_code "\u{5c}") 92))))
(set-info :status unsat)
(check-sat)
