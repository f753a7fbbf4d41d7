#include "conformance/golden/worker.h"

#include <fnmatch.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

std::string Line(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json ToJson(const CaseResult& result) {
  return {{"name", result.name},       {"backend", result.backend},    {"outcome", static_cast<int>(result.outcome)},
          {"gate", result.gate},       {"detail", result.detail},      {"compared", result.compared},
          {"aliases", result.aliases}, {"by_chance", result.by_chance}};
}

CaseResult FromJson(const Json& json) {
  return {json["name"],     json["backend"], Outcome(json["outcome"].get<int>()),
          json["gate"],     json["detail"],  json["compared"],
          /*reproduce=*/"", /*seconds=*/0,   json["aliases"],
          json["by_chance"]};
}

bool Matches(const std::string& filter, const std::string& name) {
  return filter.empty() || fnmatch(filter.c_str(), name.c_str(), 0) == 0 ||
         fnmatch(("*" + filter + "*").c_str(), name.c_str(), 0) == 0;
}

// The process: judges the cases from number `first` on.
void Serve(const std::string& path, const Backend& backend, const WorkerOptions& options, int64_t first,
           const std::string& folder, const Answer& answer) {
  backend.implements("NoOp");  // a library is loaded while its path, which may be relative, still leads to it
  const std::string folders = std::filesystem::absolute(folder).string();
  CaseReader names(path), cases(path);
  for (int64_t number = 0;; ++number) {
    const auto name = names.Skip();
    if (!name) return;
    if (number < first || !Matches(options.filter, *name)) {
      cases.Skip();
      continue;
    }
    answer(Line({{"case", number}, {"name", *name}}));
    const std::string own = Str(folders, "/", number);
    mkdir(own.c_str(), 0777);
    std::filesystem::current_path(own);  // relative names of files are the case's own, too
    CaseResult result{*name, backend.name, Outcome::kFailed, std::string(GateName(Gate::kStatus)), ""};
    try {
      result = JudgeCase(*cases.Next(own), backend);
    } catch (const Error& error) {
      result.detail = "the case cannot be read: " + error.status().ToString();
    }
    answer(Line({{"case", number}, {"result", ToJson(result)}}));
  }
}

}  // namespace

FileWorker::FileWorker(std::string path, Backend backend, WorkerOptions options)
    : path_(std::move(path)), backend_(std::move(backend)), options_(std::move(options)) {
  Start();
}

void FileWorker::Start() {
  process_ = std::make_unique<ForkedProcess>(
      [this](const Answer& answer) { Serve(path_, backend_, options_, next_case_, folder_.path(), answer); });
  timed_out_ = false;
  current_.reset();
  deadline_ = Clock::now() + options_.case_timeout;
}

void FileWorker::OnInput() {
  std::vector<std::string> lines;
  const bool more = process_->Read(&lines);
  for (const std::string& line : lines) OnMessage(line);
  if (!more) OnExit();
}

void FileWorker::OnMessage(const std::string& line) {
  const Json message = Json::parse(line);
  deadline_ = Clock::now() + options_.case_timeout;
  next_case_ = message["case"].get<int64_t>();
  if (message.contains("name")) {
    current_ = message["name"];
    return;
  }
  results_.push_back(FromJson(message["result"]));
  current_.reset();
  ++next_case_;
}

void FileWorker::OnTime(Clock::time_point now) {
  if (done_ || timed_out_ || now < deadline_) return;
  timed_out_ = true;
  process_->Kill();  // then OnInput sees the end
}

void FileWorker::OnExit() {
  const std::string failure = process_->Failure();
  if (failure.empty()) {
    done_ = true;
    return;
  }
  const bool within_case = current_.has_value();
  if (!within_case) current_ = path_;
  FailCase(timed_out_ ? Str("hung: killed after ", options_.case_timeout.count(), " ms") : failure);
  done_ = !within_case;  // it would fail at the same place again
  ++next_case_;
  if (!done_) Start();
}

void FileWorker::FailCase(const std::string& why) {
  results_.push_back({*current_, backend_.name, Outcome::kFailed, std::string(GateName(Gate::kCrash)), why});
}

}  // namespace plumb::conformance
