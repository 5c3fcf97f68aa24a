import { createSlackEmulator, type SlackEmulatorSettings } from '@aftermeet/sandbox';
import { expect, it, onTestFinished } from 'vitest';

import { testChannel } from '../../testing/test-slack.ts';
import { checkSlack } from './check.ts';

type Channel = NonNullable<SlackEmulatorSettings['channels']>[number];

async function checkChannel(channel: Partial<Channel>) {
  const emulator = createSlackEmulator({ channels: [{ id: testChannel, name: 'meetings', ...channel }] });
  const { url } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const settings = { token: 'xoxb-test', apiUrl: `${url}/api/`, channel: testChannel };
  return (await checkSlack(settings, [{}], 5000)).at(-1);
}

it('a channel that the app is a member of can be posted to', async () => {
  expect(await checkChannel({})).toMatchObject({
    name: 'Slack channel C0123456789',
    result: 'ok',
    found: '#meetings',
  });
});

it('an archived channel fails the check, and so does one without the app', async () => {
  expect(await checkChannel({ isArchived: true })).toMatchObject({
    result: 'failed',
    found: '#meetings is archived',
    advice: 'Choose another channel.',
  });
  expect(await checkChannel({ isMember: false, isPrivate: false })).toMatchObject({
    result: 'failed',
    found: '#meetings: the app is no member',
  });
});
