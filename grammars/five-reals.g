// Reals with five variables.
grammar RealsFive;

real
    : '0.0'
    | '1.0'
    | 'a'
    | 'b'
    | 'c'
    | 'd'
    | 'e'
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
    : '(declare-const a Real)' '(declare-const b Real)' '(declare-const c Real)' '(declare-const d Real)' '(declare-const e Real)' '(assert' bool ')' '(check-sat)'
    ;
