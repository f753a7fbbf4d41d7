// `plumb saved-model`: what a saved model offers, and one call of it.
#include "client/saved_model/saved_model.h"

#include <cstdio>
#include <map>
#include <set>

#include "spec/files/file_system.h"
#include "tools/commands.h"
#include "tools/literal.h"
#include "tools/sandbox.h"
#include "tools/step_settings.h"

namespace plumb::tools {
namespace {

void Print(const char* title, const std::map<std::string, TensorInfo>& tensors) {
  for (const auto& [name, info] : tensors) {
    std::printf("    %s %s: %s%s, %s", title, name.c_str(), std::string(DTypeName(info.dtype)).c_str(),
                info.shape.ToString().c_str(), info.name.c_str());
    if (info.is_sparse()) std::printf(" with %s and %s", info.indices.c_str(), info.dense_shape.c_str());
    std::printf("\n");
  }
}

void Print(const MetaGraph& meta) {
  std::string tags;
  for (const std::string& tag : meta.tags) tags += Str(tags.empty() ? "" : ",", tag);
  std::printf("tags %s: %zu nodes, TensorFlow %s\n", tags.c_str(), meta.graph.nodes.size(),
              meta.tensorflow_version.empty() ? "unknown" : meta.tensorflow_version.c_str());
  for (const auto& [name, signature] : meta.signatures) {
    if (name == kInitSignature) continue;  // the step that comes first by itself
    std::printf("  signature %s (%s)\n", name.c_str(), signature.method.c_str());
    Print("input ", signature.inputs);
    Print("output", signature.outputs);
  }
  std::set<std::pair<std::string, std::string>> printed;  // each table that reads a file lists it
  for (const Asset& asset : meta.assets) {
    if (!printed.emplace(asset.filename, asset.tensor).second) continue;
    std::printf("  asset %s, for %s\n", asset.filename.c_str(), asset.tensor.c_str());
  }
}

class Show : public Command {
 public:
  const char* name() const override { return "show"; }
  const char* help() const override { return "Lists the graphs of a saved model, their signatures and assets."; }
  void Declare(Options& options) override { options.Argument("folder", &folder_, "of the saved model"); }
  int Run() override {
    for (const MetaGraph& meta : ReadSavedModelGraphs(folder_)) Print(meta);
    return 0;
  }

 private:
  std::string folder_;
};

class Call : public Command {
 public:
  const char* name() const override { return "run"; }
  const char* help() const override { return "Calls a signature of a saved model and prints what it fetches."; }
  void Declare(Options& options) override {
    options.Argument("folder", &folder_, "of the saved model");
    options.Option(
        "--feed", &feeds_,
        "INPUT=VALUE, as `plumb run` takes them, by the signature's names; a sparse tensor x by its parts x/indices, "
        "x/values and x/dense_shape");
    options.Option("--fetch", &fetches_, "OUTPUT, by the signature's names; may be repeated; none: all");
    options.Option("--signature", &signature_, "which signature");
    options.Option("--tag", &tags_, "tag of the graph; may be repeated; none: serve");
    options.Option("--sandbox", &sandbox_,
                   "folder that the graph's ops may read and write files below, where relative paths begin, besides "
                   "reading the model's own; else anywhere");
    settings_.Declare(options);
  }
  int Run() override {
    const SavedModel model = ReadSavedModel(folder_, tags_.empty() ? std::vector<std::string>{"serve"} : tags_);
    std::map<std::string, Tensor> inputs;
    for (const std::string& feed : feeds_) {
      const Feed input = ParseFeed(feed);
      Require(inputs.insert(input).second, "the input '", input.first, "' is fed twice");
    }
    CheckSandbox(sandbox_, settings_.backend);
    const auto session = settings_.Open();
    if (!sandbox_.empty()) ConfineFiles(sandbox_, folder_);
    const RunOptions step = settings_.run_options();
    LoadSavedModel(model, *session, step);
    std::vector<std::string> names;
    std::vector<Tensor> values;
    for (const auto& [name, value] : CallSignature(*session, model, signature_, inputs, fetches_, step)) {
      names.push_back(name);
      values.push_back(value);
    }
    settings_.Give(names, values);
    return 0;
  }

 private:
  StepSettings settings_;
  std::string folder_, sandbox_, signature_ = "serving_default";
  std::vector<std::string> feeds_, fetches_, tags_;
};

class SavedModelTools : public Command {
 public:
  const char* name() const override { return "saved-model"; }
  const char* help() const override { return "Shows and calls saved models of TensorFlow 1 and 2."; }
  void Declare(Options&) override {}
  int Run() override { return 0; }
  std::vector<Command*> subcommands() override { return {&show_, &call_}; }

 private:
  Show show_;
  Call call_;
};

}  // namespace

Command& SavedModelCommand() {
  static SavedModelTools command;
  return command;
}

}  // namespace plumb::tools
