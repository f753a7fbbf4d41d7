// Values, shapes and attributes as a fuzzer's bytes choose them, hostile ones among them: extremes, negative sizes,
// NaN.
#pragma once

#include "property-tests/fuzz/sides/bytes.h"
#include "spec/core/attr.h"
#include "spec/core/tensor.h"
#include "spec/ops/op_def.h"

namespace plumb::fuzz {

int64_t Integer(Bytes& bytes);
double Number(Bytes& bytes);

// Of few elements; none with sizes that no memory holds now and then.
Shape SmallShape(Bytes& bytes);

// Of any type. Resources and variants lead nowhere.
Tensor Value(Bytes& bytes, DType dtype, const Shape& shape);
// The same with one element changed.
Tensor Changed(Bytes& bytes, const Tensor& value);

// One that the attribute may have, or any other. A count of arguments is small.
DType Type(Bytes& bytes, const OpDef& op, const AttrDef& attr);
AttrValue Attribute(Bytes& bytes, const OpDef& op, const AttrDef& attr);

}  // namespace plumb::fuzz
