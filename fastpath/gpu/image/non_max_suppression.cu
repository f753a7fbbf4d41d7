// NonMaxSuppression from V2 to V4: boxes by falling score, without those that overlap one that was selected before. A
// block takes one candidate after the other, and compares it with all selected boxes at once; the host waits for how
// many there are.
#include <algorithm>
#include <limits>

#include "fastpath/formulas/image/box_rule.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/sorted_order.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Selection {
  int64_t most = 0;
  float overlap = 0;  // more than this hides a box
  float score = 0;    // only boxes with more than this are looked at
};

// Higher scores first, of equal ones the box that stands before; NaN behind all numbers.
struct ByScore {
  Global<const float> scores;
  PLUMB_GPU_INLINE bool operator()(int64_t a, int64_t b) const {
    const float x = scores[a], y = scores[b];
    if ((x != x) != (y != y)) return y != y;
    return x > y || (!(y > x) && a < b);
  }
};

struct Box {
  float top, bottom, left, right, area;
};
PLUMB_GPU_INLINE float Lower(float a, float b) { return b < a ? b : a; }
PLUMB_GPU_INLINE float Higher(float a, float b) { return a < b ? b : a; }
PLUMB_GPU_INLINE Box BoxAt(const Global<const float>& corners, int64_t i) {
  const float y = corners[4 * i], x = corners[4 * i + 1], v = corners[4 * i + 2], u = corners[4 * i + 3];
  Box box{Lower(y, v), Higher(y, v), Lower(x, u), Higher(x, u), 0};
  box.area = (box.bottom - box.top) * (box.right - box.left);
  return box;
}
// The part of their union that two boxes have in common, step by step.
PLUMB_GPU_INLINE float OverlapOf(const Box& a, const Box& b) {
  if (a.area <= 0 || b.area <= 0) return 0;
  const float height = Higher(Lower(a.bottom, b.bottom) - Higher(a.top, b.top), 0);
  const float width = Higher(Lower(a.right, b.right) - Higher(a.left, b.left), 0);
  const float both = height * width;
  return both / (a.area + b.area - both);
}

// Boxes that wait again, with another score than their own: those of whose overlaps one is no number.
struct Again {
  Global<int64_t> boxes;
  Global<float> scores;
  Global<int64_t> compared;  // with so many of the selected boxes
};

struct Candidate {
  int64_t box = -1, compared = 0, again = -1;  // again: its place among those that wait again
  float score = 0;
};

// The next candidate: of those in order from `next` on, or that wait again, of which there are `waiting`.
PLUMB_GPU_INLINE Candidate NextOf(const Global<const float>& scores, const Global<const int64_t>& order, int64_t next,
                                  const Again& again, int64_t waiting, float limit) {
  Candidate best;
  if (next < order.size && scores[order[next]] > limit) best = {order[next], 0, -1, scores[order[next]]};
  for (int64_t i = 0; i < waiting; ++i) {
    const float score = again.scores[i];
    const int64_t box = again.boxes[i];
    if (box < 0) continue;
    const bool is_better = best.box < 0 || score > best.score || (score == best.score && box < best.box);
    if (is_better) best = {box, again.compared[i], i, score};
  }
  return best;
}

// One block. selected has room for as many as may be selected; count gets how many are.
PLUMB_GPU_KERNEL Select(Global<const float> corners, Global<const float> scores, Global<const int64_t> order,
                        Selection limits, Again again, Global<int32_t> selected, Global<int32_t> count) {
  PLUMB_GPU_SHARED(uint32_t, hits, 2 * kWarpsOfTeams);  // of each warp: who is hidden, whose overlap is no number
  const int warp = ThreadNumber() / kLanesOfWarp;
  int64_t next = 0, found = 0, waiting = 0;
  while (found < selected.size) {
    Candidate candidate = NextOf(scores, order, next, again, waiting, limits.score);
    if (candidate.box < 0) break;
    const Box box = BoxAt(corners, candidate.box);
    bool hidden = false, no_number = false;
    for (int64_t k = candidate.compared + ThreadNumber(); k < found; k += Threads()) {
      const float overlap = OverlapOf(box, BoxAt(corners, selected[k]));
      hidden = hidden || overlap > limits.overlap;
      no_number = no_number || overlap != overlap;
    }
    const uint32_t hides = BallotWarp(hidden), lacks = BallotWarp(no_number);
    if (ThreadNumber() % kLanesOfWarp == 0) {
      hits[2 * warp] = hides;
      hits[2 * warp + 1] = lacks;
    }
    SyncBlock();
    for (int other = 0; other < kWarpsOfTeams; ++other) {
      const uint32_t other_hides = hits[2 * other], other_lacks = hits[2 * other + 1];
      hidden = hidden || other_hides != 0;
      no_number = no_number || other_lacks != 0;
    }
    // An overlap that is no number leaves nothing of the score.
    const float score = no_number ? candidate.score * 0 : candidate.score;
    const bool is_selected = !hidden && score == candidate.score;
    const bool waits = !hidden && !is_selected && score > limits.score;
    if (ThreadNumber() == 0) {
      if (candidate.again >= 0) again.boxes[candidate.again] = -1;
      if (is_selected) selected[found] = static_cast<int32_t>(candidate.box);
      if (waits) {
        again.boxes[waiting] = candidate.box;
        again.scores[waiting] = score;
        again.compared[waiting] = found;
      }
    }
    if (candidate.again < 0) ++next;
    if (is_selected) ++found;
    if (waits) ++waiting;
    SyncBlock();
  }
  if (ThreadNumber() == 0) count[0] = static_cast<int32_t>(found);
}

// The selected boxes, and zeros behind them.
PLUMB_GPU_KERNEL PadLoop(Global<const int32_t> selected, Global<const int32_t> count, Global<int32_t> indices) {
  for (int64_t i = First(); i < indices.size; i += Stride()) indices[i] = i < count[0] ? int32_t{selected[i]} : 0;
}

class NonMaxSuppression final : public GpuKernel {
 public:
  explicit NonMaxSuppression(const Node& node)
      : counts_(node.output_types.size() > 1), pads_(GetAttrOr(node.attrs, "pad_to_max_output_size", false)) {}
  void Run(GpuContext& context) override {
    Selection limits;
    limits.most = IntScalarIn(context.input(2), "max_output_size");
    limits.overlap = RealScalarIn(context.input(3), "iou_threshold");
    limits.score = context.num_inputs() > 4 ? RealScalarIn(context.input(4), "score_threshold")
                                            : std::numeric_limits<float>::lowest();
    CheckSelection(limits.most, limits.overlap);
    CheckBoxes(context.input(0).shape(), context.input(1).shape());
    Tensor selected = context.Scratch(DType::kInt32, Shape({std::min(limits.most, context.input(0).dim(0))}));
    Tensor count = counts_ ? context.AllocateOutput(1, Shape()) : context.Scratch(DType::kInt32, Shape());
    SelectInto(context, limits, selected, count);
    const int64_t size = pads_ ? limits.most : BringNumbers(context, count).front();
    Tensor indices = context.AllocateOutput(0, Shape({size}));
    Launch(context.stream(), LoopOver(size), PadLoop, context.ViewOf<int32_t>(selected), context.ViewOf<int32_t>(count),
           context.ViewOf<int32_t>(indices));
  }

 private:
  static void SelectInto(GpuContext& context, const Selection& limits, Tensor& selected, Tensor& count) {
    const int64_t boxes = context.input(0).dim(0);
    const Tensor order = InOrder(context, boxes, ByScore{context.In<float>(1)});
    // Each box waits again once at most: its score is zero from then on, and stays.
    const Shape waiting({boxes});
    Tensor again = context.Scratch(DType::kInt64, waiting), scores = context.Scratch(DType::kFloat, waiting);
    Tensor compared = context.Scratch(DType::kInt64, waiting);
    Launch(context.stream(), GridSize{1, kThreadsOfTeams, true}, Select, context.In<float>(0), context.In<float>(1),
           context.ViewOf<int64_t>(order), limits,
           Again{context.ViewOf<int64_t>(again), context.ViewOf<float>(scores), context.ViewOf<int64_t>(compared)},
           context.ViewOf<int32_t>(selected), context.ViewOf<int32_t>(count));
  }

  const bool counts_, pads_;
};

constexpr GpuKernelRow kRows[] = {
    {"NonMaxSuppressionV2", Make<NonMaxSuppression>, ByHost::kNo, "max_output_size iou_threshold"},
    {"NonMaxSuppressionV3", Make<NonMaxSuppression>, ByHost::kNo, "max_output_size iou_threshold score_threshold"},
    {"NonMaxSuppressionV4", Make<NonMaxSuppression>, ByHost::kNo, "max_output_size iou_threshold score_threshold"},
};

}  // namespace

std::span<const GpuKernelRow> ImageNonMaxSuppression() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
