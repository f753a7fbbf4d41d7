#include "spec/formats/image/jpeg_source.h"

#include <jerror.h>

#include <cstdint>

namespace plumb {

JpegSource::JpegSource(std::string_view contents, bool recovers)
    : jpeg_source_mgr(),
      begin_(reinterpret_cast<const JOCTET*>(contents.data())),
      size_(contents.size()),
      recovers_(recovers) {
  init_source = [](j_decompress_ptr info) {
    auto* const source = static_cast<JpegSource*>(info->src);
    source->next_input_byte = source->begin_;
    source->bytes_in_buffer = source->size_;
  };
  fill_input_buffer = Fill;
  skip_input_data = Skip;
  resync_to_restart = jpeg_resync_to_restart;
  term_source = [](j_decompress_ptr) {};
}

// Called when libjpeg needs more than is there. Bytes that it did not take count as there: they belong to a piece that
// the file cuts off. Then it is set aside (FALSE), or, recovering, reads them once more, so often as a piece may have
// bytes. Recovering, the end of the file is an end of the image.
boolean JpegSource::Fill(j_decompress_ptr info) {
  static const JOCTET kEnd[] = {0xff, JPEG_EOI};
  auto* const source = static_cast<JpegSource*>(info->src);
  if (source->bytes_in_buffer > 0) {
    if (!source->recovers_) return FALSE;
    if (source->reread_ != source->next_input_byte) source->rereads_ = 0;
    source->reread_ = source->next_input_byte;
    if (++source->rereads_ > UINT16_MAX) ERREXIT(info, JERR_FILE_READ);
    return TRUE;
  }
  if (source->next_input_byte == source->begin_) ERREXIT(info, JERR_INPUT_EMPTY);
  if (!source->recovers_ || source->next_input_byte == kEnd) ERREXIT(info, JERR_FILE_READ);
  WARNMS(info, JWRN_JPEG_EOF);
  source->next_input_byte = kEnd;
  source->bytes_in_buffer = sizeof(kEnd);
  return TRUE;
}

void JpegSource::Skip(j_decompress_ptr info, long count) {
  auto* const source = static_cast<JpegSource*>(info->src);
  if (count < 0) return;
  if (static_cast<size_t>(count) > source->bytes_in_buffer) {
    source->bytes_in_buffer = 0;
    Fill(info);
    return;
  }
  source->bytes_in_buffer -= static_cast<size_t>(count);
  source->next_input_byte += count;
}

}  // namespace plumb
