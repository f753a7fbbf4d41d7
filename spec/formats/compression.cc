#include "spec/formats/compression.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr size_t kBlock = 1 << 16;
// zlib's way to say which framing is around the compressed data.
constexpr int WindowBits(Compression compression) { return compression == Compression::kGzip ? 15 + 16 : 15; }

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

File Open(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (file == nullptr) {
    throw Error(errno == ENOENT ? Code::kNotFound : Code::kUnknown, Str("cannot open ", path, ": ", strerror(errno)));
  }
  return file;
}

// A zlib decoder over blocks of input that the caller provides.
class Inflater {
 public:
  Inflater(Compression compression, std::string name) : name_(std::move(name)) {
    if (inflateInit2(&stream_, WindowBits(compression)) != Z_OK) throw ResourceExhausted("no memory for zlib");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool NeedsInput() const { return stream_.avail_in == 0; }
  bool AtEnd() const { return at_end_; }
  void SetInput(std::string_view input) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
  }
  // Decodes into `out`; returns how many bytes were written.
  size_t Decode(char* out, size_t size) {
    if (at_end_) inflateReset(&stream_);  // streams may follow one another
    at_end_ = false;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      throw DataLoss(name_, " is not a valid compressed stream");
    }
    at_end_ = result == Z_STREAM_END;
    return size - stream_.avail_out;
  }

 private:
  std::string name_;
  z_stream stream_{};
  bool at_end_ = true;
};

}  // namespace

Compression ParseCompression(std::string_view type) {
  return type == "ZLIB" ? Compression::kZlib : type == "GZIP" ? Compression::kGzip : Compression::kNone;
}

struct InputFile::Impl {
  std::string path;
  File file;
  std::unique_ptr<Inflater> inflater;
  char compressed[kBlock];

  size_t ReadBlock(char* out, size_t size) {
    const size_t got = std::fread(out, 1, size, file.get());
    if (std::ferror(file.get())) throw Error(Code::kUnknown, Str("cannot read ", path, ": ", strerror(errno)));
    return got;
  }
  // 0 only at the end.
  size_t Decode(char* out, size_t size) {
    if (inflater == nullptr) return ReadBlock(out, size);
    for (;;) {
      // The decoder may still hold output when all of its input is used up.
      if (!inflater->AtEnd() || !inflater->NeedsInput()) {
        if (const size_t written = inflater->Decode(out, size)) return written;
      }
      if (!inflater->NeedsInput()) continue;
      inflater->SetInput({compressed, ReadBlock(compressed, kBlock)});
      if (!inflater->NeedsInput()) continue;
      if (inflater->AtEnd()) return 0;
      throw DataLoss(path, " ends within its compressed stream");
    }
  }
};

InputFile::InputFile(const std::string& path, Compression compression) : impl_(new Impl) {
  impl_->path = path;
  impl_->file = Open(path, "rb");
  if (compression != Compression::kNone) impl_->inflater = std::make_unique<Inflater>(compression, path);
}
InputFile::~InputFile() = default;
const std::string& InputFile::path() const { return impl_->path; }

size_t InputFile::Read(size_t size, std::string* to) {
  char block[kBlock];
  size_t done = 0;
  while (done < size) {
    const size_t got = impl_->Decode(block, std::min(kBlock, size - done));
    if (got == 0) break;
    to->append(block, got);
    done += got;
  }
  return done;
}

struct OutputFile::Impl {
  std::string path;
  File file;
  std::unique_ptr<z_stream, int (*)(z_stream*)> deflater{nullptr, deflateEnd};

  void Put(const char* bytes, size_t size) {
    if (std::fwrite(bytes, 1, size, file.get()) != size) Fail();
  }
  [[noreturn]] void Fail() { throw Error(Code::kUnknown, Str("cannot write ", path, ": ", strerror(errno))); }
  void Deflate(std::string_view bytes, int flush) {
    char block[kBlock];
    deflater->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    deflater->avail_in = static_cast<uInt>(bytes.size());
    do {
      deflater->next_out = reinterpret_cast<Bytef*>(block);
      deflater->avail_out = kBlock;
      deflate(deflater.get(), flush);
      Put(block, kBlock - deflater->avail_out);
    } while (deflater->avail_out == 0);
  }
};

OutputFile::OutputFile(const std::string& path, Compression compression) : impl_(new Impl) {
  impl_->path = path;
  impl_->file = Open(path, "wb");
  if (compression == Compression::kNone) return;
  auto stream = std::make_unique<z_stream>();
  if (deflateInit2(stream.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, WindowBits(compression), 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw ResourceExhausted("no memory for zlib");
  }
  impl_->deflater = {stream.release(), [](z_stream* self) {
                       const int result = deflateEnd(self);
                       delete self;
                       return result;
                     }};
}

OutputFile::~OutputFile() {
  try {
    Close();
  } catch (const Error&) {  // a destructor cannot report it
  }
}

void OutputFile::Write(std::string_view bytes) {
  if (impl_->deflater == nullptr) return impl_->Put(bytes.data(), bytes.size());
  for (; bytes.size() > kBlock; bytes.remove_prefix(kBlock)) impl_->Deflate(bytes.substr(0, kBlock), Z_NO_FLUSH);
  impl_->Deflate(bytes, Z_NO_FLUSH);
}

void OutputFile::Flush() {
  if (impl_->deflater != nullptr) impl_->Deflate({}, Z_SYNC_FLUSH);
  if (std::fflush(impl_->file.get()) != 0) impl_->Fail();
}

void OutputFile::Close() {
  if (impl_->file == nullptr) return;
  if (impl_->deflater != nullptr) impl_->Deflate({}, Z_FINISH);
  if (std::fclose(impl_->file.release()) != 0) impl_->Fail();
}

std::string Gunzip(std::string_view compressed, size_t limit) {
  Require(compressed.size() <= UINT_MAX, "a gzip stream of ", compressed.size(), " bytes is too long for memory");
  Inflater inflater(Compression::kGzip, "the content");
  inflater.SetInput(compressed);
  std::string out;
  char block[kBlock];
  for (;;) {
    const size_t written = inflater.Decode(block, kBlock);
    out.append(block, written);
    if (out.size() > limit) throw ResourceExhausted("the decompressed content is larger than ", limit, " bytes");
    if (inflater.NeedsInput() && inflater.AtEnd()) return out;
    if (inflater.NeedsInput() && written < kBlock) throw DataLoss("the content ends within its compressed stream");
  }
}

}  // namespace plumb
