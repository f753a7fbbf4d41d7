#include "mpi/transport/testing/together.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace plumb::dist {
namespace {

constexpr int kMessages = 500;

// Heads and payloads of which some fill an envelope, some are larger than one, and most are small.
size_t HeadBytesOf(int message) { return message % 97 == 0 ? 5000 : message % 13 == 0 ? 1500 : 20; }
size_t PayloadBytesOf(int message) { return message % 89 == 0 ? 100'000 : message % 5 == 0 ? 700 : 0; }

std::string HeadOf(int message) { return Str(message, " ", std::string(HeadBytesOf(message), 'h')); }

Payload PayloadOf(int message) {
  const auto owner = std::make_shared<std::vector<char>>(PayloadBytesOf(message), static_cast<char>(message));
  return {owner->data(), owner->size(), owner};
}

void SendToAll(Transport& end, int message, SentCount& sent) {
  for (int to = 0; to < end.size(); ++to) end.Send(to, HeadOf(message), PayloadOf(message), sent.Counted());
}

void ExpectAllFrom(Seat& seat, int from) {
  for (int message = 0; message < kMessages; ++message) {
    Letter letter = seat.box.Next(from);
    while (letter.head == "between") letter = seat.box.Next(from);
    if (letter.head != HeadOf(message)) throw Internal("message ", message, " of ", from, " came as ", letter.head);
    if (letter.payload.bytes != PayloadBytesOf(message)) {
      throw Internal("message ", message, " of ", from, " came with ", letter.payload.bytes, " bytes");
    }
    const auto* const bytes = static_cast<const char*>(letter.payload.data);
    for (size_t i = 0; i < letter.payload.bytes; ++i) {
      if (bytes[i] != static_cast<char>(message)) throw Internal("byte ", i, " of message ", message, " differs");
    }
  }
}

}  // namespace

void LeavesTogether(Seat& seat) {
  SentCount sent;
  const auto send = [&](int first, int last) {
    for (int message = first; message < last; ++message) SendToAll(seat.end, message, sent);
  };
  {
    const HeldBack together(seat.end);
    send(0, kMessages / 2);
    const HeldBack twice(seat.end);
    std::thread([&] { seat.end.Send(seat.end.rank(), "between"); }).join();
    send(kMessages / 2, kMessages);
  }
  for (int from = 0; from < seat.end.size(); ++from) ExpectAllFrom(seat, from);
  sent.WaitForAll();
  if (sent.failed() != 0) throw Internal("a send that was held back failed");
  Meet(seat);
}

}  // namespace plumb::dist
