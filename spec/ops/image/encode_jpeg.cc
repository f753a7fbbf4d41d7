#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ImageEncodeJpeg() {
  static const OpRow rows[] = {
      {.signature = "EncodeJpeg(image: uint8) -> (contents: string)",
       .attrs = "format: string = '' in ['', 'grayscale', 'rgb']; quality: int = 95; progressive: bool = false; "
                "optimize_size: bool = false; chroma_downsampling: bool = true; density_unit: string = 'in' in ['in', "
                "'cm']; x_density: int = 300; y_density: int = 300; xmp_metadata: string = ''",
       .doc = "An image [height, width, 1 or 3] as a JPEG file, quality from 0 to 100.",
       .shape = "[h w c] -> []",
       .samples = {"format=''/'rgb' quality=0/50/95/100 chroma_downsampling=true/false: [H W 3]",
                   "format=''/'grayscale' progressive=true/false density_unit='in'/'cm': [H W 1]",
                   "optimize_size=true/false x_density=72 y_density=96 xmp_metadata='about'/'' "
                   "progressive=true/false: [H W 3]",
                   "format='grayscale': [H W 3]", "format='rgb': [H W 1]"}},
      {.signature = "EncodeJpegVariableQuality(images: uint8, quality: int32) -> (contents: string)",
       .doc = "EncodeJpeg whose quality is an input.",
       .shape = "[h w c] ? -> []",
       .samples = {"[H W 3] 20", "[H W 1] 100", "[H W 3] 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
