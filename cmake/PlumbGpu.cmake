# The sources below fastpath/gpu, which are the same for the emulator and for cards.
plumb_glob(PLUMB_GPU_SOURCES *.cc EXCLUDE _test\\.cc$ "^gpu/(card|module|emulator)/")
list(FILTER PLUMB_GPU_SOURCES INCLUDE REGEX ^gpu/)
file(GLOB_RECURSE PLUMB_GPU_KERNELS CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} gpu/*.cu)
list(FILTER PLUMB_GPU_KERNELS EXCLUDE REGEX ^gpu/card/)
list(TRANSFORM PLUMB_GPU_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
list(TRANSFORM PLUMB_GPU_KERNELS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
plumb_join(PLUMB_GPU_SOURCES plumb_gpu ${PLUMB_GPU_SOURCES})
plumb_join(PLUMB_GPU_KERNELS plumb_gpu_kernels ${PLUMB_GPU_KERNELS})

# plumb_for_emulator(TARGET): TARGET sees the words of kernels, and the CUDA runtime, that the emulator has.
function(plumb_for_emulator target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_include_directories(${target} BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/fastpath/gpu/emulator/include)
  target_compile_definitions(${target} PRIVATE GPU_NAMESPACE=emulated_gpu)
endfunction()

function(plumb_add_gpu_test name)
  plumb_join(sources ${name} ${ARGN})
  add_executable(${name} ${sources})
  plumb_for_emulator(${name})
  plumb_compile_as_test(${name})
  target_link_libraries(${name} PRIVATE plumb_fastpath Threads::Threads GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# plumb_add_emulated_gpu(LIBRARY): the GPU's kernels and device, compiled for the host, as a part of LIBRARY, and their
# tests as plumb_gpu_test and plumb_emulator_test.
function(plumb_add_emulated_gpu library)
  plumb_glob(emulator gpu/emulator/*.cc EXCLUDE _test\\.cc$)
  set_source_files_properties(${PLUMB_GPU_KERNELS} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
  plumb_join(emulator plumb_emulated_gpu ${emulator})
  add_library(plumb_emulated_gpu OBJECT ${PLUMB_GPU_SOURCES} ${PLUMB_GPU_KERNELS} ${emulator})
  plumb_for_emulator(plumb_emulated_gpu)
  target_include_directories(plumb_emulated_gpu SYSTEM PRIVATE  # the special functions are Eigen's
    $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
  plumb_precompile(plumb_emulated_gpu)
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:plumb_emulated_gpu>)

  # The emulator's tests configure it, each for itself, which others that share a process with them would not survive.
  plumb_glob(of_emulator gpu/emulator/*_test.cc)
  plumb_glob(of_kernels *_test.cc EXCLUDE ^gpu/emulator/)
  list(FILTER of_kernels INCLUDE REGEX ^gpu/)
  plumb_add_gpu_test(plumb_emulator_test ${of_emulator})
  plumb_add_gpu_test(plumb_gpu_test ${of_kernels})
endfunction()
