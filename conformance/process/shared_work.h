// Pieces of work that several processes share: each takes the next piece when it is free.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "conformance/process/forked.h"

namespace plumb::conformance {

// One process's share. It may keep what later pieces of its share can use.
class PieceWorker {
 public:
  virtual ~PieceWorker() = default;
  virtual void Do(size_t piece, const Answer& answer) = 0;
};

// Does the pieces 0 to `pieces` - 1 in at most `processes` processes, or here when one is enough; each begins with a
// worker of its own. The answers come in the order of the pieces, those of a piece at once when it is done. Throws what
// a worker threw, and kInternal when its process ended otherwise before its time. The caller has one thread.
void ShareWork(size_t pieces, int processes, const std::function<std::unique_ptr<PieceWorker>()>& new_worker,
               const Answer& on_answer);

}  // namespace plumb::conformance
