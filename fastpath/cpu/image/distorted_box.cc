// Random parts of images that cover enough of a box.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

// Of pixels; the last row and column are those behind it.
struct Rectangle {
  int64_t top, left, bottom, right;

  float Area() const { return static_cast<float>((bottom - top) * (right - left)); }
  float AreaIn(const Rectangle& other) const {
    const int64_t height = std::min(bottom, other.bottom) - std::max(top, other.top);
    const int64_t width = std::min(right, other.right) - std::max(left, other.left);
    return height < 0 || width < 0 ? 0 : static_cast<float>(height * width);
  }
};

// The nearest whole number, the even one of two; no further than a side may reach.
int64_t Rounded(float x) { return std::lrintf(std::min(x, 0x1p31f)); }

struct Limits {
  explicit Limits(const Node& node)
      : lowest_ratio(Pair(node, "aspect_ratio_range")[0]),
        highest_ratio(Pair(node, "aspect_ratio_range")[1]),
        smallest(Pair(node, "area_range")[0]),
        largest(Pair(node, "area_range")[1]) {
    Require(smallest <= 1 && largest <= 1, "area_range must not reach beyond 1, as from ", smallest, " to ", largest);
  }

  float lowest_ratio, highest_ratio;  // of width to height
  float smallest, largest;            // shares of the area of the image

 private:
  static const std::vector<float>& Pair(const Node& node, const std::string& name) {
    const auto& values = GetAttr<std::vector<float>>(node.attrs, name);
    Require(values.size() == 2, name, " must be two numbers, not ", values.size());
    Require(values[0] > 0 && values[1] > 0, name, " must be positive, not from ", values[0], " to ", values[1]);
    return values;
  }
};

// Draws parts of an image of this size, in float32, step by step.
class PartSource {
 public:
  PartSource(int64_t height, int64_t width, const Limits& limits, Philox start)
      : height_(height), width_(width), limits_(limits), words_(start) {
    least_ = limits.smallest * static_cast<float>(width);
    least_ *= static_cast<float>(height);
    most_ = limits.largest * static_cast<float>(width);
    most_ *= static_cast<float>(height);
  }

  // Whether the attempt made a part: rounding may leave none.
  bool Draw(Rectangle& part) {
    const float offset = UniformFloat(words_.Next()) * (limits_.highest_ratio - limits_.lowest_ratio);
    const float ratio = offset + limits_.lowest_ratio;
    if (!(ratio > 0) || width_ == 0 || height_ == 0 || limits_.smallest > limits_.largest) return false;
    const int64_t highest = HighestFor(ratio);
    int64_t height = std::min(Rounded(std::sqrt(least_ / ratio)), highest);
    if (height < highest) height += UniformBelow(words_, static_cast<uint32_t>(highest - height + 1));
    int64_t width = WidthFor(height, ratio);
    if (static_cast<float>(height * width) < least_) width = WidthFor(++height, ratio);
    if (static_cast<float>(height * width) > most_) width = WidthFor(--height, ratio);
    const auto area = static_cast<float>(height * width);
    if (area < least_ || area > most_ || width > width_ || height > height_ || width <= 0 || height <= 0) return false;
    const int64_t top = height < height_ ? UniformBelow(words_, static_cast<uint32_t>(height_ - height)) : 0;
    const int64_t left = width < width_ ? UniformBelow(words_, static_cast<uint32_t>(width_ - width)) : 0;
    part = {top, left, top + height, left + width};
    return true;
  }

 private:
  static int64_t WidthFor(int64_t height, float ratio) { return Rounded(static_cast<float>(height) * ratio); }

  int64_t HighestFor(float ratio) const {
    int64_t highest = Rounded(std::sqrt(most_ / ratio));
    if (WidthFor(highest, ratio) > width_) {
      const double rows = (static_cast<double>(width_) + 0.5 - double{0.0000001f}) / ratio;
      highest = static_cast<int64_t>(std::min(rows, 0x1p31));
      if (WidthFor(highest, ratio) > width_) --highest;
    }
    return std::min(highest, height_);
  }

  const int64_t height_, width_;
  const Limits limits_;
  float least_, most_;
  PhiloxWords words_;
};

class SampleDistortedBoundingBox final : public RandomKernel {
 public:
  explicit SampleDistortedBoundingBox(const Node& node)
      : RandomKernel(node),
        limits_(node),
        enough_(GetAttrOr(node.attrs, "min_object_covered", 0.0f)),
        attempts_(Int32Attr(node, "max_attempts")),
        takes_image_(GetAttrOr(node.attrs, "use_image_if_no_bounding_boxes", false)) {
    CheckEnough(enough_);
    Require(attempts_ > 0, "max_attempts must be positive, which ", attempts_, " is not");
  }

  void Run(KernelContext& context) override {
    const Philox start = stream_.Reserve(static_cast<uint64_t>(attempts_));
    const Tensor& size = context.input(0);
    Require(size.rank() == 1 && size.dim(0) == 3, "image_size must be a vector of three, not of ", "shape ",
            size.shape().ToString());
    const int64_t height = SideOf(size, 0), width = SideOf(size, 1);
    const float enough = context.num_inputs() > 2 ? EnoughIn(context.input(2)) : enough_;
    std::vector<Rectangle> boxes = BoxesIn(context.input(1), height, width);
    const Rectangle image{0, 0, height, width};
    if (boxes.empty()) {
      Require(takes_image_, "there are no boxes to cover");
      boxes.push_back(image);
    }
    PartSource source(height, width, limits_, start);
    Rectangle part = image;
    for (int64_t i = 0; i < attempts_; ++i) {
      Rectangle drawn;
      if (source.Draw(drawn) && Covers(drawn, boxes, enough)) {
        part = drawn;
        break;
      }
    }
    Write(context, part, height, width);
  }

 private:
  void CheckEnough(float enough) const {
    Require(enough >= 0, "min_object_covered must not be negative, which ", enough, " is");
  }
  float EnoughIn(const Tensor& enough) const {
    Require(enough.rank() == 0, "min_object_covered must be a scalar, not of shape ", enough.shape().ToString());
    const float value = enough.data<float>()[0];
    CheckEnough(value);
    return value;
  }
  int64_t SideOf(const Tensor& size, int64_t i) const {
    const int64_t side = VisitOneOf(IntegerTypes(), size.dtype(), int64_t{-1}, [&](auto tag) {
      return static_cast<int64_t>(size.data<typename decltype(tag)::Type>()[static_cast<size_t>(i)]);
    });
    Require(side >= 0 && side < std::numeric_limits<int32_t>::max(), "an image cannot have a side of ", side);
    return side;
  }

  std::vector<Rectangle> BoxesIn(const Tensor& given, int64_t height, int64_t width) const {
    Require(given.rank() == 3 && given.dim(2) == 4, "bounding_boxes must have the shape [batch,n,4], not ",
            given.shape().ToString());
    const auto pixel = [&](float corner, int64_t side) {
      Require(corner >= 0 && corner <= 1, "corners of boxes must be from 0 to 1, not ", corner);
      return static_cast<int64_t>(corner * static_cast<float>(side));
    };
    const float* corners = given.data<float>().data();
    std::vector<Rectangle> boxes(static_cast<size_t>(given.elements() / 4));
    for (Rectangle& box : boxes) {
      box = {pixel(corners[0], height), pixel(corners[1], width), pixel(corners[2], height), pixel(corners[3], width)};
      corners += 4;
    }
    return boxes;
  }

  // Whether a part covers enough of one of the boxes; such as have no pixel do not count.
  static bool Covers(const Rectangle& part, const std::vector<Rectangle>& boxes, float enough) {
    if (part.Area() < 1) return false;
    return std::any_of(boxes.begin(), boxes.end(), [&](const Rectangle& box) {
      return box.Area() >= 1 && part.AreaIn(box) / box.Area() >= enough;
    });
  }

  static void Write(KernelContext& context, const Rectangle& part, int64_t height, int64_t width) {
    const DType type = context.input(0).dtype();
    VisitOneOf(IntegerTypes(), type, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const auto begin = context.AllocateOutput(0, type, Shape({3})).template mutable_data<T>();
      const auto size = context.AllocateOutput(1, type, Shape({3})).template mutable_data<T>();
      begin[0] = static_cast<T>(part.top);
      begin[1] = static_cast<T>(part.left);
      begin[2] = 0;
      size[0] = static_cast<T>(part.bottom - part.top);
      size[1] = static_cast<T>(part.right - part.left);
      size[2] = static_cast<T>(-1);
      return true;
    });
    const auto box = context.AllocateOutput(2, DType::kFloat, Shape({1, 1, 4})).mutable_data<float>();
    const auto rows = static_cast<float>(height), columns = static_cast<float>(width);
    box[0] = static_cast<float>(part.top) / rows;
    box[1] = static_cast<float>(part.left) / columns;
    box[2] = static_cast<float>(part.bottom) / rows;
    box[3] = static_cast<float>(part.right) / columns;
  }

  const Limits limits_;
  const float enough_;
  const int64_t attempts_;
  const bool takes_image_;
};

constexpr KernelRow kRows[] = {
    {"SampleDistortedBoundingBox", Make<SampleDistortedBoundingBox>},
    {"SampleDistortedBoundingBoxV2", Make<SampleDistortedBoundingBox>},
};

}  // namespace

std::span<const KernelRow> ImageDistortedBox() { return kRows; }

}  // namespace plumb::fast::cpu
