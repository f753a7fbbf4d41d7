// What the commands that open a session and fetch from it take in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spec/core/tensor.h"
#include "spec/session/session.h"
#include "tools/commands.h"

namespace plumb::tools {

struct StepSettings {
  std::string backend = "cpu", output;
  bool soft_placement = false, takes_tf32 = false;
  int threads = 0, limit = 64, timeout = 0;

  void Declare(Options& options);
  SessionOptions session_options() const;
  RunOptions run_options() const;
  std::unique_ptr<Session> Open() const;
  // Prints the values by their names, or writes them to the folder `output`.
  void Give(const std::vector<std::string>& names, const std::vector<Tensor>& values) const;
};

}  // namespace plumb::tools
