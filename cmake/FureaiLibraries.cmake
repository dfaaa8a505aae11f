# Rooms and the libraries made of them.
#
#   fr_room(NAME SOURCES a.c b.c [KERNELS x_kernel.c])     in src/NAME/CMakeLists.txt
#   fr_library(TARGET EXPORT NAME EXPORT_STATIC NAME ROOMS base math ... [USES fureai])     in src/CMakeLists.txt
#
# A room is compiled once, as position-independent objects with hidden visibility; the shared and the static library
# are made of the same objects. Each kernel is compiled once per instruction set, with FR_KERNEL naming the set.

function(fr_room_objects target room)
    add_library(${target} OBJECT ${ARGN})
    fr_flags(${target})
    get_property(may_be_shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${may_be_shared})
    target_compile_definitions(${target} PRIVATE FR_BUILD)
    target_compile_options(${target} PRIVATE -fno-math-errno)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
    if("avx2" IN_LIST FUREAI_KERNEL_SETS)
        target_compile_definitions(${target} PRIVATE FR_HAVE_AVX2_KERNELS=1)
    endif()
    set_property(GLOBAL APPEND PROPERTY FUREAI_ROOM_OBJECTS_${room} ${target})
endfunction()

function(fr_room room)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;KERNELS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "fr_room(${room}): do not know ${arg_UNPARSED_ARGUMENTS}")
    endif()
    fr_check_sorted("room ${room}" ${arg_SOURCES})
    fr_check_sorted("kernels of room ${room}" ${arg_KERNELS})
    if(arg_SOURCES)
        fr_room_objects(fureai_room_${room} ${room} ${arg_SOURCES})
    endif()
    if(arg_KERNELS)
        fr_room_objects(fureai_room_${room}_baseline ${room} ${arg_KERNELS})
        target_compile_definitions(fureai_room_${room}_baseline PRIVATE FR_KERNEL=baseline)
        if("avx2" IN_LIST FUREAI_KERNEL_SETS)
            fr_room_objects(fureai_room_${room}_avx2 ${room} ${arg_KERNELS})
            target_compile_definitions(fureai_room_${room}_avx2 PRIVATE FR_KERNEL=avx2 FR_KERNEL_AVX2=1)
            target_compile_options(fureai_room_${room}_avx2 PRIVATE -mavx2 -mno-fma)
        endif()
    endif()
endfunction()

# The list is the index: it is kept in alphabetical order.
function(fr_check_sorted what)
    set(sorted ${ARGN})
    list(SORT sorted)
    if(NOT "${sorted}" STREQUAL "${ARGN}")
        message(FATAL_ERROR "The list of ${what} is not alphabetical; expected: ${sorted}")
    endif()
endfunction()

# Makes TARGET (shared) and TARGET_static of the rooms. USES names the libraries of ours below it.
function(fr_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORT;EXPORT_STATIC" "ROOMS;USES")
    set(objects "")
    foreach(room IN LISTS arg_ROOMS)
        get_property(room_targets GLOBAL PROPERTY FUREAI_ROOM_OBJECTS_${room})
        foreach(room_target IN LISTS room_targets)
            list(APPEND objects $<TARGET_OBJECTS:${room_target}>)
        endforeach()
    endforeach()
    string(REPLACE "_" "-" file_name ${target})

    # A system without shared libraries has the static one twice, under names of their own.
    get_property(may_be_shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
    if(may_be_shared)
        add_library(${target} SHARED ${objects})
    else()
        add_library(${target} STATIC EXCLUDE_FROM_ALL ${objects})
    endif()
    add_library(${target}_static STATIC ${objects})
    fr_flags(${target})
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        INSTALL_RPATH "$ORIGIN")
    # A function that is called must be there when the library is made, not when a program is.
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT FUREAI_SANITIZE)
        target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
    if(NOT may_be_shared)
        set_target_properties(${target} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/again")
    endif()
    foreach(kind "" _static)
        if(kind STREQUAL "")
            set(export_name ${arg_EXPORT})
        else()
            set(export_name ${arg_EXPORT_STATIC})
        endif()
        set_target_properties(${target}${kind} PROPERTIES
            LINKER_LANGUAGE C
            OUTPUT_NAME ${file_name}
            EXPORT_NAME ${export_name})
        add_library(fureai::${export_name} ALIAS ${target}${kind})
        target_include_directories(${target}${kind} PUBLIC
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        target_compile_features(${target}${kind} INTERFACE c_std_17)
        foreach(used IN LISTS arg_USES)
            target_link_libraries(${target}${kind} PUBLIC ${used}${kind})
        endforeach()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY FUREAI_LIBRARIES ${target})
endfunction()
