#include "mpi/transport/envelope.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "spec/core/status_testing.h"

namespace plumb::dist {
namespace {

std::string Bytes(const Envelope& envelope, const std::string& inside = "") {
  return std::string(reinterpret_cast<const char*>(&envelope), sizeof envelope) + inside;
}

Status Refusal(const std::string& bytes) {
  return StatusOf([&] { OpenEnvelope(3, bytes); });
}

TEST(Envelopes, HoldWhatFitsOneAfterTheOther) {
  const std::string second = Bytes({Kind::kPulse});
  const std::string bytes = Bytes({Kind::kMessage, 0, 4, 2}, "head..") + second;
  const Opened opened = OpenEnvelope(0, bytes);
  EXPECT_EQ(opened.head, "head");
  EXPECT_EQ(opened.payload, "..");
  EXPECT_EQ(opened.rest, second);
  EXPECT_EQ(OpenEnvelope(0, opened.rest).envelope.kind, Kind::kPulse);
}

TEST(Envelopes, AnnounceWhatDoesNotFit) {
  const std::string bytes = Bytes({Kind::kMessage, 0, 4, kLargestPayload}, "head");  // where the head stays
  const Opened payload = OpenEnvelope(0, bytes);
  EXPECT_EQ(payload.head, "head");
  EXPECT_EQ(payload.envelope.payload_bytes, kLargestPayload);
  EXPECT_EQ(OpenEnvelope(0, Bytes({Kind::kMessage, 0, kLongestHead, 0})).envelope.head_bytes, kLongestHead);
}

TEST(Envelopes, ThatAnnounceMoreThanAnyRankSendsAreRefused) {
  constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  for (const Envelope& wild :
       {Envelope{Kind::kMessage, 0, kAll, 0}, Envelope{Kind::kMessage, 0, kLongestHead + 1, 0},
        Envelope{Kind::kMessage, 0, 0, kAll}, Envelope{Kind::kMessage, 0, 0, kLargestPayload + 1},
        Envelope{Kind::kMessage, 0, kAll, kAll}, Envelope{Kind(3), 0, 0, 0}}) {
    const Status refused = Refusal(Bytes(wild));
    EXPECT_EQ(refused.code(), Code::kInternal);
    EXPECT_NE(refused.message().find("rank 3 sent an envelope"), std::string::npos) << refused.ToString();
  }
}

TEST(Envelopes, ThatEndEarlyOrGoOnAreRefused) {
  const std::string whole = Bytes({Kind::kMessage, 0, 4, 2}, "head..");
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(Refusal(whole.substr(0, size)).ok()) << size;
  EXPECT_FALSE(Refusal(Bytes({Kind::kMessage, 0, 4, kSlotBytes}, "head and more")).ok());
}

}  // namespace
}  // namespace plumb::dist
