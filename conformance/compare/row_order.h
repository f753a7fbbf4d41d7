// Rows that may stand in any order: those of one answer put in the order of another's.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::conformance {

// For each row of `expected` an equal one of `actual`, of the same type and shape, each taken once; those that are left
// over stand where no equal one is. Rows are along the first dimension.
std::vector<int64_t> OrderOfRows(const Tensor& actual, const Tensor& expected);

// Row i is row order[i]; the tensor itself where it has another number of rows.
Tensor RowsInOrder(const Tensor& tensor, const std::vector<int64_t>& order);

}  // namespace plumb::conformance
