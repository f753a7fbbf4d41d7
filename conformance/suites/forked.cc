#include "conformance/suites/forked.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

void WriteLine(int pipe, std::string line) {
  line += '\n';
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = write(pipe, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) _exit(2);  // nobody listens any more
    if (written > 0) done += static_cast<size_t>(written);
  }
}

// Reads until the pipe closes; false when it was silent for too long.
bool ReadAll(int pipe, std::chrono::milliseconds silence, std::string* text) {
  for (;;) {
    pollfd wait{pipe, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(silence.count()));
    if (ready == 0) return false;
    char block[1 << 14];
    const ssize_t got = read(pipe, block, sizeof(block));
    if (got == 0) return true;
    if (got > 0) text->append(block, static_cast<size_t>(got));
  }
}

constexpr int kThrew = 3;

}  // namespace

ForkedResult RunForked(const std::function<void(const std::function<void(const std::string&)>&)>& work,
                       std::chrono::milliseconds silence) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(Code::kUnknown, Str("no pipe: ", std::strerror(errno)));
  std::fflush(nullptr);  // or the process would print what is buffered once more
  const pid_t process = fork();
  if (process < 0) throw Error(Code::kUnknown, Str("no process: ", std::strerror(errno)));
  if (process == 0) {
    try {
      work([&](const std::string& line) { WriteLine(ends[1], line); });
    } catch (const Error& error) {
      WriteLine(ends[1], error.status().ToString());
      _exit(kThrew);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  const bool ended = ReadAll(ends[0], silence, &text);
  if (!ended) kill(process, SIGKILL);
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);

  ForkedResult result;
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    result.answers.push_back(text.substr(start, end - start));
  }
  if (!ended) {
    result.failure = Str("hung: silent for ", silence.count(), " ms");
  } else if (WIFSIGNALED(status)) {
    result.failure = Str("crashed: ", strsignal(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) == kThrew && !result.answers.empty()) {
    result.failure = "threw " + result.answers.back();
    result.answers.pop_back();
  }
  return result;
}

}  // namespace plumb::conformance
