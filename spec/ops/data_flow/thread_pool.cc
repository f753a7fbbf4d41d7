#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowThreadPool() {
  static const OpRow rows[] = {
      {.signature = "ThreadPoolHandle() -> (handle: resource<ThreadPool>) stateful",
       .attrs = "num_threads: int; max_intra_op_parallelism: int = 1; display_name: string; container: string = ''; "
                "shared_name: string = ''",
       .doc = "A handle to num_threads threads, from 0 to 65535, for the ops of a dataset.",
       .shape = "-> []",
       .samples = {"num_threads=2 display_name='pool': "}},
  };
  return rows;
}

}  // namespace plumb::topics
