// FixedSizeBitVectors: all operators of the theory on two vectors of 64 bits. Concatenations are cut back to 64 bits.
grammar BitVectors;

bv
    : '#x0000000000000000'
    | '#x1111111111111111'
    | 'a'
    | 'b'
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
    | '((_ extract 95 32) (concat' bv bv '))'
    | '((_ int_to_bv 64)' int ')'
    ;

int
    : '0'
    | '1'
    | '(ubv_to_int' bv ')'
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
    | '(=' int int ')'
    | '(distinct' int int ')'
    ;

start
    : '(declare-const a (_ BitVec 64))' '(declare-const b (_ BitVec 64))' '(assert' bool ')' '(check-sat)'
    ;
