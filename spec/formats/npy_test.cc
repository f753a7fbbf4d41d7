#include "spec/formats/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <complex>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

// A file of version 1 with this header.
std::string File(const std::string& header, const std::string& elements) {
  return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + "\0"s + header + elements;
}

// As numpy.save writes [[1, 2], [3, 4]] in float32.
TEST(Npy, IsWhatNumPySaves) {
  const Tensor tensor = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const std::string bytes = NpyBytes(tensor);
  const std::string start = "\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"s;
  ASSERT_EQ(bytes.size(), 128u + 4 * sizeof(float));
  EXPECT_EQ(bytes.substr(0, start.size()), start);
  EXPECT_EQ(bytes.substr(start.size(), 127 - start.size()), std::string(127 - start.size(), ' '));
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(bytes.substr(128, 8), "\0\0\x80\x3f\0\0\0\x40"s);
  EXPECT_TRUE(ParseNpy(bytes, "a").BitwiseEquals(tensor));
}

TEST(Npy, ShapesAreTuples) {
  EXPECT_THAT(NpyBytes(MakeScalar<int64_t>(1)), HasSubstr("'descr': '<i8', 'fortran_order': False, 'shape': (), }"));
  EXPECT_THAT(NpyBytes(MakeVector<uint8_t>({1})),
              HasSubstr("'descr': '|u1', 'fortran_order': False, 'shape': (1,), }"));
  EXPECT_THAT(NpyBytes(Tensor(DType::kBool, {0, 3})), HasSubstr("'|b1', 'fortran_order': False, 'shape': (0, 3), }"));
}

TEST(Npy, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.npy";
  const std::vector<Tensor> tensors = {MakeVector<bool>({true, false}),
                                       MakeScalar<int8_t>(-1),
                                       MakeVector<uint64_t>({UINT64_MAX}),
                                       MakeVector<Half>({Half(0.5f)}),
                                       MakeScalar(-0.0),
                                       MakeVector<std::complex<float>>({{1, -2}}),
                                       MakeScalar(std::complex<double>(3, 4)),
                                       MakeVector<std::string>({"", "two", "\0x"s}),
                                       Tensor(DType::kFloat, {3, 0}),
                                       Zeros(DType::kInt8, Shape(std::vector<int64_t>(kMaxRank, 1))),
                                       Tensor(DType::kString, {0})};
  for (const Tensor& tensor : tensors) {
    WriteNpy(path, tensor);
    EXPECT_TRUE(ReadNpy(path).BitwiseEquals(tensor)) << tensor.ToString();
  }
  EXPECT_TRUE(ParseNpy(NpyBytes(MakeScalar(BFloat16(1.5f))), "a").BitwiseEquals(MakeScalar(1.5f)));
}

TEST(Npy, Version2HasALongerLength) {
  std::string header = "{'shape': (";
  for (int i = 0; i < 3; ++i) header += "1, ";
  header += "), \"descr\": '<i4', 'fortran_order': False}\n";
  const std::string bytes = "\x93NUMPY\x02\0"s + static_cast<char>(header.size()) + "\0\0\0"s + header + "\x07\0\0\0"s;
  EXPECT_TRUE(ParseNpy(bytes, "a").BitwiseEquals(MakeTensor<int32_t>({1, 1, 1}, {7})));
}

TEST(Npy, EitherOrderOfBytesAndAxesIsRead) {
  const std::string columns = File("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3)}", "\1\2\3\4\5\6");
  EXPECT_TRUE(ParseNpy(columns, "a").BitwiseEquals(MakeTensor<int8_t>({2, 3}, {1, 3, 5, 2, 4, 6})));
  const std::string big = File("{'descr': '>i2', 'fortran_order': False, 'shape': (2,)}", "\1\2\3\4");
  EXPECT_TRUE(ParseNpy(big, "a").BitwiseEquals(MakeVector<int16_t>({0x102, 0x304})));
  const std::string both = File("{'descr': '>c8', 'fortran_order': True, 'shape': (1,)}", "\x3f\x80\0\0\x40\0\0\0"s);
  EXPECT_TRUE(ParseNpy(both, "a").BitwiseEquals(MakeVector<std::complex<float>>({{1, 2}})));
}

// `part`: the bytes whose order is turned round. The elements are numbered in C's order; the file has them where the
// strides of its order put them.
template <class T>
void ExpectReadInEveryOrder(std::string_view type, std::ptrdiff_t part, const std::vector<int64_t>& dims) {
  const Shape shape(dims);
  std::vector<T> elements;
  for (int64_t i = 0; i < shape.elements(); ++i) {
    elements.push_back(static_cast<T>(static_cast<float>(i * 259 + 1)));
  }
  for (const bool fortran : {false, true}) {
    for (const bool big : {false, true}) {
      std::string bytes(elements.size() * sizeof(T), '\0');
      std::vector<int64_t> index(dims.size());
      for (const T element : elements) {
        int64_t place = 0;
        for (size_t axis = 0; axis < dims.size(); ++axis) {
          int64_t stride = 1;
          for (size_t other = 0; other < dims.size(); ++other) {
            if (fortran ? other < axis : other > axis) stride *= dims[other];
          }
          place += index[axis] * stride;
        }
        std::string text(reinterpret_cast<const char*>(&element), sizeof(T));
        if (big != (std::endian::native == std::endian::big)) {
          for (auto at = text.begin(); at != text.end(); at += part) std::reverse(at, at + part);
        }
        bytes.replace(static_cast<size_t>(place) * sizeof(T), sizeof(T), text);
        for (size_t axis = dims.size(); axis-- > 0 && ++index[axis] == dims[axis];) index[axis] = 0;
      }
      std::string tuple;
      for (const int64_t dim : dims) tuple += Str(dim, ", ");
      const std::string header = Str("{'descr': '", big ? ">" : "<", type,
                                     "', 'fortran_order': ", fortran ? "True" : "False", ", 'shape': (", tuple, ")}");
      EXPECT_TRUE(ParseNpy(File(header, bytes), "a").BitwiseEquals(MakeTensor<T>(shape, elements))) << header;
    }
  }
}

TEST(Npy, ElementsOfEveryRankFindTheirPlaces) {
  const std::vector<std::vector<int64_t>> shapes = {{},           {3},          {2, 3},         {2, 3, 2},
                                                    {1, 2, 3, 2}, {3, 2, 4, 2}, {2, 1, 3, 2, 2}};
  for (const auto& dims : shapes) {
    ExpectReadInEveryOrder<int16_t>("i2", 2, dims);
    ExpectReadInEveryOrder<uint32_t>("u4", 4, dims);
    ExpectReadInEveryOrder<double>("f8", 8, dims);
    ExpectReadInEveryOrder<std::complex<float>>("c8", 4, dims);
  }
}

TEST(Npy, TextsBecomeUtf8) {
  const std::string header = "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }\n";
  const std::string bytes = File(header, "a\0\0\0\xe4\0\0\0\xac\x20\0\0\0\0\0\0"s);
  EXPECT_TRUE(ParseNpy(bytes, "a").BitwiseEquals(MakeVector<std::string>({"a\xc3\xa4", "\xe2\x82\xac"})));
}

TEST(Npy, MistakesAreToldWithTheName) {
  const auto expect = [](const std::string& bytes, Code code, const std::string& text) {
    const Status status = StatusOf([&] { ParseNpy(bytes, "input"); });
    EXPECT_EQ(status.code(), code) << status.ToString();
    EXPECT_THAT(std::string(status.message()), HasSubstr("input"));
    EXPECT_THAT(std::string(status.message()), HasSubstr(text));
  };
  const std::string good = NpyBytes(MakeVector<int32_t>({1, 2}));
  expect("", Code::kInvalidArgument, "does not begin");
  expect(good.substr(0, 7), Code::kDataLoss, "offset 7");
  expect(good.substr(0, 9), Code::kDataLoss, "the length of its header");
  expect(good.substr(0, 60), Code::kDataLoss, "its header");
  expect(good.substr(0, good.size() - 1), Code::kDataLoss, "within its 2 elements");
  expect(good + "x", Code::kInvalidArgument, "goes on");
  expect("\x93NUMPY\x04\0"s, Code::kInvalidArgument, "version 4");
  const auto with = [](const std::string& descr, const std::string& shape) {
    return File(Str("{'descr': ", descr, ", 'fortran_order': False, 'shape': ", shape, "}"), "abcd");
  };
  expect(with("'|O'", "(1,)"), Code::kUnimplemented, "array.astype('S')");
  expect(with("'<M8[ns]'", "(1,)"), Code::kUnimplemented, "<M8");
  expect(with("[('x', '<f4')]", "(1,)"), Code::kUnimplemented, "records");
  expect(with("'<f16'", "(1,)"), Code::kUnimplemented, "16 bytes");
  expect(with("'|S0'", "(9,)"), Code::kInvalidArgument, "0 bytes");
  expect(with("'|S9999999999'", "(9,)"), Code::kInvalidArgument, "9999999999 bytes");
  expect(with("'<f4'", "(-1,)"), Code::kInvalidArgument, "dimension");
  expect(with("'<f4'", "(99999999999, 99999999999)"), Code::kInvalidArgument, "2^63");
  expect(with("'<f4'", "(1,"), Code::kInvalidArgument, "header");
  expect(File("{'descr': '<f4', 'shape': ()}", "abcd"), Code::kInvalidArgument, "fortran_order");
  expect(File("", ""), Code::kInvalidArgument, "header");
  const std::string lone = File("{'descr': '<U1', 'fortran_order': False, 'shape': ()}", "\0\xd8\0\0"s);
  expect(lone, Code::kInvalidArgument, "no character");
}

// Of arrays without elements, so that none need be there.
TEST(Npy, ElementsHaveUpToAGibibyte) {
  const auto with = [](const std::string& descr) {
    return StatusOf(
        [&] { ParseNpy(File(Str("{'descr': ", descr, ", 'fortran_order': False, 'shape': (0,)}"), ""), "a"); });
  };
  constexpr size_t kMost = size_t{1} << 30;
  EXPECT_TRUE(with(Str("'|S", kMost, "'")).ok());
  const Status status = with(Str("'|S", kMost + 1, "'"));
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr(Str(kMost + 1)));
}

TEST(Npy, StringsThatNumPyWouldShortenAreRecords) {
  const Tensor texts = MakeTensor<std::string>({2, 2}, {"a\0"s, "", "\0\0\0"s, "b"});
  const std::string bytes = NpyBytes(texts);
  EXPECT_THAT(bytes, HasSubstr("{'descr': [('length', '<i8'), ('bytes', '|V3')], 'fortran_order': False"));
  EXPECT_EQ(bytes.substr(bytes.size() - 22, 11), "\3\0\0\0\0\0\0\0\0\0\0"s);
  EXPECT_TRUE(ParseNpy(bytes, "f").BitwiseEquals(texts));
  for (const char length : {'\2', '\x7f'}) {
    std::string broken = bytes;
    broken[bytes.size() - 11] = length;
    const Status status = StatusOf([&] { ParseNpy(broken, "f"); });
    EXPECT_EQ(status.code(), length == '\2' ? Code::kOk : Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace plumb
