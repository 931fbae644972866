"""From the ledger to the derived set to the views: whole, or by difference."""
