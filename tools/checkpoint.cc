// `plumb checkpoint`: what is in checkpoints, and what two of them differ in.
#include <cstdio>

#include "spec/checkpoint/reserved.h"
#include "spec/core/status.h"
#include "tools/checkpoint_diff.h"
#include "tools/commands.h"
#include "tools/restore.h"

namespace plumb::tools {
namespace {

constexpr const char* kPrefixHelp = "prefix of the checkpoint's files, or a folder with its latest, or a saved model";
// Where TensorFlow 2 says which object of the program holds which variable.
constexpr std::string_view kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";

class List : public Command {
 public:
  const char* name() const override { return "ls"; }
  const char* help() const override { return "Lists the tensors of a checkpoint with type and shape."; }
  void Declare(Options& options) override {
    options.Argument("checkpoint", &prefix_, kPrefixHelp);
    options.Flag("--all", &all_, "what training keeps beside the variables too, such as streams of random numbers");
  }
  int Run() override {
    for (const StoredTensor& tensor : ListCheckpoint(Files(), PrefixOf(prefix_))) {
      if (IsReserved(tensor.name) && !all_) continue;
      const std::string parts = tensor.parts > 1 ? Str(" in ", tensor.parts, " parts") : "";
      std::printf("%s %s%s%s\n", tensor.name.c_str(), std::string(DTypeName(tensor.dtype)).c_str(),
                  tensor.shape.ToString().c_str(), parts.c_str());
    }
    return 0;
  }

 private:
  std::string prefix_;
  bool all_ = false;
};

class Show : public Command {
 public:
  const char* name() const override { return "show"; }
  const char* help() const override { return "Prints the elements of one tensor, or of all variables."; }
  void Declare(Options& options) override {
    options.Argument("checkpoint", &prefix_, kPrefixHelp);
    options.OptionalArgument("tensor", &tensor_, "its name; all variables where none is given");
    options.Count("--limit", &limit_, "elements to print of each tensor");
  }
  int Run() override {
    const std::string prefix = PrefixOf(prefix_);
    bool found = false, all_read = true;
    for (const StoredTensor& tensor : ListCheckpoint(Files(), prefix)) {
      const bool is_variable = !IsReserved(tensor.name) && tensor.name != kObjectGraph;
      if (tensor_.empty() ? !is_variable : tensor.name != tensor_) continue;
      found = true;
      try {
        std::printf("%s = %s\n", tensor.name.c_str(), ReadStored(prefix, tensor).ToString(limit_).c_str());
      } catch (const Error& error) {
        all_read = false;
        std::fprintf(stderr, "plumb: '%s' cannot be read: %s\n", tensor.name.c_str(),
                     error.status().ToString().c_str());
      }
    }
    if (!found && !tensor_.empty()) throw NotFound("the checkpoint '", prefix, "' has no tensor '", tensor_, "'");
    return all_read ? 0 : 1;
  }

 private:
  std::string prefix_, tensor_;
  int limit_ = 64;
};

class Diff : public Command {
 public:
  const char* name() const override { return "diff"; }
  const char* help() const override {
    return "Tells which variables of two checkpoints differ; 1 where some do, 2 where one cannot be read.";
  }
  void Declare(Options& options) override {
    options.Argument("a", &a_, kPrefixHelp);
    options.Argument("b", &b_, kPrefixHelp);
    options.Flag("--all", &all_, "compares what training keeps beside the variables too");
  }
  int Run() override {
    try {
      const CheckpointDifferences found = DiffCheckpoints(PrefixOf(a_), PrefixOf(b_), all_);
      for (const std::string& line : found.lines) std::printf("%s\n", line.c_str());
      return found.is_whole ? (found.lines.empty() ? 0 : 1) : 2;
    } catch (const Error& error) {
      std::fprintf(stderr, "plumb: %s\n", error.status().ToString().c_str());
      return 2;
    }
  }

 private:
  std::string a_, b_;
  bool all_ = false;
};

class Checkpoint : public Command {
 public:
  const char* name() const override { return "checkpoint"; }
  const char* help() const override { return "Looks into checkpoints."; }
  void Declare(Options&) override {}
  int Run() override { return 0; }
  std::vector<Command*> subcommands() override { return {&list_, &show_, &diff_}; }

 private:
  List list_;
  Show show_;
  Diff diff_;
};

}  // namespace

Command& CheckpointCommand() {
  static Checkpoint command;
  return command;
}

}  // namespace plumb::tools
