# SPDX-License-Identifier: GPL-3.0-or-later
# Read by cpack before it packs: what Debian's policy asks for in a package's folder of documents.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()
set(documents ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/fleetwright)
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -R -u -d ${CPACK_FLEETWRIGHT_DATE}
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${documents}/changelog "fleetwright (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What is new stands in CHANGELOG.md.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
run(gzip -9nf ${documents}/changelog ${documents}/CHANGELOG.md)
# Fonts of others are in the programs, whose licences stand beside them in the source.
file(READ ${CPACK_FLEETWRIGHT_SOURCES}/copyright copyright)
set(fonts ${CPACK_FLEETWRIGHT_SOURCES}/../resources/fonts)
foreach(font DejaVu Nanum)
    file(READ ${fonts}/LICENSE-${font}.txt licence)
    string(REGEX MATCH "\nCopyright: (.*)\n\nFiles: debian/\\*\n" ignored "${licence}")
    string(REPLACE "Copyright: Copyright" "Copyright:" stanza "Files: resources/fonts/${font}*\nCopyright: ${CMAKE_MATCH_1}\n")
    string(APPEND copyright "\n${stanza}")
endforeach()
file(WRITE ${documents}/copyright "${copyright}")
file(REMOVE ${documents}/LICENSE) # every Debian system has this one
