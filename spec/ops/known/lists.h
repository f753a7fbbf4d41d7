// The lists of signatures, a function each.
#pragma once

#include <span>

#include "spec/ops/op_def.h"

namespace plumb::known {

// An op in the notation of rows (op_def.h), without what handles lead to.
struct Signature {
  const char* signature;
  const char* attrs;
  Deprecation deprecated = {};
  const char* instead = "";  // what to do where a step needs it
};

#define PLUMB_KNOWN_LISTS(List)                                                                                       \
  List(Datasets1) List(Datasets2) List(Debug) List(Distributed) List(Internal) List(Iterators) List(Math) List(Other) \
      List(Quantized) List(Random) List(Risc) List(SparseMatrices) List(Summary) List(Tpu) List(Trees) List(Xla)

#define PLUMB_DECLARE(list) std::span<const Signature> list();
PLUMB_KNOWN_LISTS(PLUMB_DECLARE)
#undef PLUMB_DECLARE

}  // namespace plumb::known
