import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { describeFields, describeOpenApi, listAnswers } from './openapi/index.ts';
import { listOperations } from './operations.ts';

const docs = join(import.meta.dirname, '../../../docs');

describe('docs/openapi.json', () => {
  it('is what the table says: otherwise run node scripts/generate-docs.mjs', () => {
    expect(JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8'))).toStrictEqual(describeOpenApi());
  });
});

describe('docs/operations.md', () => {
  const sections = readFileSync(join(docs, 'operations.md'), 'utf8').split(/^(?=<a id=)/m);

  it.each(listOperations().map((operation) => ({ id: operation.id, operation })))(
    'has an entry for $id with all its fields: otherwise run node scripts/generate-docs.mjs',
    ({ id, operation }) => {
      const entry = sections.find((section) => section.startsWith(`<a id="${id}"></a>\n`)) ?? '';
      expect(entry).toContain(`\n### ${id}\n`);
      expect(entry).toContain(`\`${operation.method} ${operation.path}\``);
      for (const { name } of describeFields(operation)) expect(entry).toContain(`\n| \`${name}\` `);
      for (const { status } of listAnswers(operation)) expect(entry).toContain(`\n| ${status} `);
      for (const { status } of operation.assumedErrors ?? []) {
        expect(entry).toContain(`\n| ${status} _assumed_ `);
      }
      expect(sections[0]).toContain(`[${id}](#${id})`);
    },
  );
});
