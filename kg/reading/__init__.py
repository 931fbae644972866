"""Reports to proposals: text with positions, figures, and candidates for what each figure is said of."""
