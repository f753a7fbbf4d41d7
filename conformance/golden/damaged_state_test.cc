// What a session saved and somebody damaged is refused by both implementations, or taken up by both: each
// entry that recorded cases leave behind, of each kind of resource and of kernel, is lost or changed in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "backends/backends.h"
#include "conformance/golden/case.h"
#include "conformance/golden/orders.h"
#include "spec/formats/temporary_folder.h"
#include "spec/session/saved_state.h"

namespace plumb::conformance {
namespace {

std::unique_ptr<Session> Opened(std::string_view backend, const GraphDef& graph) {
  auto session = OpenSession(backend, {.allow_soft_placement = true});
  EXPECT_TRUE(session->Extend(graph).ok());
  return session;
}
Status Restored(std::string_view backend, const GraphDef& graph, const SavedState& state) {
  const auto session = Opened(backend, graph);
  try {
    return dynamic_cast<SavedSession&>(*session).Restore(state);
  } catch (const std::exception& error) {
    return Status(Code::kUnknown, Str("Restore threw: ", error.what()));
  }
}

// What an entry is, whatever its owner is called: "Queue/rows/#", "RandomUniform/seed".
std::string KindOf(std::string path, const GraphDef& graph) {
  std::vector<std::string> parts;
  for (std::string_view left = path; !left.empty();) {
    const size_t end = std::min(left.find('/'), left.size());
    parts.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  std::string kind = parts[0];
  size_t next = 2;
  if (parts[0] == "kernels") {
    for (const NodeDef& node : graph.nodes) {
      if (node.name == NameOfPart(parts[1])) kind += "/" + node.op;
    }
  } else if (parts.size() > 3) {
    kind += "/" + parts[3];
    next = 5;
  }
  for (size_t i = next; i < parts.size(); ++i) kind += "/" + parts[i];
  kind.erase(std::remove_if(kind.begin(), kind.end(), [](char c) { return c >= '0' && c <= '9'; }), kind.end());
  return kind;
}

// Other values in the place of one; the first stands for none.
std::vector<Tensor> Damages(const Tensor& value) {
  const DType type = value.dtype(), other = type == DType::kInt32 ? DType::kFloat : DType::kInt32;
  std::vector<Tensor> damages = {Tensor(), Zeros(other, value.shape())};
  if (type == DType::kVariant || type == DType::kResource) return damages;
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{value.elements() + 1}, Shape{1, 2, 3}}) {
    damages.push_back(Zeros(type, shape));
  }
  if (value.elements() == 0) return damages;
  const auto put = [&](auto wrong) {
    damages.push_back(value.Clone());
    damages.back().mutable_data<decltype(wrong)>()[value.elements() - 1] = wrong;
  };
  if (type == DType::kInt64) {
    for (const int64_t wrong : {-1, 0, 1, 77}) put(wrong);
  } else if (type == DType::kInt32) {
    for (const int32_t wrong : {-1, 0, 1, 77}) put(wrong);
  } else if (type == DType::kString) {
    put(std::string("no such"));
  }
  return damages;
}

class Damaging {
 public:
  // Runs the case's steps one after the other, and tries what each of them leaves.
  void Try(const GoldenCase& golden) {
    const auto session = OpenSession("cpu", {.allow_soft_placement = true});
    if (!session->Extend(golden.graph).ok()) return;
    for (const RecordedStep& step : golden.steps) {
      std::vector<Tensor> outputs;
      static_cast<void>(session->Run({.timeout_ms = 2000}, step.request.feeds, step.request.fetches,
                                     step.request.targets, &outputs, nullptr));
      SavedState state;
      if (dynamic_cast<SavedSession&>(*session).Save(&state).ok()) TryState(golden, state);
    }
  }
  int refused() const { return refused_; }

 private:
  void TryState(const GoldenCase& golden, const SavedState& state) {
    for (const auto& [path, value] : state) {
      const std::string kind = KindOf(path, golden.graph);
      if (!known_.insert(kind).second) continue;
      for (const Tensor& damage : Damages(value)) {
        // Of a variable that was never declared there is none, and the reference knows no such variables.
        if (kind == "resources/Variable/shape" && !damage.IsSet()) continue;
        SavedState damaged = state;
        if (damage.IsSet()) {
          damaged[path] = damage;
        } else {
          damaged.erase(path);
        }
        const Status actual = Restored("cpu", golden.graph, damaged);
        const Status expected = Restored("reference", golden.graph, damaged);
        EXPECT_TRUE(actual.ok() == expected.ok() && MayAnswer(actual) && MayAnswer(expected))
            << golden.name << ": " << path << ", " << value.ToString() << " → "
            << (damage.IsSet() ? damage.ToString() : "nothing") << "\n cpu: " << actual.ToString()
            << "\n reference: " << expected.ToString();
        refused_ += !expected.ok();
      }
    }
  }

  // What is damaged is lost data, or fits no object that there may be.
  static bool MayAnswer(const Status& status) {
    return status.ok() || status.code() == Code::kDataLoss || status.code() == Code::kInvalidArgument;
  }

  std::set<std::string> known_;
  int refused_ = 0;
};

TEST(DamagedState, IsRefusedOrTakenUpAlike) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  const std::filesystem::path before = std::filesystem::current_path();
  const TemporaryFolder folder;
  std::filesystem::current_path(folder.path());
  Damaging damaging;
  for (const auto& file : std::filesystem::directory_iterator(Str(root, "/conformance/golden/cases"))) {
    if (!file.path().string().ends_with(".golden.gz")) continue;
    CaseReader cases(file.path());
    for (auto golden = cases.Next(folder.path()); golden; golden = cases.Next(folder.path())) {
      if (golden->steps.size() > 1 && golden->observed.empty() && HangsOnOrder(*golden)) damaging.Try(*golden);
    }
  }
  std::filesystem::current_path(before);
  EXPECT_GT(damaging.refused(), 100);
}

}  // namespace
}  // namespace plumb::conformance
