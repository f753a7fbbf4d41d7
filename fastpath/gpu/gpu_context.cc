#include "fastpath/gpu/gpu_context.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fastpath/accelerator/known_to_host.h"
#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_step.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Whether the host sees a negative number in it.
bool HasNegative(const Tensor* tensor) {
  const bool is_integer = tensor->dtype() == DType::kInt32 || tensor->dtype() == DType::kInt64;
  if (!is_integer || !IsOnHost(*tensor)) return false;
  const std::vector<int64_t> numbers = ToInt64s(*tensor);
  return std::any_of(numbers.begin(), numbers.end(), [](int64_t number) { return number < 0; });
}

}  // namespace

GpuContext::GpuContext(KernelContext& context, GpuDevice& device, std::shared_ptr<GpuStep> step, const Node& node)
    : context_(context), device_(device), step_(std::move(step)), node_(node), stream_(device.stream()) {}

int GpuContext::device_number() const { return device_.number(); }

Shape GpuContext::OutputShape(int output, int scalar) const {
  std::vector<const Tensor*> inputs;
  for (int i = 0; i < num_inputs(); ++i) inputs.push_back(&input(i));
  Tensor as_scalar;
  if (scalar >= 0 && input(scalar).elements() == 1) {
    as_scalar = input(scalar).Reshaped(Shape());
    inputs.at(static_cast<size_t>(scalar)) = &as_scalar;
  }
  const bool has_negative = std::any_of(inputs.begin(), inputs.end(), HasNegative);
  const std::vector<PartialShape> shapes = InferShapes(KnownToHost(node_, std::move(inputs)));
  const PartialShape& shape = shapes.at(output);
  if (shape.IsFullyDefined()) return shape.ToShape();
  if (has_negative) throw InvalidArgument("output ", output, " would have a negative dimension: ", shape.ToString());
  throw Internal("the row of ", node_.op->name, " does not say the shape of output ", output);
}

Tensor GpuContext::AllocateOutput(int output, const Shape& shape) {
  Tensor tensor = device_.NewTensor(node_.output_types[output], shape);
  context_.SetOutput(output, tensor);
  return tensor;
}

Tensor GpuContext::ForwardOrAllocate(int input, int output, const Shape& shape) {
  Tensor* const forwarded = context_.TryForward(input, output, node_.output_types[output], shape);
  return forwarded != nullptr ? *forwarded : AllocateOutput(output, shape);
}

// Its block may be given to others while the work that uses it is queued: they queue theirs behind it.
Tensor GpuContext::Scratch(DType dtype, const Shape& shape) { return device_.NewTensor(dtype, shape); }

Global<int64_t> GpuContext::NewSlot(Refusal refusal) {
  if (step_ == nullptr)
    throw Internal("a kernel that may refuse its inputs runs outside of a step on ", device_.name());
  return step_->NewSlot([refusal = std::move(refusal), node = node_.name, op = node_.op->name](int64_t number) {
    return AtNode(refusal(number), node, op);
  });
}

void GpuContext::Clear(Tensor& tensor) {
  if (tensor.bytes() == 0) return;
  Check(cudaMemsetAsync(tensor.mutable_raw(), 0, tensor.bytes(), stream_), "to clear memory");
}

void GpuContext::CheckIsHere(const Tensor& tensor) const {
  if (tensor.buffer() == nullptr || tensor.buffer()->space == device_.memory()) return;
  throw Internal("a value that the kernel of node '", node_.name, "' on ", device_.name(), " is given lies in ",
                 tensor.buffer()->space == nullptr ? "the host's memory" : tensor.buffer()->space->name);
}

}  // namespace plumb::fast::GPU_NAMESPACE
