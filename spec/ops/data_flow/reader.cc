#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowReader() {
  static const OpRow rows[] = {
      {.signature = "ReaderReadV2(reader_handle: resource<Reader>, queue_handle: resource<Queue>) -> (key: string, "
                    "value: string) stateful",
       .doc = "The next record and what it is called, of the work item that the reader is at, or of the next one, "
              "which the reader takes from the queue: waits while that is empty. OUT_OF_RANGE when the queue is "
              "closed and empty (rule Q51).",
       .shape = "[] [] -> [] []",
       .samples =
           {"r = IdentityReaderV2: ; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
            "r q; "
            "n = ReaderNumRecordsProducedV2: r",
            "r = TextLineReaderV2 skip_header_lines=1: ; "
            "w = WriteFile: 'a' x'610d0a620a0a63'; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q; "
            "n = ReaderReadV2: r q",
            "r = FixedLengthRecordReaderV2 header_bytes=1 record_bytes=2 footer_bytes=1 hop_bytes=1: ; "
            "w = WriteFile: 'a' 'habcdf'; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q; "
            "n = ReaderReadV2: r q",
            "r = TFRecordReaderV2: ; "
            "w = WriteFile: 'a' "
            "x'020000000000000078270b3461621cb0f0f4000000000000000029039807d8ea82a201000000000000000175de4163ae2c110a';"
            " "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q; "
            "n = ReaderReadV2: r q",
            "r = TFRecordReaderV2 compression_type='ZLIB': ; "
            "w = WriteFile: 'a' "
            "x'78da636280800a756e93c424990d1fbe400518349967b0df78d5b48811ca672cbde798bc4e47900b00fca70af3'; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q; "
            "n = ReaderReadV2: r q"}},
      {.signature = "ReaderRead(reader_handle: ref string<Reader>, queue_handle: ref string<Queue>) -> (key: "
                    "string, value: string)",
       .doc = "The next record and what it is called, of the work item that the reader is at, or of the next one, "
              "which the reader takes from the queue: waits while that is empty. OUT_OF_RANGE when the queue is "
              "closed and empty (rule Q51).",
       .shape = "[2] [2] -> [] []",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; v = WriteFile: 'a' 'text'; w = WriteFile: 'b' x'00ff0a'; "
                   "q = FIFOQueue component_types=[string]: ; "
                   "e = QueueEnqueueMany Tcomponents=[string]: q ({'b', 'a'}); "
                   "r q; "
                   "n = ReaderNumRecordsProduced: r"}},
      {.signature = "ReaderReadUpToV2(reader_handle: resource<Reader>, queue_handle: resource<Queue>, num_records: "
                    "int64) -> (keys: string, values: string) stateful",
       .doc = "At least one record, and at most num_records, all of one work item (rule Q52).",
       .shape = "[] [] [] -> [n] [n]",
       .samples =
           {"r = IdentityReaderV2: ; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
            "r q 2; "
            "n = ReaderNumWorkUnitsCompletedV2: r",
            "r = TextLineReaderV2 skip_header_lines=1: ; "
            "w = WriteFile: 'a' x'610d0a620a0a63'; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q 2; "
            "n = ReaderNumWorkUnitsCompletedV2: r",
            "r = FixedLengthRecordReaderV2 header_bytes=1 record_bytes=2 footer_bytes=1 hop_bytes=1: ; "
            "w = WriteFile: 'a' 'habcdf'; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q 2; "
            "n = ReaderNumWorkUnitsCompletedV2: r",
            "r = TFRecordReaderV2: ; "
            "w = WriteFile: 'a' "
            "x'020000000000000078270b3461621cb0f0f4000000000000000029039807d8ea82a201000000000000000175de4163ae2c110a';"
            " "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q 2; "
            "n = ReaderNumWorkUnitsCompletedV2: r",
            "r = TFRecordReaderV2 compression_type='ZLIB': ; "
            "w = WriteFile: 'a' "
            "x'78da636280800a756e93c424990d1fbe400518349967b0df78d5b48811ca672cbde798bc4e47900b00fca70af3'; "
            "q = FIFOQueueV2 component_types=[string]: ; "
            "e = QueueEnqueueManyV2 Tcomponents=[string]: q ({'a'}); "
            "r q 2; "
            "n = ReaderNumWorkUnitsCompletedV2: r"}},
      {.signature = "ReaderReadUpTo(reader_handle: ref string<Reader>, queue_handle: ref string<Queue>, "
                    "num_records: int64) -> (keys: string, values: string)",
       .doc = "At least one record, and at most num_records, all of one work item (rule Q52).",
       .shape = "[2] [2] [] -> [n] [n]",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; v = WriteFile: 'a' 'text'; w = WriteFile: 'b' x'00ff0a'; "
                   "q = FIFOQueue component_types=[string]: ; "
                   "e = QueueEnqueueMany Tcomponents=[string]: q ({'b', 'a'}); "
                   "r q 2; "
                   "n = ReaderNumRecordsProduced: r"}},
      {.signature = "ReaderNumRecordsProducedV2(reader_handle: resource<Reader>) -> (records_produced: int64) "
                    "stateful",
       .doc = "How many records have been read (rule Q51).",
       .shape = "[] -> []",
       .samples = {"r = IdentityReaderV2: ; "
                   "q = FIFOQueueV2 component_types=[string]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
                   "d = ReaderReadV2: r q; "
                   "r"}},
      {.signature = "ReaderNumRecordsProduced(reader_handle: ref string<Reader>) -> (records_produced: int64)",
       .doc = "How many records have been read (rule Q51).",
       .shape = "[2] -> []",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; "
                   "r"}},
      {.signature = "ReaderNumWorkUnitsCompletedV2(reader_handle: resource<Reader>) -> (units_completed: int64) "
                    "stateful",
       .doc = "How many work items have been read to their end (rule Q51).",
       .shape = "[] -> []",
       .samples = {"r = IdentityReaderV2: ; "
                   "q = FIFOQueueV2 component_types=[string]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
                   "d = ReaderReadV2: r q; "
                   "r"}},
      {.signature = "ReaderNumWorkUnitsCompleted(reader_handle: ref string<Reader>) -> (units_completed: int64)",
       .doc = "How many work items have been read to their end (rule Q51).",
       .shape = "[2] -> []",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; "
                   "r"}},
      {.signature = "ReaderSerializeStateV2(reader_handle: resource<Reader>) -> (state: string) stateful",
       .doc = "What a reader of whole work items has read, as a string (rule Q55).",
       .shape = "[] -> []",
       .samples = {"r = IdentityReaderV2: ; "
                   "q = FIFOQueueV2 component_types=[string]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
                   "d = ReaderReadV2: r q; "
                   "r"}},
      {.signature = "ReaderSerializeState(reader_handle: ref string<Reader>) -> (state: string)",
       .doc = "What a reader of whole work items has read, as a string (rule Q55).",
       .shape = "[2] -> []",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; "
                   "r"}},
      {.signature = "ReaderRestoreStateV2(reader_handle: resource<Reader>, state: string) -> () stateful",
       .doc = "Takes up what ReaderSerializeState has written (rule Q55).",
       .shape = "[] [] ->",
       .samples = {"r = IdentityReaderV2: ; "
                   "q = FIFOQueueV2 component_types=[string]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
                   "d = ReaderReadV2: r q; "
                   "s = ReaderSerializeStateV2: r; "
                   "f = ReaderResetV2: r; "
                   "r s; "
                   "n = ReaderNumRecordsProducedV2: r"}},
      {.signature = "ReaderRestoreState(reader_handle: ref string<Reader>, state: string) -> ()",
       .doc = "Takes up what ReaderSerializeState has written (rule Q55).",
       .shape = "[2] [] ->",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; "
                   "s = ReaderSerializeState: r; "
                   "r s; "
                   "n = ReaderNumRecordsProduced: r"}},
      {.signature = "ReaderResetV2(reader_handle: resource<Reader>) -> () stateful",
       .doc = "Makes the reader as it was when it had read nothing (rule Q56).",
       .shape = "[] ->",
       .samples = {"r = IdentityReaderV2: ; "
                   "q = FIFOQueueV2 component_types=[string]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[string]: q ([3]); "
                   "d = ReaderReadV2: r q; "
                   "r; "
                   "n = ReaderNumRecordsProducedV2: r"}},
      {.signature = "ReaderReset(reader_handle: ref string<Reader>) -> ()",
       .doc = "Makes the reader as it was when it had read nothing (rule Q56).",
       .shape = "[2] ->",
       .gradient = BlocksGradient(),
       .samples = {"r = WholeFileReader: ; "
                   "r; "
                   "n = ReaderNumRecordsProduced: r"}},
  };
  return rows;
}

}  // namespace plumb::topics
