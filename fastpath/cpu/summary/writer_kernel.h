// Kernels on the writer of summaries that a handle names.
#pragma once

#include <memory>
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/summary/writer_object.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {

inline constexpr char kWriterType[] = "SummaryWriterInterface";

// What the ops on a writer have in common: input 0 is its handle.
class WriterKernel : public Kernel {
 public:
  explicit WriterKernel(const Node& node) : node_(node.name), device_(node.device) {}

 protected:
  ResourceKey Key(const KernelContext& context) const {
    const ResourceHandle& handle = HandleOn(device_, context.input(0), kWriterType);
    return {handle.device, handle.container, handle.name};
  }
  // Throws kNotFound where there is none.
  std::shared_ptr<WriterObject> Writer(KernelContext& context) const {
    auto writer = context.resources().Find<WriterObject>(Key(context));
    if (writer == nullptr) ThrowNoWriter(context);
    return writer;
  }
  [[noreturn]] void ThrowNoWriter(const KernelContext& context) const {
    throw NotFound("there is no summary writer '", Key(context).name, "'");
  }
  template <class T>
  const T& ScalarAt(const KernelContext& context, int input) const {
    const Tensor& tensor = context.input(input);
    Require(tensor.rank() == 0, "input ", input, " must be a scalar, not of shape ", Printed(tensor.shape()));
    return tensor.data<T>()[0];
  }
  // The same of an input that events are made of, of any rank.
  template <class T>
  const T& OnlyAt(const KernelContext& context, int input) const {
    const Tensor& tensor = context.input(input);
    Require(tensor.elements() == 1, "input ", input, " must be one element, not ", Printed(tensor.shape()));
    return tensor.data<T>()[0];
  }

  const std::string node_, device_;
};

}  // namespace plumb::fast::cpu
