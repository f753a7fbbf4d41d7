# The rules that the folders' CMakeLists.txt are written in. A folder without sources makes no target,
# and whoever links a missing target of ours links nothing.

# plumb_glob(OUT PATTERN [EXCLUDE REGEX...]): files under the current folder, by path relative to it.
function(plumb_glob out pattern)
  cmake_parse_arguments(arg "" "" EXCLUDE ${ARGN})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${pattern})
  foreach(regex ${arg_EXCLUDE})
    list(FILTER files EXCLUDE REGEX ${regex})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# plumb_link(TARGET VISIBILITY LIBS...): links those that exist already or come from outside.
function(plumb_link target visibility)
  foreach(lib ${ARGN})
    if(TARGET ${lib} OR NOT lib MATCHES "^plumb_")
      target_link_libraries(${target} ${visibility} ${lib})
    endif()
  endforeach()
endfunction()

# plumb_precompile(TARGET [HEADERS...]): reads the standard library, and HEADERS, once for all sources of TARGET. Of ours
# these are headers that nearly all of its sources include, so that a change of one compiles hardly more than it did
# before; they are written as <FOLDER/…>. Sources include what they use all the same.
function(plumb_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cmath> <complex> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread> <tuple> <type_traits>
    <unordered_map> <unordered_set> <utility> <variant> <vector> ${ARGN})
  if(PLUMB_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # ccache asks for these
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  elseif(PLUMB_CCACHE AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# plumb_add_library(FOLDER [LIBS ...] [PRIVATE_LIBS ...] [EXCLUDE regex...] [PRECOMPILE headers...]): the static library
# plumb_FOLDER.
function(plumb_add_library folder)
  cmake_parse_arguments(arg "" "" "LIBS;PRIVATE_LIBS;EXCLUDE;PRECOMPILE" ${ARGN})
  plumb_glob(sources *.cc EXCLUDE _test\\.cc$ ${arg_EXCLUDE})
  if(NOT sources)
    return()
  endif()
  plumb_join(sources plumb_${folder} ${sources})
  add_library(plumb_${folder} STATIC ${sources})
  add_library(Plumb::${folder} ALIAS plumb_${folder})
  target_include_directories(plumb_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:include/plumb>)
  target_compile_features(plumb_${folder} PUBLIC cxx_std_20)
  plumb_precompile(plumb_${folder} ${arg_PRECOMPILE})
  plumb_link(plumb_${folder} PUBLIC ${arg_LIBS})
  plumb_link(plumb_${folder} PRIVATE ${arg_PRIVATE_LIBS})
  plumb_export(plumb_${folder} ${folder})
endfunction()

# plumb_add_protos(NAME): every .proto below the folder, as the library plumb_NAME; included as "FOLDER/…/x.pb.h".
function(plumb_add_protos name)
  file(GLOB_RECURSE protos CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} *.proto)
  if(NOT protos)
    return()
  endif()
  set(generated ${PROJECT_BINARY_DIR}/generated)
  foreach(proto ${protos})
    string(REGEX REPLACE "\\.proto$" ".pb" stem ${generated}/${proto})
    add_custom_command(
      OUTPUT ${stem}.cc ${stem}.h
      COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
      COMMAND protobuf::protoc --proto_path=${PROJECT_SOURCE_DIR} --cpp_out=${generated} ${proto}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      DEPENDS ${PROJECT_SOURCE_DIR}/${proto}
      COMMENT "Generating ${proto}")
    list(APPEND sources ${stem}.cc)
  endforeach()
  add_library(plumb_${name} STATIC ${sources})
  target_compile_options(plumb_${name} PRIVATE -w)
  target_include_directories(plumb_${name} SYSTEM PUBLIC
    $<BUILD_INTERFACE:${generated}> $<INSTALL_INTERFACE:include/plumb>)
  target_link_libraries(plumb_${name} PUBLIC protobuf::libprotobuf)
  plumb_export(plumb_${name} ${name})
endfunction()

# plumb_compile_as_test(TARGET [HEADERS...]): with HEADERS precompiled beside what every test includes. A test is compiled
# more often than it computes for long, so it is not optimised (half of the compiler's time); PLUMB_TEST_OPTION is for
# folders whose tests do compute.
set(PLUMB_TEST_OPTION -O0)
function(plumb_compile_as_test target)
  if(NOT PLUMB_SANITIZE)
    target_compile_options(${target} PRIVATE ${PLUMB_TEST_OPTION})
  endif()
  plumb_precompile(${target} <gmock/gmock.h> <gtest/gtest.h> <spec/graph/builder.h> ${ARGN})
endfunction()

# plumb_add_tests(FOLDER [LIBS ...] [PRECOMPILE headers...]): all *_test.cc below the folder, as one GoogleTest binary.
# LIBS may name targets of folders that come later.
function(plumb_add_tests folder)
  cmake_parse_arguments(arg "" "" "LIBS;EXCLUDE;PRECOMPILE" ${ARGN})
  plumb_glob(sources *.cc EXCLUDE ${arg_EXCLUDE})
  list(FILTER sources INCLUDE REGEX _test\\.cc$)
  if(NOT sources)
    return()
  endif()
  set(test plumb_${folder}_test)
  plumb_join(sources ${test} ${sources})
  add_executable(${test} ${sources})
  target_include_directories(${test} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  plumb_compile_as_test(${test} ${arg_PRECOMPILE})
  foreach(lib plumb_${folder} ${arg_LIBS})
    if(lib MATCHES "^plumb_")
      set(lib $<TARGET_NAME_IF_EXISTS:${lib}>)
    endif()
    target_link_libraries(${test} PRIVATE ${lib})
  endforeach()
  target_link_libraries(${test} PRIVATE GTest::gmock GTest::gtest_main)
  add_test(NAME ${test} COMMAND ${test})
  set_tests_properties(${test} PROPERTIES ENVIRONMENT
    "PLUMB_SOURCE_DIR=${PROJECT_SOURCE_DIR};PLUMB_BINARY_DIR=${PROJECT_BINARY_DIR}")
endfunction()

# plumb_add_executable(NAME SOURCES ... LIBS ...): a program in build/bin.
function(plumb_add_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  plumb_link(${name} PRIVATE ${arg_LIBS})
endfunction()

# plumb_export(TARGET NAME): part of the install tree, as Plumb::NAME.
function(plumb_export target name)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT PlumbTargets ARCHIVE DESTINATION lib)
  set_property(GLOBAL APPEND PROPERTY PLUMB_EXPORTED ${name})
endfunction()
