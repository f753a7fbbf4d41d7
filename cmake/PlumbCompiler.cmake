# How every file of ours is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# No contraction: a*b+c is two roundings on every machine, unless the source says fma.
add_compile_options(-Wall -Wextra -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Wthread-safety)
endif()

if(PLUMB_SANITIZE)
  add_compile_options(-fsanitize=${PLUMB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1)
  add_link_options(-fsanitize=${PLUMB_SANITIZE})
  # The names by which the sources know a sanitizer are g++'s; clang++ has a question in their place.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND PLUMB_SANITIZE MATCHES address)
    add_compile_definitions(__SANITIZE_ADDRESS__)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES Clang AND PLUMB_SANITIZE MATCHES thread)
    add_compile_definitions(__SANITIZE_THREAD__)
  endif()
endif()
if(PLUMB_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Paths are hashed relative to the checkout, so a second checkout finds what the first one compiled. Headers are hashed as
# they are written (DEPEND): GCC knows a `#pragma once` header of a precompiled one again by its bytes, so one made before
# a comment was edited is no substitute.
find_program(PLUMB_CCACHE ccache)
if(PLUMB_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${PLUMB_CCACHE})
endif()
