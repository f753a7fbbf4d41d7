// Sparse matrices by rows (CSR): the host's kernels, which look at places alone; the values stay in the device's
// memory.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"SparseTensorToCSRSparseMatrix", nullptr, ByHost::kKeepingBooks},
    {"CSRSparseMatrixToSparseTensor", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> SparseCsr() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
