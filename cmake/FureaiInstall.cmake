# Headers, libraries, pkg-config files and the CMake package. Each library is a component with its own .pc and target.

include(CMakePackageConfigHelpers)

set(FUREAI_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/fureai")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/fureai" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/demos" DESTINATION "${CMAKE_INSTALL_DATADIR}/fureai" COMPONENT data
        FILES_MATCHING PATTERN "*.json" PATTERN "*.obj" PATTERN "*.jpg")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/fureai" COMPONENT data
        FILES_MATCHING PATTERN "*.json")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/objects" DESTINATION "${CMAKE_INSTALL_DATADIR}/fureai" COMPONENT data
        FILES_MATCHING PATTERN "*.json" PATTERN "*.obj" PATTERN "*.mtl" PATTERN "*.wrl" PATTERN "*.ahmc")

# Shared and static library, .pc and exported targets of one library of ours.
#   fr_install_library(TARGET COMPONENT name DESCRIPTION text [REQUIRES pc-names] [LIBS_PRIVATE flags])
function(fr_install_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "COMPONENT;DESCRIPTION;REQUIRES;LIBS_PRIVATE" "")
    install(TARGETS ${target} ${target}_static
        EXPORT fureai-${arg_COMPONENT}-targets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(EXPORT fureai-${arg_COMPONENT}-targets NAMESPACE fureai:: DESTINATION "${FUREAI_PACKAGE_DIR}")

    get_target_property(name ${target} OUTPUT_NAME)
    file(RELATIVE_PATH prefix "/x/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/x")
    string(REGEX REPLACE "/$" "" prefix "${prefix}")
    set(FR_PC_PREFIX "\${pcfiledir}/${prefix}")
    set(FR_PC_NAME ${name})
    set(FR_PC_DESCRIPTION "${arg_DESCRIPTION}")
    set(FR_PC_REQUIRES "${arg_REQUIRES}")
    set(FR_PC_LIBS_PRIVATE "${arg_LIBS_PRIVATE}")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/fureai.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

fr_install_library(fureai
    COMPONENT core
    DESCRIPTION "Real-time interaction among 3-D objects"
    LIBS_PRIVATE "-lm -pthread")
if(TARGET fureai_model)
    set(private_libraries "")
    if(FUREAI_GZIP)
        string(APPEND private_libraries " -lz")
    endif()
    if(FUREAI_XML)
        string(APPEND private_libraries " -lexpat")
    endif()
    if(FUREAI_HAVE_DRACO)
        string(APPEND private_libraries " -ldraco -lstdc++")
    endif()
    fr_install_library(fureai_model
        COMPONENT model
        DESCRIPTION "Model files for Fureai"
        REQUIRES "fureai = ${PROJECT_VERSION}"
        LIBS_PRIVATE "${private_libraries}")
endif()
fr_install_library(fureai_devices
    COMPONENT devices
    DESCRIPTION "Haptic devices and trackers for Fureai"
    REQUIRES "fureai = ${PROJECT_VERSION}"
    LIBS_PRIVATE "-lm -pthread")
if(TARGET fureai_gl)
    fr_install_library(fureai_gl
        COMPONENT gl
        DESCRIPTION "Images for Fureai drawn by OpenGL"
        REQUIRES "fureai = ${PROJECT_VERSION}"
        LIBS_PRIVATE "-lepoxy -ldl -lm")
endif()
if(TARGET fureai_world)
    set(private_libraries "")
    if(TARGET fureai_room_server AND FUREAI_SOCKETS)
        set(private_libraries "-lwebsockets -lssl -lcrypto -ldl")
    endif()
    if(FUREAI_HAVE_HIREDIS AND TARGET fureai_room_server)
        string(APPEND private_libraries " -lhiredis")
    endif()
    if(FUREAI_HAVE_SQLITE)
        string(APPEND private_libraries " -lsqlite3")
    endif()
    fr_install_library(fureai_world
        COMPONENT world
        DESCRIPTION "Scenes, object libraries, protocol and server for Fureai"
        REQUIRES "fureai-model = ${PROJECT_VERSION}"
        LIBS_PRIVATE "${private_libraries}")
endif()
if(TARGET fureai_tool)
    set_target_properties(fureai_tool PROPERTIES INSTALL_RPATH "${FUREAI_PROGRAM_RPATH}")
    install(TARGETS fureai_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET fureai_mpi)
    set_target_properties(fureai_mpi PROPERTIES INSTALL_RPATH "${FUREAI_PROGRAM_RPATH}")
    install(TARGETS fureai_mpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

write_basic_package_version_file("${PROJECT_BINARY_DIR}/fureai-config-version.cmake" COMPATIBILITY SameMinorVersion)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/fureai-config.cmake.in"
    "${PROJECT_BINARY_DIR}/fureai-config.cmake"
    INSTALL_DESTINATION "${FUREAI_PACKAGE_DIR}")
install(FILES "${PROJECT_BINARY_DIR}/fureai-config.cmake" "${PROJECT_BINARY_DIR}/fureai-config-version.cmake"
        DESTINATION "${FUREAI_PACKAGE_DIR}")

# The page of man and the completions of shells, which the tool makes itself.
if(TARGET fureai_tool AND NOT CMAKE_CROSSCOMPILING)
    foreach(made
            "--man|share/man/man1/fureai.1"
            "--completion=bash|share/bash-completion/completions/fureai"
            "--completion=fish|share/fish/vendor_completions.d/fureai.fish"
            "--completion=zsh|share/zsh/site-functions/_fureai")
        string(REPLACE "|" ";" made "${made}")
        list(GET made 0 option)
        list(GET made 1 file)
        install(CODE "
            set(made \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")
            get_filename_component(folder \"\${made}\" DIRECTORY)
            file(MAKE_DIRECTORY \"\${folder}\")
            execute_process(COMMAND \"$<TARGET_FILE:fureai_tool>\" help ${option} OUTPUT_FILE \"\${made}\" COMMAND_ERROR_IS_FATAL ANY)
            message(STATUS \"Installing: \${made}\")")
    endforeach()
endif()
