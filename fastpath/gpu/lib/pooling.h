// What the kernels of pooling share.
#pragma once

#include <array>

#include "fastpath/gpu/lib/windows.h"

namespace plumb::fast::GPU_NAMESPACE {

struct PoolingSize {
  ImageBatch from, to;
  WindowAxis rows, columns, channels;
};

// The attributes of a pooling node. The constructor throws what no input can mend.
class Pooling {
 public:
  explicit Pooling(const Node& node);

  // Throw kUnimplemented: for windows of several channels; for those that are more than one pixel besides.
  void RefuseOverChannels() const;
  void RefuseBlocks() const;
  // For images of this shape.
  PoolingSize SizeOf(const Shape& images) const;

 private:
  bool IsOverChannels() const;

  Windows windows_;
  std::array<int64_t, 4> sizes_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
