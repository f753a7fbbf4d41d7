// Nodes of a simulated device, started one by one.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/device/async_kernel.h"
#include "fastpath/sim/sim_device.h"
#include "spec/validate/signatures.h"

namespace plumb::fast {

// Holds back whatever is launched after it, until it is opened.
class Gate {
 public:
  explicit Gate(SimDevice& device) {
    device.driver().Launch(device.kernels(), [opened = opened_.get_future().share()](const SimDriver::Follow&) {
      opened.wait();
      return OkStatus();
    });
  }
  void Open() { opened_.set_value(); }

 private:
  std::promise<void> opened_;
};

// A node that was started for a step: whether it has answered, and its outputs then.
class Started {
 public:
  Started(SimDevice& device, StepContext& step, const Node& node, const std::vector<Tensor>& inputs)
      : Started(device, step, node, EntriesOf(inputs)) {}
  Started(SimDevice& device, StepContext& step, const Node& node, std::vector<Entry> inputs)
      : name_(node.name),
        kernel_(device.MakeKernel(node)),
        inputs_(std::move(inputs)),
        outputs_(node.output_types.size()) {
    context_.emplace(step, inputs_.data(), static_cast<int>(inputs_.size()), outputs_.data(),
                     static_cast<int>(outputs_.size()), &name_, &kRootIteration, false, nullptr);
    static_cast<AsyncKernel&>(*kernel_).Start(*context_, [this](const Status& status) { answer_.set_value(status); });
  }
  bool has_answered() { return answered_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  Status status() { return answered_.get(); }
  std::shared_ptr<Variable> ref() { return outputs_[0].ref; }
  // The value, which lets go of all else; none of a node without outputs.
  Tensor Take() {
    inputs_.clear();
    return outputs_.empty() ? Tensor() : std::move(outputs_[0].tensor);
  }

 private:
  static std::vector<Entry> EntriesOf(const std::vector<Tensor>& values) {
    std::vector<Entry> entries;
    for (const Tensor& value : values) entries.push_back({value, nullptr});
    return entries;
  }

  const std::string name_;
  const std::shared_ptr<Kernel> kernel_;
  std::vector<Entry> inputs_, outputs_;
  std::promise<Status> answer_;
  std::shared_future<Status> answered_ = answer_.get_future();
  std::optional<AsyncContext> context_;
};

inline Node NodeFor(const std::string& name, const std::string& op, int num_inputs, AttrMap attrs) {
  NodeDef def{name, op, {}, "", std::move(attrs), ""};
  for (int i = 0; i < num_inputs; ++i) def.inputs.push_back("input");
  return ResolveNode(def);
}

}  // namespace plumb::fast
