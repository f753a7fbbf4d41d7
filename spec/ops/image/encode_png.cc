#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ImageEncodePng() {
  static const OpRow rows[] = {
      {.signature = "EncodePng(image: T) -> (contents: string)",
       .attrs = "compression: int = -1; T: type = uint8 in [uint8, uint16]",
       .doc = "An image [height, width, 1 to 4] as a PNG file. compression is zlib's level, from 0 to 9, or -1 for its "
              "default.",
       .shape = "[h w c] -> []",
       .samples = {"compression=-1/0/1/9: [H W 3]", "[H W 1]", "[H W 2]", "[H W 4]"}},
  };
  return rows;
}

}  // namespace plumb::topics
