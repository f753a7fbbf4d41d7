// Boxes by falling score, without those that overlap one that was selected before.
#include <algorithm>
#include <functional>
#include <limits>
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

// ---- All classes together ------------------------------------------------------------------------------------------

struct Detection {
  int64_t box = -1;  // of all boxes; -1: none
  Real score = Real(-std::numeric_limits<double>::infinity());
  int64_t category = 0;
};

struct Combined {
  const Reader<Real> boxes, scores;
  int64_t entries, count, kinds, categories;  // kinds of boxes: one, or one for each category
  int64_t most;                               // of a category
  double overlap, score;
};

// The boxes of one category of a batch entry, by falling score. Which of equal ones comes first is up to the heap: as
// TensorFlow's, it is that of the standard library, filled box by box.
std::vector<Detection> Selected(const Combined& all, int64_t entry, int64_t category) {
  const auto is_worse = [](const Detection& a, const Detection& b) { return a.score.v < b.score.v; };
  std::priority_queue<Detection, std::vector<Detection>, decltype(is_worse)> candidates(is_worse);
  for (int64_t i = 0; i < all.count; ++i) {
    const Real score = all.scores[(entry * all.count + i) * all.categories + category];
    const int64_t box = (entry * all.count + i) * all.kinds + (all.kinds > 1 ? category : 0);
    if (score.v > all.score) candidates.push({box, score, category});
  }
  std::vector<Detection> selected;
  for (; std::ssize(selected) < all.most && !candidates.empty(); candidates.pop()) {
    const Detection& next = candidates.top();
    const bool is_hidden = std::any_of(selected.begin(), selected.end(), [&](const Detection& before) {
      return IntersectionOverUnion(all.boxes, next.box, before.box) > all.overlap;
    });
    if (!is_hidden) selected.push_back(next);
  }
  selected.resize(static_cast<size_t>(all.most));
  return selected;
}

// Of all categories, by falling score; equal scores in the order of the standard library's sort, as TensorFlow has it.
std::vector<Detection> Detected(const Combined& all, int64_t entry) {
  std::vector<Detection> detections;
  for (int64_t category = 0; category < all.categories; ++category) {
    const auto selected = Selected(all, entry, category);
    detections.insert(detections.end(), selected.begin(), selected.end());
  }
  std::sort(detections.begin(), detections.end(),
            [](const Detection& a, const Detection& b) { return a.score.v > b.score.v; });
  std::erase_if(detections, [](const Detection& detection) { return detection.box < 0; });
  return detections;
}

Combined CombinedInputs(const OpContext& c) {
  const Shape &boxes = c.tensor(0).shape(), &scores = c.tensor(1).shape();
  Require(boxes.rank() == 4 && boxes.dim(3) == 4, "boxes have a batch, boxes, classes and four corners, not the shape ",
          boxes.ToString());
  Require(scores.rank() == 3 && scores.dim(0) == boxes.dim(0) && scores.dim(1) == boxes.dim(1), "scores of shape ",
          scores.ToString(), " do not go with boxes of shape ", boxes.ToString());
  Require(boxes.dim(2) == 1 || boxes.dim(2) == scores.dim(2), "boxes of shape ", boxes.ToString(),
          " must be for all classes, or for each of ", scores.dim(2));
  const int64_t most = ScalarOf(c.tensor(2), "max_output_size_per_class");
  Require(most > 0, "max_output_size_per_class must be positive, not ", most);
  Combined all{Reader<Real>(c.input(0)),
               Reader<Real>(c.input(1)),
               boxes.dim(0),
               boxes.dim(1),
               boxes.dim(2),
               scores.dim(2),
               std::min(most, boxes.dim(1)),
               ScalarReal(c, 4, "iou_threshold"),
               ScalarReal(c, 5, "score_threshold")};
  Require(all.overlap >= 0 && all.overlap <= 1, "iou_threshold must be from 0 to 1, not ", all.overlap);
  return all;
}

void CombinedNonMaxSuppression(OpContext& c) {
  const Combined all = CombinedInputs(c);
  int64_t size = ScalarOf(c.tensor(3), "max_total_size");
  Require(size > 0, "max_total_size must be positive, not ", size);
  if (c.attr<bool>("pad_per_class")) {
    size = std::min(size, ScalarOf(c.tensor(2), "max_output_size_per_class") * all.categories);
  }
  CheckResultSize(Shape({all.entries, size, 4}));
  Writer<Real> boxes(DType::kFloat, {all.entries, size, 4}), scores(DType::kFloat, {all.entries, size}),
      categories(DType::kFloat, {all.entries, size});
  Writer<Integer> counts(DType::kInt32, {all.entries});
  for (int64_t entry = 0; entry < all.entries; ++entry) {
    const auto detections = Detected(all, entry);
    const int64_t count = std::min<int64_t>(size, std::ssize(detections));
    for (int64_t i = 0; i < size; ++i) {
      const Detection none, &found = i < count ? detections[static_cast<size_t>(i)] : none;
      for (int64_t corner = 0; corner < 4; ++corner) {
        Real at = i < count ? all.boxes[4 * found.box + corner] : Real(0);
        if (c.attr<bool>("clip_boxes")) at = Max(Min(at, Real(1)), Real(0));
        boxes.Set((entry * size + i) * 4 + corner, at);
      }
      scores.Set(entry * size + i, i < count ? found.score : Real(0));
      categories.Set(entry * size + i, Real(static_cast<double>(found.category)));
    }
    counts.Set(entry, Integer(count));
  }
  c.Output(0, boxes.Take());
  c.Output(1, scores.Take());
  c.Output(2, categories.Take());
  c.Output(3, counts.Take());
}

constexpr KernelRow kRows[] = {
    {"CombinedNonMaxSuppression", CombinedNonMaxSuppression},
    {"NonMaxSuppression", NonMaxSuppression},
    {"NonMaxSuppressionV2", NonMaxSuppression},
    {"NonMaxSuppressionV3", NonMaxSuppression},
    {"NonMaxSuppressionV4", NonMaxSuppressionV4},
    {"NonMaxSuppressionV5", NonMaxSuppressionV5},
    {"NonMaxSuppressionWithOverlaps", NonMaxSuppressionWithOverlaps},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageNonMaxSuppression() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
