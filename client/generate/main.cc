// Writes client/ops.h and ops.cc: one typed C++ function per op of the catalogue. Usage: plumb_client_generate FOLDER
#include <cstdio>
#include <fstream>

#include "client/generate/op_function.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

constexpr const char* kHeaderStart =
    R"(// One function per op: inputs, then attributes without default, then the rest by name:
//   ops::MatMul(scope, a, b, {.transpose_b = true})
// Generated from the op catalogue.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb::ops {
)";

constexpr const char* kSourceStart = R"(// Generated from the op catalogue.
#include "client/ops.h"

namespace plumb::ops {
namespace {

void Append(std::vector<Output>& inputs, Output input) { inputs.push_back(input); }
void Append(std::vector<Output>& inputs, const std::vector<Output>& more) {
  inputs.insert(inputs.end(), more.begin(), more.end());
}

// Hands out a node's outputs in order.
class OutputTaker {
 public:
  OutputTaker(Scope& scope, NodeId node) : builder_(scope.builder()), node_(node) {}
  Output One() { return {&builder_, {node_, next_++}}; }
  std::vector<Output> Many(const char* length_attr) {
    const AttrValue& length = builder_.graph().node(node_).attrs.at(length_attr);
    const auto* types = length.Get<std::vector<DType>>();
    const int64_t count = types != nullptr ? static_cast<int64_t>(types->size()) : *length.Get<int64_t>();
    std::vector<Output> outputs;
    for (int64_t i = 0; i < count; ++i) outputs.push_back(One());
    return outputs;
  }

 private:
  GraphBuilder& builder_;
  NodeId node_;
  int32_t next_ = 0;
};

}  // namespace
)";

int Generate(const std::string& folder) {
  std::ofstream header(folder + "/ops.h");
  std::ofstream source(folder + "/ops.cc");
  header << kHeaderStart;
  source << kSourceStart;
  for (const OpDef* op : AllOps()) {
    if (op->name.starts_with('_')) continue;  // made by the runtime, not by programs
    const OpFunction function(*op);
    header << function.Declaration();
    source << function.Definition();
  }
  header << "\n}  // namespace plumb::ops\n";
  source << "\n}  // namespace plumb::ops\n";
  header.close();
  source.close();
  return header && source ? 0 : 1;
}

}  // namespace
}  // namespace plumb

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  try {
    return plumb::Generate(argv[1]);
  } catch (const plumb::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
