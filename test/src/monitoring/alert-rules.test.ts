import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describeWithProgram, makeTemporaryFolder } from '@aftermeet/test/support';
import { expect, it } from 'vitest';
import { z } from 'zod';

import { root } from '../pins/picture.ts';

const program = 'promtool';
const folder = join(root, 'docs/operations');

const sources = ['recipes/src/engine/worker-metrics.ts', 'receiver/src/metrics.ts']
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('');

it('every metric of the dashboard is one of the worker or the receiver', () => {
  const { panels, expressions } = readDashboard();
  const named = expressions.flatMap((expr) => expr.match(/aftermeet_\w+/g) ?? []);
  expect([panels.length, new Set(named).size]).toEqual([14, 14]);
  expect(named.filter((name) => !sources.includes(`'${name.replace(/_bucket$/, '')}'`))).toEqual([]);
});

function readDashboard() {
  const text = readFileSync(join(folder, 'grafana.json'), 'utf8');
  const { panels } = dashboardSchema.parse(JSON.parse(text));
  return { panels, expressions: panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)) };
}

const targetSchema = z.object({ expr: z.string() });

const dashboardSchema = z.object({ panels: z.array(z.object({ targets: z.array(targetSchema) })) });

it('every metric of a rule is one of the worker or the receiver', () => {
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

    it('and the expressions of the dashboard pass promtool check rules', async () => {
      const { expressions } = readDashboard();
      // Grafana fills its own variables.
      const rules = expressions.map((expr, at) => ({
        record: `panel_${String(at)}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      const scratch = await makeTemporaryFolder();
      const file = join(scratch.path, 'rules.yml');
      // YAML holds JSON.
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      const { status, stdout, stderr } = spawnSync(program, ['check', 'rules', file], { encoding: 'utf8' });
      scratch.remove();
      expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
    });
  },
  { debianPackage: 'prometheus' },
);
