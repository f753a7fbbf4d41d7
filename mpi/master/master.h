// What a rank asks of others for the steps of its clients.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/master/quiescence.h"

namespace plumb::dist {

// A part of a step that is registered with another rank.
struct RemotePart {
  int rank = 0;
  int64_t number = 0;
};

// How far a rank's clock is ahead of the one here, and by how much that may be wrong.
struct ClockReading {
  int64_t ahead_ns = 0;
  int64_t error_ns = 0;
};

class Master {
 public:
  Master(Post& post, StepTable& steps, fast::ThreadPool& pool)
      : post_(post), steps_(steps), pool_(pool), watch_(post) {}

  int64_t NewSession() { return sessions_made_.fetch_add(1, std::memory_order_relaxed); }
  // Registers a part with each of these ranks, and waits for their answers. Parts without work are left out. Throws
  // the first refusal.
  std::vector<RemotePart> Register(const dist::Register& common, std::vector<std::pair<int, std::string>> graphs);
  // R5, on all other ranks.
  void Reset(const std::vector<std::string>& containers);
  void Forget(int64_t session);
  void Forget(int64_t session, const std::vector<RemotePart>& parts);
  // What each other rank keeps: its resources, and the stateful kernels of a session of this one; and the way back, for
  // the ranks that are named. Throw the first refusal.
  std::map<int, SavedState> Save(int64_t session);
  void Restore(const dist::Register& session, const std::map<int, SavedState>& states);

  // Asks, unless that was done within the last half minute. Throws where the rank is lost or the run has failed.
  ClockReading ClockOf(int rank);

  // Starts the parts of a step elsewhere. The step is given back to End, whatever becomes of it.
  std::shared_ptr<OwnStep> Begin(const std::vector<RemotePart>& parts, bool traces);
  void End(const std::shared_ptr<OwnStep>& step);
  // A step has failed on this rank; tells the others (rule W32).
  void Failed(int64_t step, const Status& status);

  void Take(int from, const Answer& message);
  void Take(int from, const Saved& message, const Payload& state);
  void Take(int from, const Done& message, const Payload& trace);
  void Take(int from, const Stop& message);
  void Take(int from, const Probed& message) { watch_.Take(from, message); }
  // The rank is gone: whatever waits for it fails.
  void Lose(int rank, const Status& status);
  // The run has failed: every step that goes on fails, and says what it waits for, and so does every later one. What
  // was asked, and what will be, has this answer.
  void FailAll(const Status& status);

 private:
  struct Question {
    int rank;
    std::optional<Answer> answer;
    Payload state = {};  // that came with it
  };
  using Questions = std::vector<std::pair<int, int64_t>>;  // whom, and under which number
  int64_t NewQuestion(int rank);
  // Throws the status of the answer.
  Question Await(int64_t question);
  // Takes the answers of these questions as they were asked, and all of them, whatever one says; the first refusal.
  Status AwaitAll(
      const Questions& questions,
      const std::function<void(int rank, const Question& answered)>& take = [](int, const Question&) {});
  void TakeAnswer(int from, const Answer& message, const Payload& state);
  template <class T>
  int64_t Ask(int rank, T message, Payload payload = {});
  // All ranks but this one.
  template <class T>
  Questions AskOthers(const T& message);
  std::shared_ptr<OwnStep> Find(int64_t step);

  Post& post_;
  StepTable& steps_;
  fast::ThreadPool& pool_;
  std::atomic<int64_t> sessions_made_{1};
  Mutex mutex_;
  CondVar answered_;
  int64_t questions_asked_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, Question> questions_ PLUMB_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<OwnStep>> own_steps_ PLUMB_GUARDED_BY(mutex_);
  std::map<int, std::vector<int64_t>> over_ PLUMB_GUARDED_BY(mutex_);  // by rank: steps that it is to be told of
  std::map<int, Status> lost_ PLUMB_GUARDED_BY(mutex_);
  Status failed_ PLUMB_GUARDED_BY(mutex_);  // of the run
  struct Clock {
    ClockReading reading;
    int64_t read_at_ns = 0;
  };
  std::map<int, Clock> clocks_ PLUMB_GUARDED_BY(mutex_);
  QuiescenceWatch watch_;
};

}  // namespace plumb::dist
