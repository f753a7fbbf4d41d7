#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowMapStage() {
  static const OpRow rows[] = {
      {.signature = "MapStage(key: int64, indices: int32, values: list(fake_dtypes)) -> () stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); fake_dtypes: list(type) "
                ">= 1; container: string = ''; shared_name: string = ''",
       .doc = "Puts values under a key; the element is there once all its values are. Waits while there is no room "
              "(rules Q72, Q73).",
       .shape = "? ? ? ->",
       .samples = {"dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "n = MapSize dtypes=[float32, string] shared_name='s':",
                   "dtypes=[float32, string] fake_dtypes=[string] shared_name='s': 7 {1} ([b]); "
                   "n = MapIncompleteSize dtypes=[float32, string] shared_name='s':",
                   "a = MapStage dtypes=[float32, string] fake_dtypes=[string] shared_name='s': 7 {1} ([b c]); "
                   "dtypes=[float32, string] fake_dtypes=[float32] shared_name='s': 7 {0} ([b]); "
                   "n = MapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "MapUnstage(key: int64, indices: int32) -> (values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Takes values out of the element under a key; waits for the element (rule Q74).",
       .shape = "? ? -> ?",
       .samples = {"a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': 3 {0, 1}; "
                   "n = MapSize dtypes=[float32, string] shared_name='s':",
                   "a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[string] shared_name='s': 7 {1}; "
                   "p = MapPeek dtypes=[float32] shared_name='s': 7 {0}"}},
      {.signature = "MapPeek(key: int64, indices: int32) -> (values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Values of the element under a key, which stay; waits for the element (rule Q74).",
       .shape = "? ? -> ?",
       .samples = {"a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': 7 {0, 1}; "
                   "n = MapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "MapUnstageNoKey(indices: int32) -> (key: int64, values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Takes values out of the element with the key that was put in first, and its key; waits while there "
              "is none (rule Q74).",
       .shape = "? -> ? ?",
       .samples = {"a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': {0, 1}; "
                   "n = MapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "MapSize() -> (size: int32) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "How many elements are there with all their values (rule Q75).",
       .shape = "-> []",
       .samples = {"a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, 1} ([a] "
                   "[b c]); "
                   "p = MapPeek dtypes=[float32, string] shared_name='s': 7 {0, 1}; "
                   "t = MapUnstage dtypes=[float32, string] shared_name='s': 7 {0, 1}; "
                   "dtypes=[float32, string] shared_name='s':",
                   "a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, 1} ([a] "
                   "[b c]); "
                   "t = MapUnstageNoKey dtypes=[string] shared_name='s': {1}; "
                   "dtypes=[float32, string] shared_name='s':",
                   "a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, 1} ([a] "
                   "[b c]); "
                   "dtypes=[float32, string] shared_name='s':"}},
      {.signature = "MapIncompleteSize() -> (size: int32) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "How many elements lack values (rule Q75).",
       .shape = "-> []",
       .samples = {"a = MapStage dtypes=[float32, string] fake_dtypes=[string] shared_name='s': 7 {1} ([b c]); "
                   "dtypes=[float32, string] shared_name='s':"}},
      {.signature = "MapClear() -> () stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "Takes all elements out (rule Q75).",
       .shape = "->",
       .samples = {"a = MapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, 1} ([a] "
                   "[b c]); "
                   "dtypes=[float32, string] shared_name='s':; "
                   "n = MapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "OrderedMapStage(key: int64, indices: int32, values: list(fake_dtypes)) -> () stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); fake_dtypes: list(type) "
                ">= 1; container: string = ''; shared_name: string = ''",
       .doc = "Puts values under a key; the element is there once all its values are. Waits while there is no room "
              "(rules Q72, Q73).",
       .shape = "? ? ? ->",
       .samples = {"dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "n = OrderedMapSize dtypes=[float32, string] shared_name='s':",
                   "dtypes=[float32, string] fake_dtypes=[string] shared_name='s': 7 {1} ([b]); "
                   "n = OrderedMapIncompleteSize dtypes=[float32, string] shared_name='s':",
                   "a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[string] shared_name='s': 7 {1} ([b c]); "
                   "dtypes=[float32, string] fake_dtypes=[float32] shared_name='s': 7 {0} ([b]); "
                   "n = OrderedMapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "OrderedMapUnstage(key: int64, indices: int32) -> (values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Takes values out of the element under a key; waits for the element (rule Q74).",
       .shape = "? ? -> ?",
       .samples = {"a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': 3 {0, 1}; "
                   "n = OrderedMapSize dtypes=[float32, string] shared_name='s':",
                   "a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[string] shared_name='s': 7 {1}; "
                   "p = OrderedMapPeek dtypes=[float32] shared_name='s': 7 {0}"}},
      {.signature = "OrderedMapPeek(key: int64, indices: int32) -> (values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Values of the element under a key, which stay; waits for the element (rule Q74).",
       .shape = "? ? -> ?",
       .samples = {"a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': 7 {0, 1}; "
                   "n = OrderedMapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "OrderedMapUnstageNoKey(indices: int32) -> (key: int64, values: list(dtypes)) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type) >= 1; container: string = "
                "''; shared_name: string = ''",
       .doc = "Takes values out of the element with the smallest key, and its key; waits while there is none (rule "
              "Q74).",
       .shape = "? -> ? ?",
       .samples = {"a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 7 {0, 1} ([a] [b c]); "
                   "b = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] "
                   "shared_name='s': 3 {0, 1} ([a] [b]); "
                   "dtypes=[float32, string] shared_name='s': {0, 1}; "
                   "n = OrderedMapSize dtypes=[float32, string] shared_name='s':"}},
      {.signature = "OrderedMapSize() -> (size: int32) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "How many elements are there with all their values (rule Q75).",
       .shape = "-> []",
       .samples = {"a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, "
                   "1} ([a] [b c]); "
                   "p = OrderedMapPeek dtypes=[float32, string] shared_name='s': 7 {0, 1}; "
                   "t = OrderedMapUnstage dtypes=[float32, string] shared_name='s': 7 {0, 1}; "
                   "dtypes=[float32, string] shared_name='s':",
                   "a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, "
                   "1} ([a] [b c]); "
                   "t = OrderedMapUnstageNoKey dtypes=[string] shared_name='s': {1}; "
                   "dtypes=[float32, string] shared_name='s':",
                   "a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, "
                   "1} ([a] [b c]); "
                   "dtypes=[float32, string] shared_name='s':"}},
      {.signature = "OrderedMapIncompleteSize() -> (size: int32) stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "How many elements lack values (rule Q75).",
       .shape = "-> []",
       .samples = {"a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[string] shared_name='s': 7 {1} ([b c]); "
                   "dtypes=[float32, string] shared_name='s':"}},
      {.signature = "OrderedMapClear() -> () stateful",
       .attrs = "capacity: int = 0 >= 0; memory_limit: int = 0 >= 0; dtypes: list(type); container: string = ''; "
                "shared_name: string = ''",
       .doc = "Takes all elements out (rule Q75).",
       .shape = "->",
       .samples = {"a = OrderedMapStage dtypes=[float32, string] fake_dtypes=[float32, string] shared_name='s': 7 {0, "
                   "1} ([a] [b c]); "
                   "dtypes=[float32, string] shared_name='s':; "
                   "n = OrderedMapSize dtypes=[float32, string] shared_name='s':"}},
  };
  return rows;
}

}  // namespace plumb::topics
