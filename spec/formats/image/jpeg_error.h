// How libjpeg's failures leave it: by a jump, over frames of C alone.
#pragma once

#include <jpeglib.h>

#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h needs it
#include <string>

namespace plumb {

struct JpegErrors : jpeg_error_mgr {
  JpegErrors() : jpeg_error_mgr() {
    jpeg_std_error(this);
    error_exit = [](j_common_ptr info) { std::longjmp(static_cast<JpegErrors*>(info->err)->jump, 1); };
    output_message = [](j_common_ptr) {};  // whoever calls hears of it
  }
  // What went wrong last, in libjpeg's words.
  std::string Text(j_common_ptr info) {
    char text[JMSG_LENGTH_MAX];
    format_message(info, text);
    return text;
  }

  std::jmp_buf jump = {};
};

// Runs `call`, a step of libjpeg that has no object with a destructor alive while libjpeg works. False where it failed.
template <class Call>
bool Attempt(JpegErrors& errors, const Call& call) {
  if (setjmp(errors.jump) != 0) return false;
  call();
  return true;
}

}  // namespace plumb
