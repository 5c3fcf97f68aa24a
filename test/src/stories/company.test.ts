import { copyFile } from 'node:fs/promises';
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
import { type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const example = join(import.meta.dirname, '../../../examples/company/aftermeet.yaml');

const secrets = {
  DEFAULT_SECRET: 'whsec_3f1c90de6b7a4852',
  SALES_SECRET: 'whsec_91b2e47f0c6d5a38',
  HR_SECRET: 'whsec_c05d8a61f9e2b743',
};

const endpointSecrets = {
  default: secrets.DEFAULT_SECRET,
  sales: secrets.SALES_SECRET,
  hr: secrets.HR_SECRET,
};

/** Every meeting, so that a message can be searched for those that it must not tell of. */
const titles = [
  'Team weekly',
  '1:1 Ann and Ben',
  'Standup',
  'Acme renewal',
  'Angebot Nordwind',
  '1:1 Cem and Dana',
  'Review of Eve',
  'Release planning',
  '1:1 Fay and Gus',
  'Beta Corp offer',
  'Salary talk',
  'Warning for Hal',
];

/** As the service writes them: text, owner and due date. */
function listTasks(...tasks: readonly (readonly [text: string, assignee?: string, deadline?: string])[]) {
  return { actions: tasks.map(([text, assignee, deadline]) => ({ text, assignee, deadline })) };
}

describeEachStore('a company with a channel for all, sales and HR', (kind) => {
  let store: TestStore;
  let services: Services;
  let environment: Readonly<Record<string, string>>;
  let worker: AftermeetProcess;
  const running: AftermeetProcess[] = [];
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    store = await openTestStore(kind);
    services = await startServices();
    const config = join(folder.path, 'aftermeet.yaml');
    await copyFile(example, config);
    const settings = {
      ...services.settings,
      ...secrets,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
    };
    const receiver = await startAftermeet(['receiver', '--port', '0'], settings);
    worker = await startAftermeet(['worker'], settings);
    running.push(receiver, worker);
    environment = { ...settings, PUBLIC_URL: receiver.facts['url'] ?? '' };
  });
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await services.close();
    await store.dispose();
    folder.remove();
  });

  async function run(words: readonly string[], changes: Readonly<Record<string, string>> = {}) {
    const { code, stdout, stderr } = await runAftermeet(words, { ...environment, ...changes });
    const problems = stderr.replaceAll(/^\d+ meetings searched\n/gm, '');
    expect({ code, problems }).toEqual({ code: 0, problems: '' });
    return stdout;
  }

  let links = 0;

  /** Records a meeting for an endpoint (none: without a webhook), and completes it. Returns its id. */
  async function hold(title: string, endpoint?: string, publicUrl = environment['PUBLIC_URL'] ?? '') {
    links += 1;
    const words = ['record', `https://meet.example.com/company-${links}`, '--title', title, '--json'];
    const webhook = endpoint === undefined ? [] : ['--endpoint', endpoint];
    const stdout = await run([...words, ...webhook], { PUBLIC_URL: publicUrl });
    const { meetingId } = z.object({ meetingId: z.string() }).parse(JSON.parse(stdout));
    await fetch(`${services.serviceUrl}/_sandbox/meetings/${meetingId}/complete`, { method: 'POST' });
    return meetingId;
  }

  /** A meeting that is over, with content of its own, whose delivery goes to an endpoint. */
  async function end(title: string, endpoint: keyof typeof endpointSecrets, content: object = {}) {
    const response = await fetch(`${services.serviceUrl}/_sandbox/meetings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        title,
        start: '2026-07-07T14:00:00+02:00',
        ...content,
        webhook_url: `${environment['PUBLIC_URL'] ?? ''}/hooks/${endpoint}`,
        webhook_secret: endpointSecrets[endpoint],
      }),
    });
    expect(response.status).toBe(200);
  }

  /** Who got what: the channel or address, and the meetings that its message tells of. Replies are left out. */
  function readReceived(): readonly string[] {
    const { slack, mail } = services.vendors;
    const tell = (text: string) => titles.filter((title) => text.includes(title)).join(', ');
    const messages = slack.emulator
      .received()
      .filter(({ threadTs }) => threadTs === undefined)
      .map((message) => `${message.channel}: ${tell(JSON.stringify(message))}`);
    const mails = mail.emulator
      .received()
      .map(({ envelope, subject, text }) => `${envelope.to.join()}: ${tell(subject + text)}`);
    return [...messages, ...mails].toSorted();
  }

  /** What is said in Slack, as text. */
  function readTexts(): readonly string[] {
    return services.vendors.slack.emulator
      .received()
      .map(({ channel, text }) => `${channel}: ${text}`)
      .toSorted();
  }

  async function expectReceived(wanted: readonly string[]) {
    await waitFor('every message', () => readReceived().length >= wanted.length || undefined, 30_000);
    await waitFor(
      'the end of all work',
      async () => (await run(['effects', 'list'])).endsWith('nothing waits.\n') || undefined,
      20_000,
    );
    expect(readReceived()).toEqual(wanted.toSorted());
  }

  const arrived = [
    'C0CUSTOMERS: Acme renewal',
    'C0GENERAL: Team weekly',
    'C0GENERAL: Team weekly',
    'C0SALES: Angebot Nordwind',
    'D0ANNA: Team weekly',
    'maya.lindqvist@example.com: Acme renewal',
    'tom@example.com: Acme renewal',
    'hr@example.com: Review of Eve',
  ];
  const found = [
    'C0GENERAL: Release planning',
    'C0GENERAL: Release planning',
    'D0MAYA: Release planning',
    'D0PRIYA: Release planning',
    'C0SALES: Beta Corp offer',
    'hr@example.com: Salary talk',
    'hr@example.com: Warning for Hal',
  ];

  it('reads each meeting where it belongs, and nowhere else', async () => {
    // Names alone: one by an alias, one whom the settings do not know.
    await end('Team weekly', 'default', {
      participants: [{ name: 'Anni' }, { name: 'Tom Ford' }, { name: 'Otto Weiss' }],
      summary: 'The team moves to the new office on 1 September.',
      tasks: listTasks(
        ['Book the movers', 'Anni', '2026-08-10'],
        ['Ask the landlord', 'Otto Weiss'],
        ['Order boxes'],
      ),
    });
    await end('1:1 Ann and Ben', 'default', {
      summary: 'Ann wants more pay.',
      tasks: listTasks(['Think about it', 'Anni']),
    });
    await end('Standup', 'default');
    await end('Acme renewal', 'sales', {
      participants: [
        { name: 'Maya Lindqvist', email: 'maya.lindqvist@example.com' },
        { name: 'Eve Stone', email: 'eve@acme.example' },
        { name: 'Tom Ford' },
      ],
      summary: 'Acme renews for a year.',
      decisions: ['The price stays'],
      tasks: listTasks(['Send the contract', 'Maya Lindqvist', '2026-07-10'], ['Sign it', 'Eve Stone']),
    });
    await end('Angebot Nordwind', 'sales', {
      language: 'de',
      participants: [{ name: 'Maya Lindqvist' }, { name: 'Otto Weiss' }],
      summary: 'Nordwind will das Angebot bis Freitag.\n\nDie Lizenzen kosten 4.200 € im Jahr.',
      decisions: ['Der Rabatt bleibt bei 10 %'],
      tasks: listTasks(['Angebot schicken', 'Maya Lindqvist', '2026-07-10'], ['Rechnung prüfen']),
    });
    await end('1:1 Cem and Dana', 'sales', { summary: 'Dana is leaving.' });
    await end('Review of Eve', 'hr', { summary: 'Eve gets a raise.' });
    await waitFor(
      'seven deliveries',
      async () => (await run(['deliveries', 'list', '--json'])).split('"receivedAt"').length > 7 || undefined,
      20_000,
    );
    await expectReceived(arrived);
    const facts = 'Tue 7 Jul, 14:00 (UTC+02:00)';
    expect(readTexts()).toEqual([
      `C0CUSTOMERS: Acme renewal\n\nAcme renews for a year.\n\n${facts} · Maya Lindqvist, Eve Stone, Tom Ford\n\n` +
        'Decisions\n• The price stays\n\n' +
        'Tasks\nMaya Lindqvist\n• Send the contract (due 10 Jul 2026)\nEve Stone\n• Sign it',
      `C0GENERAL: Open tasks: Team weekly\n\n${facts} · Anna Berg, Tom Ford, Otto Weiss\n\n` +
        'Otto Weiss\n• Ask the landlord\nNo owner\n• Order boxes',
      'C0GENERAL: Team weekly\n\nThe team moves to the new office on 1 September.\n\n' +
        `${facts} · Anna Berg, Tom Ford, Otto Weiss\n\n` +
        'Tasks\nAnna Berg\n• Book the movers (due 10 Aug 2026)\nOtto Weiss\n• Ask the landlord\nNo owner\n• Order boxes',
      // In few words: the licences are in the report.
      'C0SALES: Angebot Nordwind\n\nNordwind will das Angebot bis Freitag.\n\n' +
        'Di., 7. Juli, 14:00 (UTC+02:00) · Maya Lindqvist, Otto Weiss\n\n' +
        'Entscheidungen\n• Der Rabatt bleibt bei 10 %\n\n' +
        'Aufgaben\nMaya Lindqvist\n• Angebot schicken (fällig: 10.07.2026)\nNicht zugewiesen\n• Rechnung prüfen',
      `D0ANNA: Your tasks: Team weekly\n\n${facts} · Anna Berg, Tom Ford, Otto Weiss\n\n• Book the movers (due 10 Aug 2026)`,
    ]);
    const mails = new Map(
      services.vendors.mail.emulator.received().map(({ envelope, text }) => [envelope.to.join(), text]),
    );
    expect(mails.get('maya.lindqvist@example.com')).toMatch(
      /^Acme renewal\n\nAcme renews for a year\.\n\n.*\n\nYour tasks\n• Send the contract \(due 10 Jul 2026\)\n\nDecisions\n• The price stays\n\nMore tasks\nEve Stone:\n• Sign it\n/,
    );
    expect(mails.get('tom@example.com')).toMatch(
      /\n\nDecisions\n• The price stays\n\nTasks\nMaya Lindqvist:\n/,
    );
  });

  it('finds the lost ones, each for its own readers, and one without a webhook for the readers that are named', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const planning = await hold('Release planning', 'default', nowhere);
    const oneToOne = await hold('1:1 Fay and Gus', 'default', nowhere);
    await hold('Beta Corp offer', 'sales', nowhere);
    const salary = await hold('Salary talk', 'hr', nowhere);
    const warning = await hold('Warning for Hal');

    const plan = await run(['reconcile', '--dry-run']);
    for (const [title, meetingId, sent] of [
      ['Release planning', planning, 'default:\n  general: Slack channel C0GENERAL\n'],
      ['1:1 Fay and Gus', oneToOne, 'default:\n  no recipe takes it\n'],
      ['Salary talk', salary, 'hr:\n  hr: mail to hr@example.com\n'],
      ['Warning for Hal', warning, 'hr:\n  hr: mail to hr@example.com\n'],
    ]) {
      expect(plan).toContain(`\n${title} (${meetingId}) at the endpoint ${sent}`);
    }
    await run(['reconcile']);
    await expectReceived([...arrived, ...found]);

    expect(await run(['recipes', 'check', oneToOne])).toMatch(
      /^1:1 Fay and Gus: meeting\.completed\. It came to the endpoint default\.\n\ngeneral \(slack-recap\) does not take this meeting\n  yes  the endpoint default runs it  \(default\)\n[^]*  no   its title does not fit "1:1\*"  \("1:1 Fay and Gus"\)\n/,
    );
  });

  it('sends each team a digest of its own meetings', async () => {
    const dryRun = await run(['recipes', 'run', 'sales-digest', '--dry-run']);
    // Meetings that end in the same second have no order.
    expect(dryRun.split('\n').slice(1, 4).toSorted()).toEqual([
      '  Acme renewal',
      '  Angebot Nordwind',
      '  Beta Corp offer',
    ]);
    expect(dryRun).toMatch(
      /^sales-digest: 3 meetings from .*\n(?: .*\n){3}\nWould go to\n  mail to sales@example\.com\n/,
    );
    for (const recipe of ['team-digest', 'sales-digest', 'hr-digest']) await run(['recipes', 'run', recipe]);
    await expectReceived([
      ...arrived,
      ...found,
      'all@example.com: Team weekly, Standup, Release planning',
      'sales@example.com: Acme renewal, Angebot Nordwind, Beta Corp offer',
      'hr@example.com: Review of Eve, Salary talk, Warning for Hal',
    ]);
    // The sample content of the sandbox names the others.
    const { stdout } = await runAftermeet(['doctor', '--json'], environment);
    expect(stdout).toMatch(/no mail, direct message or mention reaches [^"]*Otto Weiss \(2 meetings\)/);
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
