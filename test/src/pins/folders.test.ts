import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { arrows, root, workspaceFolders } from './picture.ts';

interface Manifest {
  readonly name: string;
  readonly type: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Names of our own packages among the run-time dependencies, as folders. */
function ownDependencies(folder: string): string[] {
  const names = new Map(workspaceFolders.map((each) => [readManifest(each).name, each]));
  return Object.keys(readManifest(folder).dependencies ?? {})
    .flatMap((name) => names.get(name) ?? [])
    .toSorted();
}

describe('the folder picture', () => {
  it('has these workspaces and no others', () => {
    const packages = readdirSync(join(root, 'packages')).toSorted();
    expect(packages).toEqual(['cli', 'client', 'contract', 'pages', 'queue', 'sandbox', 'webhooks']);
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({
      workspaces: ['packages/*', 'receiver', 'recipes', 'nodes', 'test'],
    });
    for (const folder of workspaceFolders) expect(existsSync(join(root, folder, 'package.json'))).toBe(true);
  });

  it.each(Object.entries(arrows))('%s depends on no more than its arrows', (folder, allowed) => {
    expect(allowed).toEqual(expect.arrayContaining(ownDependencies(folder)));
  });

  it('keeps the foundations free of the rest', () => {
    expect(ownDependencies('packages/contract')).toEqual([]);
    expect(ownDependencies('packages/webhooks')).toEqual([]);
    expect(ownDependencies('packages/queue')).toEqual([]);
    expect(readManifest('packages/webhooks').dependencies).toBeUndefined();
  });

  it('keeps the nodes without run-time dependencies and in CommonJS', () => {
    expect(readManifest('nodes')).toMatchObject({ name: 'n8n-nodes-aftermeet', type: 'commonjs' });
    expect(readManifest('nodes').dependencies).toBeUndefined();
  });

  it('reads settings from the environment in one file only', () => {
    const readers = workspaceFolders
      .filter((folder) => folder !== 'test')
      .flatMap((folder) => sourceFiles(join(root, folder)))
      .filter((file) => readFileSync(file, 'utf8').includes('process.env'))
      .map((file) => file.slice(root.length + 1));
    // The first reads the variables that every program has for a proxy; the second hands PATH on to the server that it starts.
    expect(readers).toEqual([
      'packages/client/src/proxy.ts',
      'packages/queue/src/embedded/binaries.ts',
      'packages/cli/src/main.ts',
    ]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'testing'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}
