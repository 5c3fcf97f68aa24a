import { createHmac } from 'node:crypto';

export const SECRET = 'whsec_0123456789abcdef';
export const NOW_MS = Date.parse('2026-07-07T12:00:00Z');
export const NOW_SECONDS = '1783425600';

/** The text of an event; `fields` replace those of its envelope. */
export function eventText(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    event: 'meeting.completed',
    meeting_id: 'm_1',
    timestamp: '2026-07-07T12:00:00Z',
    ...fields,
  });
}

export function sign(body: string | Uint8Array, timestamp = NOW_SECONDS, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

export function signedHeaders(body: string | Uint8Array): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-service-signature': sign(body),
    'x-service-timestamp': NOW_SECONDS,
  };
}

/** A whole request as it goes over the wire; `more` replaces its headers, and `lines` stand behind them. */
export function requestText(
  body: string,
  more: Record<string, string> = {},
  { target = '/hooks/default', lines = [] }: { target?: string; lines?: readonly string[] } = {},
): string {
  const headers = {
    host: 'x',
    ...signedHeaders(body),
    'content-length': `${Buffer.byteLength(body)}`,
    ...more,
  };
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST ${target} HTTP/1.1\r\n${[...own, ...lines].join('\r\n')}\r\n\r\n${body}`;
}
