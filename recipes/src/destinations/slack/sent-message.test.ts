import { WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';

import { openTestSlack, testChannel } from '../../testing/test-slack.ts';
import { recallMessage } from './sent-message.ts';

const message = { text: 'recap', blocks: [] };

it('deletes a message, also one that is gone, and says why it cannot', async () => {
  const { post, emulator, apiUrl } = await openTestSlack();
  const settings = { token: 'xoxb-test', apiUrl };
  const reference = await post(message);
  expect(emulator.received()).toHaveLength(1);
  expect(await recallMessage({ reference }, settings, 5000)).toEqual({ ok: true });
  expect(emulator.received()).toHaveLength(0);
  expect(await recallMessage({ reference }, settings, 5000)).toEqual({ ok: true });

  const other = await post(message, { effectKey: 'k2' });
  const foreign = { token: 'xoxb-other', apiUrl };
  expect(await recallMessage({ reference: other }, foreign, 5000)).toEqual({
    ok: false,
    cause: 'Slack answers cant_delete_message',
  });
  const away = { token: 'xoxb-test', apiUrl: 'http://127.0.0.1:1/api/' };
  expect(await recallMessage({ reference: other }, away, 5000)).toEqual({
    ok: false,
    cause: 'Slack does not answer',
  });
  expect(emulator.received()).toHaveLength(1);
});

it('deletes a file with the message that shows it', async () => {
  const { emulator, apiUrl } = await openTestSlack();
  const client = new WebClient('xoxb-test', { slackApiUrl: apiUrl });
  await client.filesUploadV2({ channel_id: testChannel, filename: 'sync.md', content: '# Sync' });
  const id = emulator.received()[0]?.files?.[0]?.id ?? '';
  expect(emulator.readFile(id)?.toString()).toBe('# Sync');
  const settings = { token: 'xoxb-test', apiUrl };
  const reference = `${testChannel}/${id}`;
  expect(await recallMessage({ reference }, settings, 5000)).toEqual({ ok: true });
  expect(emulator.received()).toHaveLength(0);
  expect(emulator.readFile(id)).toBeUndefined();
  expect(await recallMessage({ reference }, settings, 5000)).toEqual({ ok: true });
});
