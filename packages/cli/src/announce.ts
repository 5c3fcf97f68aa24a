import type { Context } from './context.ts';

/** Says that a process is up: one JSON line for machines, or one line a fact for people. */
export function announce(
  context: Context,
  asJson: boolean,
  facts: Readonly<Record<string, string | number>>,
): void {
  if (asJson) {
    context.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, value] of Object.entries(facts)) context.write(`${name.padEnd(width)}  ${value}\n`);
}
