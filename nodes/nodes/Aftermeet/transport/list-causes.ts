/** A chain that is longer than any seen: n8n's error, that of axios, and that of Node.js. */
const MAX_DEPTH = 5;

/** An error and what caused it, the outermost first. Pure. */
export function listCauses(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_DEPTH; at = at.cause) chain.push(at);
  return chain;
}
