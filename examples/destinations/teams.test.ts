import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { renderRecipe, sampleReport, sendMessage } from '@aftermeet/recipes/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

import teamsNote from './teams-note.ts';
import teams from './teams.ts';

const received: string[] = [];
let answer = { status: 202, headers: {} };
let url = '';
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push(Buffer.concat(parts).toString('utf8'));
    response.writeHead(answer.status, answer.headers).end();
  });
});

beforeEach(async () => {
  received.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/workflow?sig=hunter2`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

it('posts what the recipe makes as an Adaptive Card', async () => {
  const [effect] = await renderRecipe(teamsNote, sampleReport, {}, { destinations: { teams } });
  expect(effect).toMatchObject({ destination: 'teams', target: 'teams' });
  answer = { status: 202, headers: {} };
  expect(await sendMessage(teams, effect?.message, { url })).toEqual({ result: 'sent' });
  const { attachments } = JSON.parse(received[0] ?? '');
  expect(attachments[0].content.body).toEqual([
    { type: 'TextBlock', text: 'Acme: renewal', weight: 'bolder', size: 'medium', wrap: true },
    {
      type: 'TextBlock',
      text: 'Acme stays **for a year** if the price stays under 11,000.\n- Ann Lee: Send the offer\n- Cleo Diaz: Ask legal about the term',
      wrap: true,
    },
    { type: 'FactSet', facts: [{ title: 'Tasks', value: '2' }] },
  ]);
});

it.each([
  [429, { 'retry-after': '7' }, { result: 'retry', cause: 'Teams asks for a pause', afterMs: 7000 }],
  [503, {}, { result: 'retry', cause: 'Teams is in trouble (503)', afterMs: undefined }],
  [401, {}, { result: 'pause', cause: 'the workflow does not take the address (401)' }],
  [400, {}, { result: 'refuse', cause: 'Teams refuses the card (400)' }],
])('answers %i of Teams is understood', async (status, headers, result) => {
  answer = { status, headers };
  expect(await sendMessage(teams, { title: 'Hello', text: 'you' }, { url })).toEqual(result);
});

it('sends no card that is too large', async () => {
  const message = { title: 'Hello', text: 'x'.repeat(30_000) };
  expect(await sendMessage(teams, message, { url })).toMatchObject({ result: 'refuse' });
  expect(received).toEqual([]);
});

it('wants an address, and a title', async () => {
  await expect(sendMessage(teams, { title: 'Hello', text: '' }, {})).rejects.toThrow(
    'settings.url: found nothing',
  );
  await expect(sendMessage(teams, { text: '' }, { url })).rejects.toThrow('message.title');
});
