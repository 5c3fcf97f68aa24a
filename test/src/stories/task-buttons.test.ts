import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { describeEachStore, makeTemporaryFolder, openTestStore } from '../support/index.ts';
import { runAftermeet, startAftermeet, type AftermeetProcess } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { editSummary } from './edit-summary.ts';
import { SECRET, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

const settings = `
recipes:
  recap: { use: slack-recap, with: { channel: C0RECAP } }
  tasks: { use: slack-tasks }
`;

const meeting = {
  title: 'Move',
  start: '2026-07-07T14:00:00+02:00',
  participants: [{ name: 'Anna Berg', email: 'anna@example.com' }],
  summary: 'The team moves in September.',
  tasks: {
    actions: [
      { text: 'Book the movers', assignee: 'Anna Berg' },
      { text: 'Order boxes', assignee: 'Anna Berg' },
    ],
  },
};

describeEachStore('the Done button of a task', (kind) => {
  it('is remembered: in the message, in the next recap, and until the meeting is forgotten', async () => {
    const folder = await makeTemporaryFolder();
    const store = await openTestStore(kind);
    const services = await startServices();
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settings);
    const environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
    };
    const { emulator } = services.vendors.slack;
    const find = (channel: string) => emulator.received().find((message) => message.channel === channel);
    const seeUntil = (what: string, channel: string, wanted: RegExp) =>
      waitFor(what, () => (wanted.test(JSON.stringify(find(channel) ?? '')) ? true : undefined), 20_000);
    const running = new Set<AftermeetProcess>();
    try {
      const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
      running.add(receiver);
      running.add(await startAftermeet(['worker'], environment));
      const origin = receiver.facts['url'] ?? '';
      const added = await fetch(`${services.serviceUrl}/_sandbox/meetings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(meeting),
      });
      const { meeting_id: meetingId } = (await added.json()) as { meeting_id: string };
      expect(await deliver(`${origin}/hooks/default`, meetingId)).toBe(200);
      await seeUntil('the task with its button', 'D0ANNA', /"text":"• Book the movers".*aftermeet_task_done/);

      const press = async (action: RegExp, text: string) => {
        const message = find('D0ANNA');
        const block = message?.blocks?.find((each) => JSON.stringify(each).includes(text));
        const { value, action_id: id = '' } = (block?.['accessory'] ?? {}) as {
          value?: string;
          action_id?: string;
        };
        expect(id).toMatch(action);
        const payload = JSON.stringify({
          type: 'block_actions',
          user: { id: 'U0ANNA', team_id: 'T0SANDBOX' },
          team: { id: 'T0SANDBOX' },
          channel: { id: 'D0ANNA' },
          message: { ts: message?.ts, text: message?.text, blocks: message?.blocks },
          trigger_id: '12.34.abc',
          actions: [{ type: 'button', action_id: id, value }],
        });
        const body = new URLSearchParams({ payload }).toString();
        const timestamp = String(Math.floor(Date.now() / 1000));
        const mac = createHmac('sha256', SIGNING_SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
        const answer = await fetch(`${origin}/slack/interactivity`, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'x-slack-request-timestamp': timestamp,
            'x-slack-signature': `v0=${mac}`,
          },
          body,
        });
        expect(answer.status).toBe(200);
      };
      await press(/_task_done:/, 'Book the movers');
      await seeUntil('the done task', 'D0ANNA', /"text":"☑ Book the movers".*aftermeet_task_open/);
      await press(/_task_done:/, 'Order boxes');
      await seeUntil('the other one', 'D0ANNA', /"text":"☑ Order boxes"/);
      await press(/_task_open:/, 'Order boxes');
      await seeUntil('it open again', 'D0ANNA', /"text":"• Order boxes"/);
      expect(find('C0RECAP')?.text).toMatch(/Anna Berg\n• Book the movers\n• Order boxes$/);

      await editSummary(meetingId, 'The team moves in October.', environment);
      expect(await deliver(`${origin}/hooks/default`, meetingId)).toBe(200);
      await seeUntil('the recap of the newer report', 'C0RECAP', /moves in October/);
      expect(find('C0RECAP')?.text).toMatch(/Anna Berg\n• ☑ ~~Book the movers~~\n• Order boxes$/);
      await waitFor(
        'the newer message',
        () => (find('D0ANNA')?.text.includes('movers') === false ? true : undefined),
        20_000,
      );
      expect(find('D0ANNA')?.text).toMatch(/• Order boxes$/);

      const { stdout } = await runAftermeet(['meetings', 'show', meetingId], environment);
      expect(stdout).toContain('Slack member U0ANNA');
      expect(stdout).toContain('a task is done');
      await runAftermeet(['forget', meetingId, '--yes'], environment);
      expect(find('D0ANNA')).toBeUndefined();
    } finally {
      await Promise.all([...running].map((each) => each.end('SIGKILL')));
      await services.close();
      await store.dispose();
      folder.remove();
    }
  });
});
