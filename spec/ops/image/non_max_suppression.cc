#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// How many boxes there are: rows of four corners, and as many scores. All other inputs are scalars.
void CheckBoxes(const ShapeContext& c) {
  const PartialShape boxes = WithRank(c, 0, 2), scores = WithRank(c, 1, 1);
  for (int i = 2; i < c.num_inputs(); ++i) RequireScalar(c, i);
  MergeDims(c, boxes.dim(0), scores.dim(0));
  MergeDims(c, boxes.dim(1), 4);
}

int64_t Padded(const ShapeContext& c) { return c.attr<bool>("pad_to_max_output_size") ? ConstantSize(c, 2) : -1; }

Shapes SelectionShapes(const ShapeContext& c) {
  CheckBoxes(c);
  return {{-1}};
}
Shapes PaddedShapes(const ShapeContext& c) {
  CheckBoxes(c);
  return {{Padded(c)}, Shape()};
}
Shapes ScoredShapes(const ShapeContext& c) {
  CheckBoxes(c);
  return {{Padded(c)}, {Padded(c)}, Shape()};
}
Shapes OverlapsShapes(const ShapeContext& c) {
  const PartialShape overlaps = WithRank(c, 0, 2), scores = WithRank(c, 1, 1);
  for (int i = 2; i < c.num_inputs(); ++i) RequireScalar(c, i);
  MergeDims(c, overlaps.dim(0), scores.dim(0));
  MergeDims(c, overlaps.dim(0), overlaps.dim(1));
  return {{-1}};
}

// A dimension for batches, one for boxes, one for classes, where boxes may differ between these, and one for corners.
Shapes CombinedShapes(const ShapeContext& c) {
  const PartialShape boxes = WithRank(c, 0, 4), scores = WithRank(c, 1, 3);
  for (int i = 2; i < c.num_inputs(); ++i) RequireScalar(c, i);
  const int64_t batch = MergeDims(c, boxes.dim(0), scores.dim(0)), classes = scores.dim(2);
  MergeDims(c, boxes.dim(1), scores.dim(1));
  MergeDims(c, boxes.dim(3), 4);
  if (boxes.dim(2) != 1) MergeDims(c, boxes.dim(2), classes);
  int64_t size = ConstantSize(c, 3);
  if (c.attr<bool>("pad_per_class")) {
    const int64_t all = MultiplySizes(c, ConstantSize(c, 2), classes);
    size = std::min(size, all);  // an unknown size, -1, is the smaller one
  }
  return {{batch, size, 4}, {batch, size}, {batch, size}, {batch}};
}

}  // namespace

std::span<const OpRow> ImageNonMaxSuppression() {
  static const OpRow rows[] = {
      {.signature = "NonMaxSuppression(boxes: float32, scores: float32, max_output_size: int32) -> (selected_indices: "
                    "int32)",
       .attrs = "iou_threshold: float = 0.5",
       .doc = "The boxes with the largest scores, leaving out those that overlap one before them: whose intersection "
              "is more than iou_threshold of the union.",
       .shape_fn = SelectionShapes,
       .gradient = BlocksGradient(),
       .samples = {"iou_threshold=0/0.3/0.5/1: [n 4] in 0..1 [n] 5"}},
      {.signature = "NonMaxSuppressionV2(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold) -> "
                    "(selected_indices: int32)",
       .attrs = "T: type = float32 in [float16, float32]; T_threshold: type = float32 in [float16, float32]",
       .doc = "NonMaxSuppression with the threshold as an input.",
       .gpu = "T in [float32]",
       .shape_fn = SelectionShapes,
       .gradient = BlocksGradient(),
       .samples = {"[n 4] in 0..1 [n] 5 0.25", "[n 4] [n] 3 [] in 0..1"}},
      {.signature = "NonMaxSuppressionV3(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
                    "score_threshold: T_threshold) -> (selected_indices: int32)",
       .attrs = "T: type = float32 in [float16, float32]; T_threshold: type = float32 in [float16, float32]",
       .doc = "NonMaxSuppressionV2 among the boxes with a score above score_threshold.",
       .gpu = "T in [float32]",
       .shape_fn = SelectionShapes,
       .samples = {"[n 4] in 0..1 [n] 5 0.25 0", "[n 4] [n] 3 [] in 0..1 []"}},
      {.signature = "NonMaxSuppressionV4(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
                    "score_threshold: T_threshold) -> (selected_indices: int32, valid_outputs: int32)",
       .attrs = "T: type = float32 in [float16, float32]; T_threshold: type = float32 in [float16, float32]; "
                "pad_to_max_output_size: bool = false",
       .doc = "NonMaxSuppressionV3 and how many boxes it selected; zeros may fill the selection up.",
       .gpu = "T in [float32]",
       .shape_fn = PaddedShapes,
       .samples = {"pad_to_max_output_size=false: [n 4] in 0..1 [n] 5 0.25 0",
                   "pad_to_max_output_size=true: [n 4] in 0..1 [n] 5 0.25 0"}},
      {.signature = "NonMaxSuppressionV5(boxes: T, scores: T, max_output_size: int32, iou_threshold: T, "
                    "score_threshold: T, soft_nms_sigma: T) -> (selected_indices: int32, selected_scores: T, "
                    "valid_outputs: int32)",
       .attrs = "T: type = float32 in [float16, float32]; pad_to_max_output_size: bool = false",
       .doc = "NonMaxSuppressionV4 with the scores; with a positive soft_nms_sigma, overlaps make scores smaller "
              "instead of leaving boxes out.",
       .shape_fn = ScoredShapes,
       .accuracy = Composed(2),
       .samples = {"pad_to_max_output_size=false: [n 4] in 0..1 [n] in 0..1 5 0.25 0 0",
                   "pad_to_max_output_size=true/false: [n 4] in 0..1 [n] in 0..1 5 0.25 0 0.5"}},
      {.signature = "NonMaxSuppressionWithOverlaps(overlaps: float32, scores: float32, max_output_size: int32, "
                    "overlap_threshold: float32, score_threshold: float32) -> (selected_indices: int32)",
       .doc =
           "The boxes with the largest scores above score_threshold, leaving out those whose overlap with one before "
           "them is above overlap_threshold.",
       .shape_fn = OverlapsShapes,
       .gradient = BlocksGradient(),
       .samples = {"[n n] in 0..1 [n] 5 0.5 0", "[n n] [n] 3 [] []"}},
      {.signature = "CombinedNonMaxSuppression(boxes: float32, scores: float32, max_output_size_per_class: int32, "
                    "max_total_size: int32, iou_threshold: float32, score_threshold: float32) -> (nmsed_boxes: "
                    "float32, nmsed_scores: float32, nmsed_classes: float32, valid_detections: int32)",
       .attrs = "pad_per_class: bool = false; clip_boxes: bool = true",
       .doc =
           "For each batch entry the boxes with the largest scores of all classes, their scores and classes, and how "
           "many they are: of each class max_output_size_per_class at most, with a score above score_threshold, "
           "that overlap none before them by more than iou_threshold of the union. Zeros fill up what is left of "
           "max_total_size, or, if pad_per_class and that is less, of max_output_size_per_class for each class. "
           "clip_boxes brings corners into [0, 1].",
       .shape_fn = CombinedShapes,
       .samples = {"pad_per_class=false/true clip_boxes=true/false: [b n 1 4] in 0..2 [b n k] 3 7 0.25 0.1",
                   "pad_per_class=true/false: [b n k 4] [b n k] 2 40 0.5 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
