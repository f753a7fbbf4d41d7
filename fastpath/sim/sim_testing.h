// Nodes of a simulated device, started one by one.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/sim/sim_device.h"
#include "spec/validate/signatures.h"

namespace plumb::fast {

// Holds back whatever is launched after it, until it is opened.
class Gate {
 public:
  explicit Gate(SimDevice& device) {
    device.driver().Launch(device.kernels(), [opened = opened_.get_future().share()](const Driver::Follow&) {
      opened.wait();
      return OkStatus();
    });
  }
  void Open() { opened_.set_value(); }

 private:
  std::promise<void> opened_;
};

inline Node NodeFor(const std::string& name, const std::string& op, int num_inputs, AttrMap attrs) {
  NodeDef def{name, op, {}, "", std::move(attrs), ""};
  for (int i = 0; i < num_inputs; ++i) def.inputs.push_back("input");
  return ResolveNode(def);
}

}  // namespace plumb::fast
