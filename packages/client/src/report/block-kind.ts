const taskKeys: ReadonlySet<string> = new Set(['tasks', 'task', 'action_items', 'actions', 'todos']);
const decisionKeys: ReadonlySet<string> = new Set(['decisions', 'decision', 'key_decisions']);

/** `Med-Anamnesis`, `med_anamnesis` and `medAnamnesis` are one name. */
export function normaliseName(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}

/** Of a normalised name. */
export function isTasks(key: string): boolean {
  return taskKeys.has(key);
}

/** Of a normalised name. */
export function isDecisions(key: string): boolean {
  return decisionKeys.has(key);
}
