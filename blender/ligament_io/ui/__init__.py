"""Operators, menus and option panels, all generated from the library's table of formats."""
