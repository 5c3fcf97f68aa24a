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
import { SECRET, type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

/** Written outside of any package: it imports nothing. */
const note = `
export default {
  name: 'note',
  description: 'Posts a note, and mails it.',
  on: ['meeting.completed'],
  run: ({ report, event }) => {
    if (event.endpoint === 'broken') throw new TypeError('no such field');
    return [
      { destination: 'slack', channel: 'C0NOTES', markdown: \`**\${report.title}** has \${report.tasks.length} tasks\`, thread: ['First', 'Second'] },
      { destination: 'email', to: ['a@example.com', 'b@example.com'], subject: report.title, markdown: report.summary },
    ];
  },
};
`;

const settingsFile = `
endpoints:
  default: { secrets: [${SECRET}], recipes: [note] }
  broken: { secrets: [whsec_91b2e47f0c6d5a38], recipes: [note, recap] }
recipes:
  note: { use: ./note.mjs }
  recap: { use: slack-recap, with: { channel: C0RECAP, sections: [outcome, summary, decisions, tasks] } }
mail: { internal_domains: [example.com] }
`;

describeEachStore("a recipe in a file of one's own", (kind) => {
  let store: TestStore;
  let services: Services;
  let folder: TemporaryFolder;
  let environment: Readonly<Record<string, string>>;
  let receiver: AftermeetProcess;
  const running: AftermeetProcess[] = [];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    store = await openTestStore(kind);
    services = await startServices();
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settingsFile);
    await writeFile(join(folder.path, 'note.mjs'), note);
    environment = { ...services.settings, QUEUE_URL: store.queueUrl, AFTERMEET_CONFIG: config };
    receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    running.push(receiver, await startAftermeet(['worker'], environment));
  });
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await services.close();
    await store.dispose();
    folder.remove();
  });

  it('sends each of its effects once, also when the delivery is replayed', async () => {
    const meetingId = await services.completeMeeting();
    expect(await deliver(`${receiver.facts['url']}/hooks/default`, meetingId)).toBe(200);
    const { slack, mail } = services.vendors;
    await waitFor(
      'a message, its thread and two mails',
      () => (slack.emulator.received().length === 3 && mail.emulator.received().length === 2) || undefined,
      20_000,
    );
    const [message, ...replies] = slack.emulator.received();
    expect(replies.map(({ threadTs, text }) => `${threadTs} ${text}`).toSorted()).toEqual([
      `${message?.ts} First`,
      `${message?.ts} Second`,
    ]);
    expect([message?.channel, message?.text]).toEqual([
      'C0NOTES',
      expect.stringMatching(/^Story meeting has \d tasks$/),
    ]);
    expect(
      mail.emulator
        .received()
        .map(({ envelope }) => envelope.to.join())
        .toSorted(),
    ).toEqual(['a@example.com', 'b@example.com']);
    await runAftermeet(['deliveries', 'replay', `story-${meetingId}`], environment);
    await waitFor(
      'the end of all work',
      async () => {
        const { stdout } = await runAftermeet(['effects', 'list'], environment);
        return stdout.endsWith('nothing waits.\n') || undefined;
      },
      20_000,
    );
    expect([slack.emulator.received().length, mail.emulator.received().length]).toEqual([3, 2]);
  });

  it('that throws fails its own effect, with file and line, and no other', async () => {
    const meetingId = await services.completeMeeting();
    const url = `${receiver.facts['url']}/hooks/broken`;
    expect(await deliver(url, meetingId, 'whsec_91b2e47f0c6d5a38')).toBe(200);
    const { slack } = services.vendors;
    await waitFor(
      'the recap',
      () => slack.emulator.received().some(({ channel }) => channel === 'C0RECAP') || undefined,
      20_000,
    );
    const listed = await waitFor(
      'the failed effect',
      async () => {
        const { stdout } = await runAftermeet(['effects', 'list'], environment);
        return stdout.startsWith('Needs attention:') ? stdout : undefined;
      },
      20_000,
    );
    expect(listed).toContain('./note.mjs:7: the recipe failed (TypeError: no such field)');
  });

  it('that does not compile is a settings error with file and line', async () => {
    const config = join(folder.path, 'broken.yaml');
    await writeFile(join(folder.path, 'broken.mjs'), 'export default {\n  run: () => [,\n};\n');
    await writeFile(config, 'recipes: { mine: { use: ./broken.mjs } }');
    const { code, stderr } = await runAftermeet(['worker', '--config', config], environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /recipes\.mine\.use: found \.\/broken\.mjs:3, which cannot be loaded: SyntaxError: Unexpected token '}'; expected a module that runs/,
    );
  });
});
