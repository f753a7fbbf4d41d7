#include "fastpath/sim/sim_kernel.h"

#include <cstring>
#include <new>
#include <utility>

namespace plumb::fast {
namespace {

// What the device sees of a block of its memory.
struct View : Buffer {
  Tensor original;
};

void Release(Buffer* buffer) { delete static_cast<View*>(buffer); }

}  // namespace

SimKernel::SimKernel(std::shared_ptr<Kernel> kernel, const Node& node, SimDevice& device)
    : kernel_(std::move(kernel)), device_(device) {
  for (size_t i = 0; i < node.output_types.size(); ++i) {
    writes_on_host_.push_back(device.WritesOnHost(node, static_cast<int>(i)));
  }
}

void SimKernel::Start(AsyncContext& context, Done done) {
  // A launch cannot be taken back; its answer comes soon.
  if (!context.Park(Str("its launch on ", device_.name()), [] {})) {
    return done(Status(Code::kCancelled, "the step was stopped"));
  }
  const auto outcome = std::make_shared<Status>();
  Driver& driver = device_.driver();
  driver.Launch(device_.kernels(), [this, &context, outcome](const Driver::Follow& follow) {
    *outcome = Compute(context, follow);
    return OkStatus();  // a kernel that refuses its inputs spoils nothing but its step
  });
  driver.Notify(device_.kernels(),
                [outcome, done = std::move(done)](const Status& status) { done(status.ok() ? *outcome : status); });
}

Status SimKernel::Compute(AsyncContext& context, const Driver::Follow& follow) {
  std::vector<Entry> inputs(context.num_inputs()), outputs(context.num_outputs());
  const std::string node(context.node());
  try {
    std::vector<Tensor> held;  // so that no kernel takes an input to be its own, and its memory for an output
    for (int i = 0; i < context.num_inputs(); ++i) {
      held.push_back(ViewOf(context.input(i), follow));
      inputs[i].tensor = held.back();
    }
    KernelContext inner(context.step(), inputs.data(), context.num_inputs(), outputs.data(), context.num_outputs(),
                        &node, &context.place());
    kernel_->Run(inner);
    for (int i = 0; i < context.num_outputs(); ++i) {
      const Tensor& output = outputs[i].tensor;
      if (!output.IsSet()) continue;
      context.SetOutput(i, writes_on_host_[i] ? output : Store(output, follow));
    }
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::kResourceExhausted, "out of memory");
  } catch (const std::exception& error) {
    return Status(Code::kInternal, error.what());
  }
  return OkStatus();
}

Tensor SimKernel::ViewOf(const Tensor& input, const Driver::Follow& follow) const {
  if (input.buffer() == nullptr || input.buffer()->space == nullptr) return input;
  if (input.buffer()->space != device_.memory()) {
    throw Internal("an input on ", device_.name(), " lies in the memory of ", input.buffer()->space->name);
  }
  auto view = std::make_unique<View>();
  view->data = follow(static_cast<DevicePointer>(const_cast<void*>(input.raw())));  // NOLINT
  view->bytes = input.bytes();
  view->release = Release;
  view->original = input;
  return Tensor(input.dtype(), input.shape(), view.release());
}

Tensor SimKernel::Store(const Tensor& output, const Driver::Follow& follow) {
  Tensor stored = device_.NewTensor(output.dtype(), output.shape());
  if (output.bytes() > 0)
    std::memcpy(follow(static_cast<DevicePointer>(stored.mutable_raw())), output.raw(), output.bytes());
  return stored;
}

}  // namespace plumb::fast
