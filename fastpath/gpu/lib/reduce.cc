#include "fastpath/gpu/lib/reduce.h"

#include <algorithm>

#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kEnoughBlocks = 512;   // for a card to be busy
constexpr int64_t kLeastOfPiece = 2048;  // elements
constexpr int64_t kMostPieces = 1024;

constinit ChoicePoint folds_in_pieces("folds on GPUs: at once, or in pieces");

}  // namespace

FoldPlan PlanFold(const Shape& shape, const std::vector<bool>& is_folded) {
  FoldPlan plan;
  int inmost = -1;
  int64_t stride = 1;
  std::vector<int64_t> strides(is_folded.size(), 0);
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[static_cast<size_t>(axis)] = stride;
    stride *= shape[axis];
    if (inmost < 0 && shape[axis] != 1) inmost = axis;
  }
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const bool folds = is_folded[static_cast<size_t>(axis)];
    (folds ? plan.count : plan.results) *= shape[axis];
    AddAxis(folds ? plan.folded : plan.kept, shape[axis], strides[static_cast<size_t>(axis)], 0);
  }
  plan.is_along_rows = inmost < 0 || is_folded[static_cast<size_t>(inmost)];
  return plan;
}

void CutFold(FoldPlan& plan) {
  const int64_t in_block =
      plan.is_along_rows ? (plan.count <= kLongestRowOfWarp ? kWarpsOfTeams : 1) : WidthOfColumns(plan.results);
  const int64_t blocks = (plan.results + in_block - 1) / in_block;
  const bool is_cut = blocks > 0 && blocks < kEnoughBlocks && plan.count >= 2 * kLeastOfPiece;
  if (!folds_in_pieces.Chosen(is_cut)) return;
  const int64_t wanted = std::min((2 * kEnoughBlocks + blocks - 1) / blocks, kMostPieces);
  const int64_t fitting = (plan.count + kLeastOfPiece - 1) / kLeastOfPiece;
  plan.piece = (plan.count + std::min(wanted, fitting) - 1) / std::min(wanted, fitting);
  plan.pieces = (plan.count + plan.piece - 1) / plan.piece;
}

int WidthOfColumns(int64_t results) {
  int width = 1;
  while (width < results && width < kLanesOfWarp) width *= 2;
  return width;
}

}  // namespace plumb::fast::GPU_NAMESPACE
