#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ImageEncodePng() {
  static const OpRow rows[] = {
      {.signature = "EncodePng(image: T) -> (contents: string)",
       .attrs = "compression: int = -1; T: type = uint8 in [uint8, uint16]",
       .doc =
           "Images [..., height, width, 1 to 4] as PNG files. compression is zlib's level, from 0 to 9, or -1 for its "
           "default.",
       .shape = "[b... h w c] -> [b...]",
       .samples = {"compression=-1/0/1/9: [H W 3]", "[b... H W 1]", "[H W 2]", "[b H W 4]"}},
  };
  return rows;
}

}  // namespace plumb::topics
