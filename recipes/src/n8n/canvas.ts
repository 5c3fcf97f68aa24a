import { type CredentialName, credentials, type NodeKind, nodeKinds } from './node-kinds.ts';
import { stableUuid, stableWorkflowId } from './stable-id.ts';
import type { N8nNode, N8nWorkflow, Parameters } from './workflow.ts';

/** A node to be added; its name is what people read, and what expressions call it by. */
interface Step {
  readonly name: string;
  readonly kind: NodeKind;
  readonly parameters: Parameters;
  readonly credential?: CredentialName;
  readonly goesOnAfterError?: boolean;
}

/** Where a node hangs: behind the output of another one. Output 1 of an IF is its `false`. */
interface Behind {
  readonly name: string;
  readonly output?: number;
}

/** A workflow that is being drawn, from left to right; what branches off goes down. */
export interface Canvas {
  /** Adds a node behind the last one of the line, or behind `behind` on a row below. */
  add(step: Step, behind?: Behind): void;
  /** Leads from one node back to another that is there already. */
  loop(from: Behind, to: string): void;
  /** A note beside the workflow, in Markdown. */
  note(text: string): void;
  finish(options?: { readonly timezone?: string }): N8nWorkflow;
}

const step = { x: 220, y: 200 };

/** Begins a workflow. `seed` makes its ids; a workflow of the same seed and steps is the same to the last character. */
export function createCanvas(name: string, seed: string): Canvas {
  const nodes: N8nNode[] = [];
  const places = new Map<string, { readonly column: number; readonly row: number }>();
  const lines = new Map<string, { node: string; type: 'main'; index: number }[][]>();
  let last: string | undefined;

  const connect = ({ name: from, output = 0 }: Behind, to: string): void => {
    const outputs = lines.get(from) ?? [];
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: to, type: 'main', index: 0 });
    lines.set(from, outputs);
  };
  const place = (behind: Behind | undefined, isBranch: boolean) => {
    const from = places.get(behind?.name ?? '');
    if (from === undefined) return { column: 0, row: 0 };
    return { column: from.column + 1, row: from.row + (isBranch ? 1 : 0) };
  };

  return {
    add: ({ name: nodeName, kind, parameters, credential, goesOnAfterError }, behind) => {
      const from = behind ?? (last === undefined ? undefined : { name: last });
      const isBranch = behind !== undefined && (behind.output ?? 0) > 0;
      const at = place(from, isBranch);
      const given = credential === undefined ? undefined : credentials[credential];
      nodes.push({
        parameters,
        id: stableUuid(seed, nodeName),
        name: nodeName,
        ...nodeKinds[kind],
        position: [at.column * step.x, at.row * step.y],
        ...(given === undefined ? {} : { credentials: { [given.type]: { id: null, name: given.name } } }),
        ...(kind === 'webhook' || kind === 'wait'
          ? { webhookId: stableUuid(seed, nodeName, 'webhook') }
          : {}),
        ...(goesOnAfterError === true ? { onError: 'continueRegularOutput' as const } : {}),
      });
      places.set(nodeName, at);
      if (from !== undefined) connect(from, nodeName);
      if (!isBranch) last = nodeName;
    },
    loop: connect,
    note: (content) => {
      const height = 160 + 26 * content.split('\n').length;
      nodes.push({
        parameters: { content, height, width: 620 },
        id: stableUuid(seed, 'note'),
        name: 'Read me first',
        ...nodeKinds.note,
        position: [0, -height - 60],
      });
    },
    finish: ({ timezone } = {}) => ({
      id: stableWorkflowId(seed),
      name,
      nodes,
      connections: Object.fromEntries([...lines].map(([from, main]) => [from, { main }])),
      active: false,
      settings: { executionOrder: 'v1', ...(timezone === undefined ? {} : { timezone }) },
      meta: { templateCredsSetupCompleted: false },
      pinData: {},
    }),
  };
}
