import { listOperations } from '@aftermeet/contract';

import type { Knobs } from '../knobs.ts';

const version = /^\/api\/(?:v\d{1,3}\/)?/;

/** The paths of the contract that have a version, without it. */
const versioned: ReadonlyMap<string, string> = new Map(
  listOperations()
    .filter(({ path }) => path.startsWith('/api/v'))
    .flatMap(({ path }): [string, string][] => {
      const [lead = ''] = version.exec(path) ?? [];
      return /\/v\d/.test(lead) ? [[path.slice(lead.length), lead]] : [];
    }),
);

/** The address, path and query, of the version that the specification shows, where the paths exist in any. */
export function readVersion(address: string, apiVersions: Knobs['apiVersions']): string {
  const [lead] = version.exec(address) ?? [];
  if (apiVersions === 'as_shown' || lead === undefined) return address;
  const rest = address.slice(lead.length);
  const [path = ''] = rest.split('?');
  return (versioned.get(path) ?? '/api/') + rest;
}
