// Sums and zeros of what variants hold: tensor lists, ragged tensors, optionals.
#pragma once

#include "reference/numbers/value.h"

namespace plumb::reference {

// The sum of two variants that hold the same kind of thing, part by part; kInvalidArgument where they do not fit each
// other, or where sums of what they hold are not defined.
Variant Added(const Variant& a, const Variant& b);
// The variant with zeros in the place of all values.
Variant ZerosLike(const Variant& variant);

}  // namespace plumb::reference
