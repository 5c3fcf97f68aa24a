import fc from 'fast-check';

import {
  add,
  change,
  type DeliveryText,
  freshBody,
  genuine,
  NOW_SECONDS,
  sign,
  toBytes,
  toChunkedBytes,
} from './delivery-text.ts';

/** The cap that the receiver of the fuzz has. */
export const CAP = 1000;

/**
 * One request as a list of choices, each of which may break one thing. Each choice states the expected answer, so the
 * model does not repeat how the receiver decides.
 */
export interface Case {
  readonly bytes: Buffer;
  readonly body: Buffer;
  /** Every status that is right; 200 means stored. `closed` in place of an answer is always right for what is no HTTP. */
  readonly expected: readonly number[];
  readonly choices: readonly string[];
}

interface Choice {
  readonly name: string;
  /** The refusal that this leads to, by itself; none when it changes nothing. */
  readonly status?: number;
  apply(text: DeliveryText): DeliveryText;
}

const same = (name: string, apply: (text: DeliveryText) => DeliveryText = (text) => text): Choice => ({
  name,
  apply,
});
const breaks = (status: number, name: string, apply: (text: DeliveryText) => DeliveryText): Choice => ({
  name,
  status,
  apply,
});
const header = (name: string, value: string | undefined) => (text: DeliveryText) =>
  change(text, { [name]: value });

/** A 401 that the head alone leads to: the body is not looked at. */
const UNSIGNED = 4010;

const byHead: readonly number[] = [404, 405, 415, UNSIGNED];

/** The first of these that was chosen decides: this is the order of the checks that the design has. */
const order = [404, 405, 415, UNSIGNED, 413, 401, 400] as const;

const targets = fc.oneof(
  { weight: 6, arbitrary: fc.constant(same('the endpoint')) },
  fc
    .constantFrom('/hooks/default/', '/hooks/default?a=1', 'http://x/hooks/default')
    .map((target) => same(target, (text) => ({ ...text, requestLine: `POST ${target} HTTP/1.1` }))),
  fc
    .constantFrom(
      '/hooks/other',
      '/hooks/default/k',
      '/hooks//default',
      '/hooks/%64efault',
      '/nowhere',
      '/x/',
    )
    .map((target) => breaks(404, target, (text) => ({ ...text, requestLine: `POST ${target} HTTP/1.1` }))),
);

const methods = fc.oneof(
  { weight: 12, arbitrary: fc.constant(same('POST')) },
  fc
    .constantFrom('GET', 'PUT', 'DELETE', 'PATCH')
    .map((method) =>
      breaks(405, method, (text) => ({ ...text, requestLine: text.requestLine.replace('POST', method) })),
    ),
);

const encodings = fc.oneof(
  { weight: 12, arbitrary: fc.constant(same('no encoding')) },
  fc
    .constantFrom('Identity', '')
    .map((value) => same(`encoding ${value}`, header('content-encoding', value))),
  fc
    .constantFrom('gzip', 'br', 'identity, gzip', 'x')
    .map((value) => breaks(415, `encoding ${value}`, header('content-encoding', value))),
);

const types = fc.oneof(
  { weight: 12, arbitrary: fc.constant(same('JSON')) },
  fc
    .constantFrom(undefined, 'Application/JSON; charset=utf-8', 'application/a+json', '')
    .map((value) => same(`type ${value}`, header('content-type', value))),
  fc
    .constantFrom('text/plain', 'application/jsonx', 'a/json')
    .map((value) => same(`type ${value}`, header('content-type', value))),
);

const hex = fc.nat(15).map((digit) => digit.toString(16));
const signatures = fc.oneof(
  { weight: 8, arbitrary: fc.constant(same('signed')) },
  fc.tuple(fc.nat(63), hex).map(([at, digit]) => flip(at, digit)),
  fc
    .constantFrom(undefined, '', 'sha256=', 'x')
    .map((value) => breaks(UNSIGNED, `signature ${value}`, header('x-service-signature', value))),
  fc.constant(breaks(401, 'zeros', header('x-service-signature', `sha256=${'0'.repeat(64)}`))),
  fc.constant(
    breaks(UNSIGNED, 'signed twice', (text) => add(text, ['X-Service-Signature', sign(text.body)])),
  ),
  fc.constant(
    breaks(401, 'another secret', (text) =>
      header('x-service-signature', sign(text.body, NOW_SECONDS, 'other'))(text),
    ),
  ),
  fc.constant(
    breaks(UNSIGNED, 'in upper case', (text) =>
      header('x-service-signature', sign(text.body).toUpperCase())(text),
    ),
  ),
);

/** Another digit at one place of the signature; the same one changes nothing. */
function flip(at: number, digit: string): Choice {
  const choice = (text: DeliveryText) => {
    const signature = text.headers.find(([name]) => name.toLowerCase() === 'x-service-signature')?.[1] ?? '';
    return header('x-service-signature', signature.slice(0, 7 + at) + digit + signature.slice(8 + at))(text);
  };
  return { name: `digit ${at} is ${digit}`, apply: choice };
}

/** Signed as it stands, so that only the clock or the spelling is wrong. */
const atTime = (timestamp: string) => (text: DeliveryText) =>
  change(text, { 'x-service-timestamp': timestamp, 'x-service-signature': sign(text.body, timestamp) });

const times = fc.oneof(
  { weight: 8, arbitrary: fc.constant(same('now')) },
  fc
    .integer({ min: -300, max: 300 })
    .map((skew) => same(`skew ${skew}`, atTime(String(Number(NOW_SECONDS) + skew)))),
  fc
    .oneof(fc.integer({ min: 301, max: 1e9 }), fc.integer({ min: -1e9, max: -301 }))
    .map((skew) => breaks(UNSIGNED, `skew ${skew}`, atTime(String(Number(NOW_SECONDS) + skew)))),
  fc
    .constantFrom('+N', '0N', 'N.0', 'Ne0', 'N000', 'N,N', 'N N', '-N', 'Nabc', '')
    .map((form) => breaks(UNSIGNED, `form ${form}`, atTime(form.replaceAll('N', NOW_SECONDS)))),
  fc.constant(breaks(UNSIGNED, 'no timestamp', header('x-service-timestamp', undefined))),
  fc.constant(breaks(UNSIGNED, 'timestamp twice', (text) => add(text, ['x-service-timestamp', NOW_SECONDS]))),
);

const events = fc.oneof(
  { weight: 12, arbitrary: fc.constant(same('the event of the body')) },
  fc
    .constantFrom(undefined, '', 'meeting.completed, meeting.completed')
    .map((value) => same(`event ${value}`, header('x-service-event', value))),
  fc
    .constantFrom('meeting.failed', 'x', 'meeting.completed, x')
    .map((value) => same(`event ${value}`, header('x-service-event', value))),
);

const ids = fc.oneof(
  fc.constant(same('id')),
  fc
    .constantFrom(undefined, '', 'a b', '\u00ff', 'x'.repeat(200))
    .map((value) => same(`id ${value}`, header('x-service-delivery', value))),
);

const extras = fc.oneof(
  { weight: 6, arbitrary: fc.constant(same('nothing more')) },
  fc.nat(600).map((count) =>
    same(`${count} headers more`, (text) => ({
      ...text,
      headers: [...Array.from({ length: count }, (_, index) => [`a${index}`, ''] as const), ...text.headers],
    })),
  ),
  fc
    .constantFrom('__proto__', 'constructor', 'X-Forwarded-For', 'Upgrade')
    .map((name) => same(`with ${name}`, (text) => add(text, [name, 'x']))),
);

const bodies = fc.oneof(
  { weight: 10, arbitrary: fc.constant(undefined) },
  fc.json().map((text) => ({ body: Buffer.from(text), status: 400 })),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ body: Buffer.from(bytes), status: 400 })),
  fc.jsonValue().map((data) => ({ body: undefined, data })),
  fc.nat(3000).map((length) => ({ body: undefined, data: { title: 'x'.repeat(length) } })),
  fc.integer({ min: 1, max: 400 }).map((depth) => ({ body: Buffer.from('['.repeat(depth)), status: 400 })),
);

/** Declared, in chunks of any sizes, or broken in a way that no parser may take. */
const framings = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant({ name: 'length', isBroken: false, write: (text: DeliveryText) => toBytes(text) }),
  },
  fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 20 }).map((sizes) => ({
    name: `chunks ${sizes.join()}`,
    isBroken: false,
    write: (text: DeliveryText) => toChunkedBytes(text, ...sizes),
  })),
  fc
    .constantFrom<readonly [string, (text: DeliveryText) => Buffer]>(
      ['two lengths', (text) => toBytes(add(text, ['Content-Length', '1']))],
      ['length and chunks', (text) => toBytes(add(text, ['Transfer-Encoding', 'chunked']))],
      [
        'a bad chunk size',
        (text) =>
          toBytes(change(text, { 'content-length': undefined, 'transfer-encoding': 'chunked' }), 'zz\r\n'),
      ],
      ['a blank before a colon', (text) => toBytes({ ...text, headers: [['A ', 'b'], ...text.headers] })],
      ['a NUL', (text) => toBytes({ ...text, headers: [['A', '\0'], ...text.headers] })],
      ['line feeds', (text) => Buffer.from(toBytes(text).toString('latin1').replace('\r\n', '\n'), 'latin1')],
      ['a head too large', (text) => toBytes(add(text, ['A', 'x'.repeat(20_000)]))],
    )
    .map(([name, write]) => ({ name, isBroken: true, write })),
);

/** One request and what may come of it. */
export const cases: fc.Arbitrary<Case> = fc
  .tuple(
    bodies,
    fc.tuple(targets, methods, encodings, types, times, signatures, events, ids, extras),
    framings,
  )
  .map(([special, choices, framing]) => {
    const body =
      special?.body ?? freshBody(special !== undefined && 'data' in special ? { data: special.data } : {});
    let text = genuine(body);
    for (const choice of choices) text = choice.apply(text);
    const statuses = new Set<number | undefined>(choices.map(({ status }) => status));
    if (special !== undefined && 'status' in special) statuses.add(special.status);
    if (body.length > CAP) statuses.add(413);
    // What stands on the wire decides, where a digit was replaced by itself.
    const given = text.headers.find(([name]) => name.toLowerCase() === 'x-service-signature')?.[1];
    const at = text.headers.find(([name]) => name.toLowerCase() === 'x-service-timestamp')?.[1];
    if (given === undefined || at === undefined || given !== sign(body, at)) statuses.add(401);
    const first = order.find((status) => statuses.has(status)) ?? 200;
    return {
      bytes: framing.write(text),
      body,
      // A refusal by the head may come before the parser finds what is broken behind it.
      expected: (framing.isBroken ? [400, 431, ...byHead.filter((status) => status === first)] : [first]).map(
        (status) => (status === UNSIGNED ? 401 : status),
      ),
      choices: [...choices.map(({ name }) => name), framing.name],
    };
  });
