// Boxes by falling score, without those that overlap one that was selected before.
#include <algorithm>
#include <functional>
#include <optional>
#include <queue>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

struct Limits {
  int64_t size = 0;
  double overlap = 0;  // more than this hides a box, unless `sigma` is positive
  double score = 0;    // only boxes with more than this are looked at
  double sigma = 0;    // positive: overlaps make scores smaller
};

struct Selection {
  std::vector<int64_t> boxes;
  std::vector<Real> scores;
};

struct Candidate {
  int64_t box;
  Real score;
  size_t compared;  // with so many of the selected boxes
};

// The candidate with the largest score comes first; of equal ones the first box.
struct IsWorse {
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.score.v < b.score.v || (a.score.v == b.score.v && a.box > b.box);
  }
};

// The candidate's score after the boxes selected since it was looked at last; nothing when one of them hides it.
std::optional<Real> ScoreBeside(const Selection& selected, const Candidate& candidate, const Limits& limits,
                                const std::function<double(int64_t, int64_t)>& overlap, DType dtype) {
  Real score = candidate.score;
  for (size_t k = selected.boxes.size(); k > candidate.compared; --k) {
    const double similarity = RoundTo(dtype, overlap(candidate.box, selected.boxes[k - 1]));
    if (limits.sigma > 0) {
      const auto round = [&](double x) { return RoundTo(dtype, x); };
      Real exponent = Real(round(-0.5 / limits.sigma)) * Real(similarity) * Real(similarity);
      exponent.v = round(round(round(-0.5 / limits.sigma) * similarity) * similarity);
      Real weight = Exp(exponent);
      weight.v = round(weight.v);
      score = score * weight;
      score.v = round(score.v);  // Comparisons of scores see what was rounded.
    } else if (similarity > limits.overlap) {
      return std::nullopt;
    } else if (!(similarity <= limits.overlap)) {
      score = score * Real(0);  // An overlap that is not a number leaves nothing of the score.
    }
    if (score.v <= limits.score) break;
  }
  return score;
}

Selection Select(const Value& scores, const Limits& limits, const std::function<double(int64_t, int64_t)>& overlap) {
  Require(limits.size >= 0, "max_output_size must not be negative, which ", limits.size, " is");
  const DType dtype = scores.tensor.dtype();
  ComputeIn(dtype);
  const Reader<Real> from(scores);
  std::priority_queue<Candidate, std::vector<Candidate>, IsWorse> candidates;
  for (int64_t i = 0; i < from.size(); ++i) {
    if (from[i].v > limits.score) candidates.push({i, from[i], 0});
  }
  Selection selected;
  while (std::ssize(selected.boxes) < limits.size && !candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    const auto score = ScoreBeside(selected, best, limits, overlap, dtype);
    if (score && score->v == best.score.v) {
      selected.boxes.push_back(best.box);
      selected.scores.push_back(*score);
    } else if (score && score->v > limits.score) {
      candidates.push({best.box, *score, selected.boxes.size()});
    }
  }
  return selected;
}

// The part of their union that two boxes have in common, in float32, each step rounded.
double IntersectionOverUnion(const Reader<Real>& boxes, int64_t i, int64_t j) {
  const auto at = [&](int64_t box, int64_t corner) { return boxes[4 * box + corner].v; };
  const auto low = [&](int64_t box, int64_t axis) { return std::min(at(box, axis), at(box, axis + 2)); };
  const auto high = [&](int64_t box, int64_t axis) { return std::max(at(box, axis), at(box, axis + 2)); };
  const auto round = [](double x) { return RoundTo(DType::kFloat, x); };
  const auto area = [&](int64_t box) {
    return round(round(high(box, 0) - low(box, 0)) * round(high(box, 1) - low(box, 1)));
  };
  const double of_i = area(i), of_j = area(j);
  if (of_i <= 0 || of_j <= 0) return 0;
  const auto common = [&](int64_t axis) {
    return std::max(round(std::min(high(i, axis), high(j, axis)) - std::max(low(i, axis), low(j, axis))), 0.0);
  };
  const double both = round(common(0) * common(1));
  return round(both / round(round(of_i + of_j) - both));
}

double ScalarReal(const OpContext& c, int i, std::string_view what) {
  Require(c.tensor(i).rank() == 0, what, " must be a scalar, not of shape ", c.tensor(i).shape().ToString());
  return Reader<Real>(c.input(i))[0].v;
}

Selection SelectBoxes(OpContext& c) {
  const Tensor &boxes = c.tensor(0), &scores = c.tensor(1);
  const DType dtype = boxes.dtype();
  Limits limits;
  limits.size = ScalarOf(c.tensor(2), "max_output_size");
  limits.overlap =
      RoundTo(dtype, c.num_inputs() > 3 ? ScalarReal(c, 3, "iou_threshold") : double{c.attr<float>("iou_threshold")});
  Require(limits.overlap >= 0 && limits.overlap <= 1, "iou_threshold must be from 0 to 1, not ", limits.overlap);
  limits.score = c.num_inputs() > 4 ? RoundTo(dtype, ScalarReal(c, 4, "score_threshold")) : -LargestFinite(dtype);
  limits.sigma = c.num_inputs() > 5 ? ScalarReal(c, 5, "soft_nms_sigma") : 0;
  Require(limits.sigma >= 0, "soft_nms_sigma must not be negative, which ", limits.sigma, " is");
  Require(boxes.rank() == 2 && boxes.dim(1) == 4, "boxes have four corners each, not the shape ",
          boxes.shape().ToString());
  Require(scores.rank() == 1 && scores.dim(0) == boxes.dim(0), scores.shape().ToString(),
          " is not a score for each of ", boxes.dim(0), " boxes");
  const Reader<Real> corners(c.input(0));
  return Select(c.input(1), limits, [&](int64_t i, int64_t j) { return IntersectionOverUnion(corners, i, j); });
}

Value Indices(const std::vector<int64_t>& boxes, int64_t size) {
  Writer<Integer> indices(DType::kInt32, {size});
  for (int64_t i = 0; i < size; ++i) indices.Set(i, i < std::ssize(boxes) ? Integer(boxes[i]) : Integer(0));
  return indices.Take();
}

int64_t OutputSize(const OpContext& c, const Selection& selected) {
  return c.attr<bool>("pad_to_max_output_size") ? ScalarOf(c.tensor(2), "max_output_size") : std::ssize(selected.boxes);
}

void NonMaxSuppression(OpContext& c) {
  const Selection selected = SelectBoxes(c);
  c.Output(0, Indices(selected.boxes, std::ssize(selected.boxes)));
}

void NonMaxSuppressionV4(OpContext& c) {
  const Selection selected = SelectBoxes(c);
  c.Output(0, Indices(selected.boxes, OutputSize(c, selected)));
  c.Output(1, MakeScalar(static_cast<int32_t>(selected.boxes.size())));
}

void NonMaxSuppressionV5(OpContext& c) {
  const Selection selected = SelectBoxes(c);
  const int64_t size = OutputSize(c, selected);
  Writer<Real> scores(c.tensor(1).dtype(), {size});
  for (int64_t i = 0; i < size; ++i) scores.Set(i, i < std::ssize(selected.scores) ? selected.scores[i] : Real(0));
  c.Output(0, Indices(selected.boxes, size));
  c.Output(1, scores.Take());
  c.Output(2, MakeScalar(static_cast<int32_t>(selected.boxes.size())));
}

void NonMaxSuppressionWithOverlaps(OpContext& c) {
  const Tensor &overlaps = c.tensor(0), &scores = c.tensor(1);
  Limits limits;
  limits.size = ScalarOf(c.tensor(2), "max_output_size");
  limits.overlap = ScalarReal(c, 3, "overlap_threshold");
  limits.score = ScalarReal(c, 4, "score_threshold");
  Require(overlaps.rank() == 2 && overlaps.dim(0) == overlaps.dim(1), "overlaps must be a square matrix, not of shape ",
          overlaps.shape().ToString());
  Require(scores.rank() == 1 && scores.dim(0) == overlaps.dim(0), scores.shape().ToString(),
          " is not a score for each of ", overlaps.dim(0), " boxes");
  const Reader<Real> from(c.input(0));
  const int64_t boxes = overlaps.dim(0);
  const Selection selected = Select(c.input(1), limits, [&](int64_t i, int64_t j) { return from[i * boxes + j].v; });
  c.Output(0, Indices(selected.boxes, std::ssize(selected.boxes)));
}

constexpr KernelRow kRows[] = {
    {"NonMaxSuppression", NonMaxSuppression},     {"NonMaxSuppressionV2", NonMaxSuppression},
    {"NonMaxSuppressionV3", NonMaxSuppression},   {"NonMaxSuppressionV4", NonMaxSuppressionV4},
    {"NonMaxSuppressionV5", NonMaxSuppressionV5}, {"NonMaxSuppressionWithOverlaps", NonMaxSuppressionWithOverlaps},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageNonMaxSuppression() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
