/** Observed values of a tag's colour; the specification shows none. */
export const tagColors = ['blue', 'purple', 'orange', 'yellow', 'teal', 'green', 'red', 'grey'] as const;
