// What code sees that runs on the host for a GPU, such as that of variables: the device's memory, under addresses that
// it does not follow.
#pragma once

#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/lib/sum.h"
#include "fastpath/memory/queued_inside.h"

namespace plumb::fast::GPU_NAMESPACE {

class GpuInside : public QueuedInside {
 public:
  explicit GpuInside(GpuDevice& device) : device_(device) {}

  Tensor New(DType dtype, const Shape& shape) const override;
  bool IsHere(const Tensor& held) const override;
  Tensor Seen(const Tensor& held) const override { return held; }
  Tensor Held(const Tensor& seen) const override;
  void Copy(const Tensor& from, Tensor& to) const override;
  void Clear(Tensor& tensor) const override;
  void Add(Tensor& sum, const Tensor& more) const override { QueueSum(device_, sum, Held(more)); }

 private:
  GpuDevice& device_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
