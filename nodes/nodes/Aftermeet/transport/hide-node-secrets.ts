import { isFields } from '@aftermeet/client/pure';
import type { INode, INodeParameters } from 'n8n-workflow';

/** Parameters whose value nobody but the service may see: secrets, and addresses that open a door (as in the client's errors). */
const secretNames: ReadonlySet<string> = new Set(['link', 'webhookSecret', 'webhookUrl']);
const HIDDEN = '[hidden]';

/** The node as its errors carry it, into logs and into what n8n keeps of an execution: without secrets that were typed in. Pure. */
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
