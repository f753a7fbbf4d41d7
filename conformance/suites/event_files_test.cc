// What ops that write events leave in files, which no step can fetch: on both sides the same, but for the time and the
// name of the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "backends/backends.h"
#include "conformance/suites/single_node.h"
#include "conformance/suites/trial_folders.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"
#include "spec/ops/catalogue.h"
#include "spec/proto/event.pb.h"

namespace plumb::conformance {
namespace {

namespace fs = std::filesystem;

// Of all files below the current folder, as text.
std::vector<std::string> Events() {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::current_path())) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> events;
  for (const fs::path& path : paths) {
    RecordReader records(path);
    while (const auto record = records.Next()) {
      pb::Event event;
      EXPECT_TRUE(event.ParseFromString(*record)) << path;
      event.clear_wall_time();
      events.push_back(event.DebugString());
    }
  }
  return events;
}

// What a session of this backend leaves in the current folder.
std::vector<std::string> EventsOf(std::string_view backend, const SingleNode& single) {
  const auto session = OpenSession(backend);
  EXPECT_EQ(session->Extend(single.graph).ToString(), "OK");
  std::vector<Tensor> outputs;
  const Status status = session->Run(single.run.feeds, single.run.fetches, single.run.targets, &outputs);
  std::vector<std::string> events = Events();
  events.push_back(std::string(CodeName(status.code())));
  return events;
}

std::vector<DType> TypesOf(const OpDef& op) {
  const AttrDef* const types = op.FindAttr("T");
  return types == nullptr ? std::vector<DType>{DType::kInvalid} : op.CpuTypes(*types);
}

class EventFiles : public ::testing::Test {
 protected:
  ~EventFiles() override { fs::current_path(before_); }

  // How many events both sides wrote, besides the version of the file.
  size_t Compared(const OpDef& op, const AttrMap& types) {
    constexpr uint64_t kSeeds = 3;
    size_t written = 0;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      for (const SampledCase& sample : SampleInputs(op, types, seed)) {
        const SingleNode single = MakeSingleNode(op, sample);
        folders_.Empty();
        folders_.EnterReference();
        const std::vector<std::string> expected = EventsOf("reference", single);
        folders_.EnterBackend();
        EXPECT_EQ(EventsOf("cpu", single), expected) << op.name << ", sample " << sample.label << ", seed " << seed;
        if (expected.size() > 2) written += expected.size() - 2;
      }
    }
    return written;
  }

 private:
  const fs::path before_ = fs::current_path();
  const TemporaryFolder folder_;
  const TrialFolders folders_{folder_.path()};
};

TEST_F(EventFiles, HoldTheSameOnBothSides) {
  std::set<std::string> ops;
  for (const OpDef* op : AllOps()) {
    const bool takes_writer = !op->inputs.empty() && op->inputs[0].handle == "SummaryWriter";
    if (!takes_writer || !CanSample(*op) || op->inputs.size() < 2 || op->name == "CreateSummaryFileWriter") continue;
    for (const DType type : TypesOf(*op)) {
      const AttrMap types = type == DType::kInvalid ? AttrMap{} : AttrMap{{"T", type}};
      EXPECT_GT(Compared(*op, types), 0U) << op->name << " of " << DTypeName(type);
    }
    ops.insert(op->name);
  }
  EXPECT_THAT(ops, ::testing::IsSupersetOf({"ImportEvent", "WriteAudioSummary", "WriteGraphSummary",
                                            "WriteHistogramSummary", "WriteImageSummary", "WriteRawProtoSummary",
                                            "WriteScalarSummary", "WriteSummary"}));
}

}  // namespace
}  // namespace plumb::conformance
