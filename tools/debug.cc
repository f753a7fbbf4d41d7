// `plumb debug`: one step of a graph file on the reference, node by node.
#include "backends/debug.h"

#include <unistd.h>

#include <iostream>

#include "spec/files/file_system.h"
#include "spec/graph/graph_file.h"
#include "tools/commands.h"
#include "tools/literal.h"

namespace plumb::tools {
namespace {

class DebugGraph : public Command {
 public:
  const char* name() const override { return "debug"; }
  const char* help() const override { return "Steps through a graph on the reference; commands come from the input."; }
  void Declare(Options& options) override {
    options.Argument("graph", &graph_, "GraphDef or MetaGraphDef, binary or text");
    options.Option("--feed", &feeds_, "NAME=VALUE, as in x:0=float32[2,2]{1,2,3,4}; may be repeated");
    options.Option("--fetch", &fetches_, "tensor to compute; may be repeated");
    options.Option("--target", &targets_, "node to run in the same step; may be repeated");
    options.Option("--first", &first_, "node to run before, in a step of its own; may be repeated");
    options.Option(
        "--sandbox", &sandbox_,
        "folder that the graph's ops may read and write files below, where relative paths begin; else anywhere");
  }
  int Run() override {
    std::vector<Feed> feeds;
    for (const std::string& feed : feeds_) feeds.push_back(ParseFeed(feed));
    const DebugRequest request{LoadGraphFile(graph_), first_, feeds, fetches_, targets_};
    if (!sandbox_.empty()) ConfineFiles(sandbox_);
    const Status status = DebugStep(request, std::cin, std::cout, isatty(STDIN_FILENO) != 0 ? "(plumb) " : "");
    if (!status.ok()) throw Error(status);
    return 0;
  }

 private:
  std::string graph_, sandbox_;
  std::vector<std::string> feeds_, fetches_, targets_, first_;
};

}  // namespace

Command& DebugCommand() {
  static DebugGraph command;
  return command;
}

}  // namespace plumb::tools
