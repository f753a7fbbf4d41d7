# The install tree: include/plumb/<folder>/…, lib/, bin/plumb and lib/cmake/Plumb for find_package(Plumb).
include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/Plumb)

get_property(exported GLOBAL PROPERTY PLUMB_EXPORTED)
if(exported)
  foreach(folder spec reference fastpath client backends conformance models)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION include/plumb FILES_MATCHING PATTERN *.h)
  endforeach()
  install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/ DESTINATION include/plumb FILES_MATCHING PATTERN *.h)
  install(EXPORT PlumbTargets NAMESPACE Plumb:: DESTINATION ${package_dir})
endif()
if(TARGET plumb)
  install(TARGETS plumb RUNTIME DESTINATION bin)
endif()
if(TARGET plumb_gpu)
  install(TARGETS plumb_gpu LIBRARY DESTINATION bin)  # beside the program, which looks for it there
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/PlumbConfig.cmake.in PlumbConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(PlumbConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PlumbConfig.cmake ${PROJECT_BINARY_DIR}/PlumbConfigVersion.cmake
  DESTINATION ${package_dir})
