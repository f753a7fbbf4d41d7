// When a step over several ranks can do nothing more but close receivers (rule X8).
//
// Each rank answers, at a moment of its own, whether it is idle, and how many values it has sent to each other rank and
// received from it. If all are idle and every channel's two counts agree, then nothing is on its way and nobody has
// been stirred since it answered. For suppose somebody was, and take the first: by a value that its answer does not
// count. If the sender's answer counts it, the channel's counts agree only if the receiver counted another value that
// the sender sent after its answer; if not, this one was sent after it. Either way the sender was idle when it answered
// and had been stirred before, so it was not the first who was.
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "mpi/master/own_step.h"
#include "mpi/protocol/post.h"

namespace plumb::dist {

// By rank.
bool IsQuiescent(const std::map<int, Standing>& standings);

// Asks the ranks of steps that take long how they stand, and closes their receivers. A step that is soon over is never
// asked about: closing is for graphs in which a value is waited for that nobody sends.
class QuiescenceWatch {
 public:
  explicit QuiescenceWatch(Post& post);
  ~QuiescenceWatch();

  void Begin(const std::shared_ptr<OwnStep>& step);
  void End(int64_t step);
  void Take(int from, const Probed& answer);

 private:
  struct Watched {
    std::shared_ptr<OwnStep> step;
    int ticks_left = 1;  // until it is asked
    int patience = 1;    // how many to the next time
    int64_t round = 0;
    bool is_asked = false;
    std::map<int, Standing> answers;
  };
  void Loop();
  void Stop();
  // The same in the transport's own time.
  void TickOnce();
  // Those that are to be asked now, with the round.
  std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>> Tick() PLUMB_REQUIRES(mutex_);
  void Probe(const std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>>& due);
  void CloseReceivers(OwnStep& step, const std::map<int, Standing>& standings);

  Post& post_;
  Mutex mutex_;
  CondVar changed_;
  bool is_over_ PLUMB_GUARDED_BY(mutex_) = false;
  bool sleeps_ PLUMB_GUARDED_BY(mutex_) = false;  // until there is a step
  std::map<int64_t, Watched> watched_ PLUMB_GUARDED_BY(mutex_);
  std::thread thread_;  // where the time is everybody's
};

}  // namespace plumb::dist
