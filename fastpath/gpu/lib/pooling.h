// What the kernels of pooling share.
#pragma once

#include <vector>

#include "fastpath/gpu/lib/windows.h"

namespace plumb::fast::GPU_NAMESPACE {

struct PoolingSize {
  ImageBatch from, to;
  WindowAxis rows, columns, channels, planes = kNoAxis;
};

// The attributes of a pooling node. The constructor throws what no input can mend.
class Pooling {
 public:
  // `space`: how many dimensions images have, 2 or 3.
  explicit Pooling(const Node& node, int space = 2);

  // Throw kUnimplemented: for windows of several channels; for those that are more than one pixel besides.
  void RefuseOverChannels() const;
  void RefuseBlocks() const;
  // For images of this shape.
  PoolingSize SizeOf(const Shape& images) const;

 private:
  bool IsOverChannels() const;
  int64_t size(int axis) const { return sizes_.at(static_cast<size_t>(axis)); }

  Windows windows_;
  std::vector<int64_t> sizes_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
