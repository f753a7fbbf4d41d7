// What is computed beside a table: where its values lie, so that they stay there and what comes of them travels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "client/scope.h"

namespace plumb {

// What is built while this lives goes to the device of a table, the value, reference or handle of a variable (or any
// other output), and is colocated with it ("loc:@", rule W11). A table that asks for no device moves nobody: what an
// enclosing scope asks for counts then.
class Beside {
 public:
  // Where the gradients of what is built are computed: wherever others are, or here too (rule D10).
  enum class Gradients { kAnywhere, kBeside };
  Beside(Scope& scope, Output table, Gradients gradients = Gradients::kAnywhere);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

 private:
  GraphBuilder& builder_;
  const NodeId source_;
  const Gradients gradients_;
  const int first_;  // of the nodes that are built
  std::optional<GraphBuilder::DeviceScope> there_;
};

}  // namespace plumb
