#include "mpi/transport/testing/suite.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "mpi/transport/testing/answers.h"
#include "mpi/transport/testing/together.h"
#include "mpi/transport/testing/waiting.h"

namespace plumb::dist {
namespace {

void Expect(bool condition, const std::string& what) {
  if (!condition) throw Internal(what);
}

using Bytes = std::vector<unsigned char>;

// Bytes that tell which message they are of and where they stand in it.
unsigned char ByteAt(size_t at, int64_t seed) { return static_cast<unsigned char>((at * 31 + (at >> 8)) ^ (seed * 7)); }

Payload Pattern(size_t bytes, int64_t seed) {
  auto owner = std::make_shared<Bytes>(bytes);
  for (size_t i = 0; i < bytes; ++i) (*owner)[i] = ByteAt(i, seed);
  return {owner->data(), bytes, owner};
}

void ExpectPattern(const Payload& payload, size_t bytes, int64_t seed) {
  Expect(payload.bytes == bytes, Str(bytes, " bytes were sent, ", payload.bytes, " came"));
  const auto* data = static_cast<const unsigned char*>(payload.data);
  for (size_t i = 0; i < bytes; ++i) {
    if (data[i] != ByteAt(i, seed)) throw Internal("byte ", i, " of ", bytes, " differs");
  }
}

// Sends messages of these sizes to all ranks, this one too, and reads as many from each.
void Exchange(Seat& seat, const std::vector<size_t>& sizes) {
  SentCount sent;
  const int me = seat.end.rank();
  for (int to = 0; to < seat.end.size(); ++to) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      seat.end.Send(to, Str(me, " ", i), Pattern(sizes[i], i + me), sent.Counted());
    }
  }
  for (int from = 0; from < seat.end.size(); ++from) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Letter letter = seat.box.Next(from);
      Expect(letter.head == Str(from, " ", i), Str("message ", i, " of ", from, " came as ", letter.head));
      ExpectPattern(letter.payload, sizes[i], i + from);
    }
  }
  sent.WaitForAll();
  Expect(sent.failed() == 0, "a send between living ranks failed");
}

void Sizes(Seat& seat) {
  Exchange(seat, {0, 1, 2, 63, 3900, 3990, 4000, 4010, 4096, 8192, 65535, 65536, 65537, 8 << 20, 0, 1});
  const Traffic traffic = seat.end.traffic();
  Expect(traffic.largest_copy <= static_cast<int64_t>(kLargestCopy), Str(traffic.largest_copy, " bytes were copied"));
}

void Order(Seat& seat) {
  std::vector<size_t> sizes;
  for (size_t i = 0; i < 1000; ++i) sizes.push_back(i % 7 == 3 ? 70000 : i % 5 == 2 ? 100 * i : 0);
  Exchange(seat, sizes);
}

void ManyInFlight(Seat& seat) { Exchange(seat, std::vector<size_t>(64, 256 * 1024)); }

void SmallOnes(Seat& seat) { Exchange(seat, std::vector<size_t>(5000, 0)); }

void LongHeads(Seat& seat) {
  const std::string head = "long " + std::string(3 << 20, 'h');
  for (int to = 0; to < seat.end.size(); ++to) {
    seat.end.Send(to, head, Pattern(100000, 1), nullptr);
    seat.end.Send(to, "short", Pattern(200000, 2), nullptr);
    seat.end.Send(to, head);
    seat.end.Send(to, std::string(70000, 'x'), Pattern(1, 3), nullptr);
  }
  for (int from = 0; from < seat.end.size(); ++from) {
    Letter letter = seat.box.Next(from);
    Expect(letter.head == head, "a long head changed on its way");
    ExpectPattern(letter.payload, 100000, 1);
    letter = seat.box.Next(from);
    Expect(letter.head == "short", "a long head was overtaken");
    ExpectPattern(letter.payload, 200000, 2);
    letter = seat.box.Next(from);
    Expect(letter.head == head && letter.payload.bytes == 0, "a long head without payload changed on its way");
    letter = seat.box.Next(from);
    Expect(letter.head == std::string(70000, 'x'), "a head of 70000 bytes changed on its way");
    ExpectPattern(letter.payload, 1, 3);
  }
}

void Threads(Seat& seat) {
  constexpr int kThreads = 4;
  constexpr int kEach = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&seat, t] {
      for (int i = 0; i < kEach; ++i) {
        const size_t bytes = i % 3 == 0 ? 5000 + i : i % 20;
        for (int to = 0; to < seat.end.size(); ++to) {
          seat.end.Send(to, Str(t, " ", i), Pattern(bytes, t), nullptr);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int from = 0; from < seat.end.size(); ++from) {
    int next[kThreads] = {};
    for (int n = 0; n < kThreads * kEach; ++n) {
      const Letter letter = seat.box.Next(from);
      const int t = letter.head[0] - '0';
      const int i = next[t]++;
      Expect(letter.head == Str(t, " ", i), Str("of thread ", t, " came ", letter.head, " as message ", i));
      ExpectPattern(letter.payload, i % 3 == 0 ? 5000 + i : i % 20, t);
    }
  }
}

void RefusedPlaces(Seat& seat) {
  for (int to = 0; to < seat.end.size(); ++to) {
    SentCount sent;
    for (const size_t bytes : {size_t{10}, size_t{100000}}) {
      seat.end.Send(to, "refuse", Pattern(bytes, 0), sent.Counted());
      seat.end.Send(to, "take", Pattern(bytes, 1), sent.Counted());
    }
    sent.WaitForAll();
  }
  for (int from = 0; from < seat.end.size(); ++from) {
    for (const size_t bytes : {size_t{10}, size_t{100000}}) {
      Letter letter = seat.box.Next(from);
      if (letter.head == "refuse") letter = seat.box.Next(from);  // by reference, no place is asked for
      Expect(letter.head == "take", Str("after a refused message came ", letter.head));
      ExpectPattern(letter.payload, bytes, 1);
    }
  }
}

void LetsGo(Seat& seat) {
  std::weak_ptr<const void> watched;
  {
    Payload payload = Pattern(100000, 0);
    watched = payload.owner;
    SentCount sent;
    seat.end.Send((seat.end.rank() + 1) % seat.end.size(), "once", std::move(payload), sent.Counted());
    sent.WaitForAll();
  }
  ExpectPattern(seat.box.Next((seat.end.rank() + seat.end.size() - 1) % seat.end.size()).payload, 100000, 0);
  Meet(seat);
  Expect(watched.expired(), "a payload is held after it was sent and read");
}

void NoSuchRank(Seat& seat) {
  for (const int to : {-1, seat.end.size()}) {
    Code code = Code::kOk;
    try {
      seat.end.Send(to, "lost");
    } catch (const Error& error) {
      code = error.status().code();
    }
    Expect(code == Code::kInvalidArgument, Str("a message to rank ", to, " was taken"));
  }
}

// All send to all and stop; what a rank sends before it stops arrives where somebody still listens.
void StopsWithTraffic(Seat& seat) {
  SentCount sent;
  const int last = seat.end.size() - 1;
  constexpr int kMessages = 50;
  if (seat.end.rank() != last || last == 0) {
    for (int i = 0; i < kMessages; ++i) {
      for (int to = 0; to <= last; ++to) {
        seat.end.Send(to, Str(i), Pattern(i % 3 == 0 ? 100000 : 10, i), sent.Counted());
      }
    }
  } else {
    for (int from = 0; from < last; ++from) {
      for (int i = 0; i < kMessages; ++i) {
        const Letter letter = seat.box.Next(from);
        Expect(letter.head == Str(i), Str("of rank ", from, ", which stops, came ", letter.head, " as message ", i));
        ExpectPattern(letter.payload, i % 3 == 0 ? 100000 : 10, i);
      }
      const Status status = seat.box.WaitUntilLost(from);
      Expect(status.code() == Code::kCancelled, "a rank that stops is taken for dead: " + status.ToString());
    }
  }
  seat.end.Stop();
  Expect(sent.called() == sent.handed_out(), Str(sent.called(), " of ", sent.handed_out(), " sends were answered"));
  const int64_t calls = seat.box.calls();
  seat.end.Send(0, "late", Pattern(10, 0), sent.Counted());
  Expect(sent.called() == sent.handed_out(), "a send after the end was not answered");
  Expect(sent.failed() > 0, "a send after the end was told that it went well");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Expect(seat.box.calls() == calls, "a receiver was called after the end");
  seat.end.Stop();
}

// The last rank dies. The others name it, and go on among themselves.
void NamesTheDead(Seat& seat) {
  const int dead = seat.end.size() - 1;
  Meet(seat);
  if (seat.end.rank() == dead) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return seat.crash();
  }
  const auto start = std::chrono::steady_clock::now();
  SentCount sent;
  for (int i = 0; i < 20; ++i) seat.end.Send(dead, "to the dead", Pattern(i % 2 == 0 ? 1 << 20 : 1, 0), sent.Counted());
  const Status status = seat.box.WaitUntilLost(dead);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Expect(seconds.count() < 5, Str("a dead rank was noticed after ", seconds.count(), " s"));
  Expect(status.code() == Code::kUnavailable, "a dead rank is " + status.ToString());
  for (const std::string& name : {Str("rank ", dead), seat.end.HostOf(dead)}) {
    Expect(status.message().find(name) != std::string::npos, status.message() + " does not say " + name);
  }
  seat.end.Send(dead, "to the dead", Pattern(1 << 20, 0), sent.Counted());
  sent.WaitForAll();
  Expect(sent.failed() > 0, "a send to a dead rank was told that it went well");
  for (int to = 0; to < dead; ++to) seat.end.Send(to, "alive", Pattern(100000, to), nullptr);
  for (int from = 0; from < dead; ++from) {
    const Letter letter = seat.box.Next(from);
    Expect(letter.head == "alive", "survivors do not reach each other");
    ExpectPattern(letter.payload, 100000, seat.end.rank());
  }
}

// What a rank lays into its area is there for all who share it.
void Areas(Seat& seat) {
  const int me = seat.end.rank();
  const SharedArea own = seat.end.AreaOf(me);
  constexpr size_t kMark = 4000;
  Expect(seat.end.Reserve(kMark + 1) == (own.bytes > kMark), "an area is reserved where there is none");
  if (own.bytes > kMark) own.data[kMark] = std::byte{static_cast<unsigned char>(me + 1)};
  Exchange(seat, {1});
  for (int other = 0; other < seat.end.size(); ++other) {
    const SharedArea area = seat.end.AreaOf(other);
    const bool is_here = seat.end.HostOf(other) == seat.end.HostOf(me);
    Expect(area.bytes == (is_here ? own.bytes : 0), Str("the area of rank ", other, " has ", area.bytes, " bytes"));
    if (area.bytes == 0) continue;
    Expect(area.data[kMark] == std::byte{static_cast<unsigned char>(other + 1)}, "an area is not the same for all");
  }
  Exchange(seat, {1});
}

}  // namespace

void Meet(Seat& seat) {
  const int size = seat.end.size();
  if (seat.end.rank() != 0) {
    seat.end.Send(0, "here");
    Expect(seat.box.Next(0).head == "all here", "ranks are at different places");
    return;
  }
  for (int from = 1; from < size; ++from) {
    const std::string head = seat.box.Next(from).head;
    Expect(head == "here", "ranks are at different places: " + head);
  }
  for (int to = 1; to < size; ++to) seat.end.Send(to, "all here");
}

const std::vector<Check>& TransportChecks() {
  static const std::vector<Check> checks = {
      {"Sizes", Sizes},
      {"Order", Order},
      {"ManyInFlight", ManyInFlight},
      {"SmallOnes", SmallOnes},
      {"LongHeads", LongHeads},
      {"Threads", Threads},
      {"LeavesTogether", LeavesTogether},
      {"AnswersWithinArrive", AnswersWithinArrive},
      {"Attending", Attending},
      {"WakesWhoWasAway", WakesWhoWasAway, Check::After::kGoesOn, 2},
      {"RestsWhenNudged", RestsWhenNudged},
      {"RefusedPlaces", RefusedPlaces},
      {"LetsGo", LetsGo},
      {"Areas", Areas},
      {"NoSuchRank", NoSuchRank},
      {"StopsWithTraffic", StopsWithTraffic, Check::After::kIsStopped},
      {"NamesTheDead", NamesTheDead, Check::After::kIsBroken, 2},
  };
  return checks;
}

}  // namespace plumb::dist
