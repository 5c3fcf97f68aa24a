import { renderRecipe, sampleReport } from '@aftermeet/recipes/testing';
import { expect, it } from 'vitest';

import customerNote from './customer-note.ts';

it('posts a note, and mails the organiser the open tasks', async () => {
  const effects = await renderRecipe(customerNote, sampleReport, { channel: 'C0123456789' });
  expect(effects.map(({ destination, target }) => `${destination} ${target}`)).toEqual([
    'slack C0123456789',
    'email ann@example.com',
  ]);
  expect(effects[0]?.message).toMatchObject({ text: expect.stringContaining('Acme: renewal: 2 open tasks') });
  expect(effects[1]?.message).toMatchObject({
    subject: 'Open tasks: Acme: renewal',
    text: expect.stringContaining('Ann Lee: Send the offer'),
  });
});

it('sends no mail about a meeting without tasks', async () => {
  const effects = await renderRecipe(
    customerNote,
    { ...sampleReport, tasks: [] },
    { channel: 'C0123456789' },
  );
  expect(effects.map(({ destination }) => destination)).toEqual(['slack']);
});

it('wants to know the channel', async () => {
  await expect(renderRecipe(customerNote, sampleReport)).rejects.toThrow('with.channel: found nothing');
});
