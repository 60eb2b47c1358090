// Vectors of 64 bits with five variables.
grammar BitVectorsFive;

bv
    : '#x0000000000000000'
    | '#x1111111111111111'
    | 'a'
    | 'b'
    | 'c'
    | 'd'
    | 'e'
    | '(bvnot' bv ')'
    | '(bvneg' bv ')'
    | '(bvand' bv bv ')'
    | '(bvor' bv bv ')'
    | '(bvadd' bv bv ')'
    | '(bvmul' bv bv ')'
    | '(bvudiv' bv bv ')'
    | '(bvurem' bv bv ')'
    | '(bvshl' bv bv ')'
    | '(bvlshr' bv bv ')'
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
    | '(bvult' bv bv ')'
    | '(=' bv bv ')'
    | '(distinct' bv bv ')'
    ;

start
    : '(declare-const a (_ BitVec 64))' '(declare-const b (_ BitVec 64))' '(declare-const c (_ BitVec 64))' '(declare-const d (_ BitVec 64))' '(declare-const e (_ BitVec 64))' '(assert' bool ')' '(check-sat)'
    ;
