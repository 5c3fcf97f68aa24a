import { describe, expect, it } from 'vitest';

import { explainAnswer, explainFault } from './explain-fault.ts';

const doing = 'reports.get: GET /api/video/report';

function fault(code: string | undefined, facts: Record<string, unknown> = {}): Error {
  const cause = Object.assign(new Error('connect to https://ann:pw@service.example'), { code, ...facts });
  return new TypeError('fetch failed', { cause });
}

describe('explainFault', () => {
  it.each([
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EHOSTUNREACH', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['ECONNRESET', false],
    ['EPIPE', false],
    ['UND_ERR_SOCKET', false],
    ['ETIMEDOUT', false],
  ])('says of %s that it is a connection fault', (code, unsent) => {
    expect(explainFault(fault(code), { doing })).toMatchObject({
      code: 'connection',
      detail: code,
      unsent,
      retryable: true,
    });
  });

  it('knows that nothing was sent when the connection itself failed', () => {
    expect(explainFault(fault('ETIMEDOUT', { syscall: 'connect' }), { doing }).unsent).toBe(true);
    expect(explainFault(fault('ETIMEDOUT', { syscall: 'read' }), { doing }).unsent).toBe(false);
    const each = ['ENETUNREACH', 'ETIMEDOUT'].map((code) =>
      Object.assign(new Error('x'), { code, syscall: 'connect' }),
    );
    const all = new TypeError('fetch failed', { cause: new AggregateError(each) });
    expect(explainFault(all, { doing })).toMatchObject({ unsent: true, detail: 'AggregateError' });
  });

  it('tells abort, timeout and connection apart, the caller’s abort first', () => {
    const gone = AbortSignal.abort();
    const reset = fault('ECONNRESET');
    expect(explainFault(reset, { doing, signal: gone, timeout: gone }).code).toBe('aborted');
    expect(explainFault(reset, { doing, timeout: gone, timeoutMs: 50 })).toMatchObject({
      code: 'timeout',
      detail: 'no answer in 50 ms',
      retryable: true,
    });
    expect(explainFault(fault('UND_ERR_HEADERS_TIMEOUT'), { doing }).code).toBe('timeout');
    expect(explainFault(fault('UND_ERR_BODY_TIMEOUT'), { doing }).code).toBe('timeout');
    expect(explainFault(new DOMException('x', 'TimeoutError'), { doing }).code).toBe('timeout');
    expect(explainFault(new DOMException('x', 'AbortError'), { doing }).code).toBe('aborted');
    expect(explainFault(new RangeError('x'), { doing }).code).toBe('unreadable');
  });

  it.each([undefined, null, 'text', 7, {}, Object.create(null), new Error('x'), fault('with blanks: pw')])(
    'has a word for %o',
    (error) => {
      expect(explainFault(error, { doing })).toMatchObject({ code: 'connection' });
      expect(explainFault(error, { doing }).message).not.toMatch(/pw/);
    },
  );

  it('survives a cause that is its own cause', () => {
    const loop = new Error('x');
    loop.cause = loop;
    expect(explainFault(loop, { doing }).code).toBe('connection');
  });
});

describe('explainAnswer', () => {
  const facts = { doing, status: 500, retryAfter: null, nowMs: 0 };
  const detailOf = (body: unknown, secrets: readonly string[] = []): string | undefined =>
    explainAnswer({ ...facts, body, secrets }).detail;

  it.each([
    [{ code: 'X', message: 'Said\n\tso\u001B[31m' }, 'Said so [31m'],
    [{ code: 'X', field: 'name' }, 'X'],
    [{ error: { message: 'inner' } }, 'inner'],
    [{ error: 'flat' }, 'flat'],
    [{ detail: 'more' }, 'more'],
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

  it('hides secrets in every spelling, before it shortens', () => {
    const secret = 'a/b"c\\d e+f';
    expect(detailOf(`no: ${secret} ${JSON.stringify(secret)}`, [secret])).toBe('no: [hidden] "[hidden]"');
    expect(detailOf(`?k=${encodeURIComponent(secret)}`, [secret])).toBe('?k=[hidden]');
    expect(detailOf(`?k=${new URLSearchParams({ k: secret }).toString().slice(2)}`, [secret])).toBe(
      '?k=[hidden]',
    );
    expect(detailOf(`${'x'.repeat(195)}secret-key`, ['secret-key'])).toBe(`${'x'.repeat(195)}[hidd`);
    expect(detailOf('see https://ann:pw@host/x and //bob@host')).toBe(
      'see https://[hidden]@host/x and //[hidden]@host',
    );
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
    expect(explainAnswer({ ...facts, retryAfter, nowMs, body: '' }).retryAfterMs).toBe(ms);
  });
});
