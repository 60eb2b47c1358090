// ArraysEx: an array from 64 bits to 64 bits and an element, stores in any array.
grammar Arrays;

bv
    : '#x0000000000000000'
    | '#x1111111111111111'
    | 'b'
    | '(bvneg' bv ')'
    | '(bvor' bv bv ')'
    | '(bvadd' bv bv ')'
    | '(select' array bv ')'
    ;

array
    : 'a'
    | '(store' array bv bv ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' array array ')'
    | '(distinct' array array ')'
    | '(=' bv bv ')'
    | '(distinct' bv bv ')'
    ;

start
    : '(declare-const a (Array (_ BitVec 64) (_ BitVec 64)))' '(declare-const b (_ BitVec 64))' '(assert' bool ')' '(check-sat)'
    ;
