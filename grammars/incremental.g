// Scripts with push and pop and assumptions: assertions and checks in any order, on linear integers.
grammar Incremental;

int
    : '0'
    | '1'
    | 'a'
    | 'b'
    | '(+' int int ')'
    | '(-' int ')'
    ;

bool
    : 'p'
    | 'q'
    | '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' int int ')'
    | '(<' int int ')'
    ;

step
    : '(assert' bool ')'
    | '(check-sat)'
    | '(check-sat-assuming (p))'
    | '(check-sat-assuming (p (not q)))'
    | '(push 1)' steps '(pop 1)'
    ;

steps
    : step
    | step steps
    ;

start
    : '(declare-const a Int)' '(declare-const b Int)' '(declare-const p Bool)' '(declare-const q Bool)' steps '(check-sat)'
    ;
