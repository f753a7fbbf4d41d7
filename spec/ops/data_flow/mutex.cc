#include "spec/ops/op_def.h"

namespace plumb::topics {
std::span<const OpRow> DataFlowMutex() {
  static const OpRow rows[] = {
      {.signature = "MutexV2() -> (resource: resource<Mutex>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''",
       .doc = "A handle to a mutex (rule M1).",
       .shape = "-> []",
       .samples = {"; l = MutexLock: this; r = Rank T=variant: l"}},
      {.signature = "MutexLock(mutex: resource<Mutex>) -> (mutex_lock: variant) stateful",
       .doc = "Waits for the mutex, and holds it until ConsumeMutexLock takes the lock, or the step ends (rule M1).",
       .shape = "? -> []",
       .samples = {"m = MutexV2: ; m; c = ConsumeMutexLock: this; l = MutexLock: m; r = Rank T=variant: l"}},
      {.signature = "ConsumeMutexLock(mutex_lock: variant) -> () stateful",
       .doc = "Gives up a lock that MutexLock has taken (rule M1).",
       .shape = "? ->",
       .samples = {"m = MutexV2: ; l = MutexLock: m; l; k = MutexLock: m; r = Rank T=variant: k"}},
  };
  return rows;
}

}  // namespace plumb::topics
