// Lists of integers: constructors, selectors, testers, and a match.
grammar Datatypes;

list
    : 'nil'
    | 'a'
    | 'b'
    | '(cons' int list ')'
    | '(tail' list ')'
    | '(ite' bool list list ')'
    ;

int
    : '0'
    | '1'
    | '(head' list ')'
    | '(+' int int ')'
    | '(match' list '((nil 0) ((cons h t) h)))'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '((_ is cons)' list ')'
    | '((_ is nil)' list ')'
    | '(=' list list ')'
    | '(distinct' list list ')'
    | '(=' int int ')'
    | '(<' int int ')'
    ;

start
    : '(declare-datatype List ((nil) (cons (head Int) (tail List))))' '(declare-const a List)' '(declare-const b List)' '(assert' bool ')' '(check-sat)'
    ;
