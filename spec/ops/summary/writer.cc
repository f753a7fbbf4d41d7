#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> SummaryWriter() {
  static const OpRow rows[] = {
      {.signature = "SummaryWriter() -> (writer: resource<SummaryWriter>) stateful",
       .attrs = "shared_name: string = ''; container: string = ''",
       .doc = "A handle to a writer of summaries, which CreateSummaryFileWriter makes.",
       .shape = "-> []",
       .samples = {"; c = CreateSummaryFileWriter: this 'logs' 10 100000 '.v2'"}},
      {.signature = "CreateSummaryFileWriter(writer: resource<SummaryWriter>, logdir: string, max_queue: int32, "
                    "flush_millis: int32, filename_suffix: string) -> () stateful",
       .doc = "Makes the writer that the handle names, unless there is one, and its event file in the folder logdir. "
              "Events go into the file when more than max_queue wait, or the last ones went flush_millis before.",
       .shape = "? ? ? ? ? ->",
       .samples = {"s = SummaryWriter: ; s 'logs' 10 100000 '.v2'; f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 0 0 '.a'; s 'other' 1 1 '.b'; "
                   "m = MatchingFiles: 'other/*'"}},
      {.signature = "WriteSummary(writer: resource<SummaryWriter>, step: int64, tensor: T, tag: string, "
                    "summary_metadata: string) -> () stateful",
       .attrs = "T: type",
       .doc = "Writes an event with the tensor under a tag, and with the metadata of a plugin, a SummaryMetadata as "
              "bytes; NOT_FOUND where there is no writer.",
       .shape = "? ? ? ? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s 7 [a b] 'tag' ''; "
                   "f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 0 0 'v2'; "
                   "s 7 [] 'tag' x'0a060a0474657874'"}},
      {.signature = "FlushSummaryWriter(writer: resource<SummaryWriter>) -> () stateful",
       .doc = "Puts all events that wait into the file; NOT_FOUND where there is no writer.",
       .shape = "? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s"}},
  };
  return rows;
}

}  // namespace plumb::topics
