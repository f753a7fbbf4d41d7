// GenerateBoundingBoxProposals: anchors moved by their deltas, the best of them that do not overlap. For each image a
// block takes one anchor after the other, in order of their scores, and compares it with all regions at once.
#include <algorithm>
#include <cmath>
#include <string>

#include "fastpath/formulas/image/box_rule.h"
#include "fastpath/gpu/lib/sorted_order.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Of one image, whose anchors are scores [first, first + boxes): by falling score, of equal ones the first, and what is
// no number before all others.
struct ByFallingScore {
  Global<const float> scores;
  int64_t first = 0;
  PLUMB_GPU_INLINE bool operator()(int64_t a, int64_t b) const {
    const float x = scores[first + a], y = scores[first + b];
    if ((x != x) != (y != y)) return x != x;
    return x > y || (!(y > x) && a < b);
  }
};

struct Region {
  float y1, x1, y2, x2, area;
};

// The smaller number; of one number that one.
PLUMB_GPU_INLINE float Least(float a, float b) { return a != a || b < a ? b : a; }
PLUMB_GPU_INLINE float Most(float a, float b) { return a < b ? b : a; }

// One axis of an anchor, moved, stretched by no more than `most`, and cut to [0, end].
PLUMB_GPU_INLINE void Move(float& low, float& high, float shift, float growth, float most, float end) {
  const float size = high - low, moved = low + 0.5F * size + size * shift;
  const float half = 0.5F * (size * std::exp(Least(growth, most)));
  const float from = Least(moved - half, end), to = Least(moved + half, end);
  low = from > 0 ? from : 0.0F;
  high = to > 0 ? to : 0.0F;
}

PLUMB_GPU_INLINE bool Hides(const Region& a, const Region& b, float threshold) {
  if (a.area == 0 || b.area == 0) return false;
  const float width = Most(Least(b.x2, a.x2) - Most(a.x1, b.x1), 0.0F);
  const float height = Most(Least(b.y2, a.y2) - Most(a.y1, b.y1), 0.0F);
  const float intersection = width * height;
  return intersection > (a.area + b.area - intersection) * threshold;
}

struct Proposals {
  Global<const float> scores, deltas, info, anchors;
  Global<float> regions, probabilities;
  int64_t image = 0, boxes = 0, considered = 0, wanted = 0;
  float threshold = 0, least = 0, most = 0;

  PLUMB_GPU_INLINE Region Moved(int64_t box) const {
    const int64_t anchor = 4 * box, delta = 4 * (image * boxes + box);
    Region region{anchors[anchor], anchors[anchor + 1], anchors[anchor + 2], anchors[anchor + 3], 0};
    Move(region.y1, region.y2, deltas[delta], deltas[delta + 2], most, info[5 * image]);
    Move(region.x1, region.x2, deltas[delta + 1], deltas[delta + 3], most, info[5 * image + 1]);
    region.area = (region.y2 - region.y1) * (region.x2 - region.x1);
    return region;
  }
  PLUMB_GPU_INLINE bool IsLarge(const Region& region) const {
    const float height = region.y2 - region.y1, width = region.x2 - region.x1;
    return (height < width ? height : width) >= least * info[5 * image + 2];
  }
  PLUMB_GPU_INLINE Region Kept(int64_t k) const {
    const int64_t at = 4 * (image * wanted + k);
    Region region{regions[at], regions[at + 1], regions[at + 2], regions[at + 3], 0};
    region.area = (region.y2 - region.y1) * (region.x2 - region.x1);
    return region;
  }
  PLUMB_GPU_INLINE void Keep(int64_t k, const Region& region, float score) const {
    const int64_t place = image * wanted + k;
    regions[4 * place] = region.y1;
    regions[4 * place + 1] = region.x1;
    regions[4 * place + 2] = region.y2;
    regions[4 * place + 3] = region.x2;
    probabilities[place] = score;
  }
};

// One block, for one image.
PLUMB_GPU_KERNEL Propose(Global<const int64_t> order, Proposals all) {
  PLUMB_GPU_SHARED(uint32_t, hits, kWarpsOfTeams);  // of each warp: whose region hides the anchor
  int64_t found = 0;
  for (int64_t next = 0; next < all.considered && found < all.wanted; ++next) {
    const Region region = all.Moved(order[next]);
    if (!all.IsLarge(region)) continue;
    bool hidden = false;
    for (int64_t k = ThreadNumber(); k < found; k += Threads()) {
      hidden = hidden || Hides(all.Kept(k), region, all.threshold);
    }
    const uint32_t hides = BallotWarp(hidden);
    if (ThreadNumber() % kLanesOfWarp == 0) hits[ThreadNumber() / kLanesOfWarp] = hides;
    SyncBlock();
    for (int other = 0; other < kWarpsOfTeams; ++other) hidden = hidden || hits[other] != 0;
    if (!hidden && ThreadNumber() == 0) all.Keep(found, region, all.scores[all.image * all.boxes + order[next]]);
    if (!hidden) ++found;
    SyncBlock();
  }
}

class BoxProposals final : public GpuKernel {
 public:
  explicit BoxProposals(const Node& node) : wanted_(Int32Attr(node, "post_nms_topn")) {
    Require(wanted_ > 0, "post_nms_topn must be positive, not ", wanted_);
  }

  void Run(GpuContext& context) override {
    Proposals all = Checked(context);
    Tensor regions = context.AllocateOutput(0, context.OutputShape(0));
    Tensor probabilities = context.AllocateOutput(1, context.OutputShape(1));
    context.Clear(regions);
    context.Clear(probabilities);
    all.regions = context.ViewOf<float>(regions);
    all.probabilities = context.ViewOf<float>(probabilities);
    for (all.image = 0; all.image < regions.dim(0) && all.boxes > 0; ++all.image) {
      const Tensor order = InOrder(context, all.boxes, ByFallingScore{all.scores, all.image * all.boxes});
      Launch(context.stream(), GridSize{1, kThreadsOfTeams, true}, Propose, context.ViewOf<int64_t>(order), all);
    }
  }

 private:
  Proposals Checked(const GpuContext& context) const {
    const auto shape = [&](int i) -> const Shape& { return context.input(i).shape(); };
    Require(shape(0).rank() == 4, "scores must have rank 4");
    const int64_t images = shape(0)[0], height = shape(0)[1], width = shape(0)[2], corners = 4 * shape(0)[3];
    Require(shape(1) == Shape({images, height, width, corners}) && shape(2) == Shape({images, 5}) &&
                shape(3) == Shape({height, width, corners}),
            "bbox_deltas, image_info and anchors do not fit scores of the shape ", shape(0).ToString());
    Proposals all{context.In<float>(0), context.In<float>(1), context.In<float>(2), context.In<float>(3), {}, {}};
    all.threshold = RealScalarIn(context.input(4), "nms_threshold");
    Require(all.threshold >= 0 && all.threshold <= 1, "nms_threshold ", all.threshold, " is not in [0, 1]");
    const int64_t considered = IntScalarIn(context.input(5), "pre_nms_topn");
    Require(considered > 0, "pre_nms_topn must be positive, not ", considered);
    all.least = RealScalarIn(context.input(6), "min_size");
    all.most = static_cast<float>(std::log(1000 / 16.0));
    all.boxes = height * width * corners / 4;
    all.considered = std::min(all.boxes, considered);
    all.wanted = wanted_;
    return all;
  }

  const int64_t wanted_;
};

constexpr GpuKernelRow kRows[] = {
    {"GenerateBoundingBoxProposals", Make<BoxProposals>, ByHost::kNo, "nms_threshold pre_nms_topn min_size"},
};

}  // namespace

std::span<const GpuKernelRow> ImageBoxProposals() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
