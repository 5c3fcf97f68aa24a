import { sampleScriptIds } from '../../content/find-script.ts';

const numbered = /^(?<kind>.+\/)(?<variant>\d+)$/;

/** The sample meeting that a series holds after this one: the next of the hand-written ones, or another variant of the same kind. */
export function nextScript(scriptId: string): string {
  const { kind, variant } = numbered.exec(scriptId)?.groups ?? {};
  if (kind !== undefined && variant !== undefined) return `${kind}${String(Number(variant) + 1)}`;
  const place = sampleScriptIds.findIndex((id) => id === scriptId);
  return sampleScriptIds[(place + 1) % sampleScriptIds.length] ?? sampleScriptIds[0];
}
