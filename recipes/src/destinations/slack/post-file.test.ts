import { createServer } from 'node:http';

import { ServiceError, type ServiceErrorFacts } from '@aftermeet/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { ServiceActions } from '../../engine/destination.ts';
import { openTestSlack, testChannel, testStartMs } from '../../testing/test-slack.ts';
import { openSlack } from './connector.ts';
import type { SlackMessage } from './message.ts';

const effectKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const file: SlackMessage = {
  text: 'Weekly sync (pdf)',
  blocks: [],
  file: { meetingId: 'm_1', format: 'pdf', name: 'Weekly sync: Q3/Q4', version: 'v1' },
};

/** Slack with a message whose thread the file goes to. */
async function open(bytes: Uint8Array = new TextEncoder().encode('%PDF-1.7'), refusal?: ServiceError) {
  const exported: (string | undefined)[] = [];
  const service = {
    exports: {
      stream: async ({ format }: { readonly format?: string }) => {
        exported.push(format);
        if (refusal !== undefined) throw refusal;
        return { stream: new Blob([new Uint8Array(bytes)]).stream(), filename: 'x.pdf' };
      },
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of the service is not called here
  } as unknown as ServiceActions;
  const at = await openTestSlack({ service });
  const parent = await at.post({ text: 'recap', blocks: [] }, { effectKey: 'parent' });
  return {
    ...at,
    parent,
    exported,
    prepareFile: (key = effectKey) => at.prepare(file, { parent, effectKey: key }),
  };
}

describe('a file', () => {
  it('is exported, uploaded and shared in the thread', async () => {
    const { prepareFile, emulator, parent, exported } = await open();
    const sent = await (await prepareFile()).send();
    const [, posted] = emulator.received();
    const [shared] = posted?.files ?? [];
    expect(shared).toMatchObject({ name: 'Weekly-sync-Q3-Q4-a1b2c3d4e5f6.pdf', title: 'Weekly sync: Q3/Q4' });
    expect(sent).toEqual({ result: 'sent', reference: `${testChannel}/${shared?.id ?? ''}` });
    expect(emulator.readFile(shared?.id ?? '')?.toString()).toBe('%PDF-1.7');
    expect(posted?.threadTs).toBe(parent.split('/')[1]);
    expect(exported).toEqual(['pdf']);
  });

  it('is found and shared once when the last answer was lost', async () => {
    const { prepareFile, emulator, once } = await open();
    const prepared = await prepareFile();
    once('files.completeUploadExternal', 'drop_after');
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
    const [shared] = emulator.received()[1]?.files ?? [];
    const reference = `${testChannel}/${shared?.id ?? ''}`;
    expect(await (await prepareFile()).probe(testStartMs)).toEqual({ result: 'found', reference });
    expect(emulator.received()).toHaveLength(2);
  });

  it('that was not shared is absent, and is sent again', async () => {
    const { prepareFile, emulator, once } = await open();
    const prepared = await prepareFile();
    once('files.completeUploadExternal', { status: 502 });
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
    expect(await prepared.probe(testStartMs)).toEqual({ result: 'absent' });
    expect(await prepared.send()).toMatchObject({ result: 'sent' });
    expect(emulator.received()).toHaveLength(2);
  });

  it.each(['drop_after', { status: 200, body: '<html>' }, { status: 503 }] as const)(
    'is surely not sent when Slack answers its announcement with %j',
    async (fault) => {
      const { prepareFile, emulator, once } = await open();
      once('files.getUploadURLExternal', fault);
      expect(await (await prepareFile()).send()).toMatchObject({ result: 'not_sent_retry' });
      expect(emulator.received()).toHaveLength(1);
    },
  );

  // 0: the server reads everything and hangs up.
  it.each([0, 408, 429, 503])('is surely not sent when its upload ends with %i', async (status) => {
    const { prepareFile, once } = await open();
    const lengths: unknown[] = [];
    const server = createServer((request, response) => {
      lengths.push(request.headers['content-length']);
      request.resume().on('end', () => {
        if (status === 0) request.socket.destroy();
        else response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    const upload_url = `http://127.0.0.1:${String(address.port)}/`;
    once('files.getUploadURLExternal', { status: 200, body: { ok: true, upload_url, file_id: 'F0' } });
    const prepared = await prepareFile();
    expect(await prepared.send()).toMatchObject({ result: 'not_sent_retry' });
    expect(lengths).toEqual(['8']);
    expect(await prepared.probe(testStartMs)).toEqual({ result: 'absent' });
  });

  it('of a changed report is added beside the first one, once', async () => {
    const { prepareFile, emulator, once } = await open();
    const first = await (await prepareFile()).send();
    const reference = first.result === 'sent' ? first.reference : '';
    const changed = await prepareFile('ffffffffffffffff');
    once('files.completeUploadExternal', 'drop_after');
    expect(await changed.update?.(reference)).toMatchObject({ result: 'unknown' });
    expect(await changed.update?.(reference)).toMatchObject({ result: 'sent' });
    expect(emulator.received().flatMap(({ files = [] }) => files.map(({ name }) => name))).toEqual([
      'Weekly-sync-Q3-Q4-a1b2c3d4e5f6.pdf',
      'Weekly-sync-Q3-Q4-ffffffffffff.pdf',
    ]);
  });

  it.each<readonly [ServiceErrorFacts['code'], number, string, string, object]>([
    [
      'forbidden',
      403,
      'permanent',
      'forbidden (403); the plan or the rights of the API key do not allow it',
      {},
    ],
    [
      'unauthorized',
      401,
      'not_sent_retry',
      'unauthorized (401); the service refused the API key',
      { isKeyRefused: true },
    ],
    // The service is the one to wait for, not the channel.
    ['rate_limited', 429, 'not_sent_retry', 'rate_limited (429)', {}],
  ])('that the service refuses with %s is not sent', async (code, status, result, why, more) => {
    const facts = { code, status, operation: 'exports.download', retryAfterMs: 60_000 } as const;
    const { prepareFile } = await open(undefined, new ServiceError(facts));
    expect(await (await prepareFile()).send()).toEqual({
      result,
      cause: `the export cannot be fetched: ${why}`,
      contact: 'none',
      ...more,
    });
  });

  it.each([
    [0, 'the export is empty'],
    [50 * 1024 * 1024 + 1, 'the export is larger than 50 MiB'],
  ])('of %i bytes is not sent', async (length, cause) => {
    const { prepareFile } = await open(new Uint8Array(length));
    expect(await (await prepareFile()).send()).toEqual({ result: 'permanent', cause, contact: 'none' });
  });

  it('needs a scope and access to the service', async () => {
    const { prepareFile, emulator, parent } = await open();
    emulator.options.set({ scopes: ['chat:write'] });
    expect(await (await prepareFile()).send()).toEqual({
      result: 'permanent',
      cause: 'Slack answered missing_scope: give the app the scope files:write, and install it again',
    });
    const withoutService = openSlack({ token: 'xoxb-test', channel: testChannel });
    expect(await withoutService.prepare(file, { effectKey, target: testChannel, parent })).toMatchObject({
      result: 'permanent',
      contact: 'none',
    });
  });
});
