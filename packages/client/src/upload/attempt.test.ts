import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { AmbiguousWriteError } from '../errors.ts';
import {
  type AnswerChunk,
  bytesSource,
  cleanUp,
  countValues,
  failureOf,
  numbersOf,
  send,
  sendJson,
  startService,
  startUpload,
} from './testing/upload-service.ts';

afterEach(cleanUp);

const FIRST_MS = Date.UTC(2026, 6, 7, 13);
const DAY_MS = 24 * 3600 * 1000;
const FORGOTTEN = [400, 404, 409, 410, 412, 422];
const connection = { retries: 0, clock: () => FIRST_MS };

/** Answers the final requests in this order, `lost` with nothing; further ones as usual. */
function answerFinals(...answers: readonly (number | 'lost')[]): AnswerChunk {
  const left = [...answers];
  return (chunk, response) => {
    const answer = chunk.number === 3 ? left.shift() : undefined;
    if (answer === undefined) return false;
    if (answer !== 'lost') return sendJson(response, answer, { message: 'no such session' });
    response.destroy();
    return true;
  };
}

/** What the note of the upload says about its final request. */
function readFinal(folder: string): unknown {
  const [name = ''] = readdirSync(folder).filter((entry) => /^part-.*json$/.test(entry));
  return JSON.parse(readFileSync(join(folder, name), 'utf8')).final;
}

describe('a final request whose answer was lost', () => {
  it.each(FORGOTTEN)(
    'and which is refused with %d afterwards is ambiguous in the same run',
    async (status) => {
      const { service: noted, fail } = await startUpload(answerFinals('lost', status));
      const error = await fail({ connection: { clock: () => FIRST_MS } });
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({
        code: 'ambiguous',
        status,
        retryable: false,
        verifyWith: { operation: 'meetings.search', input: { dateFrom: '2026-07-07' } },
        detail: 'an earlier final request got no answer, and this one was refused',
        resumesAtCompletion: true,
      });
      expect(numbersOf(noted)).toEqual([0, 1, 2, 3, 3]);
      const unnoted = await startService(answerFinals('lost', status));
      const other = await failureOf(send(unnoted, bytesSource));
      expect(other).toMatchObject({ code: 'ambiguous', status });
      expect(other.detail).not.toContain('force');
    },
  );

  it.each(FORGOTTEN)('is not sent as a new upload after %d, except by force', async (status) => {
    const usual = { details: { title: 'Board' }, connection };
    const { service, stateFolder, run, fail } = await startUpload(
      answerFinals('lost', status, status),
      usual,
    );
    expect((await fail()).code).toBe('ambiguous');
    const later = { connection: { retries: 0, clock: () => FIRST_MS + 3 * DAY_MS } };
    const facts = {
      code: 'ambiguous',
      status,
      // The day on which it may have been made.
      verifyWith: { operation: 'meetings.search', input: { q: 'Board', dateFrom: '2026-07-07' } },
    };
    expect(await fail(later)).toMatchObject(facts);
    expect(await fail(later)).toMatchObject(facts);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 3]);
    const forced = await run({ ...later, force: true });
    expect(forced).toMatchObject({ meetingId: 'm_1', duplicate: false, chunks: { sent: 3, skipped: 0 } });
    expect([countValues(service, 'id'), countValues(service, 'upload_session_id')]).toEqual([2, 2]);
    expect(readdirSync(stateFolder)).toEqual([expect.stringMatching(/^part-.*\.json$/)]);
  });

  it('is all that the next run asks for, which may learn of the meeting', async () => {
    const { service, run, fail } = await startUpload(answerFinals('lost'), { connection });
    const error = await fail();
    expect(error).toMatchObject({ code: 'ambiguous', retryable: false, resumesAtCompletion: true });
    expect(error.message).toContain('the next run only asks for the completion');
    expect(await run()).toMatchObject({ meetingId: 'm_1', duplicate: false });
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3]);
    expect(countValues(service, 'upload_session_id')).toBe(1);
  });

  it('does not make a duplicate of the meeting that it may have made itself', async () => {
    let finals = 0;
    const { run } = await startUpload((chunk, response) => {
      if (chunk.number !== 3) return false;
      finals += 1;
      if (finals > 1) return sendJson(response, 409, { message: 'already completed', meeting_id: 'm_9' });
      response.destroy();
      return true;
    });
    expect(await run()).toMatchObject({ meetingId: 'm_9', duplicate: false });
  });

  it('is looked for on the day on which the meeting took place', async () => {
    const { fail } = await startUpload(answerFinals('lost', 404));
    const details = { title: 'Old talk', localTime: '2026-07-01T12:00:00+03:00' };
    expect(await fail({ details, connection: { clock: () => FIRST_MS } })).toMatchObject({
      verifyWith: { operation: 'meetings.search', input: { q: 'Old talk', dateFrom: '2026-06-30' } },
    });
  });

  it('was noted before it was sent, for a process that is killed meanwhile', async () => {
    const seen: unknown[] = [];
    const { stateFolder, run } = await startUpload(() => {
      seen.push(readFinal(stateFolder));
      return false;
    });
    await run({ connection });
    expect(seen).toEqual(['unsent', 'unsent', 'unsent', { sentMs: FIRST_MS }]);
  });

  it.each([401, 'lost'] as const)(
    'is ambiguous where nothing was noted, also when it ends by %s',
    async (last) => {
      const service = await startService(answerFinals('lost', last, last));
      expect((await failureOf(send(service, bytesSource))).code).toBe('ambiguous');
    },
  );

  it('keeps its doubt through a run that is refused for another reason', async () => {
    const { service, fail } = await startUpload(answerFinals('lost', 401, 404), { connection });
    expect([await fail(), await fail(), await fail()].map(({ code }) => code)).toEqual([
      'ambiguous',
      'ambiguous',
      'ambiguous',
    ]);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 3]);
  });

  it('that was aborted in a wait for the next try may have taken effect', async () => {
    const controller = new AbortController();
    const service = await startService(answerFinals('lost'));
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
  const { service, run, fail } = await startUpload((_chunk, response) => {
    if (isAway) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Log in</p>');
    return isAway;
  });
  expect(await fail({ connection })).toMatchObject({
    code: 'unreadable',
    status: 200,
    detail: 'the answer is a web page',
  });
  expect(numbersOf(service)).toEqual([0]);
  isAway = false;
  expect(await run()).toMatchObject({ meetingId: 'm_1', duplicate: false });
  expect(numbersOf(service)).toEqual([0, 0, 1, 2, 3]);
});

describe('a final request that was refused', () => {
  it('for good is all that the next run sends, except by force', async () => {
    const { service, stateFolder, run, fail } = await startUpload(answerFinals(400, 422), { connection });
    expect(await fail()).toMatchObject({
      code: 'bad_request',
      status: 400,
      detail: 'no such session',
      resumesAtCompletion: true,
    });
    expect(readFinal(stateFolder)).toBe('refused');
    expect((await fail()).status).toBe(422);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3]);
    expect((await run({ force: true })).chunks.sent).toBe(3);
    expect([countValues(service, 'id'), countValues(service, 'upload_session_id')]).toEqual([2, 2]);
  });

  it('for good, and is lost in the next run, is in doubt from then on', async () => {
    const { service, fail } = await startUpload(answerFinals(400, 'lost', 400), { connection });
    expect([await fail(), await fail(), await fail()].map(({ code }) => code)).toEqual([
      'bad_request',
      'ambiguous',
      'ambiguous',
    ]);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 3]);
  });

  it('for a reason that passes surely did nothing: a session that is forgotten then begins anew, once', async () => {
    const { service, stateFolder, fail } = await startUpload(answerFinals(401, 404, 404), { connection });
    expect((await fail()).code).toBe('unauthorized');
    expect(readFinal(stateFolder)).toBe('unsent');
    expect((await fail()).status).toBe(404);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3, 0, 1, 2, 3]);
    expect(readFinal(stateFolder)).toBe('refused');
    expect([countValues(service, 'id'), countValues(service, 'upload_session_id')]).toEqual([1, 2]);
  });

  it('where nothing was noted is the refusal as it came', async () => {
    const service = await startService(answerFinals(400));
    expect((await failureOf(send(service, bytesSource))).detail).toBe('no such session');
  });
});
