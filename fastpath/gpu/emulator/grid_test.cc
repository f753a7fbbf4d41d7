// Laws of the emulated grid: kernels compute what a card would, and what a card leaves undefined is an error.
#include "fastpath/gpu/emulator/grid.h"

#include <numeric>

#include "fastpath/gpu/emulator/emulator_testing.h"

namespace plumb::fast::emulated_gpu {
namespace {

using GridTest = EmulatorTest;

PLUMB_GPU_INLINE int64_t ThreadOfGrid() { return BlockNumber() * Threads() + ThreadNumber(); }

template <class T>
PLUMB_GPU_KERNEL CopyKernel(Global<const T> in, Global<T> out) {
  for (int64_t i = ThreadOfGrid(); i < in.size; i += Blocks() * Threads()) out[i] = in[i];
}

// Writes into the part of the block behind as well.
PLUMB_GPU_KERNEL TooFar(Global<int64_t> out) {
  out[BlockNumber()] = BlockNumber();
  if (BlockNumber() + 1 < out.size) out[BlockNumber() + 1] = -1;
}

template <class T>
PLUMB_GPU_INLINE T SumOfBlock(Shared<T> sums, T value) {
  sums[ThreadNumber()] = value;
  SyncBlock();
  for (int half = Threads() / 2; half > 0; half /= 2) {
    if (ThreadNumber() < half) sums[ThreadNumber()] += sums[ThreadNumber() + half];
    SyncBlock();
  }
  return sums[0];
}

template <class T>
PLUMB_GPU_KERNEL SumBySharedMemory(Global<const T> in, Global<T> out) {
  PLUMB_GPU_SHARED(T, sums, 256);
  const T sum = SumOfBlock<T>(sums, in[ThreadOfGrid()]);
  if (ThreadNumber() == 0) out[BlockNumber()] = sum;
}

template <class T>
PLUMB_GPU_KERNEL SumByShuffles(Global<const T> in, Global<T> out) {
  PLUMB_GPU_SHARED(T, sums, 8);
  T sum = in[ThreadOfGrid()];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += ShuffleDown(sum, delta);
  if (ThreadNumber() % 32 == 0) sums[ThreadNumber() / 32] = sum;
  SyncBlock();
  if (ThreadNumber() > 0) return;
  T total = 0;
  for (int i = 0; i < Threads() / 32; ++i) total += sums[i];
  out[BlockNumber()] = total;
}

std::vector<int64_t> Numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), int64_t{1} << 40);
  return numbers;
}

TEST_F(GridTest, EveryThreadOfEveryBlockRuns) {
  const std::vector<int64_t> numbers = Numbers(1000);
  const Global<int64_t> in = ToDevice(numbers), out = NewArray<int64_t>(1000);
  Launch(stream_, {.blocks = 3, .threads = 64}, CopyKernel<int64_t>, in, out);
  EXPECT_EQ(ToHost(out), numbers);
}

TEST_F(GridTest, BlocksRunForwardsAndBackwardsInTurn) {
  const Global<int64_t> one = NewArray<int64_t>(3), other = NewArray<int64_t>(3);
  Launch(stream_, {.blocks = 3, .threads = 1}, TooFar, one);
  Launch(stream_, {.blocks = 3, .threads = 1}, TooFar, other);
  EXPECT_THAT((std::vector{ToHost(one), ToHost(other)}),
              testing::UnorderedElementsAre(testing::ElementsAre(0, 1, 2), testing::ElementsAre(0, -1, -1)));
}

TEST_F(GridTest, NoBlocksAreNoWork) {
  Launch(stream_, {.blocks = 0, .threads = 64}, CopyKernel<int64_t>, Global<int64_t>(), Global<int64_t>());
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
}

TEST_F(GridTest, ReductionsOfABlockAreItsSums) {
  constexpr int64_t kBlocks = 5, kThreads = 256;
  const std::vector<int64_t> numbers = Numbers(kBlocks * kThreads);
  std::vector<int64_t> sums;
  for (int64_t i = 0; i < kBlocks; ++i) {
    sums.push_back(std::accumulate(numbers.begin() + i * kThreads, numbers.begin() + (i + 1) * kThreads, int64_t{0}));
  }
  const Global<int64_t> in = ToDevice(numbers);
  for (const auto kernel : {&SumBySharedMemory<int64_t>, &SumByShuffles<int64_t>}) {
    const Global<int64_t> out = NewArray<int64_t>(kBlocks);
    Launch(stream_, {.blocks = kBlocks, .threads = kThreads, .has_barriers = true}, kernel, in, out);
    EXPECT_EQ(ToHost(out), sums);
  }
}

PLUMB_GPU_KERNEL WordsOfAWarp(Global<int> out) {
  const int me = ThreadNumber();
  const uint32_t odd = BallotWarp(me % 2 == 1);
  const int partner = ShuffleXor(me, 5), first = ShuffleFrom(me, 0), next = ShuffleDown(me, 1);
  out[me] = odd == 0xAAAAAAAAu && partner == (me ^ 5) && first == me / 32 * 32 && next == (me % 32 == 31 ? me : me + 1)
                ? 1
                : 0;
}

TEST_F(GridTest, LanesExchangeValues) {
  const Global<int> out = NewArray<int>(96);
  Launch(stream_, {.threads = 96, .has_barriers = true}, WordsOfAWarp, out);
  EXPECT_EQ(ToHost(out), std::vector<int>(96, 1));
}

// Neighbours exchange through shared memory of their warp, with a barrier of the block, of the warp, or none.
enum class Between { kBlockBarrier, kWarpBarrier, kShuffle, kNothing };
PLUMB_GPU_KERNEL Reverse(Global<int> out, Between between, int width) {
  PLUMB_GPU_SHARED(int, turned, 64);
  const int me = ThreadNumber(), base = me / width * width;
  turned[me] = me;
  if (between == Between::kBlockBarrier) SyncBlock();
  if (between == Between::kWarpBarrier) SyncWarp();
  if (between == Between::kShuffle) ShuffleXor(me, 1);
  out[me] = turned[base + width - 1 - (me - base)];
}

TEST_F(GridTest, BarriersOrderWhatTheyCover) {
  const Global<int> out = NewArray<int>(64);
  Launch(stream_, {.threads = 64, .has_barriers = true}, Reverse, out, Between::kBlockBarrier, 64);
  EXPECT_EQ(ToHost(out)[0], 63);
  Launch(stream_, {.threads = 64, .has_barriers = true}, Reverse, out, Between::kWarpBarrier, 32);
  EXPECT_EQ(ToHost(out)[0], 31);
}

TEST_F(GridTest, AMissingBarrierIsARace) {
  struct {
    Between between;
    int width;
  } const cases[] = {{Between::kNothing, 32}, {Between::kShuffle, 32}, {Between::kWarpBarrier, 64}};
  for (const auto& each : cases) {
    Begin({});
    const Global<int> out = NewArray<int>(64);
    Launch(stream_, {.threads = 64, .has_barriers = true}, Reverse, out, each.between, each.width);
    ExpectFailure(cudaErrorLaunchFailure, "Reverse.*race: thread [0-9]+ .* element [0-9]+ .* turned, which thread");
  }
}

PLUMB_GPU_KERNEL WriteAfterReads(Global<int> out) {
  PLUMB_GPU_SHARED(int, first, 1);
  if (ThreadNumber() == 0) first[0] = 7;
  SyncBlock();
  out[ThreadNumber()] = first[0];
  if (ThreadNumber() == 40) first[0] = 8;
}

TEST_F(GridTest, AWriteRacesWithReads) {
  const Global<int> out = NewArray<int>(64);
  Launch(stream_, {.threads = 64, .has_barriers = true}, WriteAfterReads, out);
  ExpectFailure(cudaErrorLaunchFailure, "thread 40 writes element 0 of the shared array first, which thread");
}

PLUMB_GPU_KERNEL CountsFromZero(Global<int> out) {
  PLUMB_GPU_SHARED(int, count, 1);
  count[0] += 1;
  out[BlockNumber()] = count[0];
}

TEST_F(GridTest, MemoryBeginsAsGarbage) {
  const Global<int> out = NewArray<int>(2), fresh = NewArray<int>(1);
  EXPECT_NE(ToHost(fresh)[0], 0);
  Launch(stream_, {.blocks = 2}, CountsFromZero, out);
  EXPECT_THAT(ToHost(out), testing::Each(static_cast<int>(0xA5A5A5A5u + 1)));
}

PLUMB_GPU_KERNEL WriteAt(Global<int> out, int64_t i) { out[i] = 1; }
PLUMB_GPU_KERNEL WriteSharedAt(int64_t i) {
  PLUMB_GPU_SHARED(int, few, 3);
  few[i] = 1;
}

TEST_F(GridTest, BoundsAreChecked) {
  for (const int64_t i : {-1, 10}) {
    Begin({});
    Launch(stream_, {}, WriteAt, NewArray<int>(10), i);
    ExpectFailure(cudaErrorLaunchFailure, Str("WriteAt.*thread 0 of 1: touches element ", i, " of .* of 10 elements"));
  }
  for (const int64_t i : {-1, 3}) {
    Begin({});
    Launch(stream_, {}, WriteSharedAt, i);
    ExpectFailure(cudaErrorLaunchFailure, Str("writes element ", i, " of the shared array few, which has 3"));
  }
}

TEST_F(GridTest, OnlyTheDevicesOwnMemoryIsTouched) {
  int host = 0;
  const auto of_the_other_device = [] {
    cudaSetDevice(1);
    const Global<int> array = NewArray<int>(10);
    cudaSetDevice(0);
    return array;
  };
  const auto freed = [] {
    const Global<int> array = NewArray<int>(10);
    cudaFree(array.data);
    return array;
  };
  const std::function<Global<int>()> wrong[] = {[&] { return Global<int>(&host, 1); },
                                                [] { return Global<int>(NewArray<int>(10).data, 11); },
                                                of_the_other_device, freed, [] { return Global<int>(nullptr, 1); }};
  for (const auto& make : wrong) {
    Begin({});
    const Global<int> array = make();
    Launch(stream_, {}, WriteAt, array, array.size - 1);
    ExpectFailure(cudaErrorIllegalAddress, "WriteAt.*lies in no memory of the device");
  }
  EXPECT_EQ(host, 0);
}

TEST_F(GridTest, PinnedMemoryOfTheHostIsTouched) {
  void* memory = nullptr;
  EXPECT_EQ(cudaHostAlloc(&memory, 10 * sizeof(int), cudaHostAllocDefault), cudaSuccess);
  Launch(stream_, {}, WriteAt, Global<int>(static_cast<int*>(memory), 10), int64_t{9});
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(static_cast<int*>(memory)[9], 1);
}

// Threads that part at a barrier, in the ways there are.
PLUMB_GPU_KERNEL EndEarly() {
  if (ThreadNumber() == 5) return;
  SyncBlock();
}
PLUMB_GPU_KERNEL EndEarlyInWarp() {
  if (ThreadNumber() == 37) return;
  SyncWarp();
}
PLUMB_GPU_KERNEL MeetElsewhere() {
  if (ThreadNumber() < 7) {
    SyncBlock();
  } else {
    SyncBlock();
  }
}
PLUMB_GPU_KERNEL SayOtherWords() {
  if (ThreadNumber() % 2 == 0) {
    SyncWarp();
  } else {
    BallotWarp(true);
  }
}
PLUMB_GPU_KERNEL WaitApart() {
  if (ThreadNumber() == 3) SyncWarp();
  SyncBlock();
}

TEST_F(GridTest, ThreadsHaveToMeetTogether) {
  struct {
    void (*kernel)();
    const char* words;
  } const cases[] = {
      {EndEarly, "EndEarly.*thread 0 waits in SyncBlock .*grid_test.cc:[0-9]+., while thread 5 has ended"},
      {EndEarlyInWarp, "EndEarlyInWarp.*thread 32 waits in SyncWarp .*, while thread 37 has ended"},
      {MeetElsewhere, "MeetElsewhere.*thread 7 waits in SyncBlock .*, while thread 0 waits in SyncBlock"},
      {SayOtherWords, "SayOtherWords.*thread 1 waits in BallotWarp .*, while thread 0 waits in SyncWarp"},
      {WaitApart, "WaitApart.*thread 3 waits in SyncWarp .*, while thread 0 waits in SyncBlock"},
  };
  for (const auto& each : cases) {
    Begin({});
    Launch(stream_, {.blocks = 2, .threads = 64, .has_barriers = true}, each.kernel);
    ExpectFailure(cudaErrorLaunchFailure, each.words);
  }
}

PLUMB_GPU_KERNEL SumOfWarp(Global<int> out) {
  const int sum = ShuffleDown(1, 16);
  out[ThreadNumber()] = sum;
}

TEST_F(GridTest, AbsentLanesHaveNoValue) {
  Launch(stream_, {.threads = 40, .has_barriers = true}, SumOfWarp, NewArray<int>(40));
  ExpectFailure(cudaErrorLaunchFailure, "lane 0 of warp 1 asks in ShuffleDown .* lane 16, but the warp has 8 lanes");
}

TEST_F(GridTest, BarriersAreDeclared) {
  Launch(stream_, {.threads = 64}, EndEarly);
  ExpectFailure(cudaErrorLaunchFailure, "SyncBlock .*launched without barriers.*has_barriers = true");
}

TEST_F(GridTest, AFailedGridLeavesTheThreadsOfTheNextOneWhole) {
  for (int round = 0; round < 3; ++round) {
    Begin({});
    Launch(stream_, {.threads = 256, .has_barriers = true}, EndEarly);
    ExpectFailure(cudaErrorLaunchFailure, "EndEarly");
    cudaSetDevice(1);
    stream_ = NewStream();
    const Global<int64_t> in = ToDevice(std::vector<int64_t>(512, 1)), out = NewArray<int64_t>(2);
    Launch(stream_, {.blocks = 2, .threads = 256, .has_barriers = true}, SumBySharedMemory<int64_t>, in, out);
    EXPECT_EQ(ToHost(out), std::vector<int64_t>(2, 256));
  }
}

PLUMB_GPU_KERNEL LargeSharedMemory() {
  PLUMB_GPU_SHARED(double, most, 6144);
  PLUMB_GPU_SHARED(char, more, 1);
  most[0] = 1;
  more[0] = 1;
}

TEST_F(GridTest, LimitsOfCardsHold) {
  Launch(stream_, {}, LargeSharedMemory);
  ExpectFailure(cudaErrorLaunchFailure, "shared array more it has 49153 bytes of shared memory; a card has 49152");
  Begin({});
  EXPECT_THROW(Launch(stream_, {.blocks = -1}, EndEarly), Error);
  EXPECT_THROW(Launch(stream_, {.blocks = int64_t{1} << 31}, EndEarly), Error);
  EXPECT_THROW(Launch(stream_, {.threads = 0}, EndEarly), Error);
  EXPECT_THROW(Launch(stream_, {.threads = 1025}, EndEarly), Error);
}

template <class T>
PLUMB_GPU_KERNEL Atomics(Global<T> out) {
  AtomicAdd(out[0], static_cast<T>(ThreadNumber()));
  AtomicMax(out[1], static_cast<T>(ThreadNumber()));
  AtomicMin(out[2], static_cast<T>(ThreadNumber()));
  AtomicOr(out[3], static_cast<T>(ThreadNumber()));
  const T old = AtomicCas(out[4], static_cast<T>(ThreadNumber()), static_cast<T>(ThreadNumber() + 1));
  if (ThreadNumber() > 0 && old != static_cast<T>(ThreadNumber())) out[4] = 0;
}

template <class T>
PLUMB_GPU_KERNEL AddAll(Global<T> out) {
  AtomicAdd(out[0], T(0.5f));
}

TEST_F(GridTest, AtomicsLoseNothing) {
  const auto whole = [&]<class T>(T) {
    const Global<T> out = ToDevice(std::vector<T>{T(1), T(5), T(50), T(32), T(0)});
    Launch(stream_, {.threads = 20}, Atomics<T>, out);
    EXPECT_EQ(ToHost(out), (std::vector<T>{T(191), T(19), T(0), T(63), T(20)}));
  };
  whole(int32_t{});
  whole(int64_t{});
  whole(uint32_t{});
  whole(uint64_t{});
  const auto real = [&]<class T>(T) {
    const Global<T> out = ToDevice(std::vector<T>{T(1.0f)});
    Launch(stream_, {.blocks = 2, .threads = 20}, AddAll<T>, out);
    EXPECT_EQ(static_cast<double>(ToHost(out)[0]), 21);
  };
  real(float{});
  real(double{});
  real(Half{});
  real(BFloat16{});
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
