// What a bundle's `plumb` is: this program, behind it the bundle's own one, compressed (tools/bundle.sh pack), which is
// unpacked into memory and takes this one's place. It finds what lies beside it by PLUMB_BUNDLE (fastpath/gpu/module).
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kDigits = 20;  // of the compressed program's length, which ends the file
constexpr size_t kPiece = size_t{1} << 18;

// Says what went wrong and ends: there is nothing to go on with.
[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "plumb: cannot unpack the program of this bundle: %s (%s); copy the bundle again\n", what,
               errno == 0 ? "the file is damaged" : std::strerror(errno));
  std::exit(127);
}

// Where the compressed program begins, and ends.
struct Range {
  off_t begin = 0, end = 0;
};
Range FindProgram(int file) {
  const off_t end = lseek(file, 0, SEEK_END) - kDigits;
  char digits[kDigits + 1] = {};
  if (end <= 0 || pread(file, digits, kDigits, end) != kDigits) Fail("it has no length");
  const long long length = std::strtoll(digits, nullptr, 10);
  if (length <= 0 || length >= end) Fail("its length is wrong");
  return {end - static_cast<off_t>(length), end};
}

void WriteAll(int file, const unsigned char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written <= 0) Fail("there is no memory for it");
    bytes += written;
    count -= static_cast<size_t>(written);
  }
}

void Unpack(int from, Range range, int to) {
  static unsigned char packed[kPiece], unpacked[kPiece];
  z_stream stream = {};
  constexpr int kGzip = 16;
  if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK) Fail("zlib does not begin");
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (stream.avail_in == 0) {
      const auto left = static_cast<size_t>(range.end - range.begin);
      const ssize_t read = pread(from, packed, left < kPiece ? left : kPiece, range.begin);
      if (read <= 0) Fail("it ends too soon");
      range.begin += read;
      stream.next_in = packed;
      stream.avail_in = static_cast<unsigned>(read);
    }
    stream.next_out = unpacked;
    stream.avail_out = kPiece;
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) Fail("it is not as it was packed");
    WriteAll(to, unpacked, kPiece - stream.avail_out);
  }
  inflateEnd(&stream);
}

}  // namespace

int main(int, char** argv) {
  errno = 0;
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) <= 0) Fail("its file is not known");
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) Fail("its file cannot be read");
  const int program = memfd_create("plumb", MFD_CLOEXEC);
  if (program < 0) Fail("there is no memory for it");
  Unpack(file, FindProgram(file), program);
  if (setenv("PLUMB_BUNDLE", path, 1) != 0) Fail("its environment is full");
  fexecve(program, argv, environ);
  Fail("it cannot be run");
}
