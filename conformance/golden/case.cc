#include "conformance/golden/case.h"

#include <filesystem>
#include <set>

#include "conformance/golden/golden.pb.h"
#include "spec/files/file.h"
#include "spec/graph/proto_io.h"

namespace plumb::conformance {
namespace {

constexpr std::string_view kFolderMark = "${DIR}";

// Writes `folder` where strings say ${DIR}.
class FolderSubstitution {
 public:
  explicit FolderSubstitution(std::string_view folder) : folder_(folder) {}

  std::string operator()(std::string text) const {
    for (size_t at = text.find(kFolderMark); at != std::string::npos; at = text.find(kFolderMark, at)) {
      text.replace(at, kFolderMark.size(), folder_);
      at += folder_.size();
    }
    return text;
  }
  Tensor operator()(Tensor tensor) const {
    if (tensor.dtype() != DType::kString) return tensor;
    for (std::string& text : tensor.mutable_data<std::string>()) text = (*this)(std::move(text));
    return tensor;
  }
  void In(AttrMap& attrs) const {
    for (auto& [name, value] : attrs) {
      if (const auto* text = value.Get<std::string>()) value = (*this)(*text);
      if (const auto* tensor = value.Get<Tensor>()) value = (*this)(*tensor);
      if (const auto* list = value.Get<std::vector<std::string>>()) {
        std::vector<std::string> texts;
        for (const std::string& text : *list) texts.push_back((*this)(text));
        value = std::move(texts);
      }
    }
  }

 private:
  std::string_view folder_;
};

golden::Case Parse(const std::string& record) {
  golden::Case message;
  if (!message.ParseFromString(record)) throw DataLoss("a record is not a golden case");
  return message;
}

Tensor Decode(const pb::TensorProto& proto, const FolderSubstitution& substitute) {
  Expansion expansion;
  return substitute(FromProto(proto, &expansion));
}

RecordedStep StepOf(const golden::Step& from, const FolderSubstitution& substitute) {
  RecordedStep step;
  for (const golden::Feed& feed : from.feeds()) {
    step.request.feeds.emplace_back(feed.name(), Decode(feed.value(), substitute));
  }
  step.request.fetches.assign(from.fetches().begin(), from.fetches().end());
  step.request.targets.assign(from.targets().begin(), from.targets().end());
  for (const golden::Value& value : from.values()) {
    constexpr Check kChecks[] = {Check::kExact, Check::kBounded, Check::kType};
    Require(value.check() <= golden::SHAPE, "a recorded value has the unknown check ", int{value.check()});
    step.values.push_back({Decode(value.tensor(), substitute), kChecks[value.check()]});
  }
  step.code = Code(from.code());
  step.message = from.message();
  step.group = from.group();
  return step;
}

RecordedOutcome OutcomeOf(const golden::Outcome& from, const FolderSubstitution& substitute) {
  RecordedOutcome outcome;
  for (const int32_t code : from.codes()) outcome.codes.push_back(Code(code));
  for (const golden::Value& value : from.values()) outcome.values.push_back(Decode(value.tensor(), substitute));
  return outcome;
}

void WriteCaseFile(const golden::File& file, const std::string& folder, const FolderSubstitution& substitute) {
  const std::string inside = substitute(file.path());
  const std::string path = inside.starts_with(folder + "/") ? inside : folder + "/" + inside;
  Require(path.find("/../") == std::string::npos, "the file ", file.path(), " leaves the folder of its case");
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  WriteFile(path, file.content());
}

// Ops that the steps reach, in bodies too; a call of a function by its name is none.
std::vector<std::string> OpsOf(const golden::Case& from) {
  std::set<std::string> ops(from.ops().begin(), from.ops().end());
  for (const pb::FunctionDef& function : from.graph().library().function()) ops.erase(function.signature().name());
  return {ops.begin(), ops.end()};
}

}  // namespace

std::optional<std::string> CaseReader::Skip() {
  const auto record = records_.Next();
  if (!record) return std::nullopt;
  return Parse(*record).name();
}

std::optional<std::vector<std::string>> CaseReader::SkipForOps() {
  const auto record = records_.Next();
  if (!record) return std::nullopt;
  return OpsOf(Parse(*record));
}

std::optional<GoldenCase> CaseReader::Next(const std::string& folder) {
  const auto record = records_.Next();
  if (!record) return std::nullopt;
  const golden::Case message = Parse(*record);
  const FolderSubstitution substitute(folder);
  GoldenCase result;
  result.name = message.name();
  result.ops = OpsOf(message);
  result.refused = message.refused();
  try {
    result.graph = FromProto(message.graph());
    for (NodeDef& node : result.graph.nodes) substitute.In(node.attrs);
  } catch (const Error& error) {
    result.graph_status = error.status();
  }
  try {
    for (const golden::File& file : message.files()) WriteCaseFile(file, folder, substitute);
    for (const golden::Step& step : message.steps()) result.steps.push_back(StepOf(step, substitute));
    for (const golden::Outcome& outcome : message.observed()) result.observed.push_back(OutcomeOf(outcome, substitute));
  } catch (const Error& error) {
    result.contents_status = error.status();
  }
  return result;
}

}  // namespace plumb::conformance
