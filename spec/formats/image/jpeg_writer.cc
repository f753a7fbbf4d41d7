#include "spec/formats/image/jpeg_writer.h"

#include <jerror.h>

#include <array>
#include <new>

#include "spec/core/status.h"
#include "spec/formats/image/jpeg_error.h"

namespace plumb {
namespace {

constexpr int64_t kMostPixels = int64_t{1} << 29;
constexpr std::string_view kXmpNamespace("http://ns.adobe.com/xap/1.0/\0", 29);

// Gathers the file in a string.
class Target : public jpeg_destination_mgr {
 public:
  Target() : jpeg_destination_mgr() {
    init_destination = [](j_compress_ptr info) { static_cast<Target*>(info->dest)->Empty(); };
    empty_output_buffer = [](j_compress_ptr info) {
      auto* const target = static_cast<Target*>(info->dest);
      target->Append(info, target->block_.size());
      target->Empty();
      return boolean{TRUE};
    };
    term_destination = [](j_compress_ptr info) {
      auto* const target = static_cast<Target*>(info->dest);
      target->Append(info, target->block_.size() - target->free_in_buffer);
    };
  }
  std::string Take() { return std::move(file_); }

 private:
  void Empty() {
    next_output_byte = block_.data();
    free_in_buffer = block_.size();
  }
  // No exception crosses libjpeg.
  void Append(j_compress_ptr info, size_t size) {
    bool fits = true;
    try {
      file_.append(reinterpret_cast<const char*>(block_.data()), size);
    } catch (const std::bad_alloc&) {
      fits = false;
    }
    if (!fits) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
  }

  std::array<JOCTET, 1 << 14> block_;
  std::string file_;
};

class Writer {
 public:
  Writer() {
    info_.err = &errors_;
    Step([&] { jpeg_create_compress(&info_); });
    info_.dest = &target_;
  }
  ~Writer() { jpeg_destroy_compress(&info_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  jpeg_compress_struct& info() { return info_; }
  std::string Take() { return target_.Take(); }

  template <class Call>
  void Step(const Call& call) {
    if (Attempt(errors_, call)) return;
    throw Internal("an image cannot be a JPEG file: ", errors_.Text(reinterpret_cast<j_common_ptr>(&info_)));
  }

 private:
  JpegErrors errors_;
  Target target_;
  jpeg_compress_struct info_ = {};
};

void Choose(jpeg_compress_struct& info, const JpegEncoding& how) {
  jpeg_set_defaults(&info);
  if (how.optimize_size) info.optimize_coding = TRUE;
  info.density_unit = how.per_centimetre ? 2 : 1;
  info.X_density = static_cast<UINT16>(how.x_density);
  info.Y_density = static_cast<UINT16>(how.y_density);
  jpeg_set_quality(&info, how.quality, TRUE);
  if (how.progressive) jpeg_simple_progression(&info);
  for (int i = 0; !how.chroma_downsampling && i < info.num_components; ++i) {
    info.comp_info[i].h_samp_factor = info.comp_info[i].v_samp_factor = 1;
  }
}

}  // namespace

std::string JpegFile(const uint8_t* pixels, int64_t height, int64_t width, int channels, const JpegEncoding& how) {
  Require(channels == 1 || channels == 3, "a JPEG file has 1 or 3 channels, not ", channels);
  if (height <= 0 || width <= 0 || height > (kMostPixels - 1) / width) {
    throw Internal("an image of ", height, "×", width, " pixels cannot be a JPEG file");
  }
  Writer writer;
  jpeg_compress_struct& info = writer.info();
  info.image_height = static_cast<JDIMENSION>(height);
  info.image_width = static_cast<JDIMENSION>(width);
  info.input_components = channels;
  info.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  writer.Step([&] {
    Choose(info, how);
    jpeg_start_compress(&info, TRUE);
  });
  if (!how.xmp_metadata.empty()) {
    const std::string packet = Str(kXmpNamespace, how.xmp_metadata);
    writer.Step([&] {
      jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(packet.data()),
                        static_cast<unsigned>(packet.size()));
    });
  }
  writer.Step([&] {
    const size_t row = static_cast<size_t>(width) * static_cast<size_t>(channels);
    while (info.next_scanline < info.image_height) {
      auto* next = const_cast<JSAMPLE*>(pixels + info.next_scanline * row);  // libjpeg only reads it
      jpeg_write_scanlines(&info, &next, 1);
    }
    jpeg_finish_compress(&info);
  });
  return writer.Take();
}

}  // namespace plumb
