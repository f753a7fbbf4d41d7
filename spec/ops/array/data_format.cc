#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

constexpr char kAttrs[] = "T: type = int32 in [int32, int64]; src_format: string = 'NHWC'; dst_format: string = 'NCHW'";

}  // namespace

std::span<const OpRow> ArrayDataFormat() {
  static const OpRow rows[] = {
      {.signature = "DataFormatDimMap(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc =
           "Numbers of dimensions of src_format as those of the same letters in dst_format. Negative ones count from "
           "the end.",
       .gpu = "all",
       .shape_fn = LikeFirst,
       .samples = {"src_format='NHWC' dst_format='NCHW': [a b] in -4..4",
                   "src_format='NCHW' dst_format='NHWC'/'HWNC': [n] in -4..4",
                   "src_format='NDHWC' dst_format='NCDHW'/'WHDCN': [] in -5..5"}},
      {.signature = "DataFormatVecPermute(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "A vector with a number for each letter of src_format, or a matrix with a pair for each, in the order of "
              "dst_format. Of the spatial letters alone where there are two less.",
       .gpu = "all",
       .shape_fn = LikeFirst,
       .samples = {"src_format='NHWC' dst_format='NCHW': [4]", "src_format='NCHW' dst_format='NHWC'/'HWNC': [4 2]",
                   "src_format='NHWC' dst_format='NCWH'/'NCHW': [2]", "src_format='NHWC' dst_format='NWHC': [2 2]",
                   "src_format='NDHWC' dst_format='NCDHW': [5]", "src_format='NDHWC' dst_format='NCWHD': [3 2]"}},
  };
  return rows;
}

}  // namespace plumb::topics
