// CropAndResize and its gradients.
#include "fastpath/formulas/image/crop_sizes.h"
#include "fastpath/gpu/image/resizing.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Crops : CropSizes {
  bool is_linear = true;

  PLUMB_GPU_WORD int64_t Pixel(int64_t image, int64_t row, int64_t column) const {
    return ((image * height + row) * width + column) * channels;
  }
  PLUMB_GPU_WORD int64_t CropPixel(int64_t box, int64_t row, int64_t column) const {
    return ((box * crop_height + row) * crop_width + column) * channels;
  }
};

bool IsLinear(const Node& node) { return GetAttrOr<std::string>(node.attrs, "method", "bilinear") == "bilinear"; }

// The boxes, as kernels see them.
struct Boxes {
  Global<const float> corners;  // top, left, bottom, right
  Global<const int32_t> images;
  Global<int64_t> slot;

  PLUMB_GPU_INLINE bool AreRefused() const { return slot[0] != 0; }
};

// The slot gets the number of a box that belongs to no image, plus 1, or that of one that is not finite, below 0.
PLUMB_GPU_KERNEL RefuseBoxes(Boxes boxes, int64_t batch) {
  for (int64_t i = First(); i < boxes.images.size; i += Stride()) {
    const int64_t image = boxes.images[i];
    if (image < 0 || image >= batch) AtomicCas(boxes.slot[0], int64_t{0}, i + 1);
    for (int k = 0; k < 4; ++k) {
      const float corner = boxes.corners[4 * i + k];
      if (corner - corner != 0.0F) AtomicCas(boxes.slot[0], int64_t{0}, -i - 1);
    }
  }
}

Boxes CheckedBoxes(GpuContext& context, int corners, const Crops& crops) {
  const Boxes boxes{context.In<float>(corners), context.In<int32_t>(corners + 1),
                    context.NewSlot([batch = crops.batch](int64_t number) {
                      if (number < 0) {
                        return Status(Code::kInvalidArgument, Str("a corner of box ", -number - 1, " is not finite"));
                      }
                      return Status(Code::kOutOfRange,
                                    Str("box ", number - 1, " belongs to none of ", batch, " images"));
                    })};
  Launch(context.stream(), LoopOver(crops.boxes), RefuseBoxes, boxes, crops.batch);
  return boxes;
}

// Where a row, or column, of a crop falls: between two of the image's, or outside.
struct AxisPlace {
  bool inside = false;
  int64_t lower = 0, upper = 0, nearest = 0;
  float fraction = 0;
};

// A side of a box on an axis of the image.
struct Side {
  float start = 0, distance = 0, end = 0;
  int64_t size = 0;

  // In float32, step by step, for the roundings decide between neighbours; the gradient of boxes has its own order.
  PLUMB_GPU_INLINE Side(float first, float last, int64_t size, int64_t crop_size, bool is_of_gradient) : size(size) {
    end = static_cast<float>(size - 1);
    if (crop_size == 1) {
      start = 0.5F * (first + last) * end;
      return;
    }
    const auto steps = static_cast<float>(crop_size - 1);
    start = first * end;
    distance = is_of_gradient ? (last - first) * (end / steps) : (last - first) * end / steps;
  }
  PLUMB_GPU_INLINE int64_t Limited(float x) const {
    const auto pixel = static_cast<int64_t>(x);
    return pixel < size - 1 ? pixel : size - 1;
  }
  PLUMB_GPU_INLINE AxisPlace At(int64_t i) const {
    const float offset = static_cast<float>(i) * distance, at = start + offset;
    AxisPlace place;
    if (!(at >= 0 && at <= end)) return place;
    place = {true, Limited(std::floor(at)), Limited(std::ceil(at)), Limited(std::round(at)), 0};
    place.fraction = at - static_cast<float>(place.lower);
    return place;
  }
};

PLUMB_GPU_INLINE Side RowsOf(const Boxes& boxes, int64_t box, const Crops& crops, bool is_of_gradient) {
  return Side(boxes.corners[4 * box], boxes.corners[4 * box + 2], crops.height, crops.crop_height, is_of_gradient);
}
PLUMB_GPU_INLINE Side ColumnsOf(const Boxes& boxes, int64_t box, const Crops& crops, bool is_of_gradient) {
  return Side(boxes.corners[4 * box + 1], boxes.corners[4 * box + 3], crops.width, crops.crop_width, is_of_gradient);
}
PLUMB_GPU_INLINE float Mixed(float low, float high, float fraction) { return low + (high - low) * fraction; }

template <class T>
PLUMB_GPU_KERNEL CropLoop(Global<const T> x, Boxes boxes, Crops crops, float outside, Global<float> y) {
  if (boxes.AreRefused()) return;
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const int64_t channel = i % crops.channels, pixel = i / crops.channels, line = pixel / crops.crop_width;
    const int64_t box = line / crops.crop_height, image = boxes.images[box];
    const AxisPlace row = RowsOf(boxes, box, crops, false).At(line % crops.crop_height);
    const AxisPlace column = ColumnsOf(boxes, box, crops, false).At(pixel % crops.crop_width);
    if (!row.inside || !column.inside) {
      y[i] = outside;
      continue;
    }
    const auto at = [&](int64_t from_row, int64_t from_column) {
      return static_cast<float>(Computed<T>::Load(x[crops.Pixel(image, from_row, from_column) + channel]));
    };
    if (!crops.is_linear) {
      y[i] = at(row.nearest, column.nearest);
      continue;
    }
    const float top = Mixed(at(row.lower, column.lower), at(row.lower, column.upper), column.fraction);
    const float low = Mixed(at(row.upper, column.lower), at(row.upper, column.upper), column.fraction);
    y[i] = Mixed(top, low, row.fraction);
  }
}

template <class T>
class CropAndResize final : public GpuKernel {
 public:
  explicit CropAndResize(const Node& node)
      : is_linear_(IsLinear(node)), outside_(GetAttrOr(node.attrs, "extrapolation_value", 0.0F)) {}
  void Run(GpuContext& context) override {
    const Crops crops{
        CropSizes::Of(context.input(0).shape(), context.input(1).shape(), context.input(2).shape(), context.input(3)),
        is_linear_};
    const Boxes boxes = CheckedBoxes(context, 1, crops);
    Tensor y = context.AllocateOutput(0, crops.crop_shape());
    Launch(context.stream(), LoopOver(y.elements()), CropLoop<T>, context.In<T>(0), boxes, crops, outside_,
           context.ViewOf<float>(y));
  }

 private:
  const bool is_linear_;
  const float outside_;
};

// What a pixel of the image has of a place of a crop.
struct Share {
  float lower = 0, upper = 0;
  bool is_lower = false, is_upper = false;
};
PLUMB_GPU_INLINE Share ShareOf(const AxisPlace& place, int64_t at, bool is_linear) {
  if (!place.inside) return {};
  if (!is_linear) return {1, 0, place.nearest == at, false};
  return {1 - place.fraction, place.fraction, place.lower == at, place.upper == at};
}

// Each element of the images collects what was cut out of it, box by box.
template <class T>
PLUMB_GPU_KERNEL CollectLoop(Global<const float> dy, Boxes boxes, Crops crops, Global<T> dx) {
  using V = typename Computed<T>::Type;
  if (boxes.AreRefused()) return;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const int64_t channel = i % crops.channels, pixel = i / crops.channels, line = pixel / crops.width;
    const int64_t column = pixel % crops.width, row = line % crops.height;
    V sum = 0;
    for (int64_t box = 0; box < crops.boxes; ++box) {
      if (boxes.images[box] != line / crops.height) continue;
      const Side rows = RowsOf(boxes, box, crops, false), columns = ColumnsOf(boxes, box, crops, false);
      const PixelRange ys = PixelsNear(row, rows.start, rows.distance, crops.crop_height);
      const PixelRange xs = PixelsNear(column, columns.start, columns.distance, crops.crop_width);
      for (int64_t y = ys.begin; y < ys.end; ++y) {
        const Share down = ShareOf(rows.At(y), row, crops.is_linear);
        if (!down.is_lower && !down.is_upper) continue;
        for (int64_t x = xs.begin; x < xs.end; ++x) {
          const Share right = ShareOf(columns.At(x), column, crops.is_linear);
          const float gradient = dy[crops.CropPixel(box, y, x) + channel];
          if (down.is_lower && right.is_lower) sum += static_cast<V>(right.lower * (down.lower * gradient));
          if (down.is_lower && right.is_upper) sum += static_cast<V>(right.upper * (down.lower * gradient));
          if (down.is_upper && right.is_lower) sum += static_cast<V>(right.lower * (down.upper * gradient));
          if (down.is_upper && right.is_upper) sum += static_cast<V>(right.upper * (down.upper * gradient));
        }
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

template <class T>
class CropAndResizeGradImage final : public GpuKernel {
 public:
  explicit CropAndResizeGradImage(const Node& node) : is_linear_(IsLinear(node)) {}
  void Run(GpuContext& context) override {
    const Crops crops{CropSizes::OfGradient(context.input(0).shape(), ImagesOfSize(context.input(3)),
                                            context.input(1).shape(), context.input(2).shape()),
                      is_linear_};
    const Boxes boxes = CheckedBoxes(context, 1, crops);
    Tensor dx = context.AllocateOutput(0, crops.image_shape());
    Launch(context.stream(), LoopOver(dx.elements()), CollectLoop<T>, context.In<float>(0), boxes, crops,
           context.ViewOf<T>(dx));
  }

 private:
  const bool is_linear_;
};

// How far a pixel of the crop follows the first corner of its box, and the second one.
struct Follows {
  float first, last;
};
PLUMB_GPU_INLINE Follows FollowsAt(int64_t size, int64_t crop_size, int64_t i) {
  const auto end = static_cast<float>(size - 1);
  if (crop_size == 1) return {end * 0.5F, end * 0.5F};
  const float last = static_cast<float>(i) * (end / static_cast<float>(crop_size - 1));
  return {end - last, last};
}

struct CornerSums {
  float of[4];
};
struct AddCorners {
  PLUMB_GPU_INLINE CornerSums operator()(CornerSums a, const CornerSums& b) const {
    for (int k = 0; k < 4; ++k) a.of[k] += b.of[k];
    return a;
  }
};

// A block for each box, whose threads take a pixel of the crop each.
template <class T>
PLUMB_GPU_KERNEL BoxLoop(Global<const float> dy, Global<const T> x, Boxes boxes, Crops crops, Teams teams,
                         Global<float> out) {
  PLUMB_GPU_SHARED(CornerSums, shared, kWarpsOfTeams);
  const int64_t box = BlockNumber(), pixels = boxes.AreRefused() ? 0 : crops.crop_height * crops.crop_width;
  const Side rows = RowsOf(boxes, box, crops, true), columns = ColumnsOf(boxes, box, crops, true);
  CornerSums sums{};
  for (int64_t pixel = ThreadNumber(); pixel < pixels; pixel += Threads()) {
    const int64_t y = pixel / crops.crop_width, z = pixel % crops.crop_width, image = boxes.images[box];
    const AxisPlace row = rows.At(y), column = columns.At(z);
    if (!row.inside || !column.inside) continue;
    float down = 0, right = 0;
    for (int64_t c = 0; c < crops.channels; ++c) {
      const auto at = [&](int64_t from_row, int64_t from_column) {
        return static_cast<float>(Computed<T>::Load(x[crops.Pixel(image, from_row, from_column) + c]));
      };
      const float tl = at(row.lower, column.lower), tr = at(row.lower, column.upper);
      const float bl = at(row.upper, column.lower), br = at(row.upper, column.upper);
      const float gradient = dy[crops.CropPixel(box, y, z) + c];
      down += ((1 - column.fraction) * (bl - tl) + column.fraction * (br - tr)) * gradient;
      right += ((1 - row.fraction) * (tr - tl) + row.fraction * (br - bl)) * gradient;
    }
    const Follows in_rows = FollowsAt(crops.height, crops.crop_height, y);
    const Follows in_columns = FollowsAt(crops.width, crops.crop_width, z);
    sums = AddCorners()(sums,
                        {down * in_rows.first, right * in_columns.first, down * in_rows.last, right * in_columns.last});
  }
  sums = MergeTeam<CornerSums>(teams, sums, shared, AddCorners());
  if (ThreadNumber() < 4) out[4 * box + ThreadNumber()] = sums.of[ThreadNumber()];
}

template <class T>
class CropAndResizeGradBoxes final : public GpuKernel {
 public:
  explicit CropAndResizeGradBoxes(const Node& node) : is_linear_(IsLinear(node)) {}
  void Run(GpuContext& context) override {
    const Crops crops{CropSizes::OfGradient(context.input(0).shape(), context.input(1).shape(),
                                            context.input(2).shape(), context.input(3).shape()),
                      is_linear_};
    const Boxes boxes = CheckedBoxes(context, 2, crops);
    Tensor out = context.AllocateOutput(0, Shape({crops.boxes, 4}));
    const Teams teams{kThreadsOfTeams};
    Launch(context.stream(), GridSize{crops.boxes, kThreadsOfTeams, true}, BoxLoop<T>, context.In<float>(0),
           context.In<T>(1), boxes, crops, teams, context.ViewOf<float>(out));
  }

 private:
  const bool is_linear_;
};

// The types that TensorFlow's kernels have on GPUs.
using PixelTypes = TypeList<float, double, Half>;

template <template <class> class K>
std::unique_ptr<GpuKernel> MakeFor(const Node& node, DType type) {
  return ForType(node, type, PixelTypes(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<K<typename decltype(tag)::Type>>(node);
  });
}
std::unique_ptr<GpuKernel> MakeGradImage(const Node& node) {
  return MakeFor<CropAndResizeGradImage>(node, node.output_types[0]);
}
std::unique_ptr<GpuKernel> MakeGradBoxes(const Node& node) {
  return MakeFor<CropAndResizeGradBoxes>(node, node.input_types[1]);
}

constexpr GpuKernelRow kRows[] = {
    {"CropAndResize", MakeForType<CropAndResize, PixelTypes>},
    {"CropAndResizeGradImage", MakeGradImage},
    {"CropAndResizeGradBoxes", MakeGradBoxes},
};

}  // namespace

std::span<const GpuKernelRow> ImageCropAndResize() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
