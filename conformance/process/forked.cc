#include "conformance/process/forked.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

constexpr int kThrew = 3;              // exit code
constexpr char kErrorMark[] = "\x01";  // starts the line that says what

std::string Written(const Status& status) {
  const Json fields = {static_cast<int>(status.code()), static_cast<int>(status.reason()), status.message()};
  return kErrorMark + fields.dump(-1, ' ', false, Json::error_handler_t::replace);
}
Status Parsed(const std::string& line) {
  const Json fields = Json::parse(line.substr(1));
  return Status(Code(fields[0].get<int>()), fields[2], Reason(fields[1].get<int>()));
}

void WriteLine(int pipe, std::string line) {
  line += '\n';
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = write(pipe, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) _exit(2);  // nobody listens any more
    if (written > 0) done += static_cast<size_t>(written);
  }
}

[[noreturn]] void Work(const ForkedWork& work, int pipe) {
  try {
    work([&](const std::string& line) { WriteLine(pipe, line); });
  } catch (const Error& error) {
    WriteLine(pipe, Written(error.status()));
    _exit(kThrew);
  }
  _exit(0);
}

}  // namespace

ForkedProcess::ForkedProcess(const ForkedWork& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(Code::kUnknown, Str("no pipe: ", std::strerror(errno)));
  std::fflush(nullptr);  // or the process would print what is buffered once more
  process_ = fork();
  if (process_ < 0) throw Error(Code::kUnknown, Str("no process: ", std::strerror(errno)));
  if (process_ == 0) {
    close(ends[0]);
    Work(work, ends[1]);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

ForkedProcess::~ForkedProcess() {
  Kill();
  if (process_ > 0) waitpid(process_, nullptr, 0);
  close(pipe_);
}

bool ForkedProcess::Read(std::vector<std::string>* answers) {
  char block[1 << 14];
  const ssize_t got = read(pipe_, block, sizeof(block));
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  unread_.append(block, static_cast<size_t>(got));
  size_t start = 0;
  for (size_t end; (end = unread_.find('\n', start)) != std::string::npos; start = end + 1) {
    std::string line = unread_.substr(start, end - start);
    if (line.starts_with(kErrorMark)) {
      thrown_ = Parsed(line);
    } else {
      answers->push_back(std::move(line));
    }
  }
  unread_.erase(0, start);
  return true;
}

void ForkedProcess::Kill() {
  if (process_ > 0) kill(process_, SIGKILL);
}

std::string ForkedProcess::Failure() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  if (WIFSIGNALED(status)) return Str("crashed: ", strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == kThrew) return "threw " + thrown_.ToString();
  return WEXITSTATUS(status) == 0 ? "" : Str("exited with ", WEXITSTATUS(status));
}

ForkedResult RunForked(const ForkedWork& work, std::chrono::milliseconds silence) {
  ForkedProcess process(work);
  ForkedResult result;
  for (;;) {
    pollfd wait{process.fd(), POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(silence.count())) == 0) {
      result.failure = Str("hung: silent for ", silence.count(), " ms");
      return result;
    }
    if (!process.Read(&result.answers)) break;
  }
  result.failure = process.Failure();
  result.thrown = process.thrown();
  return result;
}

}  // namespace plumb::conformance
