#include "conformance/golden/worker.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

// One message per line, from the process to its parent.
void Send(int pipe, const Json& message) {
  const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = write(pipe, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) _exit(2);  // the parent is gone
    if (written > 0) done += static_cast<size_t>(written);
  }
}

Json ToJson(const CaseResult& result) {
  return {{"name", result.name},
          {"backend", result.backend},
          {"outcome", static_cast<int>(result.outcome)},
          {"gate", result.gate},
          {"detail", result.detail}};
}

CaseResult FromJson(const Json& json) {
  return {json["name"], json["backend"], Outcome(json["outcome"].get<int>()), json["gate"], json["detail"]};
}

bool Matches(const std::string& filter, const std::string& name) {
  return filter.empty() || fnmatch(filter.c_str(), name.c_str(), 0) == 0 ||
         fnmatch(("*" + filter + "*").c_str(), name.c_str(), 0) == 0;
}

// The process: judges the cases from number `first` on.
void Serve(const std::string& path, const Backend& backend, const WorkerOptions& options, int64_t first,
           const std::string& folder, int pipe) {
  CaseReader names(path), cases(path);
  for (int64_t number = 0;; ++number) {
    const auto name = names.Skip();
    if (!name) return;
    if (number < first || !Matches(options.filter, *name)) {
      cases.Skip();
      continue;
    }
    Send(pipe, {{"case", number}, {"name", *name}});
    const std::string own = Str(folder, "/", number);
    mkdir(own.c_str(), 0777);
    CaseResult result{*name, backend.name, Outcome::kFailed, "status", ""};
    try {
      result = JudgeCase(*cases.Next(own), backend);
    } catch (const Error& error) {
      result.detail = "the case cannot be read: " + error.status().ToString();
    }
    Send(pipe, {{"case", number}, {"result", ToJson(result)}});
  }
}

}  // namespace

FileWorker::FileWorker(std::string path, Backend backend, WorkerOptions options)
    : path_(std::move(path)), backend_(std::move(backend)), options_(std::move(options)) {
  Start();
}

FileWorker::~FileWorker() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

void FileWorker::Start() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(Code::kUnknown, Str("no pipe: ", std::strerror(errno)));
  std::fflush(nullptr);  // or the process would print what is buffered once more
  process_ = fork();
  if (process_ < 0) throw Error(Code::kUnknown, Str("no process: ", std::strerror(errno)));
  if (process_ == 0) {
    close(ends[0]);
    int exit_code = 0;
    try {
      Serve(path_, backend_, options_, next_case_, folder_.path(), ends[1]);
    } catch (const Error& error) {
      Send(ends[1], {{"error", error.status().ToString()}});
      exit_code = 1;
    }
    _exit(exit_code);
  }
  close(ends[1]);
  pipe_ = ends[0];
  timed_out_ = false;
  current_.reset();
  unread_.clear();
  deadline_ = Clock::now() + options_.case_timeout;
}

void FileWorker::OnInput() {
  char block[1 << 14];
  const ssize_t got = read(pipe_, block, sizeof(block));
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return OnExit();
  unread_.append(block, static_cast<size_t>(got));
  size_t start = 0;
  for (size_t end; (end = unread_.find('\n', start)) != std::string::npos; start = end + 1) {
    OnMessage(unread_.substr(start, end - start));
  }
  unread_.erase(0, start);
}

void FileWorker::OnMessage(const std::string& line) {
  const Json message = Json::parse(line);
  deadline_ = Clock::now() + options_.case_timeout;
  if (message.contains("error")) {
    current_ = path_;
    FailCase(message["error"]);
    done_ = true;
    return;
  }
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
  kill(process_, SIGKILL);  // then the pipe closes, and OnInput sees it
}

void FileWorker::OnExit() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  close(pipe_);
  pipe_ = -1;
  if (done_ || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
    done_ = true;
    return;
  }
  const bool within_case = current_.has_value();
  if (!within_case) current_ = path_;
  FailCase(timed_out_            ? Str("hung: killed after ", options_.case_timeout.count(), " ms")
           : WIFSIGNALED(status) ? Str("crashed: ", strsignal(WTERMSIG(status)))
                                 : Str("the process exited with ", WEXITSTATUS(status)));
  done_ = !within_case;  // it would die at the same place again
  ++next_case_;
  if (!done_) Start();
}

void FileWorker::FailCase(const std::string& why) {
  results_.push_back({*current_, backend_.name, Outcome::kFailed, std::string(GateName(Gate::kStatus)), why});
}

}  // namespace plumb::conformance
