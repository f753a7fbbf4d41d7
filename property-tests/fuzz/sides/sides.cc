#include "property-tests/fuzz/sides/sides.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "fastpath/session/fast_session.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/text_io.h"

namespace plumb::fuzz {
namespace {

constexpr int64_t kPatience = 20'000;  // milliseconds

// The only files that the graphs of this process reach.
const std::string& OwnFolder() {
  static const TemporaryFolder folder;
  static const bool is_confined = [] {
    ConfineFiles(folder.path());
    return true;
  }();
  static_cast<void>(is_confined);
  return folder.path();
}

void Empty(const std::string& folder) {
  for (const std::string& name : Files().List(folder)) {
    const std::string path = Str(folder, "/", name);
    if (Files().IsFolder(path)) {
      Empty(path);
      Files().RemoveFolder(path);
    } else {
      Files().Remove(path);
    }
  }
}

SessionOptions OneThread() {
  SessionOptions options;
  options.threads = 1;
  options.allow_soft_placement = true;
  return options;
}

bool IsObject(const Tensor& value) { return value.dtype() == DType::kResource || value.dtype() == DType::kVariant; }

}  // namespace

Sides::Sides(GraphDef graph, Alike alike, Contents files)
    : folder_(OwnFolder()),
      graph_(std::move(graph)),
      alike_(alike),
      has_files_(!files.empty()),
      reference_(graph_),
      fast_(fast::NewFastSession(OneThread())),
      loaded_(fast_->Extend(graph_)) {
  Empty(folder_);
  // Nobody waits for the disk.
  for (const auto& [name, content] : files) std::ofstream(PathOf(name), std::ios::binary) << content;
  if (loaded_.code() != reference_.loaded().code()) Differ(loaded_.ToString(), reference_.loaded().ToString());
}

void Sides::Prepare() const {
  if (!has_files_) Empty(folder_);
}

Code Sides::Run(const conformance::StepRequest& step) {
  if (!loaded_.ok()) return loaded_.code();
  Prepare();
  std::vector<reference::Value> expected;
  const Status wanted = reference_.Run(step, &expected);
  Prepare();
  values_.clear();
  const Status status =
      fast_->Run({.timeout_ms = kPatience, .trace = false}, step.feeds, step.fetches, step.targets, &values_, nullptr);
  for (const Status& each : {status, wanted}) {
    if (each.code() == Code::kResourceExhausted) return Code::kResourceExhausted;
    if (each.reason() == Reason::kNoKernel) return Code::kUnimplemented;
  }
  if (status.code() != wanted.code() && !MayBoth(status, wanted)) Differ(status.ToString(), wanted.ToString());
  if (status.ok() && wanted.ok()) CompareValues(expected);
  return status.code();
}

// What is not done here is valid otherwise: whoever tells a mistake instead has found another one, and either may be
// told first.
bool Sides::MayBoth(const Status& actual, const Status& expected) const {
  const bool both_refuse = !actual.ok() && !expected.ok();
  const auto is = [&](Code code) { return actual.code() == code || expected.code() == code; };
  return both_refuse ? is(Code::kUnimplemented) : alike_ == Alike::kSolved && is(Code::kInvalidArgument);
}

void Sides::CompareValues(const std::vector<reference::Value>& expected) const {
  if (values_.size() != expected.size()) Differ(Str(values_.size(), " values"), Str(expected.size(), " values"));
  for (size_t i = 0; i < values_.size(); ++i) {
    const Tensor& wanted = expected[i].tensor;
    const bool is_exact = alike_ == Alike::kBits && !IsObject(wanted);
    const conformance::Verdict verdict =
        is_exact ? conformance::CompareExact(values_[i], wanted) : conformance::CompareType(values_[i], wanted);
    if (!verdict.ok()) Differ(values_[i].ToString(), Str(wanted.ToString(), "; ", verdict.detail));
  }
}

void Sides::Differ(const std::string& actual, const std::string& expected) const {
  std::fprintf(stderr, "%s\nthe fast path: %s\nthe reference: %s\n", PrintGraphDefText(graph_).c_str(), actual.c_str(),
               expected.c_str());
  std::abort();
}

}  // namespace plumb::fuzz
