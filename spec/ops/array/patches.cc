#include <algorithm>

#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

using Sizes = std::vector<int64_t>;

const Sizes& SizesOf(const ShapeContext& c, std::string_view name, int rank) {
  const Sizes& sizes = Int32List(c.attrs(), name);
  Require(std::ssize(sizes) == rank, c.op().name, ": the attribute '", name, "' must have ", rank, " values, not ",
          sizes.size());
  return sizes;
}

// How many windows fit along a dimension; -1: unknown.
int64_t CountWindows(const ShapeContext& c, int64_t input, int64_t window, int64_t stride) {
  Require(stride > 0, c.op().name, ": strides must be positive, not ", stride);
  if (input < 0) return -1;
  if (c.attr<std::string>("padding") == "SAME") return input / stride + (input % stride != 0 ? 1 : 0);
  return SubtractSizes(c, AddSizes(input, stride), window) / stride;
}

// `rank` dimensions, of which the first is the batch and the last the depth.
PartialShape PatchesShape(const ShapeContext& c, int rank, bool has_rates) {
  const Sizes &ksizes = SizesOf(c, "ksizes", rank), &strides = SizesOf(c, "strides", rank);
  const Sizes rates = has_rates ? SizesOf(c, "rates", rank) : Sizes(rank, 1);
  PartialShape patches = WithRank(c, 0, rank);
  int64_t volume = 1;
  for (int axis = 1; axis + 1 < rank; ++axis) {
    const auto product = CheckedMultiply(volume, ksizes[axis]);
    Require(product.has_value(), c.op().name, ": patches of ", volume, " times ", ksizes[axis], " pixels");
    volume = *product;
    const int64_t window = AddSizes(MultiplySizes(c, std::max<int64_t>(ksizes[axis] - 1, 0), rates[axis]), 1);
    patches = WithDim(patches, axis, CountWindows(c, patches.dim(axis), window, strides[axis]));
  }
  Require(volume >= -1, c.op().name, ": a patch has not ", volume, " pixels");
  return WithDim(patches, rank - 1, MultiplySizes(c, patches.dim(rank - 1), volume));
}

Shapes ImagePatchesShapes(const ShapeContext& c) { return {PatchesShape(c, 4, true)}; }
Shapes VolumePatchesShapes(const ShapeContext& c) { return {PatchesShape(c, 5, false)}; }

// The patches of an image whose pixels are numbered from one say which pixel each entry of dy belongs to, zero where it
// belongs to the padding. The entries of each pixel are summed.
Values PatchesGradient(Gradient& g, const AttrMap& attrs, int rank) {
  const Endpoint shape = g.ShapeOf(g.x()), one = g.Int32s({1});
  const Endpoint batch = Part(g, shape, 0, 1), depth = Part(g, shape, rank - 1, 0);
  const Endpoint pixels = g.Call("Prod", {Part(g, shape, 1, rank - 1), Zero(g)}, {{"keep_dims", true}});
  const Endpoint count = g.Call("Squeeze", {pixels});
  const Endpoint numbers = g.Call("Range", {One(g), g.Call("AddV2", {count, One(g)}), One(g)});
  const Endpoint image = g.Call("Reshape", {numbers, Concat(g, {one, Part(g, shape, 1, rank - 1), one})});
  const Endpoint owners = g.Call("Sub", {Flat(g, g.Call(g.op().op->name, {image}, attrs)), One(g)});
  const Endpoint order = g.Int32s({1, 0, 2});
  const Endpoint entries = g.Call("Reshape", {g.dy(), Concat(g, {batch, g.ShapeOf(owners), depth})});
  const Endpoint sums = g.Call("UnsortedSegmentSum", {g.Call("Transpose", {entries, order}), owners, count});
  return {g.Call("Reshape", {g.Call("Transpose", {sums, order}), shape})};
}

Values ImagePatchesGradient(Gradient& g) {
  return PatchesGradient(g, SameAttrs(g, {"ksizes", "strides", "rates", "padding"}), 4);
}
Values VolumePatchesGradient(Gradient& g) {
  return PatchesGradient(g, SameAttrs(g, {"ksizes", "strides", "padding"}), 5);
}

}  // namespace

std::span<const OpRow> ArrayPatches() {
  static const OpRow rows[] = {
      {.signature = "ExtractImagePatches(images: T) -> (patches: T)",
       .attrs = "ksizes: list(int) >= 4; strides: list(int) >= 4; rates: list(int) >= 4; T: type in [numbers, bool]; "
                "padding: string in ['SAME', 'VALID']",
       .doc =
           "At each place of a window that slides over the images, what it shows, row by row, in place of the depth. "
           "Its pixels are `rates` apart; beyond the image they are zero.",
       .cpu = "T in [numbers]",
       .gpu = "T in [float16, float32, float64, complexes]",
       .shape_fn = ImagePatchesShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ImagePatchesGradient,
       .samples = {"ksizes=[1, 2, 3, 1] strides=[1, 1, 2, 1] rates=[1, 1, 1, 1] padding='SAME'/'VALID': [b 4 5 C]",
                   "ksizes=[1, 2, 2, 1] strides=[1, 2, 1, 1] rates=[1, 2, 3, 1] padding='SAME'/'VALID': [b 5 6 C]",
                   "ksizes=[1, 1, 1, 1] strides=[1, 1, 1, 1] rates=[1, 1, 1, 1] padding='VALID': [b h w c]",
                   "ksizes=[1, 3, 3, 1] strides=[1, 1, 1, 1] rates=[1, 1, 1, 1] padding='SAME': [b H W c]"}},
      {.signature = "ExtractVolumePatches(input: T) -> (patches: T)",
       .attrs = "ksizes: list(int) >= 5; strides: list(int) >= 5; T: type in [floats, ints]; padding: string in "
                "['SAME', 'VALID']",
       .doc = "ExtractImagePatches of images that have a third dimension.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = VolumePatchesShapes,
       .gradient = VolumePatchesGradient,
       .samples = {"ksizes=[1, 2, 1, 2, 1] strides=[1, 1, 2, 1, 1] padding='SAME'/'VALID': [b 3 3 4 C]",
                   "ksizes=[1, 1, 3, 2, 1] strides=[1, 2, 1, 3, 1] padding='SAME'/'VALID': [b 2 4 5 C]"}},
  };
  return rows;
}

}  // namespace plumb::topics
