// A JPEG file in memory, handed to libjpeg as TensorFlow does: that decides what becomes of a file that ends too soon.
#pragma once

#include <string_view>

#include "spec/formats/image/jpeg_error.h"

namespace plumb {

class JpegSource : public jpeg_source_mgr {
 public:
  JpegSource(std::string_view contents, bool recovers);

 private:
  static boolean Fill(j_decompress_ptr info);
  static void Skip(j_decompress_ptr info, long count);

  const JOCTET* const begin_;
  const size_t size_;
  const bool recovers_;
  const JOCTET* reread_ = nullptr;  // what was read once more, and how often
  int rereads_ = 0;
};

}  // namespace plumb
