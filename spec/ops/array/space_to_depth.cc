#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Where height, width and channels stand in a format. Blocks of four channels (NCHW_VECT_C) are a fifth dimension.
struct Layout {
  int rank, height, channels;
};

Layout LayoutOf(const ShapeContext& c) {
  const auto& format = c.attr<std::string>("data_format");
  if (format == "NHWC") return {4, 1, 3};
  return {format == "NCHW" ? 4 : 5, 2, 1};
}

int64_t Divided(const ShapeContext& c, int64_t size, int64_t by) {
  Require(size < 0 || size % by == 0, c.op().name, ": the dimension ", size, " is not a multiple of ", by);
  return size < 0 ? -1 : size / by;
}

Shapes SpaceToDepthShapes(const ShapeContext& c) {
  const Layout layout = LayoutOf(c);
  const int64_t block = Int32Attr(c.attrs(), "block_size");
  PartialShape shape = WithRank(c, 0, layout.rank);
  for (const int axis : {layout.height, layout.height + 1}) {
    shape = WithDim(shape, axis, Divided(c, shape.dim(axis), block));
  }
  const int64_t area = MultiplySizes(c, block, block);
  return {WithDim(shape, layout.channels, MultiplySizes(c, shape.dim(layout.channels), area))};
}

Shapes DepthToSpaceShapes(const ShapeContext& c) {
  const Layout layout = LayoutOf(c);
  const int64_t block = Int32Attr(c.attrs(), "block_size");
  PartialShape shape = WithRank(c, 0, layout.rank);
  for (const int axis : {layout.height, layout.height + 1}) {
    shape = WithDim(shape, axis, MultiplySizes(c, shape.dim(axis), block));
  }
  const int64_t area = MultiplySizes(c, block, block);
  return {WithDim(shape, layout.channels, Divided(c, shape.dim(layout.channels), area))};
}

Values SpaceToDepthGradient(Gradient& g) {
  return {g.Call("DepthToSpace", {g.dy()}, SameAttrs(g, {"block_size", "data_format"}))};
}
Values DepthToSpaceGradient(Gradient& g) {
  return {g.Call("SpaceToDepth", {g.dy()}, SameAttrs(g, {"block_size", "data_format"}))};
}

constexpr char kAttrs[] =
    "T: type; block_size: int >= 2; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NCHW_VECT_C']";

}  // namespace

std::span<const OpRow> ArraySpaceToDepth() {
  static const OpRow rows[] = {
      {.signature = "SpaceToDepth(input: T) -> (output: T)",
       .attrs = kAttrs,
       .doc =
           "Images whose squares of block_size pixels each way become the channels of one pixel. On a CPU images are "
           "NHWC.",
       .cpu = "T in [numbers, bool, qint8, string, resource, variant]",
       .gpu = "T in [floats]",
       .shape_fn = SpaceToDepthShapes,
       .gradient = SpaceToDepthGradient,
       .samples = {"block_size=2 data_format='NHWC': [b 4 6 c]", "block_size=3 data_format='NHWC': [b 3 9 c]",
                   "block_size=2 data_format='NHWC': [4 2 2 1]"}},
      {.signature = "DepthToSpace(input: T) -> (output: T)",
       .attrs = kAttrs,
       .doc = "Images whose pixels become squares of block_size pixels each way, with as many channels less. On a CPU "
              "images are NHWC.",
       .cpu = "T in [numbers, bool, string, resource, variant]",
       .gpu = "T in [floats]",
       .shape_fn = DepthToSpaceShapes,
       .gradient = DepthToSpaceGradient,
       .samples = {"block_size=2 data_format='NHWC': [b h w 4]", "block_size=3 data_format='NHWC': [b 2 w 18]",
                   "block_size=2 data_format='NHWC': [a 1 1 8]"}},
  };
  return rows;
}

}  // namespace plumb::topics
