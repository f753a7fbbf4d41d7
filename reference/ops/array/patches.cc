// What a window shows at each place as it slides over images.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/window.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

constexpr int kMostSpace = 3;

// Between batch and depth; images have a third dimension of one.
struct Space {
  Window axis[kMostSpace];
  int64_t batch = 0, depth = 0;
  int first = 0;  // of the dimensions that the images have
};

// An attribute with one value for each dimension, which leaves batch and depth alone.
int64_t ValueAt(const Node& node, std::string_view name, int rank, int dimension) {
  const auto& values = GetAttr<std::vector<int64_t>>(node.attrs, name);
  Require(std::ssize(values) == rank, name, " must have ", rank, " values, not ", values.size());
  for (const int64_t value : values) AsInt32(node, name, value);
  if (values.front() != 1 || values.back() != 1) {
    throw Unimplemented(name, " must be 1 along the batch and along the depth");
  }
  const int64_t value = values[static_cast<size_t>(dimension)];
  if (value < 1) throw Error(Code::kOutOfRange, Str(name, " must be positive, not ", value));
  return value;
}

void CheckAttributes(const Node& node) {
  const bool has_rates = node.attrs.contains("rates");
  const int rank = has_rates ? 4 : 5;
  for (const char* name : {"ksizes", "strides", "rates"}) {
    if (!has_rates && std::string_view(name) == "rates") continue;
    for (int dimension = 1; dimension + 1 < rank; ++dimension) ValueAt(node, name, rank, dimension);
  }
}

Space SpaceOf(const Node& node, const Shape& shape) {
  const bool has_rates = node.attrs.contains("rates");
  const int rank = has_rates ? 4 : 5;
  Require(shape.rank() == rank, "the input must have ", rank, " dimensions, not the shape ", shape.ToString());
  const Padding padding{GetAttr<std::string>(node.attrs, "padding")};
  Space space;
  space.batch = shape.dim(0);
  space.depth = shape.dim(rank - 1);
  space.first = kMostSpace - (rank - 2);
  for (int i = 0; i < kMostSpace; ++i) space.axis[i] = MakeWindow(1, 1, 1, 1, padding);
  for (int i = space.first; i < kMostSpace; ++i) {
    const int dimension = i - space.first + 1;
    const int64_t rate = has_rates ? ValueAt(node, "rates", rank, dimension) : 1;
    space.axis[i] = MakeWindow(shape.dim(dimension), ValueAt(node, "ksizes", rank, dimension),
                               ValueAt(node, "strides", rank, dimension), rate, padding);
    Window& axis = space.axis[i];
    // Windows lie in the middle of a volume, also where they leave some of it out.
    if (!has_rates && padding.kind == "SAME") {
      axis.before = ((axis.out - 1) * axis.stride + axis.kernel - axis.in) / 2;
    }
  }
  return space;
}

Shape PatchesShape(const Space& space) {
  std::vector<int64_t> dims = {space.batch};
  Integer depth = space.depth;
  for (int i = space.first; i < kMostSpace; ++i) {
    dims.push_back(space.axis[i].out);
    depth *= space.axis[i].kernel;
    Require(Wrap(depth, DType::kInt64) == depth, "the patches are too large");
  }
  dims.push_back(static_cast<int64_t>(depth));
  return Shape(dims);
}

std::vector<Tap> AllTaps(const Window& window) {
  std::vector<Tap> all;
  for (const auto& taps : window.TapsBy(&Tap::out)) all.insert(all.end(), taps.begin(), taps.end());
  return all;
}

void ExtractPatches(OpContext& c) {
  const Space space = SpaceOf(c.node, c.tensor(0).shape());
  const Window &z = space.axis[0], &y = space.axis[1], &x = space.axis[2];
  const Shape shape = PatchesShape(space);
  Assembly patches(c.tensor(0).dtype(), shape);
  if (shape.elements() == 0 || c.tensor(0).elements() == 0) return c.Output(0, patches.Take());
  const std::vector<Tap> planes = AllTaps(z), rows = AllTaps(y), columns = AllTaps(x);
  const int64_t window = z.kernel * y.kernel * x.kernel;
  for (int64_t b = 0; b < space.batch; ++b) {
    for (const Tap& p : planes) {
      for (const Tap& r : rows) {
        for (const Tap& t : columns) {
          const int64_t from = ((b * z.in + p.in) * y.in + r.in) * x.in + t.in;
          const int64_t place = ((b * z.out + p.out) * y.out + r.out) * x.out + t.out;
          const int64_t part = (p.kernel * y.kernel + r.kernel) * x.kernel + t.kernel;
          patches.Copy((place * window + part) * space.depth, c.input(0), from * space.depth, space.depth);
        }
      }
    }
  }
  c.Output(0, patches.Take());
}

constexpr KernelRow kRows[] = {
    {"ExtractImagePatches", ExtractPatches, CheckAttributes},
    {"ExtractVolumePatches", ExtractPatches, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayPatches() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
