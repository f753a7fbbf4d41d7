// Bytes → lines of comma-separated values, and how they are to be read: both sides give the same code and the same
// bits.
#include <vector>

#include "conformance/suites/single_node.h"
#include "property-tests/fuzz/sides/bytes.h"
#include "property-tests/fuzz/sides/sides.h"
#include "spec/ops/catalogue.h"

namespace plumb::fuzz {
namespace {

Tensor Default(Bytes& bytes, DType dtype) {
  if (bytes.InEighths(2)) return Zeros(dtype, {0});  // the field must be given
  return bytes.InEighths(1) ? Zeros(dtype, Shape()) : Zeros(dtype, {1});
}

SampledCase Columns(Bytes& bytes) {
  SampledCase columns;
  std::vector<DType> types(1 + bytes.Below(4));
  columns.inputs.emplace_back();  // the records, which are read last
  for (DType& type : types) {
    constexpr DType kTypes[] = {DType::kInt32, DType::kFloat, DType::kString, DType::kInt64, DType::kDouble};
    type = kTypes[bytes.Below(std::size(kTypes))];
    columns.inputs.push_back(Default(bytes, type));
  }
  std::vector<int64_t> selected(bytes.InEighths(2) ? types.size() : 0);
  int64_t field = -1;
  for (int64_t& each : selected) each = field += static_cast<int64_t>(bytes.Below(4));
  constexpr const char* kDelimiters[] = {",", ";", "\t", " ", "", "ab", "\""};
  const bool is_usual = !bytes.InEighths(2);
  columns.attrs = {{"OUT_TYPE", types},
                   {"field_delim", std::string(kDelimiters[is_usual ? 0 : bytes.Below(std::size(kDelimiters))])},
                   {"use_quote_delim", !bytes.InEighths(1)},
                   {"na_value", std::string(bytes.InEighths(2) ? "NA" : "")},
                   {"select_cols", selected}};
  return columns;
}

// What is left, cut at zeros.
Tensor Records(Bytes& bytes) {
  std::vector<std::string> records(1);
  for (const char c : bytes.Rest()) {
    if (c == '\0') {
      records.emplace_back();
    } else {
      records.back().push_back(c);
    }
  }
  return MakeTensor<std::string>({std::ssize(records)}, records);
}

}  // namespace
}  // namespace plumb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plumb;
  fuzz::Bytes bytes(data, size);
  SampledCase sampled = fuzz::Columns(bytes);
  sampled.inputs[0] = fuzz::Records(bytes);
  const conformance::SingleNode single = conformance::MakeSingleNode(GetOp("DecodeCSV"), sampled);
  fuzz::Sides(single.graph, fuzz::Alike::kBits).Run(single.run);
  return 0;
}
