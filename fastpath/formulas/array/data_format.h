// Dimensions in the order of another data format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb::fast {

// src_format and dst_format of a node: 4 or 5 letters each, the same ones. Throws kInvalidArgument for others.
struct DataFormats {
  explicit DataFormats(const Node& node);

  // Where each letter of `from` stands in `to`.
  std::vector<int64_t> Places() const;
  // The same for a vector, or a matrix of pairs, with a row for each letter or for each spatial one. Throws
  // kInvalidArgument for another shape.
  std::vector<int64_t> PlacesOfRows(const Shape& shape) const;

  std::string from, to;
};

}  // namespace plumb::fast
