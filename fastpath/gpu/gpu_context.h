// What a kernel of a GPU sees: shapes and host values at once, and views of the device's memory for what it queues.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <utility>

#include "fastpath/device/kernel.h"
#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

class GpuDevice;
class GpuStep;

// The status of a kernel that left `number` in its slot.
using Refusal = std::function<Status(int64_t number)>;

class GpuContext {
 public:
  GpuContext(KernelContext& context, GpuDevice& device, std::shared_ptr<GpuStep> step, const Node& node);

  const Node& node() const { return node_; }
  int num_inputs() const { return context_.num_inputs(); }
  const Tensor& input(int i) const { return context_.input(i); }
  // The stream that the kernels of this device run on.
  cudaStream_t stream() const { return stream_; }
  int device_number() const;
  int64_t step_id() const { return context_.step().step_id; }

  // The elements of an input in the device's memory. Throws kInternal for one that lies elsewhere.
  template <class T>
  Global<const T> In(int i) const {
    return ViewOf<T>(input(i));
  }
  template <class T>
  Global<const T> ViewOf(const Tensor& tensor) const {
    CheckIsHere(tensor);
    return Global<const T>(static_cast<const T*>(tensor.raw()), tensor.elements());
  }
  template <class T>
  Global<T> ViewOf(Tensor& tensor) const {
    CheckIsHere(tensor);
    return Global<T>(static_cast<T*>(tensor.mutable_raw()), tensor.elements());
  }

  // What the row's shape rule says of an output, from all shapes and from what lies on the host. Throws what the rule
  // refuses, kInvalidArgument for a negative dimension, and kInternal where the rule leaves something open. `scalar`:
  // an input of which kernels take one number in any shape, where the rule takes a scalar.
  Shape OutputShape(int output, int scalar = -1) const;
  // Outputs in the device's memory, of the types of the node; kernels queued later see what this one leaves there.
  Tensor AllocateOutput(int output, const Shape& shape);
  // The input's own memory where this kernel is its last user, and type and shape fit (rule O11). A kernel reads an
  // element of the input before it writes the one at its place, and no other later.
  Tensor ForwardOrAllocate(int input, int output, const Shape& shape);
  // Memory for what lies between two launches of this kernel.
  Tensor Scratch(DType dtype, const Shape& shape);
  // A value that the kernel has already: an input, or a part of one.
  void SetOutput(int output, Tensor tensor) { context_.SetOutput(output, std::move(tensor)); }
  Tensor TakeInput(int input) { return context_.TakeInput(input); }
  // For kernels that have to do with variables.
  KernelContext& kernel() { return context_; }
  GpuDevice& device() { return device_; }

  // A slot that is zero until the kernel that is queued next finds something wrong and leaves a number there, with
  // AtomicCas: the first one counts.
  Global<int64_t> NewSlot(Refusal refusal);
  // Sets memory of the device to zero, in the order of the stream.
  void Clear(Tensor& tensor);

 private:
  void CheckIsHere(const Tensor& tensor) const;

  KernelContext& context_;
  GpuDevice& device_;
  const std::shared_ptr<GpuStep> step_;
  const Node& node_;
  const cudaStream_t stream_;
};

// A kernel of a GPU: decides what it can from the node when the plan is made; Run queues work and returns.
class GpuKernel {
 public:
  virtual ~GpuKernel() = default;
  virtual void Run(GpuContext& context) = 0;
  // What it keeps from one step to the next (rule S6).
  virtual void Save(const StateWriter&) const {}
  virtual void Restore(const StateReader&) {}
};

using GpuKernelFactory = std::unique_ptr<GpuKernel> (*)(const Node& node);

// Where the host's own kernel does: one that passes values on or keeps them, without looking into them, and so is given
// the device's memory for the host's; one that looks at nothing but what the host knows, whose result is brought to the
// device; one of the first sort for what lives for one step, such as TensorArrays, or is found by other steps: its
// books are the host's, and so are the numbers that the op itself takes or gives, such as sizes and indices; or one of
// these that gives a value to other steps, which waits until the value is there and nothing was refused.
enum class ByHost { kNo, kWithoutLooking, kFromWhatItKnows, kKeepingBooks, kGivingToOtherSteps };

struct GpuKernelRow {
  std::string_view op;
  GpuKernelFactory make;
  ByHost by_host = ByHost::kNo;
  // The arguments, by name, that lie in the host's memory besides those that the op's shape rule asks for:
  // "start size output_shape".
  std::string_view on_host = "";
};

}  // namespace plumb::fast::GPU_NAMESPACE
