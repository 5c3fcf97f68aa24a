import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listOperations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { AftermeetApi } from '../../../nodes/credentials/AftermeetApi.credentials.ts';
import { resources } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { root } from '../pins/picture.ts';

const folder = join(root, 'nodes');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

const manifest = z
  .object({
    version: z.string(),
    n8n: z.object({ nodes: z.array(z.string()) }),
  })
  .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** The section's table, without its head and line. */
function readTable(section: string): readonly string[][] {
  const [, text = ''] = readme.split(`## ${section}\n`);
  const [body = ''] = text.split('\n## ');
  const rows = body.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const mcpMethods: Readonly<Record<string, string>> = { callTool: '`tools/call`', listTools: '`tools/list`' };

describe('the README of the n8n nodes', () => {
  it('names every operation, what it does and what it sends, and no other', () => {
    const expected = resources.flatMap(({ name: resource, operations }) =>
      operations.map(({ description: { value, name, description, sends } }) => {
        const sent = listOperations().find(({ id }) => id === sends);
        const request = sent === undefined ? (mcpMethods[value] ?? '') : `\`${sent.method} ${sent.path}\``;
        return [resource, name, description, request];
      }),
    );
    const sort = (rows: readonly string[][]): readonly string[] =>
      rows.map((row) => row.join(' | ')).toSorted();
    expect(sort(readTable('Operations'))).toEqual(sort(expected));
  });

  it('names every field of the credential, and no other', () => {
    const expected = new AftermeetApi().properties.map((field) => field.displayName);
    expect(readTable('Credentials').map(([field]) => field)).toEqual(expected);
  });

  it('tells the history up to this version', () => {
    expect(readme).toContain(`\n- **${manifest.version}**`);
  });

  it('has the sections that the codex files point to, each for a node of the manifest', () => {
    const anchors = [...readme.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const file of manifest.n8n.nodes) {
      const codexFile = join(folder, file.replace('dist/', '').replace(/\.js$/, '.json'));
      const codex = z
        .object({
          node: z.string(),
          resources: z.record(z.string(), z.array(z.object({ url: z.string() }))),
        })
        .parse(JSON.parse(readFileSync(codexFile, 'utf8')));
      const [, name = ''] = /([^/]+)\.node\.js$/.exec(file) ?? [];
      expect(codex.node).toBe(`n8n-nodes-aftermeet.${name.charAt(0).toLowerCase()}${name.slice(1)}`);
      for (const { url } of Object.values(codex.resources).flat()) {
        expect(url).toMatch(/^https:\/\/github\.com\/aftermeet\/aftermeet\/blob\/main\/nodes\/README\.md#/);
        expect(anchors).toContain(url.split('#')[1]);
      }
    }
  });
});
