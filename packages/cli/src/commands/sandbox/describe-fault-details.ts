/** What has a column of its own. */
const columns = new Set(['id', 'kind', 'on', 'times', 'happened']);

/** What is so unless somebody says otherwise. */
const usual: Readonly<Record<string, unknown>> = { after: 0, probability: 1, is_applied: false };

/** Whatever else a planned fault is made of: `status=429 retry_after_seconds=2 after=1`. */
export function describeFaultDetails(fault: object): string {
  return Object.entries(fault)
    .filter(([name, value]) => !columns.has(name) && usual[name] !== value)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
