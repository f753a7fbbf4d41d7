// What the kernels of pooling share.
#pragma once

#include <vector>

#include "fastpath/formulas/convolution/window_rules.h"
#include "fastpath/gpu/lib/windows.h"

namespace plumb::fast::GPU_NAMESPACE {

struct PoolingSize {
  ImageBatch from, to;
  WindowAxis rows, columns, channels, planes = kNoAxis;
};

// The attributes of a pooling node. The constructors throw what no input can mend.
class Pooling {
 public:
  Pooling(const Node& node, SizeChecks checks);
  // Over volumes. `sizes_first`: as CheckVolumePooling has it.
  Pooling(const Node& node, bool sizes_first);

  // Throws what UnsupportedPooling says, for windows of several channels.
  void RefuseOverChannels() const;
  // For images of this shape. `may_be_empty`: windows of a size below one hold nothing; otherwise they are refused.
  PoolingSize SizeOf(const Shape& images, bool may_be_empty = false) const;

 private:
  Pooling(const Node& node, int space);

  bool IsOverChannels() const { return size(windows_.depth()) != 1; }
  WindowAxis AxisOf(int axis, int64_t input) const;
  int64_t size(int axis) const { return sizes_.at(static_cast<size_t>(axis)); }

  const Node node_;
  Windows windows_;
  std::vector<int64_t> sizes_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
