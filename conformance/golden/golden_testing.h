// For tests: recorded cases that are made up, and a backend that answers them.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "conformance/golden/golden.pb.h"
#include "conformance/golden/run_only_testing.h"
#include "conformance/golden/worker.h"
#include "spec/formats/record.h"
#include "spec/graph/proto_io.h"

namespace plumb::conformance {

// Answers by what it is asked for: "crash", "hang", "fail", a number, or the graph's first string constant.
class FakeSession : public RunOnlySession {
 public:
  Status Extend(const GraphDef& graph) override {
    if (!graph.nodes.empty()) attrs_ = graph.nodes[0].attrs;
    return graph.library.empty() ? OkStatus() : Status(Code::kInvalidArgument, "refused");
  }
  Status Run(const RunOptions&, std::span<const Feed>, std::span<const std::string> fetches,
             std::span<const std::string>, std::vector<Tensor>* outputs, RunMetadata*) override {
    if (fetches[0] == "crash") std::raise(SIGKILL);
    while (fetches[0] == "hang") pause();
    if (fetches[0] == "fail") return Status(Code::kAborted, "as asked");
    outputs->push_back(fetches[0] == "string" ? GetAttr<Tensor>(attrs_, "value")
                                              : MakeScalar<int32_t>(std::stoi(fetches[0])));
    return OkStatus();
  }

 private:
  AttrMap attrs_;
};

inline Backend Fake() {
  return {"fake", [] { return std::make_unique<FakeSession>(); }, [](std::string_view op) { return op != "Add"; }};
}

inline golden::Case FetchCase(const std::string& fetch, Code code = Code::kOk, int32_t value = 0) {
  golden::Case one;
  one.set_name("case_" + fetch);
  golden::Step* step = one.add_steps();
  step->add_fetches(fetch);
  step->set_code(static_cast<int>(code));
  if (code == Code::kOk) ToProto(MakeScalar<int32_t>(value), step->add_values()->mutable_tensor());
  return one;
}

class Golden : public testing::Test {
 protected:
  // The results of the cases as one file, in order.
  std::vector<CaseResult> Judged(const std::vector<golden::Case>& cases, const Backend& backend = Fake()) {
    const std::string path = folder_.path() + "/some.golden.gz";
    RecordWriter writer(path, Compression::kGzip);
    for (const golden::Case& one : cases) writer.Write(one.SerializeAsString());
    writer.Close();
    FileWorker worker(path, backend, {.filter = filter_, .case_timeout = timeout_});
    while (!worker.done()) {
      pollfd wait{worker.fd(), POLLIN, 0};
      if (poll(&wait, 1, 10) > 0) worker.OnInput();
      worker.OnTime(Clock::now());
    }
    return worker.results();
  }
  TemporaryFolder folder_;
  std::string filter_;
  std::chrono::milliseconds timeout_{60'000};
};

}  // namespace plumb::conformance
