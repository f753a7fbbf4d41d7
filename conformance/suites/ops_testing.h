// The reference with a mistake, for tests of what the suite of ops finds.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backends/backends.h"
#include "conformance/suites/ops.h"

namespace plumb::conformance {

// The reference, with a mistake.
struct Mistake {
  std::function<void(Tensor&)> spoil = [](Tensor&) {};                     // changes every output, or
  int output = -1;                                                         // this one of those that a step fetches
  std::function<void(GraphDef&)> alter = [](GraphDef&) {};                 // changes what is run
  Status answer = {};                                                      // of every step, unless it is ok
  std::function<bool(const GraphDef&, std::span<const Feed>)> lacks = {};  // steps for which it has no kernel
  int values_more = 0;                                                     // than a step fetches
  bool hangs = false;  // a step ends when its time is up, and not before
};

class Mistaken : public Session {
 public:
  using Session::Run;
  explicit Mistaken(Mistake mistake) : mistake_(std::move(mistake)) {}
  Status Extend(const GraphDef& graph) override {
    GraphDef altered = graph;
    mistake_.alter(altered);
    graph_ = graph;
    return session_->Extend(altered);
  }
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    if (!mistake_.answer.ok()) return mistake_.answer;
    if (mistake_.hangs) return WhenTimeIsUp(options);
    if (mistake_.lacks && mistake_.lacks(graph_, feeds)) return NoKernel(Code::kNotFound, "nobody wrote it").status();
    Status status = session_->Run(options, feeds, fetches, targets, outputs, metadata);
    for (size_t i = 0; i < outputs->size(); ++i) {
      if (mistake_.output >= 0 && static_cast<size_t>(mistake_.output) != i) continue;
      Tensor& output = (*outputs)[i];
      output = output.Clone();
      mistake_.spoil(output);
    }
    outputs->resize(outputs->size() + static_cast<size_t>(mistake_.values_more),
                    outputs->empty() ? Tensor() : outputs->front());
    return status;
  }
  Status MakeCallable(std::span<const std::string> feeds, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override {
    return session_->MakeCallable(feeds, fetches, targets, callable);
  }
  Status Reset(std::span<const std::string> containers) override { return session_->Reset(containers); }
  Status Close() override { return session_->Close(); }

 private:
  static Status WhenTimeIsUp(const RunOptions& options) {
    while (options.timeout_ms <= 0) pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(options.timeout_ms));
    return Status(Code::kDeadlineExceeded, Str("a kernel was busy for ", options.timeout_ms, " ms"));
  }

  Mistake mistake_;
  GraphDef graph_;
  std::unique_ptr<Session> session_ = OpenSession("reference");
};

inline std::vector<OpResult> AllTried(const std::string& filter, const Mistake& mistake,
                                      const std::string& name = "mistaken") {
  const Backend backend{name, [=] { return std::make_unique<Mistaken>(mistake); },
                        [](std::string_view) { return true; }};
  return RunOps(backend, {.filter = filter}, [](const OpResult&) {});
}
inline OpResult Tried(const std::string& filter, const Mistake& mistake, const std::string& name = "mistaken") {
  const auto results = AllTried(filter, mistake, name);
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}
inline OpResult Tried(const std::string& filter, const std::function<void(Tensor&)>& spoil) {
  return Tried(filter, Mistake{.spoil = spoil});
}

}  // namespace plumb::conformance
