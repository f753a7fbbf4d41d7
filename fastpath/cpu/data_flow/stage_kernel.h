// What the kernels of staging areas and maps share: the object, which attributes name, its limits, and the types.
#pragma once

#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/staging.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {

class StageKernel : public AsyncKernel {
 public:
  explicit StageKernel(const Node& node)
      : node_(node.name),
        name_(ResourceNameOf(node, node.name)),
        limits_{GetAttr<int64_t>(node.attrs, "capacity"), GetAttr<int64_t>(node.attrs, "memory_limit")},
        types_(GetAttr<std::vector<DType>>(node.attrs, "dtypes")) {
    Require(limits_.elements >= 0 && limits_.bytes >= 0, "capacity and memory_limit must not be negative");
  }
  bool KeepsAliases() const override { return true; }

 protected:
  const std::string& node() const { return node_; }
  const ResourceName& name() const { return name_; }
  const StagingLimits& limits() const { return limits_; }
  const std::vector<DType>& types() const { return types_; }

  // The inputs from `first` on, aliases as they are (R31).
  static std::vector<Tensor> ValuesFrom(const AsyncContext& context, int first) {
    std::vector<Tensor> values;
    for (int i = first; i < context.num_inputs(); ++i) values.push_back(context.input(i));
    return values;
  }

 private:
  const std::string node_;
  const ResourceName name_;  // without a shared name that of the node
  const StagingLimits limits_;
  const std::vector<DType> types_;
};

}  // namespace plumb::fast::cpu
