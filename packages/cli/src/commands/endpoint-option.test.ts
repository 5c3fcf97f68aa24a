import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { loadSettings } from '../settings/load.ts';
import { makeFolder, openStore, startSandbox } from '../testing/for-the-file.ts';
import { createRecordingLog } from '../testing/recording-log.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { openReceiver } from './receiver.ts';

const MASTER = 'b71c0f5e9a3d48627d1e0c9f8a7b6c5d';

const folder = makeFolder();
const config = join(folder, 'aftermeet.yaml');
const { sandbox, url: serviceUrl } = await startSandbox();
const environment: Record<string, string> = {
  SERVICE_BASE_URL: serviceUrl,
  SERVICE_API_KEY: 'sandbox_key',
  WEBHOOK_MASTER_SECRET: MASTER,
  QUEUE_URL: await openStore('embedded'),
  PORT: '0',
  XDG_STATE_HOME: folder,
};
const open: { close: () => Promise<void> }[] = [];
const { log, lines } = createRecordingLog();

beforeAll(async () => {
  await writeFile(
    config,
    'endpoints: { sales: { unsigned: accept, recipes: [] }, plain: { secrets: ["whsec_0123456789abcdef"] } }',
  );
  const settings = await loadSettings(environment, config);
  const reload = async () => ({ ok: false as const, problems: [] });
  const receiver = await openReceiver(settings, { log, endpoints: settings.endpoints, reload }, (part) => {
    open.push(part);
    return part;
  });
  environment['PUBLIC_URL'] = receiver.url;
});

afterAll(async () => {
  for (const part of open.toReversed()) await part.close();
});

const run = (words: readonly string[]) => runAftermeet([...words, '--config', config], { environment });

/** What became of the delivery that the sandbox sent for this meeting. */
async function deliveryOf(meetingId: string) {
  return vi.waitFor(
    () => {
      const delivery = sandbox.deliveries().find((each) => each.meetingId === meetingId);
      if (delivery?.state !== 'delivered') throw new Error(`not delivered: ${JSON.stringify(delivery)}`);
      return delivery;
    },
    { timeout: 10_000 },
  );
}

describe('--endpoint', () => {
  it.each([
    ['a recording', ['record', 'https://meet.example/abc']],
    ['an upload', ['upload', join(folder, 'talk.mp3')]],
  ])('gives %s an address and a secret of its own, which the receiver takes', async (_what, words) => {
    await writeFile(join(folder, 'talk.mp3'), 'fLaC\0talk');
    const { code, stdout, stderr } = await run([...words, '--endpoint', 'sales', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { meetingId } = JSON.parse(stdout);
    sandbox.completeMeeting(meetingId);
    expect(await deliveryOf(meetingId)).toMatchObject({ isSigned: true, attempts: [{ status: 200 }] });
    expect(stdout + stderr + JSON.stringify(lines)).not.toContain(MASTER);
  });

  it.each([
    [['record', 'https://meet.example/abc', '--endpoint', 'sale'], 'There is no endpoint "sale" ('],
    [
      ['record', 'https://meet.example/abc', '--endpoint', 'sales', '--webhook-url', 'https://x.example/'],
      '--endpoint sets address and secret',
    ],
    [['upload', 'nowhere.mp3', '--endpoint', 'plain'], 'set endpoints.plain.unsigned to accept'],
  ])('is refused before anything is sent: %j', async (words, problem) => {
    const before = sandbox.deliveries().length;
    const { code, stderr } = await run(words);
    expect({ code, before }).toEqual({ code: 2, before: sandbox.deliveries().length });
    expect(stderr).toContain(problem);
  });

  it('needs to know where the service reaches the receiver', async () => {
    const { PUBLIC_URL: _, ...rest } = environment;
    const words = ['record', 'https://meet.example/abc', '--endpoint', 'sales', '--config', config];
    const { code, stderr } = await runAftermeet(words, { environment: rest });
    expect(code).toBe(2);
    expect(stderr).toContain('--endpoint needs PUBLIC_URL');
  });
});

describe('aftermeet send, with a master secret', () => {
  it.each([
    ['of the endpoint that the address names', '/hooks/plain'],
    ['that belongs to the address it was given', '/hooks/sales/some-key'],
  ])('signs with the secret %s', async (_which, path) => {
    expect((await run(['send', `${environment['PUBLIC_URL']}${path}`])).stdout).toContain('answered 200');
  });

  it('signs with the secret of a new address', async () => {
    const { code, stdout } = await run(['send', '--endpoint', 'sales']);
    expect(stdout).toMatch(/\/hooks\/sales\/[0-9a-f-]{36} answered 200: \{"status":"accepted"/);
    expect(code).toBe(0);
  });

  it('sends hints without a signature, where they are taken', async () => {
    const hint = ['send', '--endpoint', 'sales', '--unsigned', '--meeting-id', 'm_hint'];
    const { code, stdout } = await run(hint);
    expect(stdout).toMatch(/\/hooks\/sales\/[0-9a-f-]{36}\.[0-9a-f]{32} answered 200/);
    expect(code).toBe(0);
    const url = `${environment['PUBLIC_URL']}/hooks/sales/some-key`;
    expect((await run(['send', url, '--unsigned'])).stdout).toContain('answered 401');
    expect((await run(['send', '--endpoint', 'plain', '--unsigned'])).code).toBe(2);
  });

  it('says what an address without a key lacks', async () => {
    const url = `${environment['PUBLIC_URL']}/hooks/sales`;
    const { code, stderr } = await run(['send', url, '--endpoint', 'sales']);
    expect(code).toBe(2);
    expect(stderr).toContain('an address needs a key: …/hooks/sales/<key>');
  });
});
