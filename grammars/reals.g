// Reals: all operators of the theory on two variables, 0.0 and 1.0.
grammar Reals;

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
