// Conversions between vectors of 6 bits, floats of 3 and 3 bits, and another tiny format.
grammar BitVecFloat;

rm
    : 'RNE'
    | 'RNA'
    | 'RTP'
    | 'RTN'
    | 'RTZ'
    ;

bv
    : '#b000000'
    | '#b100001'
    | 'a'
    | '(bvadd' bv bv ')'
    | '(bvneg' bv ')'
    | '((_ fp.to_ubv 6)' rm fp ')'
    | '((_ fp.to_sbv 6)' rm fp ')'
    ;

fp
    : '(_ +zero 3 3)'
    | '(_ NaN 3 3)'
    | 'b'
    | '(fp.neg' fp ')'
    | '(fp.add' rm fp fp ')'
    | '((_ to_fp 3 3)' bv ')'
    | '((_ to_fp 3 3)' rm bv ')'
    | '((_ to_fp_unsigned 3 3)' rm bv ')'
    | '((_ to_fp 3 3)' rm half ')'
    ;

half
    : '((_ to_fp 2 5)' rm fp ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' bv bv ')'
    | '(bvult' bv bv ')'
    | '(=' fp fp ')'
    | '(fp.eq' fp fp ')'
    | '(fp.lt' fp fp ')'
    | '(fp.isNaN' fp ')'
    | '(fp.isSubnormal' fp ')'
    ;

start
    : '(declare-const a (_ BitVec 6))' '(declare-const b (_ FloatingPoint 3 3))' '(assert' bool ')' '(check-sat)'
    ;
