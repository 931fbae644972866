"""From a number, two names or an id to a frozen result: trace, compare, show, audit, conflicts, origins, impact.

Rows come from saved questions only; nothing prints.
"""
