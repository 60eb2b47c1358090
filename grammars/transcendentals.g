// Reals with sine, cosine and tangent, which z3 and cvc5 have beside the standard.
grammar Transcendentals;

real
    : '0.0'
    | '1.0'
    | 'a'
    | 'b'
    | '(-' real ')'
    | '(-' real real ')'
    | '(+' real real ')'
    | '(*' real real ')'
    | '(/' real real ')'
    | '(sin' real ')'
    | '(cos' real ')'
    | '(tan' real ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(xor' bool bool ')'
    | '(=>' bool bool ')'
    | '(=' bool bool ')'
    | '(distinct' bool bool ')'
    | '(ite' bool bool bool ')'
    | '(=' real real ')'
    | '(distinct' real real ')'
    | '(<=' real real ')'
    | '(<' real real ')'
    | '(>=' real real ')'
    | '(>' real real ')'
    ;

start
    : '(declare-const a Real)' '(declare-const b Real)' '(assert' bool ')' '(check-sat)'
    ;
