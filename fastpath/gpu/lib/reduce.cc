#include "fastpath/gpu/lib/reduce.h"

#include <algorithm>

#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kEnoughBlocks = 512;    // for a card to be busy
constexpr int64_t kLeastOfPiece = 2048;   // elements, of one result
constexpr int64_t kLeastOfColumns = 256;  // of each of the results side by side
constexpr int64_t kMostPieces = 1024;

constinit ChoicePoint folds_in_pieces("folds on GPUs: at once, or in pieces");
constinit ChoicePoint reads_runs("folds on GPUs: by elements, or by runs of them");

bool AreMultiples(const Walk& walk, int run) {
  const auto& strides = walk.stride[0];
  return std::all_of(strides, strides + walk.rank, [&](int64_t stride) { return stride % run == 0; });
}

// By the shape alone: the order in which elements are folded follows from it.
bool GoesInRuns(const FoldPlan& plan, int run) {
  if (run == 1 || plan.results == 0) return false;
  const Walk& read = plan.is_along_rows ? plan.folded : plan.kept;
  const int64_t length = plan.is_along_rows ? plan.count : plan.results;
  return length % run == 0 && read.GoesInRuns(0, run) && !read.Repeats(0) &&
         AreMultiples(plan.is_along_rows ? plan.kept : plan.folded, run);
}

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

void CutFold(FoldPlan& plan, int run) {
  if (reads_runs.Chosen(GoesInRuns(plan, run))) plan.run = run;
  const int64_t columns = WidthOfColumns(plan.results / plan.run) * int64_t{plan.run};
  const int64_t in_block = plan.is_along_rows ? (plan.count <= kLongestRowOfWarp ? kWarpsOfTeams : 1) : columns;
  const int64_t blocks = (plan.results + in_block - 1) / in_block;
  const int64_t least = plan.is_along_rows ? kLeastOfPiece : kLeastOfColumns;
  const bool is_cut = blocks > 0 && blocks < kEnoughBlocks && plan.count >= 2 * least;
  if (!folds_in_pieces.Chosen(is_cut)) return;
  const int64_t wanted = std::min((2 * kEnoughBlocks + blocks - 1) / blocks, kMostPieces);
  const int64_t fitting = (plan.count + least - 1) / least, pieces = std::min(wanted, fitting);
  plan.piece = ((plan.count + pieces - 1) / pieces + kMostInRun - 1) / kMostInRun * kMostInRun;
  plan.pieces = (plan.count + plan.piece - 1) / plan.piece;
}

int WidthOfColumns(int64_t results) {
  int width = 1;
  while (width < results && width < kLanesOfWarp) width *= 2;
  return width;
}

}  // namespace plumb::fast::GPU_NAMESPACE
