// The ops that make readers (rules Q51, Q53).
#include "fastpath/cpu/data_flow/reader_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {
namespace {

int64_t LengthOf(const Node& node, std::string_view attr) {
  const auto length = GetAttr<int64_t>(node.attrs, attr);
  Require(length >= 0, attr, " must not be negative, but is ", length);
  return length;
}

ReaderSpec SpecOf(const Node& node, ReaderKind kind) {
  ReaderSpec spec;
  spec.kind = kind;
  if (kind == ReaderKind::kTextLine) {
    spec.header_lines = LengthOf(node, "skip_header_lines");
    Require(spec.header_lines <= INT32_MAX, "skip_header_lines must be below 2^31, but is ", spec.header_lines);
  } else if (kind == ReaderKind::kFixedLength) {
    spec.header_bytes = LengthOf(node, "header_bytes");
    spec.record_bytes = LengthOf(node, "record_bytes");
    spec.footer_bytes = LengthOf(node, "footer_bytes");
    spec.hop_bytes = LengthOf(node, "hop_bytes");
    spec.compression = ParseCompression(GetAttrOr<std::string>(node.attrs, "encoding", ""));  // the older op has none
  } else if (kind == ReaderKind::kRecord) {
    spec.compression = ParseCompression(GetAttr<std::string>(node.attrs, "compression_type"));
  }
  return spec;
}

class MakeReaderKernel final : public Kernel {
 public:
  MakeReaderKernel(const Node& node, ReaderKind kind)
      : spec_(SpecOf(node, kind)),
        name_(PrivateNameOf(node)),
        shown_name_(name_.name[0] == '_' ? node.name : name_.name),
        handle_(node, name_, kReaderTypeName) {}
  void Run(KernelContext& context) override {
    context.resources().FindOrCreate<ReaderObject>(name_)->Describe(shown_name_, spec_);
    handle_.Set(context);
  }

 private:
  const ReaderSpec spec_;
  const ResourceName name_;
  const std::string shown_name_;
  const HandleOutput handle_;
};

constexpr KernelRow kRows[] = {
    {"WholeFileReader", MakeWith<MakeReaderKernel, ReaderKind::kWholeFile>},
    {"WholeFileReaderV2", MakeWith<MakeReaderKernel, ReaderKind::kWholeFile>},
    {"TextLineReader", MakeWith<MakeReaderKernel, ReaderKind::kTextLine>},
    {"TextLineReaderV2", MakeWith<MakeReaderKernel, ReaderKind::kTextLine>},
    {"FixedLengthRecordReader", MakeWith<MakeReaderKernel, ReaderKind::kFixedLength>},
    {"FixedLengthRecordReaderV2", MakeWith<MakeReaderKernel, ReaderKind::kFixedLength>},
    {"TFRecordReader", MakeWith<MakeReaderKernel, ReaderKind::kRecord>},
    {"TFRecordReaderV2", MakeWith<MakeReaderKernel, ReaderKind::kRecord>},
    {"IdentityReader", MakeWith<MakeReaderKernel, ReaderKind::kIdentity>},
    {"IdentityReaderV2", MakeWith<MakeReaderKernel, ReaderKind::kIdentity>},
};

}  // namespace

std::span<const KernelRow> DataFlowReaderKinds() { return kRows; }

}  // namespace plumb::fast::cpu
