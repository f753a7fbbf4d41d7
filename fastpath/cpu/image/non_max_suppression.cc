// Boxes by falling score, without those that overlap one that was selected before: a heap of candidates, each compared
// once with every selected box.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/formulas/image/box_rule.h"

namespace plumb::fast::cpu {
namespace {

// What a step of T leaves of a float.
template <class T>
float Rounded(float x) {
  return static_cast<float>(static_cast<T>(x));
}

struct Limits {
  int64_t size = 0;
  float overlap = 0;  // more than this hides a box, unless `sigma` is positive
  float score = 0;    // only boxes with more than this are looked at
  float sigma = 0;    // positive: overlaps make scores smaller
};

struct Candidate {
  float score;
  int32_t box;
  size_t compared;  // with so many of the selected boxes
  bool operator<(const Candidate& other) const {
    return score < other.score || (score == other.score && box > other.box);
  }
};

struct Selection {
  std::vector<int32_t> boxes;
  std::vector<float> scores;
};

template <class T>
class Selector {
 public:
  Selector(const Limits& limits, std::span<const T> scores) : limits_(limits) {
    Require(limits.size >= 0, "max_output_size must not be negative, which ", limits.size, " is");
    for (size_t i = 0; i < scores.size(); ++i) {
      const auto score = static_cast<float>(scores[i]);
      if (score > limits.score) heap_.push_back({score, static_cast<int32_t>(i), 0});
    }
    std::make_heap(heap_.begin(), heap_.end());
    scale_ = limits.sigma > 0 ? Rounded<T>(-0.5f / limits.sigma) : 0;
  }

  template <class Overlap>
  Selection Select(const Overlap& overlap) {
    while (static_cast<int64_t>(selected_.boxes.size()) < limits_.size && !heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      Candidate candidate = heap_.back();
      heap_.pop_back();
      const float before = candidate.score;
      if (IsHidden(candidate, overlap)) continue;
      candidate.compared = selected_.boxes.size();
      if (candidate.score == before) {
        selected_.boxes.push_back(candidate.box);
        selected_.scores.push_back(candidate.score);
      } else if (candidate.score > limits_.score) {
        heap_.push_back(candidate);
        std::push_heap(heap_.begin(), heap_.end());
      }
    }
    return std::move(selected_);
  }

 private:
  // Whether a box that was selected since it was compared hides the candidate, whose score becomes what they leave.
  template <class Overlap>
  bool IsHidden(Candidate& candidate, const Overlap& overlap) const {
    for (size_t k = selected_.boxes.size(); k > candidate.compared; --k) {
      const float similarity = overlap(candidate.box, selected_.boxes[k - 1]);
      if (limits_.sigma > 0) {
        const float exponent = Rounded<T>(Rounded<T>(scale_ * similarity) * similarity);
        candidate.score = Rounded<T>(candidate.score * Rounded<T>(std::exp(exponent)));
      } else if (similarity > limits_.overlap) {
        return true;
      } else if (!(similarity <= limits_.overlap)) {
        candidate.score *= 0;  // An overlap that is not a number leaves nothing of the score.
      }
      if (candidate.score <= limits_.score) break;
    }
    return false;
  }

  const Limits limits_;
  std::vector<Candidate> heap_;
  Selection selected_;
  float scale_ = 0;
};

// Boxes with their corners in order and their areas.
template <class T>
class Boxes {
 public:
  explicit Boxes(std::span<const T> corners) {
    boxes_.reserve(corners.size() / 4);
    for (size_t i = 0; i + 3 < corners.size(); i += 4) {
      const auto at = [&](size_t k) { return static_cast<float>(corners[i + k]); };
      Box box{std::min(at(0), at(2)), std::max(at(0), at(2)), std::min(at(1), at(3)), std::max(at(1), at(3)), 0};
      box.area = (box.bottom - box.top) * (box.right - box.left);
      boxes_.push_back(box);
    }
  }

  // The part of their union that two boxes have in common: in float32, step by step, rounded to the type at last.
  float operator()(int32_t i, int32_t j) const {
    const Box &a = boxes_[static_cast<size_t>(i)], &b = boxes_[static_cast<size_t>(j)];
    if (a.area <= 0 || b.area <= 0) return 0;
    const float height = Common(a.top, a.bottom, b.top, b.bottom), width = Common(a.left, a.right, b.left, b.right);
    const float both = height * width;
    return Rounded<T>(both / (a.area + b.area - both));
  }

 private:
  struct Box {
    float top, bottom, left, right, area;
  };
  static float Common(float low_a, float high_a, float low_b, float high_b) {
    return std::max(std::min(high_a, high_b) - std::max(low_a, low_b), 0.0f);
  }

  std::vector<Box> boxes_;
};

void WriteIndices(KernelContext& context, const std::vector<int32_t>& boxes, int64_t size) {
  auto indices = context.AllocateOutput(0, DType::kInt32, Shape({size})).mutable_data<int32_t>();
  std::fill(std::copy(boxes.begin(), boxes.end(), indices.begin()), indices.end(), 0);
}

template <class T>
class NonMaxSuppression final : public Kernel {
 public:
  explicit NonMaxSuppression(const Node& node)
      : outputs_(node.output_types.size()),
        overlap_(GetAttrOr(node.attrs, "iou_threshold", 0.5f)),
        pads_(GetAttrOr(node.attrs, "pad_to_max_output_size", false)) {}

  void Run(KernelContext& context) override {
    Limits limits;
    limits.size = IntScalarIn(context.input(2), "max_output_size");
    const int inputs = context.num_inputs();
    limits.overlap = Rounded<T>(inputs > 3 ? RealScalarIn(context.input(3), "iou_threshold") : overlap_);
    CheckSelection(limits.size, limits.overlap);
    limits.score = inputs > 4 ? Rounded<T>(RealScalarIn(context.input(4), "score_threshold"))
                              : (std::is_same_v<T, Half> ? -65504.0f : std::numeric_limits<float>::lowest());
    limits.sigma = inputs > 5 ? RealScalarIn(context.input(5), "soft_nms_sigma") : 0;
    Require(limits.sigma >= 0, "soft_nms_sigma must not be negative, which ", limits.sigma, " is");
    const Tensor &boxes = context.input(0), &scores = context.input(1);
    CheckBoxes(boxes.shape(), scores.shape());
    const Boxes<T> overlap(boxes.data<T>());
    const Selection selected = Selector<T>(limits, scores.data<T>()).Select(overlap);
    const auto count = static_cast<int64_t>(selected.boxes.size());
    const int64_t size = pads_ ? limits.size : count;
    WriteIndices(context, selected.boxes, size);
    if (outputs_ == 3) WriteScores(context, selected.scores, size);
    if (outputs_ > 1) {
      const int last = static_cast<int>(outputs_) - 1;
      context.AllocateOutput(last, DType::kInt32, Shape()).mutable_data<int32_t>()[0] = static_cast<int32_t>(count);
    }
  }

 private:
  static void WriteScores(KernelContext& context, const std::vector<float>& scores, int64_t size) {
    auto to = context.AllocateOutput(1, DTypeOf<T>, Shape({size})).template mutable_data<T>();
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(i < scores.size() ? scores[i] : 0.0f);
  }

  const size_t outputs_;
  const float overlap_;
  const bool pads_;
};

class NonMaxSuppressionWithOverlaps final : public Kernel {
 public:
  explicit NonMaxSuppressionWithOverlaps(const Node&) {}

  void Run(KernelContext& context) override {
    Limits limits;
    limits.size = IntScalarIn(context.input(2), "max_output_size");
    limits.overlap = RealScalarIn(context.input(3), "overlap_threshold");
    limits.score = RealScalarIn(context.input(4), "score_threshold");
    const Tensor &overlaps = context.input(0), &scores = context.input(1);
    Require(overlaps.rank() == 2 && overlaps.dim(0) == overlaps.dim(1),
            "overlaps must be a square matrix, not of shape ", overlaps.shape().ToString());
    CheckScores(scores.shape(), overlaps.dim(0));
    const float* const from = overlaps.data<float>().data();
    const int64_t boxes = overlaps.dim(0);
    const Selection selected =
        Selector<float>(limits, scores.data<float>()).Select([&](int32_t i, int32_t j) { return from[i * boxes + j]; });
    WriteIndices(context, selected.boxes, static_cast<int64_t>(selected.boxes.size()));
  }
};

// ---- All classes together ------------------------------------------------------------------------------------------

// What a class of a batch entry selects stands in its own `most` places; the others keep no box and the least score.
struct Detection {
  int32_t box = -1;
  float score = -std::numeric_limits<float>::infinity();
  int32_t category = -1;
};

class CombinedNonMaxSuppression final : public Kernel {
 public:
  explicit CombinedNonMaxSuppression(const Node& node)
      : pads_(GetAttr<bool>(node.attrs, "pad_per_class")), clips_(GetAttr<bool>(node.attrs, "clip_boxes")) {}

  void Run(KernelContext& context) override {
    const Tensor &boxes = context.input(0), &scores = context.input(1);
    CheckShapes(boxes.shape(), scores.shape());
    const int64_t entries = boxes.dim(0), categories = scores.dim(2);
    Limits limits;
    limits.size = PositiveScalar(context, 2, "max_output_size_per_class");
    int64_t size = PositiveScalar(context, 3, "max_total_size");
    limits.overlap = RealScalarIn(context.input(4), "iou_threshold");
    limits.score = RealScalarIn(context.input(5), "score_threshold");
    CheckSelection(limits.size, limits.overlap);
    if (pads_) size = std::min(size, limits.size * categories);
    limits.size = std::min(limits.size, boxes.dim(1));
    const auto places = CheckedMultiply(entries * categories, limits.size);
    Require(places.has_value() && *places <= std::numeric_limits<int32_t>::max(), entries, " entries of ", categories,
            " classes have too many boxes");
    std::vector<Detection> found(static_cast<size_t>(*places));
    const Boxes<float> overlap(boxes.data<float>());
    context.pool().ParallelFor(entries * categories, GrainFor(16 * boxes.dim(1)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        SelectClass(overlap, boxes.dim(2), scores, i, limits, std::span(found).subspan(i * limits.size, limits.size));
      }
    });
    Write(context, found, size);
  }

 private:
  static void CheckShapes(const Shape& boxes, const Shape& scores) {
    Require(boxes.rank() == 4 && boxes[3] == 4, "boxes have a batch, boxes, classes and four corners, not the shape ",
            boxes.ToString());
    Require(scores.rank() == 3 && scores[0] == boxes[0] && scores[1] == boxes[1], "scores of shape ", scores.ToString(),
            " do not go with boxes of shape ", boxes.ToString());
    Require(boxes[2] == 1 || boxes[2] == scores[2], "boxes of shape ", boxes.ToString(),
            " must be for all classes, or for each of ", scores[2]);
    Require(boxes.elements() / 4 <= std::numeric_limits<int32_t>::max(), "there are more boxes than int32 counts");
  }

  static int64_t PositiveScalar(const KernelContext& context, int input, std::string_view what) {
    const int64_t value = IntScalarIn(context.input(input), what);
    Require(value > 0, what, " must be positive, not ", value);
    return value;
  }

  // Class i of all entries. Heaps and sorts leave equal scores in the order in which TensorFlow's do.
  static void SelectClass(const Boxes<float>& overlap, int64_t kinds, const Tensor& scores, int64_t i,
                          const Limits& limits, std::span<Detection> selected) {
    const int64_t count = scores.dim(1), categories = scores.dim(2), entry = i / categories, category = i % categories;
    const float* const score = scores.data<float>().data() + entry * count * categories + category;
    const auto is_worse = [](const Detection& a, const Detection& b) { return a.score < b.score; };
    std::vector<Detection> heap;
    for (int64_t box = 0; box < count; ++box) {
      if (!(score[box * categories] > limits.score)) continue;
      const int64_t number = (entry * count + box) * kinds + (kinds > 1 ? category : 0);
      heap.push_back({static_cast<int32_t>(number), score[box * categories], static_cast<int32_t>(category)});
      std::push_heap(heap.begin(), heap.end(), is_worse);
    }
    size_t size = 0;
    while (size < selected.size() && !heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), is_worse);
      const Detection next = heap.back();
      heap.pop_back();
      size_t before = size;
      while (before > 0 && !(overlap(next.box, selected[before - 1].box) > limits.overlap)) --before;
      if (before == 0) selected[size++] = next;
    }
  }

  void Write(KernelContext& context, std::vector<Detection>& found, int64_t size) const {
    const Tensor& given = context.input(0);
    const int64_t entries = given.dim(0), places = entries == 0 ? 0 : static_cast<int64_t>(found.size()) / entries;
    Tensor &boxes = context.AllocateOutput(0, DType::kFloat, Shape({entries, size, 4})),
           &scores = context.AllocateOutput(1, DType::kFloat, Shape({entries, size})),
           &categories = context.AllocateOutput(2, DType::kFloat, Shape({entries, size}));
    auto counts = context.AllocateOutput(3, DType::kInt32, Shape({entries})).mutable_data<int32_t>();
    for (Tensor* const tensor : {&boxes, &scores, &categories}) {
      const auto all = tensor->mutable_data<float>();
      std::fill(all.begin(), all.end(), 0.0f);
    }
    const float* const corners = given.data<float>().data();
    for (int64_t entry = 0; entry < entries; ++entry) {
      const auto detections = std::span(found).subspan(entry * places, places);
      std::sort(detections.begin(), detections.end(),
                [](const Detection& a, const Detection& b) { return a.score > b.score; });
      // What has no box has the least score, which no box has: it is above a threshold.
      const int64_t count =
          std::min<int64_t>(size, std::count_if(detections.begin(), detections.end(),
                                                [](const Detection& detection) { return detection.box >= 0; }));
      for (int64_t i = 0; i < count; ++i) {
        const Detection& detection = detections[i];
        const int64_t to = entry * size + i;
        for (int64_t k = 0; k < 4; ++k) {
          const float corner = corners[4 * int64_t{detection.box} + k];
          boxes.mutable_data<float>()[4 * to + k] = clips_ ? std::max(std::min(corner, 1.0f), 0.0f) : corner;
        }
        scores.mutable_data<float>()[to] = detection.score;
        categories.mutable_data<float>()[to] = static_cast<float>(detection.category);
      }
      counts[entry] = static_cast<int32_t>(count);
    }
  }

  const bool pads_, clips_;
};

std::unique_ptr<Kernel> MakeSuppression(const Node& node) {
  if (InputType(node, 0) == DType::kHalf) return std::make_unique<NonMaxSuppression<Half>>(node);
  return std::make_unique<NonMaxSuppression<float>>(node);
}

constexpr KernelRow kRows[] = {
    {"CombinedNonMaxSuppression", Make<CombinedNonMaxSuppression>},
    {"NonMaxSuppression", MakeSuppression},
    {"NonMaxSuppressionV2", MakeSuppression},
    {"NonMaxSuppressionV3", MakeSuppression},
    {"NonMaxSuppressionV4", MakeSuppression},
    {"NonMaxSuppressionV5", MakeSuppression},
    {"NonMaxSuppressionWithOverlaps", Make<NonMaxSuppressionWithOverlaps>},
};

}  // namespace

std::span<const KernelRow> ImageNonMaxSuppression() { return kRows; }

}  // namespace plumb::fast::cpu
