import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { AmbiguousWriteError } from '../errors.ts';
import {
  bytesSource,
  cleanUp,
  failureOf,
  makeFile,
  makeFolder,
  numbersOf,
  send,
  sendJson,
  startService,
  type TestService,
} from './testing/upload-service.ts';

afterEach(cleanUp);

const FIRST_MS = Date.UTC(2026, 6, 7, 13);
const DAY_MS = 24 * 3600 * 1000;
const FORGOTTEN = [400, 404, 409, 410, 412, 422];
const connection = { retries: 0, clock: () => FIRST_MS };

/** Answers the final requests in this order, `lost` with nothing; further ones as usual. */
function startFinalService(...answers: readonly (number | 'lost')[]): Promise<TestService> {
  const left = [...answers];
  return startService((chunk, response) => {
    const answer = chunk.number === 3 ? left.shift() : undefined;
    if (answer === undefined) return false;
    if (answer !== 'lost') return sendJson(response, answer, { message: 'no such session' });
    response.destroy();
    return true;
  });
}

const countIds = ({ chunks }: TestService): number => new Set(chunks.map(({ fields }) => fields['id'])).size;

const countSessions = ({ chunks }: TestService): number =>
  new Set(chunks.map(({ fields }) => fields['upload_session_id'])).size;

/** What the note of the upload says about its final request. */
function readFinal(folder: string): unknown {
  const [name = ''] = readdirSync(folder).filter((entry) => /^part-.*json$/.test(entry));
  return JSON.parse(readFileSync(join(folder, name), 'utf8')).final;
}

describe('a final request whose answer was lost', () => {
  it.each(FORGOTTEN)(
    'and which is refused with %d afterwards is ambiguous in the same run',
    async (status) => {
      const noted = await startFinalService('lost', status);
      const options = { stateFolder: makeFolder(), connection: { clock: () => FIRST_MS } };
      const error = await failureOf(send(noted, { path: makeFile() }, options));
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({
        code: 'ambiguous',
        status,
        retryable: false,
        verifyWith: { operation: 'meetings.search', input: { dateFrom: '2026-07-07' } },
      });
      expect(error).toMatchObject({
        detail: 'an earlier final request got no answer, and this one was refused',
        resumesAtCompletion: true,
      });
      expect(numbersOf(noted)).toEqual([0, 1, 2, 3, 3]);
      const unnoted = await startFinalService('lost', status);
      const other = await failureOf(send(unnoted, bytesSource));
      expect(other).toMatchObject({ code: 'ambiguous', status });
      expect(other.detail).not.toContain('force');
    },
  );

  it.each(FORGOTTEN)('is not sent as a new upload after %d, except by force', async (status) => {
    const service = await startFinalService('lost', status, status);
    const path = makeFile();
    const stateFolder = makeFolder();
    const options = { stateFolder, details: { title: 'Board' }, connection };
    expect((await failureOf(send(service, { path }, options))).code).toBe('ambiguous');
    const later = { ...options, connection: { retries: 0, clock: () => FIRST_MS + 3 * DAY_MS } };
    const facts = {
      code: 'ambiguous',
      status,
      // The day on which it may have been made.
      verifyWith: { operation: 'meetings.search', input: { q: 'Board', dateFrom: '2026-07-07' } },
    };
    expect(await failureOf(send(service, { path }, later))).toMatchObject(facts);
    expect(await failureOf(send(service, { path }, later))).toMatchObject(facts);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 3]);
    const forced = await send(service, { path }, { ...later, force: true });
    expect(forced).toMatchObject({ meetingId: 'm_1', duplicate: false, chunks: { sent: 3, skipped: 0 } });
    expect([countIds(service), countSessions(service)]).toEqual([2, 2]);
    expect(readdirSync(stateFolder)).toEqual([expect.stringMatching(/^part-.*\.json$/)]);
  });

  it('is asked again in the next run, which may learn of the meeting', async () => {
    const service = await startFinalService('lost');
    const source = { path: makeFile() };
    const options = { stateFolder: makeFolder(), connection };
    await failureOf(send(service, source, options));
    expect(await send(service, source, options)).toMatchObject({ meetingId: 'm_1', duplicate: false });
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3]);
    expect(countSessions(service)).toBe(1);
  });

  it('does not make a duplicate of the meeting that it may have made itself', async () => {
    let finals = 0;
    const service = await startService((chunk, response) => {
      if (chunk.number !== 3) return false;
      finals += 1;
      if (finals > 1) return sendJson(response, 409, { message: 'already completed', meeting_id: 'm_9' });
      response.destroy();
      return true;
    });
    const result = await send(service, { path: makeFile() }, { stateFolder: makeFolder() });
    expect(result).toMatchObject({ meetingId: 'm_9', duplicate: false });
  });

  it('says that nothing need be sent again', async () => {
    const service = await startFinalService('lost');
    const error = await failureOf(
      send(service, { path: makeFile() }, { stateFolder: makeFolder(), connection }),
    );
    expect(error).toMatchObject({ code: 'ambiguous', retryable: false, resumesAtCompletion: true });
    expect(error.message).toContain('the next run only asks for the completion');
  });

  it('is looked for on the day on which the meeting took place', async () => {
    const service = await startFinalService('lost', 404);
    const details = { title: 'Old talk', localTime: '2026-07-01T12:00:00+03:00' };
    const options = { stateFolder: makeFolder(), details, connection: { clock: () => FIRST_MS } };
    const error = await failureOf(send(service, { path: makeFile() }, options));
    if (!(error instanceof AmbiguousWriteError)) throw error;
    expect(error.verifyWith).toEqual({
      operation: 'meetings.search',
      input: { q: 'Old talk', dateFrom: '2026-06-30' },
    });
  });

  it('was noted before it was sent, for a process that is killed meanwhile', async () => {
    const stateFolder = makeFolder();
    const seen: unknown[] = [];
    const service = await startService(() => {
      seen.push(readFinal(stateFolder));
      return false;
    });
    await send(service, { path: makeFile() }, { stateFolder, connection });
    expect(seen).toEqual(['unsent', 'unsent', 'unsent', { sentMs: FIRST_MS }]);
  });

  it.each<[string, number | 'lost', object]>([
    ['by a refusal that says nothing', 401, { code: 'ambiguous' }],
    ['by nothing at all', 'lost', { code: 'ambiguous' }],
  ])('is ambiguous where nothing was noted, also when it ends %s', async (_name, last, facts) => {
    const service = await startFinalService('lost', last, last);
    expect(await failureOf(send(service, bytesSource))).toMatchObject(facts);
  });

  it('keeps its doubt through a run that is refused for another reason', async () => {
    const service = await startFinalService('lost', 401, 404);
    const source = { path: makeFile() };
    const options = { stateFolder: makeFolder(), connection };
    const run = async (): Promise<string> => (await failureOf(send(service, source, options))).code;
    expect([await run(), await run(), await run()]).toEqual(['ambiguous', 'ambiguous', 'ambiguous']);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 3]);
  });

  it('that was aborted in a wait for the next try may have taken effect', async () => {
    const controller = new AbortController();
    const service = await startFinalService('lost');
    const wait = async (): Promise<void> => controller.abort();
    const options = { signal: controller.signal, connection: { wait } };
    expect(await failureOf(send(service, bytesSource, options))).toMatchObject({
      code: 'aborted',
      mayHaveTakenEffect: true,
    });
  });
});

it('a web page in place of an answer is no accepted chunk', async () => {
  let isAway = true;
  const service = await startService((_chunk, response) => {
    if (isAway) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Log in</p>');
    return isAway;
  });
  const source = { path: makeFile() };
  const options = { stateFolder: makeFolder(), connection };
  expect(await failureOf(send(service, source, options))).toMatchObject({
    code: 'unreadable',
    status: 200,
    detail: 'the answer is a web page',
  });
  expect(numbersOf(service)).toEqual([0]);
  isAway = false;
  expect(await send(service, source, options)).toMatchObject({ meetingId: 'm_1', duplicate: false });
  expect(numbersOf(service)).toEqual([0, 0, 1, 2, 3]);
});

describe('a final request that was refused', () => {
  it('for good is all that the next run sends, except by force', async () => {
    const service = await startFinalService(400, 422);
    const path = makeFile();
    const stateFolder = makeFolder();
    const options = { stateFolder, connection };
    expect(await failureOf(send(service, { path }, options))).toMatchObject({
      code: 'bad_request',
      status: 400,
      detail: 'no such session',
      resumesAtCompletion: true,
    });
    expect(readFinal(stateFolder)).toBe('refused');
    expect((await failureOf(send(service, { path }, options))).status).toBe(422);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3]);
    expect((await send(service, { path }, { ...options, force: true })).chunks.sent).toBe(3);
    expect([countIds(service), countSessions(service)]).toEqual([2, 2]);
  });

  it('for good, and is lost in the next run, is in doubt from then on', async () => {
    const service = await startFinalService(400, 'lost', 400);
    const source = { path: makeFile() };
    const options = { stateFolder: makeFolder(), connection };
    const run = async (): Promise<string> => (await failureOf(send(service, source, options))).code;
    expect([await run(), await run(), await run()]).toEqual(['bad_request', 'ambiguous', 'ambiguous']);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 3]);
  });

  it('for a reason that passes surely did nothing: a session that is forgotten then begins anew, once', async () => {
    const service = await startFinalService(401, 404, 404);
    const source = { path: makeFile() };
    const stateFolder = makeFolder();
    const options = { stateFolder, connection };
    expect((await failureOf(send(service, source, options))).code).toBe('unauthorized');
    expect(readFinal(stateFolder)).toBe('unsent');
    expect((await failureOf(send(service, source, options))).status).toBe(404);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 0, 1, 2, 3]);
    expect(readFinal(stateFolder)).toBe('refused');
    expect([countIds(service), countSessions(service)]).toEqual([1, 2]);
  });

  it('where nothing was noted is the refusal as it came', async () => {
    const service = await startFinalService(400);
    expect((await failureOf(send(service, bytesSource))).detail).toBe('no such session');
  });
});
