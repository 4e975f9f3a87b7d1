"""Operators, menus and option panels, all made from the library's table of formats."""
