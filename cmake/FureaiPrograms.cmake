# Tests, benchmarks, fuzzing targets and examples: one call each, in the list of their folder.
#
#   fr_test(test_NOUN [LABELS fast threads data ...] [SOURCES more.c] [LIBRARIES target ...] [LONG [PARTS n]]
#           [TIMEOUT s])
#       a test by cmocka in test/ROOM/, named ROOM/NOUN
#   fr_plain_test(test_NOUN ...)     the same without a test library: a plain main; 0 passed, 77 skipped, else failed
#   fr_fuzz(fuzz_NOUN [INCLUDES folder] ...)  LLVMFuzzerTestOneInput; every build replays fuzz/corpus/NOUN/ as a test
#   fr_replay_corpus(...)            the program that does so, after the last fr_fuzz
#   fr_bench(bench_TOPIC ...)        a benchmark; every build runs it once at its smallest as a test
#   fr_example(NAME ...)             an example; run as a test
#
# LONG registers the test once more as ROOM/NOUN/long (label long, FUREAI_LONG=1): the same test at its full count;
# with PARTS n as ROOM/NOUN/long/1 .. n, each of which sees its share of the cases (FUREAI_PART=1/n .. n/n).
# Tests link the static library, so that they reach the private fr__ symbols, and see src/ for private headers.
# `tests_LABEL` builds all tests of a label and nothing else.

# The rpath of programs that are installed: ../lib from the program.
set(FUREAI_PROGRAM_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

macro(fr_parse_program)
    cmake_parse_arguments(arg "LONG" "PARTS;TIMEOUT" "INCLUDES;LABELS;SOURCES;LIBRARIES" ${ARGN})
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${name}: do not know ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS fast)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
endmacro()

# Registers a test and its properties: fr_register_test(NAME TARGET COMMAND...), with arg_LABELS and arg_TIMEOUT set; what
# is emulated has five times as long.
function(fr_register_test name target)
    set(timeout ${arg_TIMEOUT})
    if(CMAKE_CROSSCOMPILING_EMULATOR)
        math(EXPR timeout "5 * ${arg_TIMEOUT}")
    endif()
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES
        LABELS "${arg_LABELS}"
        TIMEOUT ${timeout}
        SKIP_RETURN_CODE 77)
    # A sanitizer's threads wait for one another more than they work: two such tests go side by side.
    if("threads" IN_LIST arg_LABELS AND NOT FUREAI_SANITIZE)
        set_tests_properties(${name} PROPERTIES PROCESSORS 2)
    endif()
    foreach(label IN LISTS arg_LABELS)
        if(NOT TARGET tests_${label})
            add_custom_target(tests_${label})
        endif()
        add_dependencies(tests_${label} ${target})
    endforeach()
    fr_count_built(tests)
endfunction()

function(fr_add_test_program name libraries)
    get_filename_component(room "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    string(REGEX REPLACE "^test_" "" noun ${name})
    set(target test_${room}_${noun})
    add_executable(${target} ${name}.c ${arg_SOURCES})
    fr_flags(${target})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/test")
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} fureai_static ${libraries})
    target_link_options(${target} PRIVATE ${FUREAI_PROGRAM_LINK_OPTIONS}) # of the toolchain
    if("avx2" IN_LIST FUREAI_KERNEL_SETS)
        target_compile_definitions(${target} PRIVATE FR_HAVE_AVX2_KERNELS=1)
    endif()
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    fr_register_test(${room}/${noun} ${target} ${target})
    if(arg_LONG)
        set(arg_LABELS long)
        set(arg_TIMEOUT 3600)
        if(NOT arg_PARTS)
            fr_register_test(${room}/${noun}/long ${target} ${target})
            set_tests_properties(${room}/${noun}/long PROPERTIES ENVIRONMENT "FUREAI_LONG=1")
            return()
        endif()
        foreach(part RANGE 1 ${arg_PARTS})
            fr_register_test(${room}/${noun}/long/${part} ${target} ${target})
            set_tests_properties(${room}/${noun}/long/${part} PROPERTIES
                ENVIRONMENT "FUREAI_LONG=1;FUREAI_PART=${part}/${arg_PARTS}")
        endforeach()
    endif()
endfunction()

function(fr_test name)
    fr_parse_program(${ARGN})
    if(NOT TARGET fureai_cmocka)
        fr_left_out("tests that need a test library" "cmocka not found")
        return()
    endif()
    fr_add_test_program(${name} fureai_cmocka)
endfunction()

function(fr_plain_test name)
    fr_parse_program(${ARGN})
    fr_add_test_program(${name} "")
endfunction()

# A target is a program of its own where libFuzzer is there; all others are part of one program, which replays corpora.
function(fr_fuzz name)
    fr_parse_program(${ARGN})
    string(REGEX REPLACE "^fuzz_" "" noun ${name})
    fr_count_built(fuzzers)
    if(NOT FUREAI_FUZZ)
        set_source_files_properties(${name}.c PROPERTIES COMPILE_DEFINITIONS "LLVMFuzzerTestOneInput=${name}")
        set_property(GLOBAL APPEND PROPERTY FUREAI_FUZZ_NOUNS ${noun})
        set_property(GLOBAL APPEND PROPERTY FUREAI_FUZZ_SOURCES ${name}.c ${arg_SOURCES})
        set_property(GLOBAL APPEND PROPERTY FUREAI_FUZZ_LIBRARIES ${arg_LIBRARIES})
        set_property(GLOBAL APPEND PROPERTY FUREAI_FUZZ_INCLUDES ${arg_INCLUDES})
        return()
    endif()
    add_executable(${name} ${name}.c ${arg_SOURCES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    fr_flags(${name})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" ${arg_INCLUDES})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} fureai_static)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    set(arg_LABELS fast fuzz)
    fr_register_test(fuzz/${noun} ${name} ${name} -runs=0 "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${noun}")
endfunction()

# The program of all targets that were named: fr_replay_corpus([RUNS n] [COMPLETE]). Every target gets its corpus, and n
# inputs in all where the corpus has fewer. COMPLETE: a file fuzz_NOUN.c without a target is a failure.
function(fr_replay_corpus)
    cmake_parse_arguments(arg "COMPLETE" "RUNS" "" ${ARGN})
    get_property(nouns GLOBAL PROPERTY FUREAI_FUZZ_NOUNS)
    get_property(sources GLOBAL PROPERTY FUREAI_FUZZ_SOURCES)
    get_property(libraries GLOBAL PROPERTY FUREAI_FUZZ_LIBRARIES)
    get_property(includes GLOBAL PROPERTY FUREAI_FUZZ_INCLUDES)
    if(NOT nouns)
        return()
    endif()
    list(SORT nouns)
    list(REMOVE_DUPLICATES sources)
    list(REMOVE_DUPLICATES libraries)
    list(TRANSFORM nouns REPLACE "(.+)" "FUZZ_TARGET(\\1)\n" OUTPUT_VARIABLE table)
    list(JOIN table "" table)
    file(CONFIGURE OUTPUT fuzz_targets.inc CONTENT "${table}" @ONLY)
    add_executable(replay_corpus replay_corpus.c ${sources})
    fr_flags(replay_corpus)
    target_include_directories(replay_corpus PRIVATE "${CMAKE_CURRENT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/src" ${includes})
    target_link_libraries(replay_corpus PRIVATE ${libraries} fureai_static)
    set_target_properties(replay_corpus PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    set(arg_LABELS fast fuzz)
    set(arg_TIMEOUT 400)
    foreach(noun IN LISTS nouns)
        fr_register_test(fuzz/${noun} replay_corpus replay_corpus ${noun} "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${noun}"
            ${arg_RUNS})
    endforeach()
    if(arg_COMPLETE)
        fr_register_test(fuzz/targets replay_corpus replay_corpus --targets "${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
endfunction()

function(fr_bench name)
    fr_parse_program(${ARGN})
    string(REGEX REPLACE "^bench_" "" topic ${name})
    add_executable(${name} ${name}.c bench.c ${arg_SOURCES})
    fr_flags(${name})
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} fureai_static)
    target_link_options(${name} PRIVATE ${FUREAI_PROGRAM_LINK_OPTIONS})
    set_property(GLOBAL APPEND PROPERTY FUREAI_BENCHMARKS ${name})
    if(FUREAI_TESTS)
        fr_register_test(bench/${topic} ${name} ${name} --smoke)
    endif()
    fr_count_built(benchmarks)
endfunction()

function(fr_example name)
    fr_parse_program(${ARGN})
    add_executable(${name} ${name}.c ${arg_SOURCES})
    fr_flags(${name})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} fureai)
    if(FUREAI_TESTS)
        fr_register_test(example/${name} ${name} ${name})
    endif()
    fr_count_built(examples)
endfunction()
