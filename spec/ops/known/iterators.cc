// Iterators over tf.data's datasets, and what belongs to their state.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Iterators() {
  static constexpr Signature kSignatures[] = {
      {"AnonymousIterator() -> (handle: resource) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AnonymousIteratorV2() -> (handle: resource, deleter: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AnonymousIteratorV3() -> (handle: resource) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AnonymousMemoryCache() -> (handle: resource, deleter: variant) stateful", ""},
      {"AnonymousMultiDeviceIterator() -> (handle: resource, deleter: variant) stateful",
       "devices: list(string) >= 1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AnonymousMultiDeviceIteratorV3() -> (handle: resource) stateful",
       "devices: list(string) >= 1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AnonymousRandomSeedGenerator(seed: int64, seed2: int64) -> (handle: resource, deleter: variant) stateful", ""},
      {"AnonymousSeedGenerator(seed: int64, seed2: int64, reshuffle: bool) -> (handle: resource, deleter: variant) "
       "stateful",
       ""},
      {"DeleteIterator(handle: resource, deleter: variant) -> () stateful", ""},
      {"DeleteMemoryCache(handle: resource, deleter: variant) -> () stateful", ""},
      {"DeleteMultiDeviceIterator(multi_device_iterator: resource, iterators: resource*N, deleter: variant) -> () "
       "stateful",
       "N: int >= 0"},
      {"DeleteRandomSeedGenerator(handle: resource, deleter: variant) -> () stateful", ""},
      {"DeleteSeedGenerator(handle: resource, deleter: variant) -> () stateful", ""},
      {"DeserializeIterator(resource_handle: resource, serialized: variant) -> () stateful", ""},
      {"DummyMemoryCache() -> (handle: resource) stateful", ""},
      {"DummySeedGenerator() -> (handle: resource) stateful", ""},
      {"ExperimentalIteratorGetDevice(resource: resource) -> (device: string) stateful", ""},
      {"ExperimentalStatsAggregatorHandle() -> (handle: resource) stateful",
       "container: string = ''; shared_name: string = ''"},
      {"ExperimentalStatsAggregatorSummary(iterator: resource) -> (summary: string) stateful", ""},
      {"ExperimentalThreadPoolHandle() -> (handle: resource) stateful",
       "num_threads: int; max_intra_op_parallelism: int = 1; display_name: string; container: string = ''; "
       "shared_name: string = ''"},
      {"GetOptions(input_dataset: variant) -> (serialized_options: string)", ""},
      {"Iterator() -> (handle: resource) stateful",
       "shared_name: string; container: string; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"IteratorFromStringHandle(string_handle: string) -> (resource_handle: resource) stateful",
       "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []"},
      {"IteratorFromStringHandleV2(string_handle: string) -> (resource_handle: resource) stateful",
       "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []"},
      {"IteratorGetDevice(resource: resource) -> (device: string) stateful", ""},
      {"IteratorGetNext(iterator: resource) -> (components: list(output_types)) stateful",
       "output_types: list(type); output_shapes: list(shape) >= 1"},
      {"IteratorGetNextAsOptional(iterator: resource) -> (optional: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"IteratorGetNextSync(iterator: resource) -> (components: list(output_types)) stateful",
       "output_types: list(type); output_shapes: list(shape) >= 1"},
      {"IteratorToStringHandle(resource_handle: resource) -> (string_handle: string) stateful", ""},
      {"IteratorV2() -> (handle: resource) stateful",
       "shared_name: string; container: string; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"MakeIterator(dataset: variant, iterator: resource) -> () stateful", ""},
      {"MapDefun(arguments: list(Targuments), captured_inputs: list(Tcaptured)) -> (output: list(output_types))",
       "Targuments: list(type); Tcaptured: list(type) >= 0 = []; output_types: list(type); output_shapes: list(shape) "
       ">= 1; f: func; max_intra_op_parallelism: int = 1"},
      {"MultiDeviceIterator() -> (handle: resource) stateful",
       "devices: list(string) >= 1; shared_name: string; container: string; output_types: list(type) >= 1; "
       "output_shapes: list(shape) >= 1"},
      {"MultiDeviceIteratorFromStringHandle(string_handle: string) -> (multi_device_iterator: resource) stateful",
       "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []"},
      {"MultiDeviceIteratorGetNextFromShard(multi_device_iterator: resource, shard_num: int32, incarnation_id: int64) "
       "-> (components: list(output_types)) stateful",
       "output_types: list(type); output_shapes: list(shape) >= 1"},
      {"MultiDeviceIteratorInit(dataset: variant, multi_device_iterator: resource, max_buffer_size: int64) -> "
       "(incarnation_id: int64) stateful",
       ""},
      {"MultiDeviceIteratorToStringHandle(multi_device_iterator: resource) -> (string_handle: string) stateful", ""},
      {"OneShotIterator() -> (handle: resource) stateful",
       "dataset_factory: func; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; container: string = ''; "
       "shared_name: string = ''"},
      {"SerializeIterator(resource_handle: resource) -> (serialized: variant) stateful",
       "external_state_policy: int = 0"},
      {"StatsAggregatorHandle() -> (handle: resource) stateful", "container: string = ''; shared_name: string = ''"},
      {"StatsAggregatorHandleV2() -> (handle: resource) stateful", "container: string = ''; shared_name: string = ''"},
      {"StatsAggregatorSetSummaryWriter(stats_aggregator: resource, summary: resource) -> () stateful", ""},
      {"StatsAggregatorSummary(iterator: resource) -> (summary: string) stateful", ""},
      {"XlaRngBitGenerator(algorithm: int32, initial_state: uint64, shape: Tshape) -> (output_key: uint64, output: "
       "dtype)",
       "dtype: type = uint64 in [int32, int64, uint32, uint64]; Tshape: type = int32 in [int32, int64]"},
  };
  return kSignatures;
}

}  // namespace plumb::known
