// GenerateBoundingBoxProposals: anchors moved by their deltas, the best of them that do not overlap, image by image.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

struct Box {
  float y1, x1, y2, x2, area;
};

// One axis of an anchor, moved, stretched, and cut to [0, end].
void Move(float& low, float& high, float shift, float growth, float end) {
  static const auto most = static_cast<float>(std::log(1000 / 16.0));
  const float size = high - low, moved = low + 0.5F * size + size * shift;
  const float half = 0.5F * (size * std::exp(std::fmin(growth, most)));
  const auto cut = [end](float x) { return std::fmin(x, end) > 0 ? std::fmin(x, end) : 0.0F; };
  low = cut(moved - half);
  high = cut(moved + half);
}

bool Hides(const Box& a, const Box& b, float threshold) {
  if (a.area == 0 || b.area == 0) return false;
  const float width = std::max(0.0F, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
  const float height = std::max(0.0F, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
  const float intersection = width * height;
  return intersection > (a.area + b.area - intersection) * threshold;
}

struct Inputs {
  const float *scores, *deltas, *info, *anchors;
  int64_t images, boxes, considered;
  float threshold, least;
};

class BoxProposals final : public Kernel {
 public:
  explicit BoxProposals(const Node& node) : wanted_(Int32Attr(node, "post_nms_topn")) {
    Require(wanted_ > 0, "post_nms_topn must be positive, not ", wanted_);
  }

  void Run(KernelContext& context) override {
    const Inputs in = Checked(context);
    Tensor& regions = context.AllocateOutput(0, DType::kFloat, {in.images, wanted_, 4});
    Tensor& scores = context.AllocateOutput(1, DType::kFloat, {in.images, wanted_});
    float *const boxes_out = regions.mutable_data<float>().data(), *const scores_out =
                                                                       scores.mutable_data<float>().data();
    std::fill_n(boxes_out, regions.elements(), 0.0F);
    std::fill_n(scores_out, scores.elements(), 0.0F);
    context.pool().ParallelFor(in.images, GrainFor(in.boxes * 64), [&](int64_t begin, int64_t end) {
      for (int64_t image = begin; image < end; ++image) {
        Propose(in, image, boxes_out + image * wanted_ * 4, scores_out + image * wanted_);
      }
    });
  }

 private:
  Inputs Checked(const KernelContext& context) const {
    const auto shape = [&](int i) -> const Shape& { return context.input(i).shape(); };
    Require(shape(0).rank() == 4 && shape(1).rank() == 4 && shape(2).rank() == 2 && shape(3).rank() == 3,
            "scores and bbox_deltas must have rank 4, image_info 2 and anchors 3");
    const int64_t images = shape(0)[0], height = shape(0)[1], width = shape(0)[2], corners = 4 * shape(0)[3];
    Require(shape(1) == Shape({images, height, width, corners}) && shape(2) == Shape({images, 5}) &&
                shape(3) == Shape({height, width, corners}),
            "bbox_deltas, image_info and anchors of shapes ", Printed(shape(1)), ", ", Printed(shape(2)), " and ",
            Printed(shape(3)), " do not fit scores of shape ", Printed(shape(0)));
    for (int i = 4; i < 7; ++i) {
      Require(shape(i).rank() == 0, "input ", i, " must be a scalar, not of shape ", Printed(shape(i)));
    }
    const auto floats = [&](int i) { return context.input(i).data<float>().data(); };
    const float threshold = *floats(4);
    Require(threshold >= 0 && threshold <= 1, "nms_threshold ", threshold, " is not in [0, 1]");
    const int64_t considered = IntAt(context.input(5), 0);
    Require(considered > 0, "pre_nms_topn must be positive, not ", considered);
    return {floats(0),  floats(1), floats(2), floats(3), images, height * width * corners / 4,
            considered, threshold, *floats(6)};
  }

  void Propose(const Inputs& in, int64_t image, float* regions, float* out) const {
    const float *const scores = in.scores + image * in.boxes, *const info = in.info + image * 5;
    const float least = in.least * info[2];
    std::vector<Box> kept;
    for (const int64_t index : Order(in, scores)) {
      const float *const anchor = in.anchors + 4 * index, *const delta = in.deltas + 4 * (image * in.boxes + index);
      Box box{anchor[0], anchor[1], anchor[2], anchor[3], 0};
      Move(box.y1, box.y2, delta[0], delta[2], info[0]);
      Move(box.x1, box.x2, delta[1], delta[3], info[1]);
      const float height = box.y2 - box.y1, width = box.x2 - box.x1;
      if (!(std::min(width, height) >= least)) continue;
      box.area = height * width;
      const auto hides = [&](const Box& before) { return Hides(before, box, in.threshold); };
      if (std::any_of(kept.begin(), kept.end(), hides)) continue;
      kept.push_back(box);
      const float corners[] = {box.y1, box.x1, box.y2, box.x2};
      regions = std::copy(std::begin(corners), std::end(corners), regions);
      *out++ = scores[index];
      if (static_cast<int64_t>(kept.size()) == wanted_) return;
    }
  }

  // By falling score, of equal ones the first, and what is no number before all others.
  static std::vector<int64_t> Order(const Inputs& in, const float* scores) {
    std::vector<int64_t> order(static_cast<size_t>(in.boxes));
    std::iota(order.begin(), order.end(), 0);
    const auto is_before = [&](int64_t a, int64_t b) {
      const bool a_is_none = std::isnan(scores[a]), b_is_none = std::isnan(scores[b]);
      if (a_is_none != b_is_none) return a_is_none;
      return scores[a] != scores[b] && !a_is_none ? scores[a] > scores[b] : a < b;
    };
    const int64_t considered = std::min(in.boxes, in.considered);
    std::partial_sort(order.begin(), order.begin() + considered, order.end(), is_before);
    order.resize(static_cast<size_t>(considered));
    return order;
  }

  const int64_t wanted_;
};

constexpr KernelRow kRows[] = {
    {"GenerateBoundingBoxProposals", Make<BoxProposals>},
};

}  // namespace

std::span<const KernelRow> ImageBoxProposals() { return kRows; }

}  // namespace plumb::fast::cpu
