// S10: what a session remembers comes back from files and from other processes, where it may have been damaged. A state
// that was never saved so is refused, and leaves the session as it was; what is taken in spite of a damage ends no
// process, and asks for no memory that it does not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "backends/backends.h"
#include "conformance/process/forked.h"
#include "conformance/suites/single_node.h"
#include "spec/files/working_folder_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/session/saved_state.h"

namespace plumb::conformance {
namespace {

// ---- States to damage ----------------------------------------------------------------------------------------------

// What the steps around one op left behind.
struct Left {
  std::string op;
  SingleNode steps;
  SavedState state;
};

Status RunStep(Session& session, const StepRequest& step) {
  if (step.fetches.empty() && step.targets.empty()) return OkStatus();
  std::vector<Tensor> outputs;
  const RunOptions briefly = {.timeout_ms = 200};  // what waits for an element that is gone waits for ever
  return session.Run(briefly, step.feeds, step.fetches, step.targets, &outputs, nullptr);
}
std::unique_ptr<Session> Opened(std::string_view backend, const SingleNode& steps) {
  auto session = OpenSession(backend, {.allow_soft_placement = true});
  const Status status = session->Extend(steps.graph);
  if (!status.ok()) throw Error(status);
  return session;
}
SavedState SavedOf(Session& session) {
  SavedState state;
  const Status status = dynamic_cast<SavedSession&>(session).Save(&state);
  if (!status.ok()) throw Error(status);
  return state;
}

// "Queue" of "resources/DEVICE/CONTAINER/Queue/NAME/size"; "kernels" of what nodes keep.
std::string KindOf(const std::string& path) {
  std::vector<std::string> parts = {""};
  for (const char c : path) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts.at(0) == "resources" && parts.size() > 3 ? parts[3] : parts[0];
}

// Of each kind of state the largest that the samples of the catalogue leave.
std::map<std::string, Left> LeftByKind(std::string_view backend) {
  std::map<std::string, Left> largest;
  for (const OpDef* op : AllOps()) {
    if (!op->is_stateful) continue;
    if (!CanSample(*op) || !IsImplemented(backend, op->name)) continue;
    const auto cases = SampleInputs(*op, {}, 1);
    if (cases.empty()) continue;
    Left left{op->name, MakeSingleNode(*op, cases.front()), {}};
    const auto session = OpenSession(backend, {.allow_soft_placement = true});
    if (!session->Extend(left.steps.graph).ok()) continue;
    if (!RunStep(*session, left.steps.initialize).ok() || !RunStep(*session, left.steps.run).ok()) continue;
    if (!dynamic_cast<SavedSession&>(*session).Save(&left.state).ok()) continue;
    std::set<std::string> kinds;
    for (const auto& [path, value] : left.state) kinds.insert(KindOf(path));
    for (const std::string& kind : kinds) {
      Left& best = largest[kind];
      if (best.state.size() < left.state.size()) best = left;
    }
  }
  return largest;
}

// ---- Damages -------------------------------------------------------------------------------------------------------

struct Damaged {
  std::string how;
  SavedState state;
};

template <class T>
void AddNumbers(const Tensor& tensor, const std::vector<T>& numbers,
                std::vector<std::pair<std::string, Tensor>>* others) {
  for (int64_t i = 0; i < std::min<int64_t>(tensor.elements(), 6); ++i) {
    for (const T number : numbers) {
      Tensor other = tensor.Clone();
      other.mutable_data<T>()[static_cast<size_t>(i)] = number;
      others->emplace_back(Str("element ", i, " = ", +number), std::move(other));
    }
  }
}

// Other values of the type that it has: those around limits, and far beyond them.
std::vector<std::pair<std::string, Tensor>> OtherNumbers(const Tensor& tensor) {
  constexpr auto kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::pair<std::string, Tensor>> others;
  switch (tensor.dtype()) {
    case DType::kInt32:
      AddNumbers<int32_t>(tensor, {-1, 0, 1, 2, 21, 99, 101, 1 << 30, std::numeric_limits<int32_t>::min()}, &others);
      break;
    case DType::kInt64:
      AddNumbers<int64_t>(tensor, {-1, 0, 1, 2, int64_t{1} << 31, int64_t{1} << 40, kLeast, kMost}, &others);
      break;
    case DType::kDouble:
      AddNumbers<double>(tensor, {-1, 0, 1, 1e-300, 1e300, kNan}, &others);
      break;
    case DType::kBool:
      AddNumbers<bool>(tensor, {false, true}, &others);
      break;
    case DType::kUint32:
      AddNumbers<uint32_t>(tensor, {0, ~uint32_t{0}}, &others);
      break;
    case DType::kString:
      for (const char* text : {"", "?", "a/b%", "/no/such/file"}) {
        Tensor other = tensor.Clone();
        for (std::string& element : other.mutable_data<std::string>()) element = text;
        others.emplace_back(Str("texts = '", text, "'"), std::move(other));
      }
      break;
    default:
      break;
  }
  return others;
}

// Of other types, and of more, fewer or no elements.
std::vector<std::pair<std::string, Tensor>> OtherTensors(const Tensor& tensor) {
  std::vector<std::pair<std::string, Tensor>> others;
  for (Tensor other : {MakeScalar<float>(1), MakeScalar<int32_t>(1), MakeScalar<int64_t>(1), MakeScalar<bool>(true),
                       MakeScalar<std::string>("1"), MakeVector<float>({1, 2, 3}), MakeVector<double>({1}),
                       MakeVector<int64_t>({-1}), MakeVector<int64_t>({int64_t{1} << 40, int64_t{1} << 40}),
                       Tensor(DType::kVariant, Shape()), Tensor(DType::kResource, Shape())}) {
    others.emplace_back("instead " + other.ToString(), std::move(other));
  }
  const std::vector<int64_t> dims = tensor.shape().ToVector();
  std::vector<std::vector<int64_t>> shapes = {{}, {0}, {0, int64_t{1} << 40}, dims};
  shapes.back().push_back(1);
  for (size_t i = 0; i < dims.size(); ++i) {
    for (const int64_t by : {-1, 1}) {
      if (dims[i] + by < 0) continue;
      shapes.push_back(dims);
      shapes.back()[i] += by;
    }
  }
  for (const std::vector<int64_t>& shape : shapes) {
    others.emplace_back("of shape " + Shape(shape).ToString(), Zeros(tensor.dtype(), Shape(shape)));
  }
  return others;
}

// The same entries under other names: of another kind, and of none.
void AddOtherPaths(const std::string& kind, const SavedState& state, const std::set<std::string>& kinds,
                   std::vector<Damaged>* all) {
  const auto renamed = [&](const std::string& how, const std::function<std::string(const std::string&)>& other) {
    SavedState changed;
    for (const auto& [path, value] : state) changed[KindOf(path) == kind ? other(path) : path] = value;
    all->push_back({how, std::move(changed)});
  };
  if (kind == "kernels") return;
  const auto as = [&](const std::string& other) {
    return [&kind, other](std::string path) {
      const size_t at = path.find("/" + kind + "/");
      return path.replace(at + 1, kind.size(), other);
    };
  };
  for (const std::string& other : kinds) {
    if (other != kind && other != "kernels") renamed("as a " + other, as(other));
  }
  renamed("of no kind", as("NoSuchKind"));
  renamed("cut short", [](const std::string&) { return "resources/device"; });
  renamed("without a name", [](const std::string&) { return "resources///"; });
  renamed("with broken escapes", [](const std::string& path) { return path.substr(0, 10) + "%" + path.substr(10); });
}

std::vector<Damaged> DamagesOf(const std::string& kind, const SavedState& state, const std::set<std::string>& kinds) {
  std::vector<Damaged> all;
  SavedState first;
  for (const auto& [path, value] : state) {
    if (!first.empty()) all.push_back({"cut before " + path, first});
    first[path] = value;
    if (KindOf(path) != kind) continue;
    SavedState without = state;
    without.erase(path);
    all.push_back({"without " + path, std::move(without)});
    auto others = OtherNumbers(value);
    for (auto& other : OtherTensors(value)) others.push_back(std::move(other));
    for (const auto& [how, other] : others) {
      SavedState changed = state;
      changed[path] = other;
      all.push_back({path + " " + how, std::move(changed)});
    }
  }
  AddOtherPaths(kind, state, kinds, &all);
  return all;
}

// ---- The law -------------------------------------------------------------------------------------------------------

// The first path at which the states differ; empty where none does.
std::string Difference(const SavedState& a, const SavedState& b) {
  for (const auto* state : {&a, &b}) {
    const SavedState& other = state == &a ? b : a;
    for (const auto& [path, value] : *state) {
      const auto found = other.find(path);
      if (found == other.end() || !found->second.BitwiseEquals(value)) return path;
    }
  }
  return "";
}

// Says what is wrong; nothing when all is well.
std::string Objection(Session& session, const SingleNode& steps, const SavedState& damaged) {
  const SavedState before = SavedOf(session);
  const Status status = dynamic_cast<SavedSession&>(session).Restore(damaged);
  if (!status.ok()) {
    const bool is_said = status.code() == Code::kDataLoss || status.code() == Code::kInvalidArgument;
    if (!is_said) return "refused with " + status.ToString();
    const std::string taken = Difference(SavedOf(session), before);
    return taken.empty() ? "" : Str("refused, but something of it was taken, at ", taken, ": ", status.ToString());
  }
  for (const StepRequest* step : {&steps.run, &steps.inspect}) {
    const Status ran = RunStep(session, *step);
    if (ran.code() == Code::kUnknown) return "a step after it ended with " + ran.ToString();
  }
  return "";
}

// A session that has not run takes up a state whose every part is damaged in turn.
class DamagedStates : public testing::TestWithParam<std::tuple<std::string_view, std::string_view>> {
 protected:
  const TemporaryWorkingFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, DamagedStates,
                         testing::Combine(testing::Values("reference", "cpu"), testing::Values("reference", "cpu")),
                         [](const auto& info) {
                           return Str(std::get<0>(info.param), "_to_", std::get<1>(info.param));
                         });

// The damages from number `first` on, each told before it is tried: "? NUMBER WHAT", and "! WHAT" of what is wrong.
void Try(std::string_view from, std::string_view to, int first, const Answer& answer) {
  const std::map<std::string, Left> left = LeftByKind(from);
  std::set<std::string> kinds;
  for (const auto& [kind, state] : left) kinds.insert(kind);
  int number = 0;
  for (const auto& [kind, whole] : left) {
    answer("kind " + kind);
    const auto taken = Opened(to, whole.steps);
    const Status status = dynamic_cast<SavedSession&>(*taken).Restore(whole.state);
    if (!status.ok()) answer(Str("! ", kind, " as it was saved: ", status.ToString()));
    // One side may keep more than the other knows of.
    const std::string other = from == to ? Difference(SavedOf(*taken), whole.state) : "";
    if (!other.empty()) answer(Str("! ", kind, " of ", whole.op, ", taken up and saved again, differs at ", other));
    for (const Damaged& damaged : DamagesOf(kind, whole.state, kinds)) {
      if (number++ < first) continue;
      answer(Str("? ", number - 1, " ", kind, " of ", whole.op, ", ", damaged.how));
      const std::string objection = Objection(*Opened(to, whole.steps), whole.steps, damaged.state);
      if (!objection.empty()) answer("! " + objection);
    }
  }
}

TEST_P(DamagedStates, AreRefusedOrHarmless) {
  constexpr int kMostCrashes = 20;
  std::set<std::string> kinds;
  int next = 0;
  for (int crashes = 0; crashes < kMostCrashes; ++crashes) {
    const ForkedResult result =
        RunForked([&](const Answer& answer) { Try(std::get<0>(GetParam()), std::get<1>(GetParam()), next, answer); },
                  std::chrono::seconds(60));
    std::string last;
    for (const std::string& line : result.answers) {
      if (line.starts_with("kind ")) kinds.insert(line.substr(5));
      if (line.starts_with("! ")) ADD_FAILURE() << last << ": " << line.substr(2);
      if (!line.starts_with("? ")) continue;
      last = line.substr(2);
      next = std::stoi(last) + 1;
    }
    if (result.failure.empty()) break;
    ADD_FAILURE() << last << ": " << result.failure;  // and on behind it
  }
  EXPECT_GT(next, 1000) << "damages";
  EXPECT_THAT(kinds,
              testing::IsSupersetOf({"Accumulator", "Barrier", "Queue", "Reader", "ResourceVariable", "SparseTensors",
                                     "StagingArea", "StagingMap", "Table", "Variable", "kernels"}));
}

}  // namespace
}  // namespace plumb::conformance
