#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ParsingCompressed() {
  static const OpRow rows[] = {
      {.signature = "DecodeCompressed(bytes: string) -> (output: string)",
       .attrs = "compression_type: string = ''",
       .doc = "What was compressed as each string: as a zlib stream ('ZLIB'), as gzip streams ('GZIP'), or not at all. "
              "Of a stream that ends early what comes before.",
       .shape = "[d...] -> [d...]",
       .samples = {"compression_type='': [d...]", "compression_type='ZLIB': {x'789c734c7474040002ee0125'}",
                   "compression_type='GZIP': {x'1f8b0800f0b9006b02ff734c7474040011'}",
                   "s = Shape T=float32 out_type=int32: [n]; f = Fill T=string index_type=int32: s "
                   "x'789c734c7474040002ee0125'; compression_type='ZLIB': f"}},
  };
  return rows;
}

}  // namespace plumb::topics
