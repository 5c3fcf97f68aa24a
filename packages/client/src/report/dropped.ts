/** Parts of a report, as a warning names them. */
type ReportPart =
  | 'templates'
  | 'blocks'
  | 'tasks'
  | 'task owners'
  | 'decisions'
  | 'chapters'
  | 'transcript segments'
  | 'participants'
  | 'speakers'
  | 'keywords'
  | 'tags'
  | 'ids';

/** Counts the list entries, owners and ids that could not be read. */
export interface Dropped {
  add(part: ReportPart, count?: number): void;
  /** One line for each part, without content. */
  listWarnings(): readonly string[];
}

export function createDropped(): Dropped {
  const counts = new Map<ReportPart, number>();
  return {
    add(part, count = 1) {
      if (count > 0) counts.set(part, (counts.get(part) ?? 0) + count);
    },
    listWarnings: () => [...counts].map(([part, count]) => `${count} of the ${part} could not be read`),
  };
}
