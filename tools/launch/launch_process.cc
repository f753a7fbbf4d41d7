#include "tools/launch/launch_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kErrorsKept = 64 << 10;  // bytes, more than mpirun says of a rank that it lost
constexpr int kWakesEveryMs = 50;
constexpr int kPiecesAtOnce = 16;

volatile std::sig_atomic_t asked_to_stop = 0;

// While it lives, a signal to stop is remembered, and orphans of children become children of this process.
class Watching {
 public:
  Watching() {
    asked_to_stop = 0;
    struct sigaction remember = {};
    remember.sa_handler = [](int) { asked_to_stop = 1; };
    sigaction(SIGTERM, &remember, &on_term_);
    sigaction(SIGINT, &remember, &on_int_);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  ~Watching() {
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    sigaction(SIGTERM, &on_term_, nullptr);
    sigaction(SIGINT, &on_int_, nullptr);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  struct sigaction on_term_ = {}, on_int_ = {};
};

class Pipe {
 public:
  Pipe() { Require(pipe2(ends_.data(), O_CLOEXEC) == 0, "no pipe to a new process: ", std::strerror(errno)); }
  ~Pipe() {
    for (int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int out() const { return ends_[0]; }
  int in() const { return ends_[1]; }
  void CloseIn() {
    close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

// In the child: becomes the command, in a group of its own, which ends with this process. Gives the reason if it
// cannot.
int Become(char* const* argv, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(errors, STDERR_FILENO);
  execvp(argv[0], argv);
  return errno;
}

pid_t Start(const std::vector<std::string>& argv, Pipe& errors) {
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  Pipe failure;
  const pid_t child = fork();
  Require(child >= 0, "no new process for ", argv[0], ": ", std::strerror(errno));
  if (child == 0) {
    const int reason = Become(pointers.data(), errors.in());
    if (write(failure.in(), &reason, sizeof(reason)) < 0) _exit(126);
    _exit(127);
  }
  failure.CloseIn();
  errors.CloseIn();
  int reason = 0;
  if (read(failure.out(), &reason, sizeof(reason)) == static_cast<ssize_t>(sizeof(reason))) {
    waitpid(child, nullptr, 0);
    throw NotFound("'", argv[0], "' does not start: ", std::strerror(reason));
  }
  return child;
}

// The parent of each process that there is.
std::map<pid_t, pid_t> Parents() {
  std::map<pid_t, pid_t> parents;
  std::error_code gone;
  for (std::filesystem::directory_iterator entry("/proc", gone), end; entry != end; entry.increment(gone)) {
    const std::string name = entry->path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry->path() / "stat");
    std::stringstream stat;
    stat << file.rdbuf();
    const std::string text = stat.str();
    const size_t end_of_name = text.rfind(')');  // which may hold anything
    if (end_of_name == std::string::npos) continue;
    std::istringstream rest(text.substr(end_of_name + 1));
    std::string state;
    pid_t parent = 0;
    if (rest >> state >> parent && state != "Z") parents[std::stoi(name)] = parent;
  }
  return parents;
}

// All processes that come from `ancestor`.
std::vector<pid_t> Descendants(pid_t ancestor) {
  const std::map<pid_t, pid_t> parents = Parents();
  std::vector<pid_t> found;
  for (const auto& [process, parent] : parents) {
    pid_t above = parent;
    for (auto at = parents.find(above); above != ancestor && at != parents.end(); at = parents.find(above)) {
      above = at->second;
    }
    if (above == ancestor) found.push_back(process);
  }
  return found;
}

// The rank that mpirun gave to a process, as text.
std::optional<std::string> RankOf(pid_t process) {
  constexpr std::string_view kName = "OMPI_COMM_WORLD_RANK=";
  std::ifstream file("/proc/" + std::to_string(process) + "/environ");
  for (std::string setting; std::getline(file, setting, '\0');) {
    if (setting.starts_with(kName)) return setting.substr(kName.size());
  }
  return std::nullopt;
}

void AskToStop(pid_t command, int ranks) {
  std::set<std::string> here;
  std::vector<pid_t> processes;
  for (const pid_t process : Descendants(command)) {
    const std::optional<std::string> rank = RankOf(process);
    if (!rank) continue;
    here.insert(*rank);
    processes.push_back(process);
  }
  if (static_cast<int>(here.size()) != ranks) processes = {command};
  for (const pid_t process : processes) kill(process, SIGTERM);
}

// Kills what there is, and what it has started meanwhile, until nothing is left.
void KillAll() {
  for (std::vector<pid_t> left = Descendants(getpid()); !left.empty(); left = Descendants(getpid())) {
    for (const pid_t process : left) kill(process, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    usleep(1000);
  }
  while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
}

// Passes on what the command says, as far as there is something, in so many pieces at most: there may be no end of it.
void PassOn(int from, int pieces, std::string& kept) {
  std::array<char, 4096> buffer;
  for (; pieces > 0; --pieces) {
    const ssize_t size = read(from, buffer.data(), buffer.size());
    if (size <= 0) return;
    for (ssize_t done = 0; done < size;) {
      const ssize_t written = write(STDERR_FILENO, buffer.data() + done, static_cast<size_t>(size - done));
      if (written <= 0) break;
      done += written;
    }
    kept.append(buffer.data(), static_cast<size_t>(size));
    if (kept.size() > kErrorsKept) kept.erase(0, kept.size() - kErrorsKept);
  }
}

}  // namespace

Ended RunUntilEnd(const std::vector<std::string>& argv, int ranks, std::chrono::milliseconds grace) {
  const Watching watching;
  Pipe errors;
  fcntl(errors.out(), F_SETFL, O_NONBLOCK);
  const pid_t command = Start(argv, errors);
  Ended ended;
  Clock::time_point killed_at = Clock::time_point::max();
  int status = 0;
  while (waitpid(command, &status, WNOHANG) == 0) {
    pollfd waits = {errors.out(), POLLIN, 0};
    poll(&waits, 1, kWakesEveryMs);
    // Who has closed its error output wakes poll at once.
    if ((waits.revents & POLLHUP) != 0) usleep(kWakesEveryMs * 1000);
    PassOn(errors.out(), kPiecesAtOnce, ended.errors);
    if (asked_to_stop != 0 && !ended.was_stopped) {
      ended.was_stopped = true;
      killed_at = Clock::now() + grace;
      AskToStop(command, ranks);
    }
    if (Clock::now() < killed_at) continue;
    for (const pid_t process : Descendants(command)) kill(process, SIGKILL);
    kill(command, SIGKILL);
  }
  KillAll();
  PassOn(errors.out(), std::numeric_limits<int>::max(), ended.errors);  // what is left, with nobody to add to it
  ended.was_stopped = ended.was_stopped || asked_to_stop != 0;
  ended.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return ended;
}

}  // namespace plumb::tools
