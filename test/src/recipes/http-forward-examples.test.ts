import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { type Received, startReceiver, stopReceivers } from '../../../recipes/src/testing/start-receiver.ts';
import { root } from '../pins/picture.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

const exampleSchema = z.object({
  recipes: z.record(
    z.string(),
    z.object({
      use: z.string(),
      with: z.looseObject({ url: z.string(), body: z.looseObject({}).optional() }),
    }),
  ),
});

let harness: RecipeHarness;
let received: readonly Received[];

/** The recipes that the page shows with a body, posting to a server of this test. */
function readExamples(port: number) {
  const page = readFileSync(join(root, 'recipes/src/prebuilt/http-forward.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);
  return Object.fromEntries(
    blocks
      .flatMap((text) =>
        Object.entries(exampleSchema.parse(parse(text.replaceAll(/\$\{\w+\}/g, 's3cret'))).recipes),
      )
      .filter(([, recipe]) => recipe.with.body !== undefined)
      .map(([name, { use, with: options }]) => {
        const url = `http://127.0.0.1:${port}${new URL(options.url).pathname}`;
        return [name, { use, with: { ...options, url, allow: 'private' } }];
      }),
  );
}

beforeAll(async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(201).end());
  ({ received } = receiver);
  harness = await openRecipeHarness({ recipes: readExamples(receiver.port) });
});
afterAll(async () => {
  await harness.close();
  await stopReceivers();
});

/** What has arrived since the last time. */
let seen = 0;
function takeArrived() {
  const fresh = received.slice(seen);
  seen = received.length;
  return fresh.map(({ url, headers, body }) => ({
    path: url,
    authorization: headers.authorization,
    contentType: headers['content-type'],
    isSigned: headers['webhook-signature'] !== undefined,
    body: JSON.parse(body) as unknown,
  }));
}

it('makes a note at HubSpot', async () => {
  await harness.hold('hubspot-note', { title: 'Acme <renewal>' });
  expect(takeArrived()).toEqual([
    {
      path: '/crm/v3/objects/notes',
      authorization: 'Bearer s3cret',
      contentType: 'application/json',
      isSigned: false,
      body: {
        properties: {
          hs_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          hs_note_body:
            '<b>Acme &lt;renewal&gt;</b><br>Shared calendars leave the beta next Tuesday, in three steps: 10% on Tuesday, half on ' +
            'Wednesday, everybody on Thursday.<br />\n<br />\nThe beta went well: 212 workspaces, nine out of ten kept it on. The one ' +
            'frequent fault, events an hour late, is fixed since Friday. The slow first load comes from copying old events; they are ' +
            'now copied ahead, from Sunday evening.<br />\n<br />\nThe launch waits a day if less than 95% is copied by Monday noon. ' +
            '<ul><li>Priya Raman: Start the copy on Sunday evening and post the progress on Monday at noon</li>' +
            '<li>Tom Okafor: Write the help page about permissions</li>' +
            '<li>Maya Lindqvist: Tell support and sales what changes for customers</li>' +
            '<li>Maya Lindqvist: Set up the ten-minute check on Thursday</li></ul>',
        },
        associations: [
          {
            to: { id: '12345' },
            types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 202 }],
          },
        ],
      },
    },
  ]);
});

it('makes an issue of each task in Jira, and none again when the meeting is processed again', async () => {
  const meetingId = await harness.hold('jira-issues', { title: 'Acme: renewal' });
  const issue = (summary: string, duedate: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)) => ({
    path: '/rest/api/2/issue',
    authorization: 'Basic s3cret',
    contentType: 'application/json',
    isSigned: false,
    body: {
      fields: {
        project: { key: 'SALES' },
        issuetype: { name: 'Task' },
        summary,
        duedate,
        labels: ['meeting'],
      },
    },
  });
  const issues = [
    issue('Start the copy on Sunday evening and post the progress on Monday at noon'),
    issue('Write the help page about permissions'),
    issue('Tell support and sales what changes for customers'),
    issue('Set up the ten-minute check on Thursday', null),
  ];
  // In any order: they go out at the same time.
  const arrived = takeArrived();
  expect(arrived).toHaveLength(4);
  expect(arrived).toEqual(expect.arrayContaining(issues));
  await harness.editSummary(meetingId, 'Another summary.');
  await harness.holdAgain(meetingId);
  expect(takeArrived()).toEqual([]);
});
