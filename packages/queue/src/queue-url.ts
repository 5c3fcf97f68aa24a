/** A parsed queue address. `name` is for display and has no password. */
export type QueueAddress =
  | ({ readonly kind: 'redis' } & RedisAddress)
  | { readonly kind: 'postgres'; readonly url: string; readonly name: string }
  | { readonly kind: 'embedded'; readonly directory: string; readonly name: string };

export interface RedisAddress {
  /** `redis:` or `rediss:`. With `sentinel` it holds user, password, database and TLS; its host is not used. */
  readonly url: string;
  readonly name: string;
  /** Who knows which server is the master. */
  readonly sentinel?: RedisSentinel | undefined;
  /** A file with certificates of authorities, for TLS. */
  readonly caFile?: string | undefined;
}

interface RedisSentinel {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly master: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export type ParsedQueueUrl =
  | ({ readonly ok: true } & QueueAddress)
  | { readonly ok: false; readonly problem: string };

const EXPECTED =
  'expected redis://HOST:PORT, rediss://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/MASTER, ' +
  'postgres://USER@HOST:PORT/DATABASE or embedded:DIR';

/** A problem says what was found (never a password) and what is expected. */
export function parseQueueUrl(text: string): ParsedQueueUrl {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'embedded':
      return parseEmbedded(trimmed.slice('embedded:'.length));
    case 'redis':
    case 'rediss':
    // Valkey speaks as Redis does.
    case 'valkey':
    case 'valkeys':
      return parseRedis(nameAsRedis(trimmed));
    case 'redis+sentinel':
    case 'rediss+sentinel':
    case 'valkey+sentinel':
    case 'valkeys+sentinel':
      return parseSentinel(nameAsRedis(trimmed));
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

function nameAsRedis(text: string): string {
  return text.replace(/^valkey/i, 'redis').replace(/^[a-z]+/i, (scheme) => scheme.toLowerCase());
}

function parseRedis(text: string): ParsedQueueUrl {
  const parsed = parseServerAddress('redis', text);
  if (!parsed.ok || parsed.kind !== 'redis') return parsed;
  const url = new URL(text);
  const caFile = url.searchParams.get('ca') ?? undefined;
  if (caFile === undefined) return parsed;
  if (url.protocol !== 'rediss:') {
    return {
      ok: false,
      problem: `found ${parsed.name} with ?ca=, expected rediss://HOST:PORT?ca=FILE, which uses TLS`,
    };
  }
  url.searchParams.delete('ca');
  return { ...parsed, url: url.href, caFile };
}

const SENTINEL_PORT = 26_379;

/** Several hosts make no URL, so they are taken apart first. */
function parseSentinel(text: string): ParsedQueueUrl {
  const [, scheme = '', login = '', hosts = '', rest = ''] =
    /^(rediss?)\+sentinel:\/\/([^@/]*@)?([^/?#@]*)(.*)$/s.exec(text) ?? [];
  const listed = hosts.split(',').map(parseHost);
  const [first] = listed;
  if (first === undefined || listed.some((one) => one === undefined)) {
    return { ok: false, problem: `found ${scheme}+sentinel: with a host that can't be read, ${EXPECTED}` };
  }
  const [, master = '', database = '', query = ''] = /^\/([^/?#]+)((?:\/\d+)?)((?:\?.*)?)$/s.exec(rest) ?? [];
  const shown = `${scheme}+sentinel://${login === '' ? '' : '…@'}${hosts}`;
  if (master === '') {
    return {
      ok: false,
      problem: `found ${shown} without the name of a master, expected ${scheme}+sentinel://HOST:PORT/MASTER`,
    };
  }
  // The login, the database and TLS are those of the master.
  const parsed = parseRedis(`${scheme}://${login}master${database}${query}`);
  if (!parsed.ok || parsed.kind !== 'redis') return parsed;
  const url = new URL(parsed.url);
  const username = url.searchParams.get('sentinel_user') ?? undefined;
  const password = url.searchParams.get('sentinel_password') ?? undefined;
  url.search = '';
  return {
    ...parsed,
    url: url.href,
    name: `${shown}/${master}${database}`,
    sentinel: { hosts: listed.filter((one) => one !== undefined), master, username, password },
  };
}

function parseHost(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, ipv6, name, port] = /^(?:\[([0-9a-f:]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  return host === undefined ? undefined : { host, port: port === undefined ? SENTINEL_PORT : Number(port) };
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
