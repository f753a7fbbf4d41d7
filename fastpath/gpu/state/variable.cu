// Variables behind references (R10–R22). What finds, keeps and hands on values is the host's; values are changed here.
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"Variable", nullptr, ByHost::kWithoutLooking},
    {"VariableV2", nullptr, ByHost::kWithoutLooking},
    {"RefIdentity", nullptr, ByHost::kWithoutLooking},
    {"Assign", nullptr, ByHost::kWithoutLooking},
    {"IsVariableInitialized", nullptr, ByHost::kFromWhatItKnows},
    {"AssignAdd", MakeSum<false>},
    {"AssignSub", MakeSum<true>},
};

}  // namespace

std::span<const GpuKernelRow> StateVariable() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
