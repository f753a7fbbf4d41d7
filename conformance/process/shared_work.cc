#include "conformance/process/shared_work.h"

#include <poll.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

// Counts in memory that processes share.
class SharedCounter {
 public:
  SharedCounter() {
    void* const memory = mmap(nullptr, sizeof(*next_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Error(Code::kUnknown, Str("no shared memory: ", std::strerror(errno)));
    next_ = new (memory) std::atomic<size_t>(0);
  }
  ~SharedCounter() { munmap(next_, sizeof(*next_)); }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;

  size_t Take() { return next_->fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<size_t>* next_;
};

// Holds back the answers of later pieces until it is their turn.
class InOrder {
 public:
  explicit InOrder(const Answer& on_answer) : on_answer_(on_answer) {}

  void Done(size_t piece, std::vector<std::string> answers) {
    early_[piece] = std::move(answers);
    for (auto turn = early_.begin(); turn != early_.end() && turn->first == next_; turn = early_.erase(turn), ++next_) {
      for (const std::string& answer : turn->second) on_answer_(answer);
    }
  }

 private:
  const Answer& on_answer_;
  size_t next_ = 0;
  std::map<size_t, std::vector<std::string>> early_;
};

// In a process of its own. Each line is a piece that is done, with its answers.
void DoShare(size_t pieces, SharedCounter& counter, PieceWorker& worker, const Answer& answer) {
  for (size_t piece; (piece = counter.Take()) < pieces;) {
    std::vector<std::string> answers;
    worker.Do(piece, [&](const std::string& line) { answers.push_back(line); });
    answer(Json{piece, answers}.dump());
  }
}

// Takes what has arrived from the process; false when it has ended, as it should.
bool Take(ForkedProcess& process, InOrder& in_order) {
  std::vector<std::string> lines;
  const bool goes_on = process.Read(&lines);
  for (const std::string& line : lines) {
    const Json done = Json::parse(line);
    in_order.Done(done[0], done[1]);
  }
  if (goes_on) return true;
  const std::string failure = process.Failure();
  if (!process.thrown().ok()) throw Error(process.thrown());
  if (!failure.empty()) throw Internal("a process that did a share of the work ", failure);
  return false;
}

}  // namespace

void ShareWork(size_t pieces, int processes, const std::function<std::unique_ptr<PieceWorker>()>& new_worker,
               const Answer& on_answer) {
  const size_t enough = std::min(pieces, static_cast<size_t>(std::max(processes, 1)));
  if (enough <= 1) {
    const auto worker = new_worker();
    for (size_t piece = 0; piece < pieces; ++piece) worker->Do(piece, on_answer);
    return;
  }
  SharedCounter counter;
  InOrder in_order(on_answer);
  std::vector<std::unique_ptr<ForkedProcess>> working;
  for (size_t i = 0; i < enough; ++i) {
    working.push_back(std::make_unique<ForkedProcess>(
        [&](const Answer& answer) { DoShare(pieces, counter, *new_worker(), answer); }));
  }
  while (!working.empty()) {
    std::vector<pollfd> news;
    for (const auto& process : working) news.push_back({process->fd(), POLLIN, 0});
    if (poll(news.data(), news.size(), -1) < 0 && errno != EINTR) {
      throw Error(Code::kUnknown, Str("no news from processes: ", std::strerror(errno)));
    }
    for (size_t i = news.size(); i-- > 0;) {
      if (news[i].revents != 0 && !Take(*working[i], in_order)) working.erase(working.begin() + static_cast<long>(i));
    }
  }
}

}  // namespace plumb::conformance
