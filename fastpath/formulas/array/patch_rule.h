// ExtractImagePatches and ExtractVolumePatches: what their attributes must be, and where windows lie in images.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb::fast {

// Along one axis: place o sees input o·stride − before + k·rate for k < window, as far as that is in [0, input). Where
// `before` is negative, so much of the input is left out.
struct PatchAxis {
  int64_t input = 1, window = 1, stride = 1, rate = 1, before = 0, output = 1;
};
// Images have one plane.
struct PatchPlaces {
  int64_t batch = 0, depth = 0;
  std::array<PatchAxis, 3> axes;  // planes, rows, columns
  Shape shape;                    // of all patches
};

class PatchRule {
 public:
  // Images have `rank` dimensions, 4 or 5. Throws what is refused of attributes.
  PatchRule(const Node& node, int rank);
  // kInvalidArgument for what is no batch of images, and where a window does not fit (T8).
  PatchPlaces PlacesIn(const Shape& images) const;

 private:
  // One value for each dimension between batch and depth.
  std::vector<int64_t> Read(const Node& node, std::string_view name) const;
  PatchAxis Placed(size_t i, int64_t input) const;

  const int rank_;
  const bool same_;
  std::vector<int64_t> ksizes_, strides_, rates_;
};

}  // namespace plumb::fast
