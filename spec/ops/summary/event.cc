#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> SummaryEvent() {
  static const OpRow rows[] = {
      {.signature = "WriteScalarSummary(writer: resource<SummaryWriter>, step: int64, tag: string, value: T) -> () "
                    "stateful",
       .attrs = "T: type in [floats, ints]",
       .doc = "Writes an event with a number, the first one of value as a float, under a tag; NOT_FOUND where there is "
              "no writer.",
       .cpu = "T in [float16, float32, float64, ints]",
       .shape = "? ? ? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s 7 'tag' []; "
                   "f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 0 0 'v2'; s 7 'tag' [A 2]"}},
      {.signature = "WriteHistogramSummary(writer: resource<SummaryWriter>, step: int64, tag: string, values: T) -> () "
                    "stateful",
       .attrs = "T: type = float32 in [floats, ints, bool]",
       .doc = "Writes an event with what HistogramSummary makes of the values.",
       .shape = "? ? ? ? ->",
       .samples =
           {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s 7 'tag' [d...] finite; "
            "f = FlushSummaryWriter: s"}},
      {.signature =
           "WriteImageSummary(writer: resource<SummaryWriter>, step: int64, tag: string, tensor: T, bad_color: "
           "uint8) -> () stateful",
       .attrs = "max_images: int = 3 >= 1; T: type = float32 in [uint8, float64, float32, float16]",
       .doc = "Writes an event with what ImageSummary makes of the images; bad_color is a vector.",
       .shape = "? ? ? ? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; max_images=1/2: "
                   "s 7 'tag' [b 3 2 3] {7, 130, 201, 9}; f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; "
                   "s 7 'tag' [2 H W 1] {77}; f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; "
                   "s 7 'tag' [2 H W 4] {7, 130, 201, 9, 4}; f = FlushSummaryWriter: s"}},
      {.signature = "WriteAudioSummary(writer: resource<SummaryWriter>, step: int64, tag: string, tensor: float32, "
                    "sample_rate: float32) -> () stateful",
       .attrs = "max_outputs: int = 3 >= 1",
       .doc = "Writes an event with what AudioSummaryV2 makes of the sound.",
       .shape = "? ? ? ? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; max_outputs=1/2: "
                   "s 7 'tag' [b n] 8000.5; f = FlushSummaryWriter: s"}},
      {.signature = "WriteRawProtoSummary(writer: resource<SummaryWriter>, step: int64, tensor: string) -> () stateful",
       .doc = "Writes an event with the values of all these summaries, which are Summary messages as bytes; DATA_LOSS "
              "for others.",
       .shape = "? ? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; "
                   "s 7 {x'0a080a016115000080bf', ''}; f = FlushSummaryWriter: s"}},
      {.signature = "WriteGraphSummary(writer: resource<SummaryWriter>, step: int64, tensor: string) -> () stateful",
       .doc = "Writes an event with a graph, a GraphDef message as bytes; DATA_LOSS for others.",
       .shape = "? ? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s 7 x'0a030a016e'; "
                   "f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s 7 x'ffff'"}},
      {.signature = "ImportEvent(writer: resource<SummaryWriter>, event: string) -> () stateful",
       .doc = "Writes an event that is there as bytes, an Event message; DATA_LOSS for others.",
       .shape = "? ? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s x'1009'; "
                   "f = FlushSummaryWriter: s",
                   "s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s x'ffff'"}},
      {.signature = "CloseSummaryWriter(writer: resource<SummaryWriter>) -> () stateful",
       .doc = "Puts all events that wait into the file, and forgets the writer; NOT_FOUND where there is none.",
       .shape = "? ->",
       .samples = {"s = SummaryWriter: ; c = CreateSummaryFileWriter: s 'logs' 10 100000 '.v2'; s",
                   "s = SummaryWriter: ; s"}},
  };
  return rows;
}

}  // namespace plumb::topics
