# SPDX-License-Identifier: GPL-3.0-or-later
# Read by cpack once for each kind of package.
if(CPACK_GENERATOR STREQUAL "TGZ")
    set(CPACK_PACKAGING_INSTALL_PREFIX /)
    set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
