// Variables behind resource handles (R40–R48). What finds, keeps and hands on values is the host's; values are changed
// here.
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"VarHandleOp", nullptr, ByHost::kWithoutLooking},
    {"ReadVariableOp", nullptr, ByHost::kWithoutLooking},
    {"AssignVariableOp", nullptr, ByHost::kWithoutLooking},
    {"DestroyResourceOp", nullptr, ByHost::kWithoutLooking},
    {"DisableCopyOnRead", nullptr, ByHost::kFromWhatItKnows},
    {"VarIsInitializedOp", nullptr, ByHost::kFromWhatItKnows},
    {"VariableShape", nullptr, ByHost::kFromWhatItKnows},
    {"AssignAddVariableOp", MakeSum<false>},
    {"AssignSubVariableOp", MakeSum<true>},
};

}  // namespace

std::span<const GpuKernelRow> StateResourceVariable() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
