"""From records to the ledger, from the ledger to the derived set, and from both to the views: whole, or by difference."""
