#include "fastpath/gpu/emulator/grid.h"

#include <algorithm>
#include <atomic>
#include <string_view>

#include "fastpath/gpu/emulator/fibers.h"
#include "fastpath/gpu/emulator/symbol.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

std::string Words(Meeting what, KernelLine line) {
  const char* word = "nothing";
  switch (what) {
    case Meeting::kNone:
      break;
    case Meeting::kBlock:
      word = "SyncBlock";
      break;
    case Meeting::kWarp:
      word = "SyncWarp";
      break;
    case Meeting::kShuffleDown:
      word = "ShuffleDown";
      break;
    case Meeting::kShuffleXor:
      word = "ShuffleXor";
      break;
    case Meeting::kShuffleFrom:
      word = "ShuffleFrom";
      break;
    case Meeting::kBallot:
      word = "BallotWarp";
      break;
  }
  return Str(word, " (", line.file, ":", line.line, ")");
}

// Of one file the compiler mostly has the name once.
bool IsSameFile(const char* a, const char* b) { return a == b || std::string_view(a) == b; }

}  // namespace

thread_local constinit Grid* Grid::current_ = nullptr;

void Grid::Check(const GridSize& size) {
  if (size.blocks < 1 || size.blocks > kMostBlocks) {
    throw Internal("a kernel is launched with ", size.blocks, " blocks; a card takes 1 to ", kMostBlocks);
  }
  if (size.threads < 1 || size.threads > kMostThreads) {
    throw Internal("a kernel is launched with ", size.threads, " threads in a block; a card takes 1 to ", kMostThreads);
  }
}

Grid::Grid(const void* kernel, const GridSize& size, const FindMemory& find)
    : kernel_(kernel), size_(size), find_(find), fibers_(Fibers::OfThisThread()) {
  const size_t threads = static_cast<size_t>(size.threads), warps = (threads + kWarp - 1) / kWarp;
  barriers_.warps.resize(warps);
  waiting_in_warp_.resize(warps);
  threads_.resize(threads);
}

void Grid::Run(const void* kernel, const GridSize& size, const std::function<void()>& body, const FindMemory& find) {
  Check(size);
  Grid grid(kernel, size, find);
  current_ = &grid;
  try {
    if (size.has_barriers) {
      grid.RunWithFibers(body);
    } else {
      grid.RunPlainly(body);
    }
  } catch (...) {
    current_ = nullptr;
    throw;
  }
  current_ = nullptr;
}

// Blocks run in any order on a card. Here launches go through them forwards and backwards in turn, so that what one
// block writes into the part of another shows, whichever of them is the one that it belongs to.
template <class F>
void Grid::ForEachBlock(const F& run) {
  static std::atomic<int64_t> launches{0};
  const bool is_backwards = launches.fetch_add(1, std::memory_order_relaxed) % 2 != 0;
  for (int64_t i = 0; i < size_.blocks; ++i) {
    block_ = is_backwards ? size_.blocks - 1 - i : i;
    run();
  }
}

void Grid::RunPlainly(const std::function<void()>& body) {
  ForEachBlock([&] {
    ++barriers_.passed;
    shared_.BeginBlock();
    for (thread_ = 0; thread_ < size_.threads; ++thread_) body();
  });
}

void Grid::RunWithFibers(const std::function<void()>& body) {
  const std::function<int(int)> main = [&](int thread) {
    thread_ = thread;
    try {
      body();
    } catch (...) {
      failure_ = std::current_exception();
      return Fibers::kNobody;
    }
    threads_[thread].has_ended = true;
    ++ended_;
    return NextAfter(thread);
  };
  ForEachBlock([&] {
    ++barriers_.passed;
    shared_.BeginBlock();
    std::fill(threads_.begin(), threads_.end(), Thread());
    std::fill(waiting_in_warp_.begin(), waiting_in_warp_.end(), 0);
    ended_ = 0;
    fibers_.Start(size_.threads, main);
    RunBlock();
  });
}

// Lets each thread run as far as it comes, as often as one of them comes further.
void Grid::RunBlock() {
  while (ended_ < size_.threads) {
    const int first = FirstAble(0, size_.threads);
    if (first != Fibers::kNobody) {
      fibers_.Resume(first);
      if (failure_ != nullptr) std::rethrow_exception(failure_);
      continue;
    }
    // Everybody has ended or waits, and no warp is together: it is the barrier, or an error.
    RequireTogether(0, size_.threads);
    ++barriers_.passed;
    for (Thread& thread : threads_) thread.waits_for = Meeting::kNone;
  }
}

int Grid::FirstAble(int from, int end) const {
  for (int i = from; i < end; ++i) {
    if (!threads_[i].has_ended && threads_[i].waits_for == Meeting::kNone) return i;
  }
  return Fibers::kNobody;
}

int Grid::NextAfter(int thread) const {
  const int first = thread / kWarp * kWarp, end = std::min(first + kWarp, size_.threads);
  int next = FirstAble(thread + 1, end);
  if (next == Fibers::kNobody) next = FirstAble(first, thread);
  return next == Fibers::kNobody ? FirstAble(end, size_.threads) : next;
}

uint64_t Grid::Meet(Meeting what, uint64_t value, size_t bytes, int lane, KernelLine line) {
  if (!size_.has_barriers) {
    Fail(Str("it says ", Words(what, line), ", but was launched without barriers: launch it with ",
             "GridSize{.has_barriers = true}"));
  }
  const int me = thread_, warp = me / kWarp;
  Thread& thread = threads_[me];
  thread.waits_for = what;
  thread.value = value;
  thread.bytes = bytes;
  thread.lane = lane;
  thread.line = line;
  if (what != Meeting::kBlock) {
    const int first = warp * kWarp, lanes = std::min(size_.threads - first, kWarp);
    if (++waiting_in_warp_[warp] == lanes) {
      FinishWarp(first);
      return thread.value;
    }
  }
  fibers_.Yield(NextAfter(me));
  thread_ = me;
  return thread.value;
}

// The last lane has come: gives each the value that it asked for, and lets them go on.
void Grid::FinishWarp(int first) {
  const int end = std::min(first + kWarp, size_.threads);
  RequireTogether(first, end);
  waiting_in_warp_[first / kWarp] = 0;
  const Meeting what = threads_[first].waits_for;
  uint64_t values[kWarp] = {}, ballot = 0;
  for (int i = first; i < end; ++i) {
    values[i - first] = threads_[i].value;
    if (threads_[i].value != 0) ballot |= uint64_t{1} << (i - first);
  }
  for (int i = first; i < end; ++i) {
    Thread& thread = threads_[i];
    thread.waits_for = Meeting::kNone;
    if (what == Meeting::kWarp) continue;
    if (what == Meeting::kBallot) {
      thread.value = ballot;
    } else if (first + thread.lane < end) {
      thread.value = values[thread.lane];
    } else {
      Fail(Str("lane ", i - first, " of warp ", first / kWarp, " asks in ", Words(what, thread.line), " for lane ",
               thread.lane, ", but the warp has ", end - first, " lanes: launch whole warps"));
    }
  }
  if (what == Meeting::kWarp) ++barriers_.warps[static_cast<size_t>(first / kWarp)];
}

void Grid::RequireTogether(int first, int end) {
  const auto is_same = [](const Thread& a, const Thread& b) {
    return !a.has_ended && !b.has_ended && a.waits_for == b.waits_for && a.bytes == b.bytes &&
           a.line.line == b.line.line && IsSameFile(a.line.file, b.line.file);
  };
  // Threads that meet in a warp can have only their warp to wait for, so the reason lies there.
  for (int i = first; i < end; ++i) {
    const Thread& thread = threads_[i];
    if (thread.has_ended || thread.waits_for == Meeting::kNone || thread.waits_for == Meeting::kBlock) continue;
    first = i / kWarp * kWarp;
    end = std::min(first + kWarp, end);
    break;
  }
  for (int i = first + 1; i < end; ++i) {
    if (is_same(threads_[first], threads_[i])) continue;
    const bool waits = !threads_[i].has_ended;
    const int one = waits ? i : first, other = waits ? first : i;
    thread_ = one;
    Fail(Str(Where(one), ", while ", Where(other), ": all threads of a ",
             threads_[one].waits_for == Meeting::kBlock ? "block" : "warp", " have to meet there"));
  }
}

std::string Grid::Where(int thread) const {
  const Thread& it = threads_[thread];
  if (it.has_ended) return Str("thread ", thread, " has ended");
  return Str("thread ", thread, " waits in ", Words(it.waits_for, it.line));
}

SharedMemory::Array& Grid::Declare(const void* site, const char* name, size_t element, int64_t size) {
  SharedMemory::Array& array = shared_.Declare(site, name, element, size);
  if (static_cast<int64_t>(shared_.bytes()) > kMostSharedBytes) {
    Fail(Str("with its shared array ", name, " it has ", shared_.bytes(), " bytes of shared memory; a card has ",
             kMostSharedBytes, " for a block"));
  }
  return array;
}

char* Grid::Touch(SharedMemory::Array& array, int64_t i, bool writes) {
  if (i < 0 || i >= array.size()) {
    Fail(Str(writes ? "writes" : "reads", " element ", i, " of the shared array ", array.name(), ", which has ",
             array.size()));
  }
  const int other = writes ? array.Write(i, thread_, barriers_) : array.Read(i, thread_, barriers_);
  if (other >= 0) {
    Fail(Str("race: thread ", thread_, writes ? " writes" : " reads", " element ", i, " of the shared array ",
             array.name(), ", which thread ", other, " has touched with no barrier in between"));
  }
  return array.at(i);
}

MemoryBlock Grid::FindBlock(const void* address, size_t bytes) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  const auto holds = [&](const MemoryBlock& block) { return begin >= block.begin && begin + bytes <= block.end; };
  const auto known = std::find_if(known_.begin(), known_.end(), holds);
  if (known != known_.end()) return *known;
  const MemoryBlock block = find_(address);
  if (!holds(block)) FailAt("lies in no memory of the device", address);
  return known_.emplace_back(block);
}

void Grid::Fail(const std::string& what) const {
  throw Internal("kernel ", NameOfFunction(kernel_), ", block ", block_, " of ", size_.blocks, ", thread ", thread_,
                 " of ", size_.threads, ": ", what);
}

void Grid::FailAt(const char* what, const void* address) const {
  throw IllegalAddress(Code::kInternal, Str("kernel ", NameOfFunction(kernel_), ", block ", block_, " of ",
                                            size_.blocks, ", thread ", thread_, " of ", size_.threads, ": the address ",
                                            reinterpret_cast<uintptr_t>(address), " ", what));
}

void Grid::FailOutside(const char* word) { throw Internal(word, " is said outside of a kernel"); }

}  // namespace plumb::fast::emulated_gpu::emulator
