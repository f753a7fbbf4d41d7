// Convolutions as cuDNN takes them, whose padding is the same on both sides of an axis, and whose sizes fit into int.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fastpath/gpu/lib/dnn/dnn_engines.h"
#include "fastpath/gpu/lib/patches.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {

// Along an axis of space: what cuDNN pads on both sides, and what the images need besides.
struct DnnPadding {
  int64_t both = 0, before = 0, after = 0;
};
DnnPadding PaddingOf(const WindowAxis& axis);

enum class DnnRole { kImages, kFilter, kResults };

// An operand, by the sizes of images (or channels out), channels, and space: where the op has it, and where cuDNN is
// given it.
struct DnnOperand {
  std::vector<int64_t> sizes;    // of the op's
  std::vector<int64_t> padded;   // of cuDNN's
  bool is_counted = false;       // whether cuDNN counts so many elements; else nothing more is known
  std::vector<int64_t> strides;  // of the op's, in elements
  int64_t first = 0;             // where the op's first element is among cuDNN's
  bool lies_alike = false;       // whether both are the same memory

  int64_t elements() const;  // of cuDNN's
  // Operand 0 is the op's, operand 1 cuDNN's, from `first` on.
  Walk WalkTo(bool channels_first) const;
};

// The convolution of a grid with its operands in one of two layouts.
class DnnShapes {
 public:
  DnnShapes(const PatchGrid& grid, bool channels_first);

  // Nothing where a size is beyond what cuDNN counts.
  std::optional<DnnProblem> ProblemOf(DnnPass pass, DType type) const;
  const DnnOperand& operand(DnnRole role) const;
  bool channels_first() const { return channels_first_; }

 private:
  const PatchGrid grid_;
  const bool channels_first_;
  std::vector<WindowAxis> axes_;
  std::vector<DnnPadding> padding_;
  DnnOperand images_, filter_, results_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
