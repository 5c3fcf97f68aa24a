import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../../testing/start-test-sandbox.ts';
import { describeKnobs } from '../describe-knobs.ts';
import type { Lever } from './assumption.ts';
import { assumptions } from './assumptions.ts';

/**
 * Every place where the specification says "not shown" or "not listed", in its order, read off by hand: the ids of
 * the rows that answer for it. A sentence that leaves several things open has several.
 */
const notShown: readonly (readonly [place: string, rows: readonly string[]])[] = [
  ['What the service does: the list of platform identifiers', ['platform-identifiers']],
  ['Resources: the fields of the workspace metadata', ['workspace-metadata']],
  ['Resources, gaps: further fields of a meeting', ['meeting-fields']],
  ['Resources, gaps: structure of a report, names of blocks', ['report-structure', 'block-names']],
  ['Resources, gaps: values of a colour', ['tag-colors']],
  ['Resources, gaps: further fields of a custom template', ['template-fields']],
  ['States: states and transitions', ['meeting-states', 'meeting-transitions']],
  ['Endpoints, gaps: required fields of a recording', ['required-recording-fields']],
  ['Endpoints, gaps: answers of start and status', ['start-answer', 'status-answer']],
  ['Endpoints, gaps: parameters for author and upper date', ['search-parameters']],
  [
    'Endpoints, gaps: shape and paging of search, tags and templates',
    ['search-answer', 'search-paging', 'tag-list-answer', 'tag-list-paging', 'template-list-answer'],
  ],
  [
    'Endpoints, gaps: answers of stop, cancel, attach, detach and chunks',
    ['stop-and-cancel-answers', 'tag-link-answers', 'chunk-answers'],
  ],
  ['Endpoints, gaps: answer of an edit, fields of the report', ['edit-answer', 'report-fields']],
  ['Authentication: format and expiry of a key', ['key-format', 'key-expiry']],
  ['Events, gaps: retries, timeout, further kinds', ['retry-policy', 'delivery-timeout', 'event-kinds']],
  ['Events, gaps: format of the timestamp', ['event-timestamp']],
  ['Errors: body, codes and conditions', ['error-body', 'error-codes', 'error-conditions']],
  ['Limits: rate limits and other sizes', ['rate-limits', 'size-limits']],
  [
    'Versioning: policy, deprecation, meaning of v2',
    ['version-policy', 'deprecation-rules', 'meaning-of-v2'],
  ],
];

describe('the table of assumptions', () => {
  it('has a row for each of the 19 places where the specification shows nothing, and tells its own from those', () => {
    expect(notShown).toHaveLength(19);
    const expected = notShown.flatMap(([, rows]) => rows);
    expect(expected).toHaveLength(37);
    const stated = assumptions.filter(({ section }) => section !== 'Nowhere');
    expect(stated.map(({ id }) => id)).toEqual(expected);
  });

  it('has rows with ids of their own, whole sentences and something that changes them', () => {
    expect(new Set(assumptions.map(({ id }) => id)).size).toBe(assumptions.length);
    for (const { id, open, assumed, levers } of assumptions) {
      expect(id).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(open, id).toMatch(/^[A-Z`].*\.$/);
      expect(assumed, id).toMatch(/^.*\.$/);
      expect(levers.length, id).toBeGreaterThan(0);
    }
  });

  it('names every knob, and no other', () => {
    const named = new Set(listLevers('knob'));
    expect([...named].toSorted()).toEqual(
      describeKnobs()
        .map(({ name }) => name)
        .toSorted(),
    );
  });
});

describe('the control routes of the table', () => {
  let house: TestSandbox;

  beforeAll(async () => {
    house = await startTestSandbox();
  });

  afterAll(() => house.sandbox.close());

  it.each([...new Set(listLevers('route'))])('%s is there', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { body } = await house.call(method, path.replace(':id', 'x'), { no_such_field: 1 });
    expect(JSON.stringify(body)).not.toContain('no such control route');
  });
});

describe('docs/sandbox-assumptions.md', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../../../docs/sandbox-assumptions.md'),
    'utf8',
  );

  it('has every row and every knob: otherwise run node scripts/generate-docs.mjs', () => {
    for (const { id, levers } of assumptions) {
      const row = page.split('\n').find((line) => line.includes(`<a id="${id}"></a>`)) ?? '';
      for (const { name } of levers) expect(row, id).toContain(`\`${name}\``);
    }
    for (const { name, first } of describeKnobs()) {
      const row = page.split('\n').find((line) => line.includes(`<a id="knob-${name}"></a>`)) ?? '';
      expect(row, name).toContain(`\`${first}\``);
    }
  });
});

function listLevers(kind: Lever['kind']): readonly string[] {
  return assumptions.flatMap(({ levers }) =>
    levers.filter((lever) => lever.kind === kind).map(({ name }) => name),
  );
}
