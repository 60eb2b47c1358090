// Ints with five variables, for large words (--from 1e275).
grammar IntsFive;

int
    : '0'
    | '1'
    | 'a'
    | 'b'
    | 'c'
    | 'd'
    | 'e'
    | '(-' int ')'
    | '(-' int int ')'
    | '(+' int int ')'
    | '(*' int int ')'
    | '(div' int int ')'
    | '(mod' int int ')'
    | '(abs' int ')'
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
    | '(=' int int ')'
    | '(distinct' int int ')'
    | '(<=' int int ')'
    | '(<' int int ')'
    | '(>=' int int ')'
    | '(>' int int ')'
    ;

start
    : '(declare-const a Int)' '(declare-const b Int)' '(declare-const c Int)' '(declare-const d Int)' '(declare-const e Int)' '(assert' bool ')' '(check-sat)'
    ;
