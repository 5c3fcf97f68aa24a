import type { INodeListSearchItems } from 'n8n-workflow';

/** Those whose name, value or description holds the filter, without case. Pure. */
export function keepMatching(items: readonly INodeListSearchItems[], filter: string): INodeListSearchItems[] {
  const wanted = filter.toLowerCase();
  return items.filter(({ name, value, description = '' }) =>
    `${name}\n${String(value)}\n${description}`.toLowerCase().includes(wanted),
  );
}
