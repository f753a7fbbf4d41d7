# gpu-bundle: the folder build/bundle, for machines that have a card, its driver and CUDA's libraries, and nothing else.
# The program is linked anew from the archives of this build, with everything from outside in it but glibc; the module for
# cards is compiled for all that its toolkit knows of.
set(folder ${PROJECT_BINARY_DIR}/bundle)

# What the program is linked with besides ours, as archives. Of Highway there is none, and ICU's would bring 30 MB of
# data that nothing here looks at: cmake/bundle stands in for both, and for the emulated GPUs. oneDNN, Open MPI and cairo
# stay out.
set(missing "")
set(outside "")
foreach(name icuuc re2 protobuf gif jpeg png16 z rapidcheck gmock gtest absl_hash absl_raw_hash_set absl_city
    absl_low_level_hash absl_raw_logging_internal absl_throw_delegate absl_hashtablez_sampler)
  find_library(PLUMB_STATIC_${name} lib${name}.a)
  mark_as_advanced(PLUMB_STATIC_${name})
  if(PLUMB_STATIC_${name})
    list(APPEND outside ${PLUMB_STATIC_${name}})
  else()
    list(APPEND missing lib${name}.a)
  endif()
endforeach()
if(missing OR PLUMB_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT TARGET plumb)
  message(STATUS "Plumb: no target gpu-bundle here; archives that are missing: ${missing}")
  return()
endif()

# What is defined in a file of its own is not looked for in an archive.
file(GLOB own CONFIGURE_DEPENDS cmake/bundle/*.cc fastpath/cpu/lib/onednn_absent/*.cc)
list(FILTER own EXCLUDE REGEX /launcher.cc$)
set(tests $<TARGET_OBJECTS:plumb_property_test>)
add_executable(plumb_bundle EXCLUDE_FROM_ALL ${own} mpi/transport/absent.cc ${tests})
# Ninja's target `plumb` is what is built under that name: here it is given the name in the folder.
set_target_properties(plumb_bundle PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_include_directories(plumb_bundle PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(plumb_bundle PRIVATE Eigen3::Eigen)
set(archives "")
foreach(name property_testing tools conformance conformance_proto models backends client mpi reference fastpath spec proto)
  list(APPEND archives $<TARGET_FILE:plumb_${name}>)
  add_dependencies(plumb_bundle plumb_${name})
endforeach()
target_link_options(plumb_bundle PRIVATE -no-pie -s -static-libstdc++ -static-libgcc -Wl,--gc-sections)
target_link_libraries(plumb_bundle PRIVATE -Wl,--start-group ${archives} -Wl,--end-group -Wl,--start-group ${outside}
  -Wl,--end-group ${CMAKE_DL_LIBS} pthread m)
set_property(TARGET plumb_bundle APPEND PROPERTY LINK_DEPENDS ${archives})

if(TARGET plumb_gpu_bundle)
  # The program holds, and shows, what the module uses of it.
  set(shown ${PROJECT_BINARY_DIR}/bundle_symbols.txt)
  add_custom_command(OUTPUT ${shown}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/bundle.sh symbols $<TARGET_FILE:plumb_gpu_bundle> ${shown}
    DEPENDS plumb_gpu_bundle ${PROJECT_SOURCE_DIR}/tools/bundle.sh)
  add_custom_target(plumb_bundle_symbols DEPENDS ${shown})
  add_dependencies(plumb_bundle plumb_bundle_symbols)
  target_link_options(plumb_bundle PRIVATE -Wl,@${shown})
  set_property(TARGET plumb_bundle APPEND PROPERTY LINK_DEPENDS ${shown})
endif()

# It is a third as large compressed; this unpacks it.
add_executable(plumb_bundle_launcher EXCLUDE_FROM_ALL cmake/bundle/launcher.cc)
target_link_options(plumb_bundle_launcher PRIVATE -s -static-libstdc++ -static-libgcc)
target_link_libraries(plumb_bundle_launcher PRIVATE ${PLUMB_STATIC_z})

add_custom_target(gpu-bundle
  COMMAND ${PROJECT_SOURCE_DIR}/tools/bundle.sh fill $<TARGET_FILE:plumb_bundle_launcher> $<TARGET_FILE:plumb_bundle>
    ${folder}
  COMMAND ${PROJECT_SOURCE_DIR}/tools/bundle.sh check ${folder}
  DEPENDS plumb_bundle plumb_bundle_launcher WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL)
