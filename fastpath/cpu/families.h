// Families that are written in several files: each file gives its rows, the family's main file joins them.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

inline std::vector<KernelRow> JoinRows(std::initializer_list<std::span<const KernelRow>> parts) {
  std::vector<KernelRow> rows;
  for (const auto part : parts) rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

std::span<const KernelRow> ResourceVariableKernels();    // state: state_resource.cc
std::span<const KernelRow> BatchMatMulKernels();         // matrix: matrix_batch.cc
std::span<const KernelRow> CumulativeKernels();          // reduction: cumulative.cc
std::span<const KernelRow> BatchNormalizationKernels();  // normalization: normalization_batch.cc
std::span<const KernelRow> LrnKernels();                 // normalization: normalization_lrn.cc

}  // namespace plumb::fast::cpu
