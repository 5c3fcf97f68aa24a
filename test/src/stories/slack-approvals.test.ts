import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  describeEachStore,
  makeTemporaryFolder,
  openTestStore,
  type TemporaryFolder,
  type TestStore,
} from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { editSummary } from './edit-summary.ts';
import { SECRET, type Services, startServices } from './services.ts';
import { type SlackSocketServer, startSlackSocketServer } from './slack-socket-server.ts';
import { waitFor } from './wait-for.ts';

const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const CHANNEL = 'C0APPROVE';
const OUTSIDE = 'cleo@partner.example';
const SOON = 20_000;

const note = `
export default {
  name: 'note',
  description: 'Mails a partner.',
  on: ['meeting.completed'],
  run: ({ report }) => [
    { destination: 'email', to: '${OUTSIDE}', subject: report.title, markdown: report.summary },
  ],
};
`;

const settingsFile = `
recipes:
  note: { use: ./note.mjs, approve: { slack: ${CHANNEL}, by: [U0ANNA], email: boss@example.com } }
mail: { internal_domains: [example.com] }
`;

/** A message with the buttons of a request for approval. */
interface Request {
  readonly ts: string;
  readonly text: string;
  readonly value: string;
}

describeEachStore('approvals in Slack', (kind) => {
  let store: TestStore;
  let services: Services;
  let folder: TemporaryFolder;
  let socket: SlackSocketServer;
  let environment: Readonly<Record<string, string>>;
  let receiver: AftermeetProcess;
  let worker: AftermeetProcess;
  const running: AftermeetProcess[] = [];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    store = await openTestStore(kind);
    socket = await startSlackSocketServer();
    services = await startServices({ slack: (call) => socket.intercept(call) ?? 'pass' });
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settingsFile);
    await writeFile(join(folder.path, 'note.mjs'), note);
    environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
    };
    receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    environment = { ...environment, PUBLIC_URL: origin() };
    worker = await startAftermeet(['worker'], environment);
    running.push(receiver, worker);
  });
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await socket.close();
    await services.close();
    await store.dispose();
    folder.remove();
  });

  const origin = (): string => receiver.facts['url'] ?? '';
  const mailsTo = (address: string) =>
    services.vendors.mail.emulator.received().filter(({ envelope }) => envelope.to.includes(address));
  const messages = () =>
    services.vendors.slack.emulator.received().filter(({ channel }) => channel === CHANNEL);
  const messageAt = (ts: string): string => JSON.stringify(messages().find((message) => message.ts === ts));

  async function meet(): Promise<string> {
    const meetingId = await services.completeMeeting();
    expect(await deliver(`${origin()}/hooks/default`, meetingId)).toBe(200);
    return meetingId;
  }

  /** The newest request with buttons, once there are so many messages. */
  const findRequest = (count: number): Promise<Request> =>
    waitFor(
      'a request for approval',
      () => {
        const found = messages();
        const last = found.at(-1);
        const value = /"value":"([0-9a-f]{80})"/.exec(JSON.stringify(last?.blocks))?.[1];
        if (found.length < count || last === undefined || value === undefined) return undefined;
        return { ts: last.ts, text: last.text, value };
      },
      SOON,
    );

  const click = (action: string, { ts, value }: Request, user = 'U0ANNA', channel = CHANNEL): object => ({
    type: 'block_actions',
    user: { id: user, team_id: 'T0SANDBOX' },
    team: { id: 'T0SANDBOX' },
    channel: { id: channel },
    message: { ts },
    trigger_id: '12.34.abc',
    actions: [{ type: 'button', action_id: `aftermeet_${action}`, value }],
  });

  /** Signs as Slack does, by its documentation and Node's own HMAC. */
  async function post(
    payload: object,
    { secret = SIGNING_SECRET, shiftSeconds = 0 } = {},
  ): Promise<Response> {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const timestamp = String(Math.floor(Date.now() / 1000) + shiftSeconds);
    const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    return await fetch(`${origin()}/slack/interactivity`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${mac}`,
      },
      body,
    });
  }

  async function press(payload: object): Promise<unknown> {
    const answer = await post(payload);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  }

  const waitForMail = (address: string) =>
    waitFor(
      `a mail to ${address}`,
      () => {
        const found = mailsTo(address);
        return found.length > 0 ? found : undefined;
      },
      SOON,
    );

  const lastTold = (): string => JSON.stringify(services.vendors.slack.emulator.shown().at(-1));

  it('asks in the channel, with the mail as it would be sent', async () => {
    await meet();
    const { text } = await findRequest(1);
    expect(text).toContain('Waits for approval: Story meeting');
    expect(text).toContain(`To ${OUTSIDE}`);
    expect(text).toContain('Subject: Story meeting');
    const [message] = messages();
    expect(message?.blocks?.map(({ type }) => type)).toEqual([
      'header',
      'rich_text',
      'rich_text',
      'context',
      'actions',
    ]);
    expect(mailsTo(OUTSIDE)).toEqual([]);
  });

  it('lets no stranger approve, and no forged, late or foreign click', async () => {
    const request = await findRequest(1);
    expect(await press(click('approve', request, 'U0TOM'))).toBeUndefined();
    expect(lastTold()).toContain('You are not among those who approve this.');
    expect((await post(click('approve', request), { secret: `${SIGNING_SECRET}x` })).status).toBe(401);
    expect((await post(click('approve', request), { shiftSeconds: -400 })).status).toBe(401);
    await press(click('approve', request, 'U0ANNA', 'C0OTHER'));
    await press(click('approve', { ...request, value: '0'.repeat(80) }));
    expect(lastTold()).toContain('This request is not known any more');
    expect(await press({ type: 'block_actions', actions: [] })).toBeUndefined();
    expect(mailsTo(OUTSIDE)).toEqual([]);
    expect(messageAt(request.ts)).toContain('aftermeet_approve');
  });

  it('sends what was approved once, however often it is clicked, and says who did it', async () => {
    const request = await findRequest(1);
    await Promise.all([press(click('approve', request)), press(click('approve', request))]);
    await press(click('approve', request));
    await press(click('discard', request));
    expect(await waitForMail(OUTSIDE)).toHaveLength(1);
    expect(messageAt(request.ts)).not.toContain('aftermeet_approve');
    const { stdout } = await runAftermeet(['meetings', 'list', '--json'], environment);
    expect(stdout).not.toContain(OUTSIDE);
    expect(mailsTo(OUTSIDE)).toHaveLength(1);
  });

  it('changes recipient and subject in a form', async () => {
    await meet();
    const request = await findRequest(2);
    await press(click('edit', request));
    const shown = services.vendors.slack.emulator.shown().at(-1);
    if (shown?.kind !== 'view') throw new Error('no form was opened');
    const submit = (to: string, subject: string): object => ({
      type: 'view_submission',
      user: { id: 'U0ANNA', team_id: 'T0SANDBOX' },
      team: { id: 'T0SANDBOX' },
      view: {
        ...shown.view,
        state: { values: { to: { to: { value: to } }, subject: { subject: { value: subject } } } },
      },
    });
    expect(await press(submit('dana@partner.example, evil@z.io', 'Hi'))).toEqual({
      response_action: 'errors',
      errors: { to: 'One address, such as name@example.com.' },
    });
    expect(await press(submit('dana@partner.example', 'What we agreed'))).toBeUndefined();
    const mails = await waitForMail('dana@partner.example');
    expect(mails.map(({ subject }) => subject)).toEqual(['What we agreed']);
    expect(messageAt(request.ts)).toContain('Approved with another recipient and subject');
    expect(messageAt(request.ts)).toContain('"user_id":"U0ANNA"');
    expect(mailsTo(OUTSIDE)).toHaveLength(1);
  });

  it('discards', async () => {
    const meetingId = await meet();
    const request = await findRequest(3);
    await press(click('discard', request));
    expect(messageAt(request.ts)).toContain('Discarded: it is never sent.');
    const { stdout } = await runAftermeet(['meetings', 'show', meetingId], environment);
    expect(stdout).toContain('Slack member U0ANNA');
    expect(mailsTo(OUTSIDE)).toHaveLength(1);
  });

  it('asks again for what has changed since it was asked for', async () => {
    const meetingId = await meet();
    const request = await findRequest(4);
    await editSummary(meetingId, 'Quite another summary.', environment);
    await worker.end('SIGTERM');
    worker = await startAftermeet(['worker'], environment);
    running.push(worker);
    await press(click('approve', request));
    const again = await findRequest(5);
    expect(again.text).toContain('Quite another summary.');
    expect(mailsTo(OUTSIDE)).toHaveLength(1);
    await press(click('approve', again));
    await waitFor('the mail', () => mailsTo(OUTSIDE)[1], SOON);
    expect(mailsTo(OUTSIDE)[1]?.text).toContain('Quite another summary.');
  });

  it('asks by mail, whose link shows the mail and approves it', async () => {
    const meetingId = await meet();
    const asked = mailsTo('boss@example.com').length;
    const mail = await waitFor('the mail to the approver', () => mailsTo('boss@example.com')[asked], SOON);
    const request = await findRequest(6);
    expect(mail.subject).toBe('Waits for approval: Story meeting');
    expect(mail.text).toContain(`wants to send this mail to ${OUTSIDE}.`);
    const link = /http:\S+\/approve\/[0-9a-f]{144}/.exec(mail.text)?.[0] ?? '';
    const page = await (await fetch(link)).text();
    expect(page).toContain(OUTSIDE);
    const content = /name="content" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? '';
    const before = mailsTo(OUTSIDE).length;
    const approve = async (address: string): Promise<string> => {
      const body = new URLSearchParams({ content });
      return await (await fetch(address, { method: 'POST', body })).text();
    };
    const altered = `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`;
    expect(await approve(altered)).toContain('This link is not known');
    expect(await approve(link)).toContain('a worker sends it');
    expect(await approve(link)).toContain('it does not wait for approval');
    await waitFor('the mail', () => mailsTo(OUTSIDE)[before], SOON);
    expect(mailsTo(OUTSIDE)).toHaveLength(before + 1);
    const { stdout } = await runAftermeet(['meetings', 'show', meetingId], environment);
    expect(stdout).toContain('the link in the mail to b…@example.com');
    await waitFor(
      'the decision at its request in Slack',
      () => messageAt(request.ts).includes('By the link in the mail to b…@example.com.') || undefined,
      SOON,
    );
    expect(messageAt(request.ts)).not.toContain('aftermeet_approve');
    await press(click('discard', request));
    expect(messageAt(request.ts)).toContain('It does not wait for approval any more: it is sent.');
  });

  it('shows at its request what was decided on the command line', async () => {
    await meet();
    const request = await findRequest(7);
    expect(await runAftermeet(['approvals', 'discard', '--all', '--yes'], environment)).toMatchObject({
      code: 0,
    });
    expect(messageAt(request.ts)).toContain('Discarded: it is never sent. By aftermeet approvals.');
    expect(messageAt(request.ts)).not.toContain('aftermeet_approve');
  });

  it('answers over Socket Mode too, and connects again when Slack ends the connection', async () => {
    await worker.end('SIGTERM');
    worker = await startAftermeet(['worker'], { ...environment, SLACK_APP_TOKEN: 'xapp-1-story' });
    running.push(worker);
    await meet();
    const request = await findRequest(8);
    expect(await socket.send('interactive', click('approve', request, 'U0TOM'))).toEqual({});
    expect(lastTold()).toContain('You are not among those who approve this.');
    socket.endConnections();
    expect(await socket.send('interactive', click('approve', request))).toEqual({});
    await waitFor('the fourth mail', () => mailsTo(OUTSIDE)[3], SOON);
    expect(messageAt(request.ts)).toContain('Approved: it is sent.');
    expect(worker.log() + receiver.log()).not.toContain('partner.example');
    for (const secret of ['xapp-1-story', 'xoxb-story', SIGNING_SECRET])
      expect(worker.log() + receiver.log()).not.toContain(secret);
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
