import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describeWithProgram } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { root } from '../pins/picture.ts';

const program = 'promtool';
const folder = join(root, 'docs/operations');

it('every metric of a rule is one of the worker or the receiver', () => {
  const sources = ['recipes/src/engine/worker-metrics.ts', 'receiver/src/metrics.ts']
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('');
  const rules = readFileSync(join(folder, 'alerts.yml'), 'utf8');
  const named = [...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap(
    ([, expr = '']) => expr.match(/aftermeet_\w+/g) ?? [],
  );
  expect(new Set(named).size).toBe(7);
  expect(named.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});

describeWithProgram(
  program,
  'the alert rules',
  () => {
    it.each([
      ['check', 'alerts.yml'],
      ['test', 'alerts.test.yml'],
    ])('pass promtool %s rules', (word, file) => {
      const settings = { cwd: folder, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(program, [word, 'rules', file], settings);
      expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
    });
  },
  { debianPackage: 'prometheus' },
);
