// What begin, end, strides and their masks select of a shape, in the manner of numpy's slices.
#pragma once

#include <string>

#include "spec/core/tensor.h"
#include "spec/graph/graph.h"

namespace plumb::fast {

struct StridedSliceMasks {
  explicit StridedSliceMasks(const Node& node);
  uint32_t begin, end, ellipsis, new_axis, shrink_axis;
};

// One axis of the sliced tensor: `size` elements from `begin` in steps of `stride`.
struct SliceAxis {
  int64_t begin;
  int64_t stride;
  int64_t size;
};

struct SliceSpec {
  int rank = 0;
  SliceAxis axes[kMaxRank];
  Shape result;            // with new axes, without those that were taken at one index
  bool whole = true;       // nothing is left out and nothing reversed
  bool by_one = true;      // every stride is one, also of axes where it makes no difference
  bool takes_rows = true;  // the same, and nothing is left out but along the first axis (rule R31)
};

// begin, end and strides lie on the host. Throws kInvalidArgument for a specification that the shape cannot satisfy.
void MakeSliceSpec(const Shape& shape, const Tensor& begin, const Tensor& end, const Tensor& strides,
                   const StridedSliceMasks& masks, SliceSpec& spec);

// Whether no element is selected.
bool TakesNothing(const SliceSpec& spec);
// R28: throws kInvalidArgument where a value does not broadcast to the slice that it replaces. Dimensions of 1 before
// those of the slice are none.
void RequireFitsSlice(const Shape& value, const Shape& slice);

}  // namespace plumb::fast
