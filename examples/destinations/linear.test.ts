import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { renderRecipe, sampleReport, sendMessage } from '@aftermeet/recipes/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

import linearTasks from './linear-tasks.ts';
import linear from './linear.ts';

/** What Linear holds, by the id of the issue. */
const issues = new Map<string, object>();
const keys: (string | undefined)[] = [];
/** An answer in place of Linear's own; `isLost`: the issue is made all the same. */
let instead: { status: number; body: object | string; isLost?: boolean } | undefined;
let settings = { apiKey: 'lin_api_hunter2', team: '6b1a2c3d-0000-4000-8000-000000000001', url: '' };

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    keys.push(request.headers.authorization);
    const { query, variables } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const isCreation = String(query).startsWith('mutation');
    const made = isCreation && (instead === undefined || instead.isLost === true) && create(variables.input);
    const nodes = issues.has(variables.id) ? [{ identifier: 'ENG-1' }] : [];
    const own = isCreation
      ? { issueCreate: made ? { issue: { identifier: 'ENG-1' } } : null }
      : { issues: { nodes } };
    const errors =
      isCreation && !made ? [{ message: 'conflict', extensions: { code: 'INPUT_ERROR' } }] : undefined;
    const { status, body } = (isCreation ? instead : undefined) ?? {
      status: 200,
      body: { data: own, errors },
    };
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});

/** Linear takes an id once. */
function create({ id, ...issue }: { id: string }): boolean {
  if (issues.has(id)) return false;
  issues.set(id, issue);
  return true;
}

beforeEach(async () => {
  issues.clear();
  keys.length = 0;
  instead = undefined;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  settings = { ...settings, url: `http://127.0.0.1:${port}/graphql` };
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

/** Of a key of 64 zeros, which `sendMessage` uses. */
const id = '00000000-0000-4000-a000-000000000000';
const message = { title: 'Send the offer' };

function findIssue() {
  const signal = AbortSignal.timeout(5000);
  return linear.find?.('0'.repeat(64), { settings, signal, sinceMs: 0 });
}

it('makes an issue of each open task, by the key of the task', async () => {
  const effects = await renderRecipe(linearTasks, sampleReport, {}, { destinations: { linear } });
  expect(effects.map(({ message: made }) => made)).toEqual([
    {
      title: 'Send the offer',
      description: 'Send the offer\n\nFrom the meeting Acme: renewal, for Ann Lee.',
      dueDate: '2026-07-10',
    },
    {
      title: 'Ask legal about the term',
      description: 'Ask legal about the term\n\nFrom the meeting Acme: renewal, for Cleo Diaz.',
    },
  ]);
  expect(await sendMessage(linear, effects[0]?.message, settings)).toEqual({
    result: 'sent',
    reference: 'ENG-1',
  });
  expect(issues).toEqual(
    new Map([
      [
        id,
        {
          title: 'Send the offer',
          description: 'Send the offer\n\nFrom the meeting Acme: renewal, for Ann Lee.',
          dueDate: '2026-07-10',
          teamId: '6b1a2c3d-0000-4000-8000-000000000001',
        },
      ],
    ]),
  );
  expect(keys).toEqual(['lin_api_hunter2']);
});

it('finds again an issue whose answer was lost, and makes no second one', async () => {
  expect(await findIssue()).toBeUndefined();
  instead = { status: 502, body: {}, isLost: true };
  await expect(sendMessage(linear, message, settings)).rejects.toThrow('Linear is in trouble');
  expect(await findIssue()).toBe('ENG-1');
  instead = undefined;
  expect(await sendMessage(linear, message, settings)).toEqual({ result: 'sent', reference: 'ENG-1' });
  expect(issues.size).toBe(1);
});

const failed = (code: string) => ({ errors: [{ message: 'hunter2', extensions: { code } }] });

it.each([
  [400, failed('RATELIMITED'), { result: 'retry', cause: 'Linear asks for a pause', afterMs: 60_000 }],
  [429, 'slow down', { result: 'retry', cause: 'Linear asks for a pause', afterMs: 60_000 }],
  [401, failed('AUTHENTICATION_ERROR'), { result: 'pause', cause: 'Linear does not take the API key' }],
  [200, failed('INPUT_ERROR'), { result: 'refuse', cause: 'Linear refuses the issue (200)' }],
])('answers %i with %j are understood', async (status, body, result) => {
  instead = { status, body };
  expect(await sendMessage(linear, message, settings)).toEqual(result);
  expect(issues.size).toBe(0);
});

it('does not take an answer that it cannot read for an issue that is not there', async () => {
  instead = { status: 200, body: [] };
  await expect(sendMessage(linear, message, settings)).rejects.toThrow();
});
