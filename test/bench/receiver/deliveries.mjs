// Requests as they go over the wire, signed in advance: all of one length, each with a body of its own.
import { createHmac, randomBytes } from 'node:crypto';

export const SECRET = 'bench-secret-0123456789abcdef0123456789abcdef';
export const BODY_BYTES = 900;

const serialMark = '########';
const signatureMark = '@'.repeat(64);

/** What each of the three senders puts in front of a body, and what it signs. */
const schemes = {
  service: {
    path: '/hooks/bench',
    headers: (tag, seconds) => [
      'User-Agent: Service-Webhooks/1.0',
      'X-Service-Event: meeting.completed',
      // 64 hexadecimal digits: what fills a store with copies knows an identifier by that.
      `X-Service-Delivery: ${tag}${'0'.repeat(48)}${serialMark}`,
      `X-Service-Timestamp: ${seconds}`,
      `X-Service-Signature: sha256=${signatureMark}`,
    ],
    prefix: (seconds) => `${seconds}.`,
  },
  github: {
    path: '/hooks/bench',
    headers: (tag) => [
      'User-Agent: GitHub-Hookshot/abcdef0',
      'X-GitHub-Event: push',
      `X-GitHub-Delivery: d_${tag}_${serialMark}`,
      `X-Hub-Signature-256: sha256=${signatureMark}`,
    ],
    prefix: () => '',
  },
  stripe: {
    path: '/hooks/bench',
    headers: (_tag, seconds) => [
      'User-Agent: Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      `Stripe-Signature: t=${seconds},v1=${signatureMark}`,
    ],
    prefix: (seconds) => `${seconds}.`,
  },
};

/** `count` requests in one buffer: number `index` is `bytes.subarray(index * size, (index + 1) * size)`. */
export function prepareDeliveries(schemeName, count) {
  const scheme = schemes[schemeName];
  const tag = randomBytes(4).toString('hex');
  const seconds = Math.floor(Date.now() / 1000);
  const head = [
    `POST ${scheme.path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${BODY_BYTES}`,
    ...scheme.headers(tag, seconds),
    '',
    '',
  ].join('\r\n');
  const template = Buffer.from(head + writeBody(tag), 'latin1');
  const serialsAt = findAll(template, serialMark);
  const signatureAt = template.indexOf(signatureMark);
  const prefix = scheme.prefix(seconds);
  const size = template.length;
  const bytes = Buffer.allocUnsafe(count * size);
  for (let index = 0; index < count; index += 1) {
    const start = index * size;
    template.copy(bytes, start);
    const serial = String(index).padStart(serialMark.length, '0');
    for (const at of serialsAt) bytes.latin1Write(serial, start + at);
    const body = bytes.subarray(start + size - BODY_BYTES, start + size);
    const signature = createHmac('sha256', SECRET).update(prefix).update(body).digest('hex');
    bytes.latin1Write(signature, start + signatureAt);
  }
  return { bytes, size, count };
}

/** As the service sends them; the title makes it up to the length. */
function writeBody(tag) {
  const id = `m_${tag}_${serialMark}`;
  const write = (title) =>
    JSON.stringify({
      event: 'meeting.completed',
      meeting_id: id,
      timestamp: '2026-07-07T12:00:00Z',
      data: {
        title,
        is_transcript_empty: false,
        report_url: `https://service.example/api/video/report?meeting_id=${id}`,
      },
    });
  const words = 'Weekly sales sync with the team of the north '.repeat(40);
  return write(words.slice(0, BODY_BYTES - write('').length));
}

function findAll(buffer, text) {
  const found = [];
  for (let at = buffer.indexOf(text); at !== -1; at = buffer.indexOf(text, at + 1)) found.push(at);
  return found;
}
