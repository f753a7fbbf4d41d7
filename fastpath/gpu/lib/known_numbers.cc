#include "fastpath/gpu/lib/known_numbers.h"

#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_step.h"

namespace plumb::fast::GPU_NAMESPACE {

std::vector<int64_t> BringNumbers(GpuContext& context, const Tensor& numbers) {
  TrafficWatch::Tell("asks the device for a number");
  GpuDevice& device = context.device();
  const auto step = std::static_pointer_cast<GpuStep>(device.StepOf(context.step_id()));
  if (step == nullptr) throw Internal("a kernel that waits for numbers runs outside of a step on ", device.name());
  Driver::Stream& stream = device.kernels();
  Tensor here = Allocate(numbers.dtype(), numbers.shape());
  if (here.elements() > 0) {
    device.driver().CopyToHost(stream, here.mutable_raw(), AddressOf(numbers), here.bytes());
  }
  const std::function<void()> examine = step->QueueExamination(stream);
  const Status done = device.driver().Synchronize(stream);
  if (!done.ok()) throw Error(done);
  examine();
  const Status refused = step->status();
  if (!refused.ok()) throw Error(refused);
  return ToInt64s(here);
}

}  // namespace plumb::fast::GPU_NAMESPACE
