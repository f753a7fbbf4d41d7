// `plumb ops`: the op catalogue, and where each op is implemented.
#include <cstdio>

#include "backends/backends.h"
#include "conformance/golden/tried_ops.h"
#include "spec/files/file.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/listing.h"
#include "tools/commands.h"

namespace plumb::tools {
namespace {

std::function<bool(std::string_view)> On(std::string backend) {
  return [backend = std::move(backend)](std::string_view op) { return IsImplemented(backend, op); };
}

Implementations Known() { return {.reference = On("reference"), .cpu = On("cpu"), .gpu = HasGpuKernel}; }

void PrintTable() {
  const Implementations where = Known();
  const auto mark = [](bool implemented) { return implemented ? "yes" : "-"; };
  std::printf("%-28s %-16s %-10s %-5s %-5s %s\n", "op", "gradient", "reference", "cpu", "gpu", "signature");
  for (const OpDef* op : AllOps()) {
    std::printf("%-28s %-16s %-10s %-5s %-5s %s\n", op->name.c_str(), std::string(GradientText(*op)).c_str(),
                mark(where.reference(op->name)), mark(where.cpu(op->name)), mark(where.gpu(op->name)),
                SignatureAndTraits(*op).c_str());
  }
}

int PrintUntried(const std::string& root) {
  const std::vector<std::string> ops = conformance::UntriedOps(root);
  for (const std::string& op : ops) std::printf("%s\n", op.c_str());
  std::printf("%zu untried\n", ops.size());
  return ops.empty() ? 0 : 1;
}

class Ops : public Command {
 public:
  const char* name() const override { return "ops"; }
  const char* help() const override { return "Lists the ops, their types and where they are implemented."; }
  void Declare(Options& options) override {
    options.Option("--json", &json_, "write the list to this file instead");
    options.Option("--markdown", &markdown_, "write a page for people to this file instead");
    options.Option("--untried", &root_,
                   "list the ops that occur in no recorded case, and are given inputs in no kernel's test (those "
                   "whose names begin with _: nor in a test of reference/step or backends), of this project's folder");
  }
  int Run() override {
    if (!root_.empty()) return PrintUntried(root_);
    if (!json_.empty()) WriteFile(json_, OpsJson(Known()));
    if (!markdown_.empty()) WriteFile(markdown_, OpsMarkdown(Known()));
    if (json_.empty() && markdown_.empty()) PrintTable();
    return 0;
  }

 private:
  std::string json_, markdown_, root_;
};

}  // namespace

Command& OpsCommand() {
  static Ops command;
  return command;
}

}  // namespace plumb::tools
