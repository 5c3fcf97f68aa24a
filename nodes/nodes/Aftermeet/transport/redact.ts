import { isFields, redact } from '@aftermeet/client/pure';
import type { INode, INodeParameters } from 'n8n-workflow';

/** What is shorter is no secret, and would be found within ordinary words and ids. */
const MIN_SECRET_LENGTH = 8;

/** What lies deeper is no answer of the service, and is not passed on. */
const MAX_DEPTH = 32;

const HIDDEN = '[hidden]';

/** The value with the secrets hidden in each of its texts and names; everything else stays as it is. Pure. */
export function hideEchoes(value: unknown, secrets: readonly string[]): unknown {
  const long = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return long.length === 0 ? value : hideWithin(value, long, 0);
}

function hideWithin(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return hideInText(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return HIDDEN;
  const hide = (inner: unknown): unknown => hideWithin(inner, secrets, depth + 1);
  if (Array.isArray(value)) return value.map(hide);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [hideInText(name, secrets), hide(inner)]),
  );
}

/** Of a text without a secret nothing is hidden, not even the user of an address. */
function hideInText(text: string, secrets: readonly string[]): string {
  if (secrets.every(({ length }) => text.length < length)) return text;
  const clean = redact(text, secrets);
  return clean === redact(text, []) ? text : clean;
}

/** Parameters whose value only the service may see: addresses that open a door (as in the client's errors). */
const secretNames: ReadonlySet<string> = new Set(['link', 'webhookUrl']);

/** The node as its errors carry it, into logs and into what n8n keeps of an execution: without what was typed into these. Pure. */
export function hideNodeSecrets(node: INode): INode {
  return { ...node, parameters: hideSecrets(node.parameters) };
}

function hideSecrets(parameters: INodeParameters): INodeParameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (secretNames.has(name)) return [name, HIDDEN];
      return [name, isParameters(value) ? hideSecrets(value) : value];
    }),
  );
}

/** A collection. */
function isParameters(value: unknown): value is INodeParameters {
  return isFields(value);
}
