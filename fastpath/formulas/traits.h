// What a formula says of itself besides its arithmetic: the element types it is for, and how it is to be run.
#pragma once

namespace plumb::fast {

enum FormulaTraits : int {
  kFloats = 1 << 0,      // float32, float64; 16-bit floats are computed as float32 unless the formula has kHalves
  kHalves = 1 << 1,      // float16 and bfloat16 themselves
  kWideInts = 1 << 2,    // int32, int64
  kNarrowInts = 1 << 3,  // int8, int16
  kUnsigned = 1 << 4,    // uint8 … uint64
  kComplex = 1 << 5,
  kBool = 1 << 6,
  kStrings = 1 << 7,
  kQuantized = 1 << 8,  // as the integers that store them
  kIntegers = kWideInts | kNarrowInts | kUnsigned,
  kSignedNumbers = kFloats | kWideInts | kNarrowInts,
  kReals = kFloats | kIntegers,
  kNumbers = kReals | kComplex,
  kAnalytic = kFloats | kComplex,

  kPlain = 1 << 16,         // one element at a time: no vector form
  kSameSize = 1 << 17,      // the operands have as many elements as each other; nothing is broadcast
  kSameShape = 1 << 19,     // the operands have one shape; nothing is broadcast
  kTrueOfUnlike = 1 << 18,  // the answer for shapes that do not match, where the node wants an answer
};

}  // namespace plumb::fast
