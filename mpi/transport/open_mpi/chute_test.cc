// What goes through memory that two ranks share.
#include "mpi/transport/open_mpi/chute.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "spec/core/status_testing.h"

namespace plumb::dist {
namespace {

TEST(Chute, IsEmptyAtFirst) {
  const auto chute = std::make_unique<Chute>();
  EXPECT_FALSE(chute->First().has_value());
}

TEST(Chute, KeepsTheOrderAndTheBytes) {
  const auto chute = std::make_unique<Chute>();
  for (const char* text : {"one", "", "three words of it"}) ASSERT_TRUE(chute->Put(text));
  for (const char* text : {"one", "", "three words of it"}) {
    ASSERT_EQ(chute->First(), text);
    ASSERT_EQ(chute->First(), text) << "it stays until it is dropped";
    chute->DropFirst();
  }
  EXPECT_FALSE(chute->First().has_value());
}

// Records of 8 + 1000 bytes: of 16,384 bytes 16 take 16,128, and there is room for no other.
TEST(Chute, IsFullSomeTime) {
  const auto chute = std::make_unique<Chute>();
  const std::string bytes(1000, 'x');
  int count = 0;
  while (chute->Put(bytes)) ++count;
  EXPECT_EQ(count, 16);
  chute->First();
  chute->DropFirst();
  EXPECT_TRUE(chute->Put(bytes)) << "what was dropped makes room, at the beginning";
  EXPECT_FALSE(chute->Put(bytes));
}

TEST(Chute, ThreadsOfBothSidesSeeTheSame) {
  const auto chute = std::make_unique<Chute>();
  constexpr int kMessages = 200'000;
  const auto message = [](std::mt19937& random, int number) {
    return std::string(random() % 4000, static_cast<char>('a' + number % 26));
  };
  std::thread writes([&] {
    std::mt19937 random(1);
    for (int i = 0; i < kMessages; ++i) {
      const std::string bytes = message(random, i);
      while (!chute->Put(bytes)) std::this_thread::yield();
    }
  });
  std::mt19937 random(1);
  int wrong = 0;
  for (int i = 0; i < kMessages; ++i) {
    const std::string wanted = message(random, i);
    auto first = chute->First();
    for (; !first.has_value(); first = chute->First()) std::this_thread::yield();
    if (*first != wanted) ++wrong;
    chute->DropFirst();
  }
  writes.join();
  EXPECT_EQ(wrong, 0);
}

// A rank that writes over what it has put in: the length is refused before anybody reads so far.
TEST(Chute, WhatNobodyPutsInIsRefused) {
  for (const uint64_t length : {uint64_t{16}, uint64_t{9000}, uint64_t{1} << 60, ~uint64_t{0} - 1}) {
    const auto chute = std::make_unique<Chute>();
    ASSERT_TRUE(chute->Put("12345678"));
    const std::string_view first = *chute->First();
    std::memcpy(const_cast<char*>(first.data()) - sizeof length, &length, sizeof length);
    EXPECT_EQ(StatusOf([&] { chute->First(); }).code(), Code::kInternal) << length;
  }
}

}  // namespace
}  // namespace plumb::dist
