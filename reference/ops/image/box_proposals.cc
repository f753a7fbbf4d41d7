// Regions that may show an object: anchors moved by their deltas, the best of them that do not overlap. Places are
// rounded to float32 step by step, because their roundings decide which boxes stay.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

Real Single(Real x) { return {static_cast<float>(x.v), x.e, 0}; }

// The lesser number; of one that is none the other.
Real Lesser(Real a, Real b) { return IsNan(a) ? b : IsNan(b) ? a : Min(a, b); }

struct Box {
  Real y1, x1, y2, x2;
  double height() const { return static_cast<float>(y2.v - y1.v); }
  double width() const { return static_cast<float>(x2.v - x1.v); }
  double area() const { return static_cast<float>(height() * width()); }
};

// One axis of an anchor, moved, stretched, and cut to [0, end].
void Move(Real& low, Real& high, Real shift, Real growth, Real end) {
  const Real most(static_cast<float>(std::log(1000 / 16.0)));
  const Real size = Single(high - low), centre = Single(low + Single(Real(0.5) * size));
  const Real moved = Single(centre + Single(size * shift)), half = Single(size * Single(Exp(Lesser(growth, most))));
  const auto cut = [&](Real x) {
    const Real inside = Lesser(x, end);
    return inside.v > 0 ? inside : Real{0, inside.e, 0};
  };
  low = cut(Single(moved - Single(Real(0.5) * half)));
  high = cut(Single(moved + Single(Real(0.5) * half)));
}

bool Hides(const Box& first, const Box& second, double threshold) {
  if (first.area() == 0 || second.area() == 0) return false;
  const auto shared = [](Real low1, Real high1, Real low2, Real high2) -> double {
    return static_cast<float>(std::max(0.0, std::min(high1.v, high2.v) - std::max(low1.v, low2.v)));
  };
  const double intersection = static_cast<float>(shared(first.x1, first.x2, second.x1, second.x2) *
                                                 shared(first.y1, first.y2, second.y1, second.y2));
  const double united = static_cast<float>(static_cast<float>(first.area() + second.area()) - intersection);
  return intersection > static_cast<float>(united * threshold);
}

struct Inputs {
  Array<Real> scores, deltas, info, anchors;
  double threshold, least;
  int64_t images, boxes, considered, wanted;

  explicit Inputs(const OpContext& c)
      : scores(Load<Real>(c.input(0))),
        deltas(Load<Real>(c.input(1))),
        info(Load<Real>(c.input(2))),
        anchors(Load<Real>(c.input(3))),
        wanted(c.attr<int64_t>("post_nms_topn")) {
    Require(scores.shape.rank() == 4 && deltas.shape.rank() == 4 && info.shape.rank() == 2 && anchors.shape.rank() == 3,
            "scores and bbox_deltas must have rank 4, image_info 2 and anchors 3");
    const int64_t height = scores.shape.dim(1), width = scores.shape.dim(2), each = scores.shape.dim(3);
    images = scores.shape.dim(0);
    Require(anchors.shape == Shape({height, width, 4 * each}) &&
                deltas.shape == Shape({images, height, width, 4 * each}) && info.shape == Shape({images, 5}),
            "anchors, bbox_deltas and image_info of shapes ", anchors.shape.ToString(), ", ", deltas.shape.ToString(),
            " and ", info.shape.ToString(), " do not fit scores of shape ", scores.shape.ToString());
    for (int i = 4; i < 7; ++i) Require(c.tensor(i).rank() == 0, "input ", i, " must be a scalar");
    threshold = LoadScalar<Real>(c.input(4)).v;
    Require(0 <= threshold && threshold <= 1, "nms_threshold must be between 0 and 1, not ", threshold);
    considered = static_cast<int64_t>(LoadScalar<Integer>(c.input(5)));
    Require(considered > 0, "pre_nms_topn must be positive, not ", considered);
    least = LoadScalar<Real>(c.input(6)).v;
    boxes = height * width * each;
  }

  // The boxes of an image by falling score, of equal ones the first, and what is no number before all others.
  std::vector<int64_t> Order(int64_t image) const {
    std::vector<int64_t> order(static_cast<size_t>(boxes));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const Real x = scores[image * boxes + a], y = scores[image * boxes + b];
      return IsNan(x) ? !IsNan(y) : x.v > y.v;
    });
    order.resize(static_cast<size_t>(std::min(boxes, considered)));
    return order;
  }

  Box Moved(int64_t image, int64_t box) const {
    const auto anchor = [&](int64_t i) { return anchors[4 * box + i]; };
    const auto delta = [&](int64_t i) { return deltas[4 * (image * boxes + box) + i]; };
    Box moved{anchor(0), anchor(1), anchor(2), anchor(3)};
    Move(moved.y1, moved.y2, delta(0), delta(2), info[5 * image]);
    Move(moved.x1, moved.x2, delta(1), delta(3), info[5 * image + 1]);
    return moved;
  }
};

void BoxProposals(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Inputs in(c);
  auto regions = MakeArray<Real>(DType::kFloat, {in.images, in.wanted, 4});
  auto scores = MakeArray<Real>(DType::kFloat, {in.images, in.wanted});
  for (int64_t image = 0; image < in.images; ++image) {
    const double least = static_cast<float>(in.least * in.info[5 * image + 2].v);
    std::vector<Box> kept;
    for (const int64_t index : in.Order(image)) {
      if (std::ssize(kept) == in.wanted) break;
      const Box box = in.Moved(image, index);
      if (!(std::min(box.width(), box.height()) >= least)) continue;
      if (std::any_of(kept.begin(), kept.end(), [&](const Box& k) { return Hides(k, box, in.threshold); })) continue;
      const int64_t at = image * in.wanted + std::ssize(kept);
      scores[at] = in.scores[image * in.boxes + index];
      const Real corners[] = {box.y1, box.x1, box.y2, box.x2};
      std::copy(std::begin(corners), std::end(corners), regions.at.begin() + 4 * at);
      kept.push_back(box);
    }
  }
  c.Output(0, Store(regions));
  c.Output(1, Store(scores));
}

void CheckProposals(const Node& node) {
  const int64_t most = Int32Attr(node, "post_nms_topn");
  Require(most > 0, "node ", node.name, ": post_nms_topn must be positive, not ", most);
}

constexpr KernelRow kRows[] = {
    {"GenerateBoundingBoxProposals", BoxProposals, CheckProposals},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageBoxProposals() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
