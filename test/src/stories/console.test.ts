import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

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
import { waitFor } from './wait-for.ts';

const TOKEN = 'console-token-0123456789';
const OUTSIDE = 'cleo@partner.example';

const shownSchema = z.object({ state: z.string(), attempts: z.number(), reference: z.string() });

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
  note: { use: ./note.mjs }
  recap: { use: slack-recap, with: { channel: C0RECAP, sections: [outcome, summary, decisions, tasks] } }
  tell: { use: email-alert, with: { to: ops@example.com } }
  people: { use: slack-recap, when: { title: 'HR*' }, with: { channel: C0PEOPLE } }
mail: { internal_domains: [example.com] }
`;

describeEachStore('the console of a receiver', (kind) => {
  let store: TestStore;
  let services: Services;
  let folder: TemporaryFolder;
  let environment: Readonly<Record<string, string>>;
  let receiver: AftermeetProcess;
  let worker: AftermeetProcess;
  let isChannelMissing = true;
  let cookie = '';
  let meetingId = '';
  const running: AftermeetProcess[] = [];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    store = await openTestStore(kind);
    services = await startServices({
      slack: () =>
        isChannelMissing ? { status: 200, body: { ok: false, error: 'channel_not_found' } } : 'pass',
    });
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settingsFile);
    await writeFile(join(folder.path, 'note.mjs'), note);
    environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
      ADMIN_TOKEN: TOKEN,
      WORKER_PORT: '0',
    };
    receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    worker = await startAftermeet(['worker'], environment);
    running.push(receiver, worker);
  });
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await services.close();
    await store.dispose();
    folder.remove();
  });

  const origin = (): string => receiver.facts['url'] ?? '';

  async function see(path: string): Promise<string> {
    const answer = await fetch(`${origin()}/console${path}`, { headers: { cookie } });
    expect([path, answer.status]).toEqual([path, 200]);
    return await answer.text();
  }

  /** Presses the button of a page's form: its address ends so. */
  async function press(
    page: string,
    ending: string,
    changes: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const forms = [...page.matchAll(/<form[^>]* method="post" action="([^"]+)">([\s\S]*?)<\/form>/g)];
    const [, action = '', inside = ''] = forms.find(([, address = '']) => address.endsWith(ending)) ?? [];
    const fields = [...inside.matchAll(/<input(?: type="hidden")? name="(\w+)" value="([^"&]*)"/g)];
    const pairs = fields.map(([, name = '', value = '']): [string, string] => [name, value]);
    const body = new URLSearchParams({ ...Object.fromEntries(pairs), ...changes });
    const answer = await fetch(`${origin()}${action}`, {
      method: 'POST',
      headers: { cookie, origin: origin() },
      body,
    });
    expect([action, answer.status]).toEqual([action, 200]);
    return await answer.text();
  }

  const mailsTo = (address: string) =>
    services.vendors.mail.emulator.received().filter(({ envelope }) => envelope.to.includes(address));

  const findLink = (page: string, pattern: RegExp): string => pattern.exec(page)?.[1] ?? 'no link';

  const seeUntil = (path: string, words: string): Promise<string> =>
    waitFor(
      `"${words}" at ${path}`,
      async () => {
        const page = await see(path);
        return page.includes(words) ? page : undefined;
      },
      20_000,
    );

  it('is entered with the token', async () => {
    const body = new URLSearchParams({ token: TOKEN, next: '/console' });
    const answer = await fetch(`${origin()}/console/login`, {
      method: 'POST',
      headers: { origin: origin() },
      body,
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await see('')).toContain('No meeting found');
  });

  it('says of each recipe what became of a meeting, and why nothing arrived', async () => {
    meetingId = await services.completeMeeting();
    expect(await deliver(`${origin()}/hooks/default`, meetingId)).toBe(200);
    await seeUntil('', 'waits for approval');
    const list = await seeUntil('', 'channel_not_found');
    expect(list).toMatch(/<strong>people<\/strong> <span class="none">not taken: [^<]*HR/);
    const way = await seeUntil(`/meetings/${meetingId}`, 'recap to slack: failed');
    expect(way).toContain('delivery meeting.completed at the endpoint default: taken by note, recap');
    expect(way).toMatch(/recap to slack: failed: [^<]*channel_not_found[^<]* s, /);
    expect(way).not.toContain(OUTSIDE);
  });

  it('repairs what failed, and says who did it', async () => {
    isChannelMissing = false;
    const attention = await see('/attention');
    const failed = await see(
      findLink(
        attention,
        /href="\/console(\/effects\/\w+)"[^>]*>\s*See to it[^<]*<span class="skip">\s*of recap/,
      ),
    );
    expect(await press(failed, '/retry')).toContain('it is tried again');
    await seeUntil(`/meetings/${meetingId}`, 'recap to slack: sent');
    // The journal is written beside the work: its line may come after the message.
    const way = await seeUntil(`/meetings/${meetingId}`, 'retry: it is tried again');
    expect(way).toMatch(/the console \(session [0-9a-f]{8}\): retry: it is tried again/);
    expect(services.vendors.slack.emulator.received()).toHaveLength(1);
  });

  it('shows a message as it looks, and replays only what was not sent', async () => {
    const way = await see(`/meetings/${meetingId}`);
    const recap = findLink(
      way,
      /href="\/console(\/effects\/\w+)"[^>]*>\s*Details[^<]*<span class="skip">\s*of recap/,
    );
    const message = await see(`${recap}/message`);
    expect(message).toContain('As it would be sent now');
    expect(message).toMatch(/<h3>[^<]*Story meeting[^<]*<\/h3>/);
    const recipes = await see(`/meetings/${meetingId}/recipes`);
    expect(recipes).toMatch(
      /people\s*<span class="pill wait"\s*>does not take this meeting<\/span\s*>[^]*<span class="bad">no<\/span>\s*[^<]*HR[^<]*<span class="soft">\([^)]*Story meeting/,
    );
    expect(recipes).toContain(`mail to ${OUTSIDE}`);
    const replay = await see(`/meetings/${meetingId}/replay`);
    expect(replay).toMatch(/1 delivery,\s+0 effects that are tried\./);
    expect(replay).toContain('<strong>1</strong> sent already');
  });

  it('sends an approved mail as it was seen, and holds it again where it has changed', async () => {
    const address = findLink(await see('/approvals'), /href="\/console\/effects(\/\w+)"/);
    const seen = await see(`/approvals${address}`);
    expect(seen).toContain(`now, to ${OUTSIDE}`);
    await editSummary(meetingId, 'Quite another summary.', environment);
    // A worker that knows the report from before would send what was seen; a new one reads it as it is now.
    await worker.end('SIGTERM');
    worker = await startAftermeet(['worker'], environment);
    running.push(worker);
    await press(seen, '/approve');
    const again = await seeUntil('/approvals', 'it has changed since it was approved');
    expect(again).toContain('waits for approval');
    expect(mailsTo(OUTSIDE)).toEqual([]);
    const changed = await see(`/approvals${address}`);
    expect(changed).toContain('Quite another summary.');
    expect(await see(`/effects${address}/mail`)).toContain('Quite another summary.');
    await press(changed, '/approve');
    await seeUntil('/approvals', 'Nothing waits for approval.');
    const [mail, ...others] = await waitFor(
      'the mail',
      () => {
        const mails = mailsTo(OUTSIDE);
        return mails.length > 0 ? mails : undefined;
      },
      20_000,
    );
    expect([mail?.envelope.to, others]).toEqual([[OUTSIDE], []]);
    expect(mail?.text).toContain('Quite another summary.');
    const way = await waitFor(
      'both approvals in the meeting',
      async () => {
        const page = await see(`/meetings/${meetingId}`);
        return page.match(/: approve: /g)?.length === 2 ? page : undefined;
      },
      20_000,
    );
    expect(way).not.toContain(OUTSIDE);
  });

  it('shows what is paused by hand, which is sent after the resume', async () => {
    expect(await runAftermeet(['pause', 'recap'], environment)).toMatchObject({ code: 0 });
    await seeUntil('/attention', 'The recipe recap is paused by hand');
    // The workers follow within five seconds.
    await new Promise((resolve) => setTimeout(resolve, 5500));
    const another = await services.completeMeeting();
    expect(await deliver(`${origin()}/hooks/default`, another)).toBe(200);
    await seeUntil('', another);
    await seeUntil(`/meetings/${another}`, 'not now: the recipe recap is paused by hand');
    const before = services.vendors.slack.emulator.received().length;
    expect(await runAftermeet(['resume', 'recap'], environment)).toMatchObject({ code: 0 });
    await new Promise((resolve) => setTimeout(resolve, 5500));
    const waiting = await see('/waiting');
    const effect = await see(
      findLink(
        waiting,
        /href="\/console(\/effects\/\w+)"[^>]*>\s*See to it[^<]*<span class="skip">\s*of recap/,
      ),
    );
    await press(effect, '/retry');
    await seeUntil(`/meetings/${another}`, 'recap to slack: sent');
    expect(services.vendors.slack.emulator.received()).toHaveLength(before + 1);
  }, 60_000);

  it('sends an approved mail to another recipient and under another subject', async () => {
    const address = findLink(
      await seeUntil('/approvals', '/console/effects/'),
      /href="\/console\/effects(\/\w+)"/,
    );
    const seen = await see(`/approvals${address}`);
    const wrong = { to: 'dana@partner.example, evil@z.io' };
    expect(await press(seen, '/approve', wrong)).toContain(
      'nothing is sent: its recipient has to be one address',
    );
    const changes = { to: 'dana@partner.example', subject: 'What we agreed' };
    expect(await press(seen, '/approve', changes)).toContain('with another recipient and subject, a worker');
    await seeUntil('/approvals', 'Nothing waits for approval.');
    const mails = await waitFor(
      'the mail',
      () => {
        const found = mailsTo('dana@partner.example');
        return found.length > 0 ? found : undefined;
      },
      20_000,
    );
    expect(mails.map(({ subject }) => subject)).toEqual(['What we agreed']);
    expect(mailsTo(OUTSIDE)).toHaveLength(1);
  });

  it('was told of what waits, once', () => {
    const told = mailsTo('ops@example.com').filter(({ subject }) => subject.startsWith('Waits for approval'));
    expect(told.map(({ subject }) => subject)).toEqual(['Waits for approval: Story meeting']);
    expect(told[0]?.text).toContain('in the console under Approvals');
    expect(told[0]?.text).not.toContain(OUTSIDE);
  });

  it('sends a deleted message again, and leaves alone one that is still there', async () => {
    const { emulator } = services.vendors.slack;
    const before = emulator.received().length;
    const way = await see(`/meetings/${meetingId}`);
    const recap = findLink(
      way,
      /href="\/console(\/effects\/\w+)"[^>]*>\s*Details[^<]*<span class="skip">\s*of recap/,
    );
    const key = recap.slice('/effects/'.length);
    const showEffect = async () =>
      shownSchema.parse(
        JSON.parse((await runAftermeet(['effects', 'show', key, '--json'], environment)).stdout),
      );
    const resend = async () => {
      const { attempts } = await showEffect();
      expect(await press(await see(recap), '/resend')).toContain('it is sent again if its destination');
      return await waitFor(
        'another attempt',
        async () => {
          const shown = await showEffect();
          return shown.state === 'sent' && shown.attempts > attempts ? shown : undefined;
        },
        20_000,
      );
    };
    const first = await showEffect();
    const openIt = async () =>
      await fetch(`${origin()}/console${recap}/there`, { headers: { cookie }, redirect: 'manual' });
    expect(way).toContain(`/console${recap}/there`);
    expect((await openIt()).headers.get('location')).toBe(
      `${services.vendors.slack.url}/#${first.reference.split('/')[1]}`,
    );
    expect((await resend()).reference).toBe(first.reference);
    expect(emulator.received()).toHaveLength(before);

    const [channel = '', ts = ''] = first.reference.split('/');
    const deleted = await fetch(new URL('chat.delete', services.vendors.slack.apiUrl), {
      method: 'POST',
      headers: { authorization: 'Bearer xoxb-story', 'content-type': 'application/json' },
      body: JSON.stringify({ channel, ts }),
    });
    expect(await deleted.json()).toMatchObject({ ok: true });
    expect(await (await openIt()).text()).toContain('It cannot be found: Slack answers message_not_found.');
    const again = await resend();
    expect(again.reference).not.toBe(first.reference);
    expect(again.reference.startsWith(`${channel}/`)).toBe(true);
    const sent = emulator.received().map((message) => JSON.stringify(message));
    expect(sent.filter((message) => message.includes('Quite another summary.'))).toHaveLength(1);
  }, 60_000);

  it('takes a message back, which neither a replay nor a retry sends again', async () => {
    const { emulator } = services.vendors.slack;
    const before = emulator.received().length;
    const run = async (...words: string[]) => {
      const { code, stdout } = await runAftermeet(words, environment);
      return [code, stdout] as const;
    };
    const listed = z
      .array(
        z.object({
          effectKey: z.string(),
          recipe: z.string(),
          meetingId: z.string(),
          destination: z.string(),
        }),
      )
      .parse(JSON.parse((await run('effects', 'list', '--state', 'sent', '--json'))[1]).items);
    const key =
      listed.find((one) => one.recipe === 'recap' && one.meetingId === meetingId)?.effectKey ?? 'no effect';
    expect(await run('effects', 'recall', key)).toEqual([
      0,
      `${key.slice(0, 8)}  recap  slack  is taken back\n`,
    ]);
    expect(emulator.received()).toHaveLength(before - 1);
    expect(await see(`/effects/${key}`)).toContain('taken back');
    expect(await run('effects', 'retry', key)).toEqual([
      0,
      `${key.slice(0, 8)}  recap  slack  was taken back: aftermeet effects resend sends it again\n`,
    ]);
    const mail = listed.find(({ destination }) => destination === 'email')?.effectKey ?? 'no effect';
    const [code, words] = await run('effects', 'recall', mail);
    expect([code, words]).toEqual([
      1,
      expect.stringContaining('stays: its destination takes nothing back, such as a mail'),
    ]);
    const [, planned] = await run('effects', 'recall', '--meeting', meetingId);
    expect(planned).toContain('Nothing was changed: add --yes.');
    expect(emulator.received()).toHaveLength(before - 1);
    expect(await press(await see(`/effects/${key}`), '/resend')).toContain('it is sent again');
    await waitFor('the message', () => (emulator.received().length === before ? true : undefined), 20_000);
    // The message is there before the ledger says so.
    const sentAgain = await seeUntil(`/effects/${key}`, `/${key}/recall`);
    expect(await press(sentAgain, '/recall')).toContain('it is taken back');
    expect(emulator.received()).toHaveLength(before - 1);
  }, 60_000);

  it('shows no secret, address or transcript on a page, in a log or in a metric', async () => {
    const pages = [
      '',
      `/meetings/${meetingId}`,
      '/attention',
      '/waiting',
      '/approvals',
      '/replay',
      '/recipes',
      '/overview',
    ];
    const texts = await Promise.all(pages.map((path) => see(path)));
    const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
    for (const address of [origin(), worker.facts['status'] ?? ''])
      texts.push(await (await fetch(`${address}/metrics`, bearer)).text());
    texts.push(receiver.log(), worker.log());
    const { stdout } = await runAftermeet(['report', 'get', meetingId, '--transcript'], environment);
    const said = stdout.split('\n').map((line) => line.trim());
    // The transcript stands last; a long title, which pages do show, comes first.
    const sentence = said.findLast((line) => line.length > 40) ?? '';
    expect(sentence).not.toBe('');
    const session = cookie.split('=')[1] ?? '';
    const secrets = [
      TOKEN,
      session,
      SECRET,
      OUTSIDE,
      'ops@example.com',
      'xoxb-story',
      'ntn_story',
      'sandbox_key',
      sentence,
    ];
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
    expect(texts.join()).toContain('aftermeet_worker_heartbeat_seconds');
  });
});
