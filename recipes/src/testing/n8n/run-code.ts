import vm from 'node:vm';

import type { N8nWorkflow } from '../../n8n/workflow.ts';

/** What a Code node gives back. */
export type Items = readonly { readonly json: Readonly<Record<string, unknown>> }[];

/** The JavaScript of a workflow's Code node. */
export function findCode(workflow: N8nWorkflow, name: string): string {
  const code = workflow.nodes.find((node) => node.name === name)?.parameters['jsCode'];
  if (typeof code !== 'string') throw new Error(`no Code node ${name}`);
  return code;
}

/** Runs it as n8n does: `$input`, `$('Node name')` and no module. `nodes` holds the items of the nodes before. */
export function runCode(
  code: string,
  input: readonly object[],
  nodes: Readonly<Record<string, readonly object[]>> = {},
): Items {
  const find = (name: string) => wrap(nodes[name] ?? []);
  const context = vm.createContext({ $input: wrap(input), $: find });
  const text: unknown = vm.runInContext(`JSON.stringify((() => { ${code} \n})())`, context, {
    timeout: 5000,
  });
  // What comes out of a Code node is what can be written as JSON.
  const items: Items = JSON.parse(String(text));
  return items;
}

function wrap(values: readonly object[]) {
  const items = values.map((json) => ({ json }));
  return { all: () => items, first: () => items[0] };
}
