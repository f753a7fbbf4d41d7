#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ProposalShapes(const ShapeContext& c) {
  const int64_t images = WithRank(c, 0, 4).dim(0), most = Int32Attr(c.attrs(), "post_nms_topn");
  WithRank(c, 1, 4);
  MergeDims(c, WithRank(c, 2, 2).dim(1), 5);
  WithRank(c, 3, 3);
  for (int i = 4; i < 7; ++i) RequireScalar(c, i);
  return {PartialShape{images, most, 4}, PartialShape{images, most}};
}

}  // namespace

std::span<const OpRow> ImageBoxProposals() {
  static const OpRow rows[] = {
      {.signature = "GenerateBoundingBoxProposals(scores: float32, bbox_deltas: float32, image_info: float32, anchors: "
                    "float32, nms_threshold: float32, pre_nms_topn: int32, min_size: float32) -> (rois: float32, "
                    "roi_probabilities: float32)",
       .attrs = "post_nms_topn: int = 300",
       .doc = "Regions of images that may show an object. For each image and each of its anchors [y1, x1, y2, x2] at "
              "[height, width, anchor] there is a score and a delta: by how many of the anchor's sizes its centre "
              "moves, and the logarithms, at most log(1000/16), of how much it grows. Of the pre_nms_topn anchors with "
              "the largest scores the moved boxes are cut to the image (image_info: height, width, scale, two more); "
              "those narrower than min_size times the scale are dropped, and those whose intersection with one before "
              "them is more than nms_threshold of the union. The first post_nms_topn stay, zeros behind them.",
       .gpu = "all",
       .shape_fn = ProposalShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .gradient = BlocksGradient(),
       .samples =
           {"post_nms_topn=5: [2 3 4 2] in -3..3 [2 3 4 8] in -0.5..0.5 {{40, 50, 1, 0, 0}, {60, 30, 0.5, 0, 0}} "
            "[3 4 8] in 0..60 0.5 20 2.0",
            "post_nms_topn=9: [1 6 5 3] in -3..3 [1 6 5 12] in -1..1 {{70, 70, 1, 0, 0}} [6 5 12] in 0..80 0.2 "
            "1000 1.0",
            "post_nms_topn=5: [2 16 32 2] in -3..3 [2 16 32 8] in -0.5..0.5 {{40, 50, 1, 0, 0}, {60, 30, 0.5, 0, 0}} "
            "[16 32 8] in 0..60 0.5 20 2.0"}},
  };
  return rows;
}

}  // namespace plumb::topics
