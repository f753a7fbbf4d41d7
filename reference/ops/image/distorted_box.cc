// Random parts of images that cover enough of a box.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/random_stream.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

struct Rectangle {
  int64_t left = 0, top = 0, right = 0, bottom = 0;

  float area() const { return static_cast<float>((right - left) * (bottom - top)); }
};

Rectangle Intersection(const Rectangle& a, const Rectangle& b) {
  const Rectangle both{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                       std::min(a.bottom, b.bottom)};
  return both.left > both.right || both.top > both.bottom ? Rectangle() : both;
}

// Whether a part of the image covers enough of one of the boxes; such as have no pixel do not count.
bool Covers(const Rectangle& part, float enough, const std::vector<Rectangle>& boxes) {
  if (part.area() < 1) return false;
  return std::any_of(boxes.begin(), boxes.end(), [&](const Rectangle& box) {
    return !(box.area() < 1) && Intersection(part, box).area() / box.area() >= enough;
  });
}

// The nearest whole number, the even one of two; no further than a side may reach.
int64_t Rounded(float x) {
  constexpr float kFar = 0x1p31f;
  return std::lrintf(std::min(x, kFar));
}

struct Range {
  float low = 0, high = 0;
};

// The largest height whose width, times `ratio`, is not wider than the image, where even `height` is too large.
int64_t Narrowed(int64_t height, int64_t image_width, float ratio) {
  const auto is_too_wide = [&](int64_t rows) { return Rounded(static_cast<float>(rows) * ratio) > image_width; };
  if (!is_too_wide(height)) return height;
  const double most = static_cast<double>(image_width) + 0.5 - double{0.0000001f};
  const auto narrowed = static_cast<int64_t>(most / ratio);  // which is below `height`, about
  return is_too_wide(narrowed) ? narrowed - 1 : narrowed;
}

// A part with this ratio of width to height and an area within `share` of the image's, at a random place, in float32,
// step by step; nothing where rounding leaves none.
std::optional<Rectangle> RandomPart(int64_t width, int64_t height, Range share, float ratio, PhiloxWords& words) {
  if (ratio <= 0 || width <= 0 || height <= 0 || share.low > share.high) return std::nullopt;
  const auto in_pixels = [&](float part) {
    const float rows = part * static_cast<float>(width);
    return rows * static_cast<float>(height);
  };
  const Range area{in_pixels(share.low), in_pixels(share.high)};
  const int64_t most = std::min(Narrowed(Rounded(std::sqrt(area.high / ratio)), width, ratio), height);
  int64_t rows = std::min(Rounded(std::sqrt(area.low / ratio)), most);
  if (rows < most) rows += UniformBelow(words, static_cast<uint32_t>(most - rows + 1));
  const auto columns = [&] { return Rounded(static_cast<float>(rows) * ratio); };
  const auto covered = [&] { return static_cast<float>(columns() * rows); };
  if (covered() < area.low) ++rows;
  if (covered() > area.high) --rows;
  const bool fits = columns() > 0 && rows > 0 && columns() <= width && rows <= height;
  if (!fits || covered() < area.low || covered() > area.high) return std::nullopt;
  const auto start = [&](int64_t all, int64_t part) {
    return part < all ? int64_t{UniformBelow(words, static_cast<uint32_t>(all - part))} : 0;
  };
  const int64_t top = start(height, rows), left = start(width, columns());
  return Rectangle{left, top, left + columns(), top + rows};
}

Range RangeOf(const Node& node, const std::string& name) {
  const auto& values = GetAttr<std::vector<float>>(node.attrs, name);
  Require(values.size() == 2, name, " must be two numbers, not ", values.size());
  Require(values[0] > 0 && values[1] > 0, name, " must be positive, not from ", values[0], " to ", values[1]);
  return {values[0], values[1]};
}

void CheckAttributes(const Node& node) {
  if (node.attrs.contains("min_object_covered")) {
    Require(GetAttr<float>(node.attrs, "min_object_covered") >= 0, "min_object_covered must not be negative");
  }
  RangeOf(node, "aspect_ratio_range");
  const Range area = RangeOf(node, "area_range");
  Require(area.low <= 1 && area.high <= 1, "area_range must not reach beyond 1, as from ", area.low, " to ", area.high);
  Require(Int32Attr(node, "max_attempts") > 0, "max_attempts must be positive");
}

int64_t SideOf(const Value& size, int64_t i) {
  const auto side = static_cast<int64_t>(Reader<Integer>(size)[i]);
  Require(side >= 0 && side < std::numeric_limits<int32_t>::max(), "an image cannot have a side of ", side);
  return side;
}

std::vector<Rectangle> BoxesIn(const OpContext& c, int64_t width, int64_t height) {
  const Tensor& given = c.tensor(1);
  Require(given.rank() == 3 && given.dim(2) == 4, "bounding_boxes must have the shape [batch,n,4], not ",
          given.shape().ToString());
  const auto corners = given.data<float>();
  const auto pixel = [&](int64_t i, int64_t side) {
    Require(corners[i] >= 0 && corners[i] <= 1, "corners of boxes must be from 0 to 1, not ", corners[i]);
    return static_cast<int64_t>(corners[i] * static_cast<float>(side));
  };
  std::vector<Rectangle> boxes;
  for (int64_t i = 0; i < given.elements(); i += 4) {
    boxes.push_back({pixel(i + 1, width), pixel(i, height), pixel(i + 3, width), pixel(i + 2, height)});
  }
  return boxes;
}

float EnoughCovered(const OpContext& c) {
  if (c.num_inputs() == 2) return c.attr<float>("min_object_covered");
  Require(c.tensor(2).rank() == 0, "min_object_covered must be a scalar, not of shape ",
          c.tensor(2).shape().ToString());
  const float enough = c.tensor(2).data<float>()[0];
  Require(enough >= 0, "min_object_covered must not be negative, which ", enough, " is");
  return enough;
}

void WritePart(OpContext& c, const Rectangle& part, int64_t width, int64_t height) {
  const DType type = c.tensor(0).dtype();
  const auto vector = [&](int64_t first, int64_t second, int64_t third) {
    Writer<Integer> numbers(type, {3});
    numbers.Set(0, Integer(first));
    numbers.Set(1, Integer(second));
    numbers.Set(2, Integer(third));
    return numbers.Take();
  };
  c.Output(0, vector(part.top, part.left, 0));
  c.Output(1, vector(part.bottom - part.top, part.right - part.left, -1));
  const auto share = [](int64_t at, int64_t side) { return static_cast<float>(at) / static_cast<float>(side); };
  const std::vector<float> box = {share(part.top, height), share(part.left, width), share(part.bottom, height),
                                  share(part.right, width)};
  c.Output(2, MakeTensor<float>({1, 1, 4}, std::span<const float>(box)));
}

void SampleDistortedBoundingBox(OpContext& c) {
  const auto attempts = c.attr<int64_t>("max_attempts");
  PhiloxWords words(ReserveBlocks(c, static_cast<uint64_t>(attempts)));
  const Tensor& image_size = c.tensor(0);
  Require(image_size.rank() == 1 && image_size.dim(0) == 3, "image_size must be a vector of three, not of shape ",
          image_size.shape().ToString());
  const int64_t height = SideOf(c.input(0), 0), width = SideOf(c.input(0), 1);
  const float enough = EnoughCovered(c);
  std::vector<Rectangle> boxes = BoxesIn(c, width, height);
  const Rectangle image{0, 0, width, height};
  if (boxes.empty()) {
    Require(c.attr<bool>("use_image_if_no_bounding_boxes"), "there are no boxes to cover");
    boxes.push_back(image);
  }
  const Range area = RangeOf(c.node, "area_range"), ratios = RangeOf(c.node, "aspect_ratio_range");
  for (int64_t i = 0; i < attempts; ++i) {
    const float offset = UniformFloat(words.Next()) * (ratios.high - ratios.low);
    const auto part = RandomPart(width, height, area, offset + ratios.low, words);
    if (part && Covers(*part, enough, boxes)) return WritePart(c, *part, width, height);
  }
  WritePart(c, image, width, height);
}

constexpr KernelRow kRows[] = {
    {"SampleDistortedBoundingBox", SampleDistortedBoundingBox, CheckAttributes},
    {"SampleDistortedBoundingBoxV2", SampleDistortedBoundingBox, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageDistortedBox() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
