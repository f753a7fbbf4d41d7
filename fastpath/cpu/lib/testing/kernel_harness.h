// For tests of kernels with state: nodes that keep their kernel between runs, references, and resources that last.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fastpath/cpu/cpu_device.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "fastpath/device/kernel.h"
#include "spec/ops/catalogue.h"

namespace plumb::fast::cpu {

class KernelHarness {
 public:
  explicit KernelHarness(int threads = 1) : pool_(threads) {}

  // Runs the node called `name`, which is made at its first run; type attributes follow from the inputs unless given.
  std::vector<Entry> Run(const std::string& name, std::string_view op, std::vector<Entry> inputs, AttrMap attrs = {}) {
    auto& kernel = kernels_[name];
    if (kernel == nullptr) kernel = MakeCpuKernel(MakeNode(name, op, inputs, std::move(attrs)));
    std::vector<Entry> outputs(graph_.node(*graph_.Find(name)).output_types.size());
    StepContext step{pool_, session_, of_step_};
    KernelContext context(step, inputs.data(), static_cast<int>(inputs.size()), outputs.data(),
                          static_cast<int>(outputs.size()));
    kernel->Run(context);
    return outputs;
  }
  // The same for a node of its own.
  std::vector<Entry> Run(std::string_view op, std::vector<Entry> inputs, AttrMap attrs = {}) {
    return Run(Str("node", next_++), op, std::move(inputs), std::move(attrs));
  }
  Tensor Value(std::string_view op, std::vector<Entry> inputs, AttrMap attrs = {}) {
    return Run(op, std::move(inputs), std::move(attrs)).at(0).tensor;
  }
  // The code it fails with, or kOk.
  Code CodeOf(std::string_view op, std::vector<Entry> inputs, AttrMap attrs = {}) {
    try {
      Run(op, std::move(inputs), std::move(attrs));
      return Code::kOk;
    } catch (const Error& error) {
      return error.status().code();
    }
  }

  ResourceManager& resources() { return session_; }

  // A reference to a new variable that holds `value`.
  Entry Ref(Tensor value) {
    auto variable = std::make_shared<Variable>();
    variable->Declare(value.dtype(), value.shape());
    variable->Assign("test", std::move(value), /*keeps_shape=*/true);
    return {.tensor = {}, .ref = std::move(variable)};
  }
  Entry UninitializedRef(DType dtype, const Shape& shape) {
    auto variable = std::make_shared<Variable>();
    variable->Declare(dtype, shape);
    return {.tensor = {}, .ref = std::move(variable)};
  }

 private:
  const Node& MakeNode(const std::string& name, std::string_view op, const std::vector<Entry>& inputs, AttrMap attrs) {
    NodeDef node;
    node.name = name;
    node.op = op;
    node.attrs = std::move(attrs);
    std::vector<Endpoint> edges;
    const OpDef& def = GetOp(op);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const DType type = inputs[i].ref != nullptr ? inputs[i].ref->dtype() : inputs[i].tensor.dtype();
      NodeDef source;
      source.name = Str(name, "_input", i);
      source.op = inputs[i].ref != nullptr ? "VariableV2" : "Placeholder";
      source.attrs["dtype"] = type;
      source.attrs["shape"] = inputs[i].ref != nullptr ? PartialShape(Shape()) : PartialShape();
      edges.push_back({graph_.Add(source, {}, {}), 0});
      if (i < def.inputs.size() && !def.inputs[i].type_attr.empty())
        node.attrs.try_emplace(def.inputs[i].type_attr, type);
    }
    return graph_.node(graph_.Add(node, std::move(edges), {}));
  }

  Graph graph_;
  ThreadPool pool_;
  ResourceManager session_;
  ResourceManager of_step_;
  std::map<std::string, std::shared_ptr<Kernel>> kernels_;
  int next_ = 0;
};

// A value as an input.
inline Entry In(Tensor tensor) { return {.tensor = std::move(tensor), .ref = nullptr}; }
inline std::vector<Entry> Ins(std::vector<Tensor> tensors) {
  std::vector<Entry> entries;
  entries.reserve(tensors.size());
  entries.reserve(tensors.size());
  for (Tensor& tensor : tensors) entries.push_back(In(std::move(tensor)));
  return entries;
}

template <class T>
std::vector<T> Values(const Entry& ref) {
  return Values<T>(ref.ref->Read("test"));
}

}  // namespace plumb::fast::cpu
