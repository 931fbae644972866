"""Published files into records: readers, mappings, resolution of names, quarantine. Stores and views are left to others."""
