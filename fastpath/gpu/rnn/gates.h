// The gates of recurrent cells: ../../formulas/rnn/gates-inl.h.
#pragma once

#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/rnn/gates-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE
