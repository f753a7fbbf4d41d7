// A section of a plan: nodes that always run together, in one order, whose work a device may therefore be given as one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/device.h"

namespace plumb::fast {

struct Section {
  struct Input {
    DType type = DType::kInvalid;
    bool is_constant = false;  // the same value in every step
    std::string device;        // of a handle: that of the node which follows it
  };
  // One node. Values are numbered: the inputs of the section first, then what its nodes leave.
  struct Piece {
    std::string name;
    const Node* node = nullptr;
    std::shared_ptr<Kernel> kernel;  // null: its input goes on as it is, if it has one
    std::vector<int> inputs;
    std::vector<DType> input_types;
    std::vector<bool> is_last;  // by input: nobody looks at the value later
    int first_output = 0;
    int num_outputs = 0;
  };
  std::string name;
  std::vector<Input> inputs;
  std::vector<Piece> pieces;
  int num_values = 0;
  std::vector<int> outputs;  // the values that leave

  // Runs the pieces in the place of `call`; `values` has the inputs, and gets what leaves. What is thrown has the name
  // of its node.
  void Run(KernelContext& call, std::vector<Entry>& values) const;
};

// A device that takes sections.
class TakesSections {
 public:
  virtual ~TakesSections() = default;
  // Whether its kernel of the node decides nothing by values, and neither keeps anything of its own from step to step
  // nor waits: what it does is the same each time, for the same shapes.
  virtual bool TakesInSection(const Node& node) const = 0;
  // Whether the host's kernel computes the node's outputs beside the device, in the host's memory and without effects,
  // from shapes and from such inputs as lie there: while these are the same, so is what it gives.
  virtual bool KnowsInSection(const Node& node) const = 0;
  // A kernel of sections that hands on a value of the host in the device's memory. What it does is the same each time,
  // if the value is.
  virtual std::shared_ptr<Kernel> MakeBring() = 0;
  virtual std::shared_ptr<Kernel> MakeSection(Section section) = 0;
  // In this step, from here to the other call, each kernel is launched by itself.
  virtual void BeginPlainStep(int64_t step_id) = 0;
  virtual void EndPlainStep(int64_t step_id) = 0;
};

}  // namespace plumb::fast
