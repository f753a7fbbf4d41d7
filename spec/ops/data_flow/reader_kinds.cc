#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowReaderKinds() {
  static const OpRow rows[] = {
      {.signature = "WholeFileReaderV2() -> (reader_handle: resource<Reader>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The records of a work item are one: the content of the file that it names "
              "(rules Q51, Q53).",
       .shape = "-> []",
       .samples = {"; n = ReaderNumRecordsProducedV2: this"}},
      {.signature = "WholeFileReader() -> (reader_handle: ref string<Reader>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The records of a work item are one: the content of the file that it names "
              "(rules Q51, Q53).",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"; n = ReaderNumRecordsProduced: this"}},
      {.signature = "TextLineReaderV2() -> (reader_handle: resource<Reader>) stateful",
       .attrs = "skip_header_lines: int = 0; container: string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The records of a work item are the lines of the file that it names, but the "
              "first skip_header_lines (rules Q51, Q53).",
       .shape = "-> []",
       .samples = {"skip_header_lines=0/2: ; n = ReaderNumRecordsProducedV2: this"}},
      {.signature = "TextLineReader() -> (reader_handle: ref string<Reader>) stateful",
       .attrs = "skip_header_lines: int = 0; container: string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The records of a work item are the lines of the file that it names, but the "
              "first skip_header_lines (rules Q51, Q53).",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"skip_header_lines=0/2: ; n = ReaderNumRecordsProduced: this"},
       .deprecated = {26, "Use TextLineReaderV2"}},
      {.signature = "FixedLengthRecordReaderV2() -> (reader_handle: resource<Reader>) stateful",
       .attrs = "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; hop_bytes: int = 0; container: "
                "string = ''; shared_name: string = ''; encoding: string = ''",
       .doc = "A handle to a reader. The records of a work item are pieces of record_bytes of the file that it "
              "names, behind its header, every hop_bytes (rules Q51, Q53).",
       .shape = "-> []",
       .samples = {"header_bytes=0/4 record_bytes=3 hop_bytes=0/2: ; n = ReaderNumRecordsProducedV2: this"}},
      {.signature = "FixedLengthRecordReader() -> (reader_handle: ref string<Reader>) stateful",
       .attrs = "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; hop_bytes: int = 0; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The records of a work item are pieces of record_bytes of the file that it "
              "names, behind its header, every hop_bytes (rules Q51, Q53).",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"header_bytes=0/4 record_bytes=3 hop_bytes=0/2: ; n = ReaderNumRecordsProduced: this"},
       .deprecated = {26, "Use FixedLengthRecordReaderV2"}},
      {.signature = "TFRecordReaderV2() -> (reader_handle: resource<Reader>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; compression_type: string = ''",
       .doc = "A handle to a reader. The records of a work item are those of the record file that it names (rules "
              "Q51, Q53).",
       .shape = "-> []",
       .samples = {"compression_type='GZIP': ; n = ReaderNumRecordsProducedV2: this"}},
      {.signature = "TFRecordReader() -> (reader_handle: ref string<Reader>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; compression_type: string = ''",
       .doc = "A handle to a reader. The records of a work item are those of the record file that it names (rules "
              "Q51, Q53).",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"compression_type='GZIP': ; n = ReaderNumRecordsProduced: this"},
       .deprecated = {26, "Use TFRecordReaderV2"}},
      {.signature = "IdentityReaderV2() -> (reader_handle: resource<Reader>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The one record of a work item is the work item itself (rules Q51, Q53).",
       .shape = "-> []",
       .samples = {"; n = ReaderNumRecordsProducedV2: this"}},
      {.signature = "IdentityReader() -> (reader_handle: ref string<Reader>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''",
       .doc = "A handle to a reader. The one record of a work item is the work item itself (rules Q51, Q53).",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"; n = ReaderNumRecordsProduced: this"},
       .deprecated = {26, "Use IdentityReaderV2"}},
  };
  return rows;
}

}  // namespace plumb::topics
