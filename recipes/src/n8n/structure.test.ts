import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { drawFor } from '../testing/n8n/workflows.ts';
import { nodeKinds } from './node-kinds.ts';

/** What n8n 2.41.1 itself says of these nodes (`n8n export:nodes`). */
const known = z
  .record(
    z.string(),
    z.object({
      versions: z.array(z.number()),
      parameters: z.array(z.string()),
      required: z.array(z.string()),
    }),
  )
  .parse(read(join(import.meta.dirname, '../testing/n8n/n8n-2.41.1.json')));

const node = z.object({
  name: z.string(),
  id: z.uuid(),
  type: z.string(),
  typeVersion: z.number(),
  parameters: z.record(z.string(), z.unknown()),
  credentials: z.record(z.string(), z.strictObject({ id: z.null(), name: z.string() })).optional(),
});
const workflowSchema = z.object({
  nodes: z.array(node),
  connections: z.record(z.string(), z.object({ main: z.array(z.array(z.object({ node: z.string() }))) })),
  active: z.literal(false),
  settings: z.object({ executionOrder: z.literal('v1') }),
});

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const folder = join(import.meta.dirname, '../../n8n');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the workflows of the prebuilt recipes', () => {
  it('are one for each', () => {
    expect(files.toSorted()).toEqual(
      readdirSync(join(import.meta.dirname, '../prebuilt'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${name}.json`)
        .toSorted(),
    );
  });

  it.each(files)('%s is made of nodes and parameters that n8n knows', (file) => {
    const { nodes } = workflowSchema.parse(read(join(folder, file)));
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
    expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
    for (const { type, typeVersion, parameters } of nodes) {
      expect(known[type]?.versions).toContain(typeVersion);
      for (const [name, value] of Object.entries(parameters)) {
        expect(known[type]?.parameters).toContain(name);
        if (known[type]?.required.includes(name) ?? false) expect(value).not.toBe('');
      }
    }
  });

  it.each(files)('%s leads to nodes that are there, and each but the first can be reached', (file) => {
    const { nodes, connections } = workflowSchema.parse(read(join(folder, file)));
    const names = nodes.map(({ name }) => name);
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map((one) => one.node));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
    const unreached = names.filter((name) => !targets.includes(name));
    expect(unreached).toEqual([names[0], 'Read me first']);
  });

  it.each(files)('%s calls by name only nodes that are there, and its JavaScript compiles', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { nodes } = workflowSchema.parse(JSON.parse(text));
    const names = nodes.map(({ name }) => name);
    const called = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(called));
    const codes = nodes.flatMap(({ parameters }) =>
      'jsCode' in parameters ? [String(parameters['jsCode'])] : [],
    );
    for (const code of codes) {
      expect(() => new vm.Script(`(async () => { ${code} \n})`)).not.toThrow();
      expect(code).not.toMatch(/\brequire\(|\bimport\b|\bprocess\./);
    }
  });
});

describe('drawWorkflow', () => {
  it('says the same to the last character each time, and other ids for another name', () => {
    expect(JSON.stringify(drawFor('slack-recap'))).toBe(JSON.stringify(drawFor('slack-recap')));
    expect(drawFor('slack-recap', { name: 'other' }).workflow.id).not.toBe(
      drawFor('slack-recap').workflow.id,
    );
  });

  it('takes no secret along, whatever the settings and the options hold', () => {
    const destinations = {
      slack: { token: 'xoxb-SECRET1', channel: 'C1' },
      notion: { token: 'ntn_SECRET2', dataSourceId: 'ds' },
      mail: { smtpUrl: 'smtp://u:SECRET3@host', from: 'a@b.example', to: ['c@d.example'] },
    };
    const given = { url: 'https://h.example/SECRET4', secret: 'whsec_SECRET5', headers: { a: 'SECRET6' } };
    for (const use of ['slack-recap', 'notion-page', 'email-follow-up', 'http-forward', 'archive-export']) {
      const made = JSON.stringify(drawFor(use, { with: given }, { destinations }));
      expect(made).not.toContain('SECRET');
    }
    expect(drawFor('http-forward', { with: given }).notes).toContain(
      'These options of the recipe are left out: secret, headers.',
    );
  });

  it('shows a text that begins like an expression as text', () => {
    const { workflow } = drawFor('slack-recap', { with: { link: '={{ $env.X }}' } });
    expect(JSON.stringify(workflow)).toContain(String.raw`={{ \"={{ $env.X }}\" }}`);
  });

  it('knows only nodes that n8n has', () => {
    for (const { type, typeVersion } of Object.values(nodeKinds))
      expect(known[type]?.versions).toContain(typeVersion);
  });
});
