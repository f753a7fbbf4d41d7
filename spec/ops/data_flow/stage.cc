#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowStage() {
  static const OpRow rows[] = {
      {.signature = "Stage(values: list(dtypes)) -> () stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Puts an element at the end of a staging area; waits while there is no room (rule Q71).",
       .gpu = "dtypes in [floats, complexes, int64]",
       .shape = "? ->",
       .samples = {"dtypes=[float32, string] shared_name='s': ([a] [b c]); "
                   "n = StageSize dtypes=[float32, string] shared_name='s':",
                   "dtypes=[float32, int64] shared_name='s': ([a] [b c]); "
                   "n = StageSize dtypes=[float32, int64] shared_name='s':",
                   "dtypes=[float32, string] shared_name='s' memory_limit=1: ([4] [3])"}},
      {.signature = "Unstage() -> (values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Takes the first element of a staging area; waits while there is none (rule Q71).",
       .gpu = "dtypes in [floats, complexes, int64]",
       .shape = "-> ?",
       .samples = {"a = Stage dtypes=[float32, string] shared_name='s': ([a] [b c]); "
                   "b = Stage dtypes=[float32, string] shared_name='s': ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s':; "
                   "n = StageSize dtypes=[float32, string] shared_name='s':",
                   "a = Stage dtypes=[float32, int64] shared_name='s': ([a] [b c]); "
                   "b = Stage dtypes=[float32, int64] shared_name='s': ([a] [b]); "
                   "dtypes=[float32, int64] shared_name='s':; "
                   "n = StageSize dtypes=[float32, int64] shared_name='s':"}},
      {.signature = "StagePeek(index: int32) -> (values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "The element of this number, which stays; waits while there are not so many (rule Q71).",
       .gpu = "dtypes in [floats, complexes, int64]",
       .shape = "? -> ?",
       .samples = {"a = Stage dtypes=[float32, string] shared_name='s': ([a] [b c]); "
                   "b = Stage dtypes=[float32, string] shared_name='s': ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': 1; "
                   "n = StageSize dtypes=[float32, string] shared_name='s':",
                   "a = Stage dtypes=[float32, int64] shared_name='s': ([a] [b c]); "
                   "b = Stage dtypes=[float32, int64] shared_name='s': ([a] [b]); "
                   "dtypes=[float32, int64] shared_name='s': 1; "
                   "n = StageSize dtypes=[float32, int64] shared_name='s':"}},
      {.signature = "StageSize() -> (size: int32) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "How many elements a staging area holds (rule Q71).",
       .gpu = "dtypes in [floats, complexes, int64]",
       .shape = "-> []",
       .samples = {"a = Stage dtypes=[float32, string] shared_name='s': ([a] [b c]); "
                   "dtypes=[float32, string] shared_name='s':",
                   "a = Stage dtypes=[float32, int64] shared_name='s': ([a] [b c]); "
                   "dtypes=[float32, int64] shared_name='s':",
                   "a = Stage dtypes=[float32, string] shared_name='s': ([a] [b c]); "
                   "b = Stage dtypes=[float32, string] shared_name='s': ([a] [b]); "
                   "p = StagePeek dtypes=[float32, string] shared_name='s': 1; "
                   "t = Unstage dtypes=[float32, string] shared_name='s':; "
                   "dtypes=[float32, string] shared_name='s':"}},
      {.signature = "StageClear() -> () stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "Takes all elements out of a staging area (rule Q71).",
       .gpu = "dtypes in [floats, complexes, int64]",
       .shape = "->",
       .samples = {"a = Stage dtypes=[float32, string] shared_name='s': ([a] [b c]); "
                   "dtypes=[float32, string] shared_name='s':; "
                   "n = StageSize dtypes=[float32, string] shared_name='s':",
                   "a = Stage dtypes=[float32, int64] shared_name='s': ([a] [b c]); "
                   "dtypes=[float32, int64] shared_name='s':; "
                   "n = StageSize dtypes=[float32, int64] shared_name='s':"}},
  };
  return rows;
}

}  // namespace plumb::topics
