import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { runProgram } from '../../../packages/cli/src/program.ts';
import { recordLog } from '../../../recipes/src/testing/record-log.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

const guests = [
  { name: 'Aoki', email: 'try..this..05@docomo.example' },
  { name: 'Doi', email: 'd.oi.@ezweb.example' },
  { name: 'Müller', email: 'max.müster@kunde.example' },
  { name: '王', email: 'user@例え.jp' },
  { name: 'Quoted', email: '"a.b"@partner.example' },
  { name: 'Plus', email: 'plus+tag@partner.example' },
  { name: 'Ann Lee', email: 'ann.lee@example.com' },
];

const told =
  '4 addresses of the report cannot be mailed: Aoki (two dots in a row before the @), ' +
  'Doi (a dot right before the @), Müller (a character outside ASCII before the @), Quoted (quotes before the @)';

const deliverySchema = z.object({
  deliveryId: z.string(),
  effects: z.array(
    z.object({
      effectKey: z.string(),
      recipe: z.string(),
      verdict: z.string(),
      cause: z.string().optional(),
    }),
  ),
});

const recipes = {
  mail: { use: 'email-follow-up', with: { to: 'all', external: 'send' } },
  none: { use: 'email-follow-up', with: { to: 'external', except: ['例え.jp', 'plus+tag@partner.example'] } },
};

const log = recordLog();

let harness: RecipeHarness;
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  const endpoints = {
    mail: { secrets: ['whsec_0123456789abcdef'], recipes: ['mail'] },
    none: { secrets: ['whsec_fedcba9876543210'], recipes: ['none'] },
  };
  await writeFile(join(folder.path, 'aftermeet.yaml'), JSON.stringify({ endpoints, recipes }));
  harness = await openRecipeHarness({ recipes, guests, log });
});
afterAll(async () => {
  await harness.close();
  folder.remove();
});

/** What the command prints about the stored deliveries, as JSON. */
async function runJson(...words: readonly string[]): Promise<unknown> {
  let printed = '';
  const code = await runProgram([...words, '--json', '--config', join(folder.path, 'aftermeet.yaml')], {
    environment: {
      QUEUE_URL: harness.queueUrl,
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'Aftermeet <bot@example.com>',
    },
    isTerminal: false,
    write: (text) => void (printed += text),
    writeError: (text) => void (printed += text),
  });
  expect(code, printed).toBe(0);
  return JSON.parse(printed);
}

it('tells in mail, deliveries, effects and log whose addresses were refused and why', async () => {
  const meetingId = await harness.hold('mail');
  const mails = harness.vendors.mail.emulator.received();
  // The emulator shows a domain in its own letters.
  expect(new Map(mails.map(({ to, text }) => [to, text.includes(told)]))).toEqual(
    new Map([
      ['ann.lee@example.com', true],
      ['plus+tag@partner.example', false],
      ['user@例え.jp', false],
    ]),
  );
  expect(mails).toHaveLength(3);
  const own = mails.find(({ to }) => to === 'ann.lee@example.com');
  expect(own?.html).toContain(`>${told}</p>`);

  const cause = `3 effects planned from the report; ${told}`;
  const listed = await findDelivery(meetingId);
  const sent = { recipe: 'mail', verdict: 'sent' };
  expect(listed?.effects).toMatchObject([{ recipe: 'mail', verdict: 'expanded', cause }, sent, sent, sent]);
  const shown = deliverySchema.parse(await runJson('deliveries', 'show', listed?.deliveryId ?? ''));
  expect(shown.effects.map(({ verdict }) => verdict)).toEqual(['expanded', 'sent', 'sent', 'sent']);
  expect(shown.effects[0]?.cause).toBe(cause);
  const effectKey = shown.effects[0]?.effectKey ?? '';
  expect(await runJson('effects', 'show', effectKey)).toMatchObject({ state: 'skipped', cause });

  const refused = [
    { name: 'Aoki', cause: 'double_dot' },
    { name: 'Doi', cause: 'trailing_dot' },
    { name: 'Müller', cause: 'non_ascii' },
    { name: 'Quoted', cause: 'quoted' },
  ];
  expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    {
      text: 'addresses of participants were refused',
      fields: { recipe: 'mail', meetingId, effectKey, count: 4, refused },
    },
  ]);
  expect(JSON.stringify(log.lines)).not.toMatch(/docomo|ezweb|kunde|partner\.example/);
});

/** Workers note a delivery a moment after they have taken it. */
async function findDelivery(meetingId: string) {
  const list = async () =>
    z
      .object({ items: z.array(deliverySchema) })
      .parse(await runJson('deliveries', 'list', '--meeting', meetingId)).items;
  await expect.poll(async () => (await list()).length).toBe(1);
  return (await list())[0];
}

it('tells it also when no recipient is left', async () => {
  const meetingId = await harness.hold('none');
  const listed = await findDelivery(meetingId);
  expect(listed?.effects).toMatchObject([
    {
      recipe: 'none',
      verdict: 'skipped',
      cause: `the report has no recipient who can be mailed; ${told}`,
    },
  ]);
});
