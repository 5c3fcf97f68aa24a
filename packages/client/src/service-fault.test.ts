import { describe, expect, it } from 'vitest';

import { listRedactions, redactProblems } from './redact.ts';
import { refusalToError, toServiceError } from './service-fault.ts';

const operation = { id: 'reports.get', method: 'GET', path: '/api/video/report' };

function fault(code: string | undefined, facts: Record<string, unknown> = {}): Error {
  const cause = Object.assign(new Error('connect to https://ann:pw@service.example'), { code, ...facts });
  return new TypeError('fetch failed', { cause });
}

describe('toServiceError', () => {
  it.each([
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EHOSTUNREACH', true],
    ['ECONNRESET', false],
    ['EPIPE', false],
    ['UND_ERR_SOCKET', false],
    ['ETIMEDOUT', false],
  ])('says of %s that it is a connection fault', (code, unsent) => {
    expect(toServiceError(fault(code), { operation })).toMatchObject({
      code: 'connection',
      detail: code,
      unsent,
      retryable: true,
    });
  });

  it('takes a connection that was not made in time for a timeout before anything was sent', () => {
    expect(toServiceError(fault('UND_ERR_CONNECT_TIMEOUT'), { operation })).toMatchObject({
      code: 'timeout',
      detail: 'no connection in time',
      unsent: true,
      retryable: true,
    });
  });

  it('knows that nothing was sent when the connection itself failed', () => {
    expect(toServiceError(fault('ETIMEDOUT', { syscall: 'connect' }), { operation }).unsent).toBe(true);
    expect(toServiceError(fault('ETIMEDOUT', { syscall: 'read' }), { operation }).unsent).toBe(false);
    const each = ['ENETUNREACH', 'ETIMEDOUT'].map((code) =>
      Object.assign(new Error('x'), { code, syscall: 'connect' }),
    );
    const all = new TypeError('fetch failed', { cause: new AggregateError(each) });
    expect(toServiceError(all, { operation })).toMatchObject({ unsent: true, detail: 'AggregateError' });
  });

  it('tells abort, timeout and connection apart, the caller’s abort first', () => {
    const gone = AbortSignal.abort();
    const reset = fault('ECONNRESET');
    expect(toServiceError(reset, { operation, signal: gone, timeout: gone }).code).toBe('aborted');
    expect(toServiceError(reset, { operation, timeout: gone, timeoutMs: 50 })).toMatchObject({
      code: 'timeout',
      detail: 'no answer in 50 ms',
      retryable: true,
    });
    expect(toServiceError(fault('UND_ERR_HEADERS_TIMEOUT'), { operation }).code).toBe('timeout');
    expect(toServiceError(fault('UND_ERR_BODY_TIMEOUT'), { operation }).code).toBe('timeout');
    expect(toServiceError(new DOMException('x', 'TimeoutError'), { operation }).code).toBe('timeout');
    expect(toServiceError(new DOMException('x', 'AbortError'), { operation }).code).toBe('aborted');
    expect(toServiceError(new RangeError('x'), { operation }).code).toBe('unreadable');
  });

  it.each([undefined, null, 'text', 7, {}, Object.create(null), new Error('x'), fault('with blanks: pw')])(
    'has a word for %o',
    (error) => {
      expect(toServiceError(error, { operation })).toMatchObject({ code: 'connection' });
      expect(toServiceError(error, { operation }).message).not.toMatch(/pw/);
    },
  );

  it('survives a cause that is its own cause', () => {
    const loop = new Error('x');
    loop.cause = loop;
    expect(toServiceError(loop, { operation }).code).toBe('connection');
  });
});

describe('refusalToError', () => {
  const facts = { operation, status: 500, retryAfter: null, nowMs: 0 };
  const detailOf = (body: unknown, redactions: readonly string[] = []): string | undefined =>
    refusalToError({ ...facts, body, redactions }).detail;

  it.each([
    [{ code: 'X', message: 'Said\n\tso\u001B[31m' }, 'Said so [31m'],
    [{ code: 'X', field: 'name' }, 'X'],
    [{ error: { message: 'inner' } }, 'inner'],
    [{ error: 'flat' }, 'flat'],
    [{ detail: 'more' }, 'more'],
    [
      { detail: [{ loc: ['body', 'link'], msg: 'Field required', type: 'missing', input: 'x' }] },
      'body.link: Field required',
    ],
    [{ detail: [{ msg: 'one' }, { message: 'two' }, 'three', 4] }, 'one; two; three'],
    [{ errors: [{ message: 'listed' }] }, 'listed'],
    [{ success: false, error: [] }, undefined],
    ['plain text', 'plain text'],
    ['  <html><title>502</title>', undefined],
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
    [[1], undefined],
    [12, undefined],
    ['👍'.repeat(300), '👍'.repeat(200)],
  ])('finds the words of %j', (body, detail) => {
    expect(detailOf(body)).toBe(detail);
  });

  it.each([
    [200, 'unexpected_status'],
    [302, 'redirected'],
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [402, 'payment_required'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [418, 'unexpected_status'],
    [429, 'rate_limited'],
    [500, 'server'],
    [599, 'server'],
  ])('takes %d for %s', (status, code) => {
    expect(refusalToError({ ...facts, status, body: '' })).toMatchObject({ code, status });
  });

  it('counts a request as not sent when a proxy asks for a login', () => {
    const error = refusalToError({ ...facts, status: 407, body: '' });
    expect(error).toMatchObject({ code: 'connection', detail: 'the proxy answered 407' });
    expect(error.status).toBeUndefined();
  });

  it('hides secrets before it shortens', () => {
    expect(detailOf('no: key+1/2= (key+1/2=)', ['key+1/2='])).toBe('no: [hidden] ([hidden])');
    expect(detailOf('the long secret', ['long', 'long secret'])).toBe('the [hidden]');
    expect(detailOf(`${'x'.repeat(195)}secret-key`, ['secret-key'])).toBe(`${'x'.repeat(195)}[hidd`);
  });

  it.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['0', 0],
    ['Tue, 07 Jul 2026 12:01:30 GMT', 90_000],
    ['Tue, 07 Jul 2026 11:00:00 GMT', 0],
    ['Tuesday, 07-Jul-26 12:01:30 GMT', 90_000],
    ['Tue Jul  7 12:01:30 2026', 90_000],
    ['99999999999', 86_400_000],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-07-07', undefined],
    [null, undefined],
  ])('reads Retry-After %j', (retryAfter, ms) => {
    const nowMs = Date.UTC(2026, 6, 7, 12);
    expect(refusalToError({ ...facts, retryAfter, nowMs, body: '' }).retryAfterMs).toBe(ms);
  });
});

describe('listRedactions', () => {
  it('holds the key and the private fields of an input, but no text that is too short to hide', () => {
    expect(
      listRedactions('key_1', {
        link: 'https://meet.example/a',
        title: 'a',
        participants: ['ann@example.com', 'b'],
        webhookSecret: 1_234_567_812_345_678,
        source: 'gmeet',
      }),
    ).toEqual(['key_1', '1234567812345678', 'https://meet.example/a', 'ann@example.com']);
    expect(listRedactions('key_1', undefined)).toEqual(['key_1']);
  });
});

describe('redactProblems', () => {
  it('hides an unknown name and a number that are private, and leaves the rules as they are', () => {
    expect(
      redactProblems(
        [
          { path: ['Board of Acme'], code: 'unknown', allowed: ['title'] },
          { path: ['title'], code: 'invalid', expected: 'a title', received: 'the number 20260707' },
        ],
        ['Board of Acme', '20260707', 'title'],
      ),
    ).toEqual([
      { path: ['[hidden]'], code: 'unknown', allowed: ['title'] },
      { path: ['title'], code: 'invalid', expected: 'a title', received: 'the number [hidden]' },
    ]);
  });
});
