/** A parsed queue address. `name` is for display and has no password. */
export type QueueAddress =
  | { readonly kind: 'redis'; readonly url: string; readonly name: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly name: string }
  | { readonly kind: 'embedded'; readonly directory: string; readonly name: string };

export type ParsedQueueUrl =
  | ({ readonly ok: true } & QueueAddress)
  | { readonly ok: false; readonly problem: string };

const EXPECTED =
  'expected redis://HOST:PORT, rediss://HOST:PORT, postgres://USER@HOST:PORT/DATABASE or embedded:DIR';

/** A problem says what was found (never a password) and what is expected. */
export function parseQueueUrl(text: string): ParsedQueueUrl {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'embedded':
      return parseEmbedded(trimmed.slice('embedded:'.length));
    case 'redis':
    case 'rediss':
      return parseServerAddress('redis', trimmed);
    case 'postgres':
    case 'postgresql':
      return parseServerAddress('postgres', trimmed);
    case undefined:
      return { ok: false, problem: `found ${trimmed === '' ? 'nothing' : 'no scheme'}, ${EXPECTED}` };
    default:
      return { ok: false, problem: `found the scheme ${scheme}:, ${EXPECTED}` };
  }
}

function parseEmbedded(directory: string): ParsedQueueUrl {
  if (directory === '' || directory.startsWith('//') || /\p{Cc}/u.test(directory)) {
    return {
      ok: false,
      problem: `found embedded: without a usable folder, expected embedded:DIR, for example embedded:.aftermeet`,
    };
  }
  return { ok: true, kind: 'embedded', directory, name: `embedded:${directory}` };
}

function parseServerAddress(kind: 'redis' | 'postgres', text: string): ParsedQueueUrl {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The text may contain a password, so it is not repeated.
    return {
      ok: false,
      problem: `found a ${kind} address that can't be read (a password with special characters must be percent-encoded), ${EXPECTED}`,
    };
  }
  // Neither user nor password, because either may be a secret.
  const user = url.username === '' ? '' : '…@';
  const name = `${url.protocol}//${user}${url.host}${url.pathname === '/' ? '' : url.pathname}`;
  if (url.host === '' && !url.searchParams.has('host')) {
    return { ok: false, problem: `found ${name}, which has no host, ${EXPECTED}` };
  }
  if (kind === 'redis' && !/^\/?\d*$/.test(url.pathname)) {
    return {
      ok: false,
      problem: `found ${name}, whose database is not a number, expected ${url.protocol}//HOST:PORT/NUMBER`,
    };
  }
  return { ok: true, kind, url: text, name };
}
