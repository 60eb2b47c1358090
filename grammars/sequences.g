// Sequences of integers, as z3 and cvc5 have them.
grammar Sequences;

seq
    : '(as seq.empty (Seq Int))'
    | 'a'
    | 'b'
    | '(seq.unit' int ')'
    | '(seq.++' seq seq ')'
    | '(seq.at' seq int ')'
    | '(seq.extract' seq int int ')'
    | '(seq.replace' seq seq seq ')'
    ;

int
    : '0'
    | '1'
    | '(seq.len' seq ')'
    | '(seq.nth' seq int ')'
    | '(seq.indexof' seq seq int ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' seq seq ')'
    | '(distinct' seq seq ')'
    | '(=' int int ')'
    | '(<' int int ')'
    | '(seq.prefixof' seq seq ')'
    | '(seq.suffixof' seq seq ')'
    | '(seq.contains' seq seq ')'
    ;

start
    : '(declare-const a (Seq Int))' '(declare-const b (Seq Int))' '(assert' bool ')' '(check-sat)'
    ;
