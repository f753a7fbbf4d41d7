// `plumb conformance`: compares the backends with the reference and with what TensorFlow answered.
#include "tools/conformance.h"

#include "tools/commands.h"

namespace plumb::tools {
namespace {

class Conformance : public Command {
 public:
  const char* name() const override { return "conformance"; }
  const char* help() const override { return "Compares the backends with the reference and with TensorFlow."; }
  void Declare(Options&) override {}
  int Run() override { return 0; }
  std::vector<Command*> subcommands() override { return {&GoldenCommand(), &OpsSuiteCommand()}; }
};

}  // namespace

Command& ConformanceCommand() {
  static Conformance command;
  return command;
}

}  // namespace plumb::tools
