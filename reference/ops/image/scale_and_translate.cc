// Images scaled and moved: each pixel is a weighted mean around its place in the source.
#include <algorithm>
#include <cmath>

#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

struct Kernel1D {
  float radius;
  double (*at)(double distance);
};

double Sinc(double x) { return std::sin(M_PI * x) / (M_PI * x); }
template <int radius>
double Lanczos(double x) {
  return x > radius ? 0 : x <= 1e-3 ? 1 : Sinc(x) * Sinc(x / radius);
}
double Gaussian(double x) { return x >= 1.5 ? 0 : std::exp(-2 * x * x); }
double Box(double x) { return x < 0.5 ? 1 : x == 0.5 ? 0.5 : 0; }
double Triangle(double x) { return x < 1 ? 1 - x : 0; }
double KeysCubic(double x) {
  if (x >= 2) return 0;
  return x >= 1 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : (1.5 * x - 2.5) * x * x + 1;
}
double MitchellCubic(double x) {
  if (x >= 2) return 0;
  return x >= 1 ? ((-7.0 / 18 * x + 2) * x - 10.0 / 3) * x + 16.0 / 9 : (7.0 / 6 * x - 2) * x * x + 8.0 / 9;
}

Kernel1D KernelOf(const Node& node) {
  const auto& name = GetAttr<std::string>(node.attrs, "kernel_type");
  if (name == "lanczos1") return {1, Lanczos<1>};
  if (name == "lanczos3") return {3, Lanczos<3>};
  if (name == "lanczos5") return {5, Lanczos<5>};
  if (name == "gaussian") return {1.5f, Gaussian};
  if (name == "box") return {1, Box};
  if (name == "triangle") return {1, Triangle};
  if (name == "keyscubic") return {2, KeysCubic};
  if (name == "mitchellcubic") return {2, MitchellCubic};
  throw InvalidArgument("kernel_type '", name,
                        "' is none of lanczos1, lanczos3, lanczos5, gaussian, box, triangle, "
                        "keyscubic, mitchellcubic");
}
void CheckKernel(const Node& node) { KernelOf(node); }

// The pixels of the source around the place of one of the target, from `first` on, and their weights.
struct Span {
  int64_t first = 0;
  std::vector<Real> weights;
};

// A weight is computed in float32 from terms of the size of one.
constexpr double kWeightError = 16 * 0x1p-24;

// Places are computed in float32, step by step: what is just inside the kernel hangs on them.
Span SpanOf(const Kernel1D& kernel, const Axis& axis, int64_t i, float scale, float translation, bool antialias) {
  const float inverse = 1.0f / scale, moved = -inverse * translation;
  const float stretch = antialias ? std::max(inverse, 1.0f) : 1.0f, shrink = 1.0f / stretch;
  const float centre = static_cast<float>(i) + 0.5f, scaled = centre * inverse, place = scaled + moved;
  Span span;
  if (!(place >= 0 && place <= static_cast<float>(axis.source))) return span;
  const float reach = kernel.radius * stretch, last = static_cast<float>(axis.source - 1);
  const float low = std::ceil(place - reach - 0.5f), high = std::floor(place + reach - 0.5f);
  span.first = static_cast<int64_t>(std::clamp(low, 0.0f, last));
  const auto end = std::min(static_cast<int64_t>(std::clamp(high, 0.0f, last)), axis.source - 1) + 1;
  Sum sum;
  for (int64_t k = span.first; k < end; ++k) {
    const float distance = static_cast<float>(k) + 0.5f - place;
    span.weights.push_back(Real(kernel.at(std::fabs(distance * shrink)), kWeightError, 0));
    sum.Add(span.weights.back());
  }
  const Real total = sum.Result();
  const bool has_sum = std::fabs(total.v) >= 1000.0 * std::numeric_limits<float>::min();
  for (Real& weight : span.weights) weight = has_sum ? weight / total : Real(0);
  return span;
}

// Of the rows (0) or the columns (1); nothing where no pixel asks, however long the axis is.
std::vector<Span> SpansOf(const OpContext& c, const Resizing& r, int side) {
  if (r.target_shape().elements() == 0) return {};
  const Axis& axis = side == 0 ? r.height : r.width;
  const float scale = c.tensor(2).data<float>()[side], translation = c.tensor(3).data<float>()[side];
  std::vector<Span> spans;
  for (int64_t i = 0; i < axis.target; ++i) {
    spans.push_back(SpanOf(KernelOf(c.node), axis, i, scale, translation, c.attr<bool>("antialias")));
  }
  return spans;
}

void CheckPlacement(const OpContext& c) {
  for (const int i : {2, 3}) {
    Require(c.tensor(i).rank() == 1 && c.tensor(i).elements() == 2,
            "scale and translation must be vectors of two, not ", "of shape ", c.tensor(i).shape().ToString());
  }
  for (const float scale : c.tensor(2).data<float>()) Require(scale > 0, "scale must be positive, not ", scale);
}

void ScaleAndTranslate(OpContext& context) {
  CheckPlacement(context);
  const Resizing r = ForwardResizing(context);
  const bool certain = IsExact(context.input(2)) && IsExact(context.input(3));
  CheckResultSize(r.target_shape());
  ForKind<Real, Integer>(context.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> images(context.input(0));
    ComputeIn(DType::kFloat);
    const std::vector<Span> rows = SpansOf(context, r, 0), columns = SpansOf(context, r, 1);
    Writer<Real> target(DType::kFloat, r.target_shape());
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      Sum sum;
      for (size_t i = 0; i < rows[y].weights.size(); ++i) {
        Sum along;
        for (size_t k = 0; k < columns[x].weights.size(); ++k) {
          const int64_t from =
              r.SourceIndex(b, rows[y].first + static_cast<int64_t>(i), columns[x].first + static_cast<int64_t>(k), c);
          along.AddProduct(AsFloat(images[from]), columns[x].weights[k]);
        }
        sum.AddProduct(along.Result(), rows[y].weights[i]);
      }
      target.Set(r.TargetIndex(b, y, x, c), If(certain, sum.Result()));
    });
    context.Output(0, target.Take());
  });
}

void ScaleAndTranslateGrad(OpContext& context) {
  CheckPlacement(context);
  const Resizing r = BackwardResizing(context);
  const bool certain = IsExact(context.input(2)) && IsExact(context.input(3));
  CheckResultSize(r.source_shape());
  const Reader<Real> dy(context.input(0));
  ComputeIn(DType::kFloat);
  const std::vector<Span> rows = SpansOf(context, r, 0), columns = SpansOf(context, r, 1);
  std::vector<Sum> sums(static_cast<size_t>(r.source_shape().elements()));
  ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
    for (size_t i = 0; i < rows[y].weights.size(); ++i) {
      for (size_t k = 0; k < columns[x].weights.size(); ++k) {
        const int64_t to =
            r.SourceIndex(b, rows[y].first + static_cast<int64_t>(i), columns[x].first + static_cast<int64_t>(k), c);
        sums[to].AddProduct(dy[r.TargetIndex(b, y, x, c)], rows[y].weights[i] * columns[x].weights[k]);
      }
    }
  });
  Writer<Real> dx(DType::kFloat, r.source_shape());
  for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, If(certain, sums[i].Result()));
  context.Output(0, dx.Take());
}

constexpr KernelRow kRows[] = {
    {"ScaleAndTranslate", ScaleAndTranslate, CheckKernel},
    {"ScaleAndTranslateGrad", ScaleAndTranslateGrad, CheckKernel},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageScaleAndTranslate() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
