import { readFile } from 'node:fs/promises';

import pg, { type PoolConfig } from 'pg';

import { describeError } from '../errors.ts';

type TlsChoice = Pick<PoolConfig, 'ssl' | 'sslnegotiation'>;

interface TlsSettings {
  /** The address without what is in the choices. */
  readonly url: string;
  /** To be tried in this order, while the server refuses. */
  readonly choices: readonly TlsChoice[];
}

const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl', 'uselibpqcompat'];

/**
 * Reads `sslmode` as libpq and psql do: the parser of pg takes `require` for `verify-full`, and never connects without
 * TLS for `prefer`. An address without `sslmode` is left to pg.
 */
export async function readTlsSettings(url: string): Promise<TlsSettings> {
  const parsed = new URL(url);
  const take = (name: string): string | undefined => parsed.searchParams.get(name) ?? undefined;
  const mode = take('sslmode');
  if (mode === undefined) return { url, choices: [{}] };
  const rootFile = take('sslrootcert');
  if (rootFile === 'system' && mode !== 'verify-full') {
    throw new Error('sslrootcert=system needs sslmode=verify-full');
  }
  const [rootCert, cert, key] = await Promise.all(
    ([rootFile === 'system' ? undefined : rootFile, take('sslcert'), take('sslkey')] as const).map(readPem),
  );
  const negotiation = take('sslnegotiation') === 'direct' ? { sslnegotiation: 'direct' as const } : {};
  const isSocket = (take('host') ?? decodeURIComponent(parsed.hostname)).startsWith('/');
  for (const name of PARAMETERS) parsed.searchParams.delete(name);

  const common = { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  const trusted = { ...common, ...(rootCert === undefined ? {} : { ca: rootCert }) };
  const plain: TlsChoice = { ssl: false };
  const unchecked: TlsChoice = { ...negotiation, ssl: { ...common, rejectUnauthorized: false } };
  const checked: TlsChoice = { ...negotiation, ssl: { ...trusted, checkServerIdentity: () => undefined } };
  const full: TlsChoice = { ...negotiation, ssl: trusted };

  const choicesOf: Readonly<Record<string, () => readonly TlsChoice[]>> = {
    disable: () => [plain],
    allow: () => [plain, unchecked],
    prefer: () => [unchecked, plain],
    // As in libpq, a file of authorities makes the weaker mode check the certificate.
    require: () => [rootCert === undefined ? unchecked : checked],
    'no-verify': () => [unchecked],
    'verify-ca': () => {
      // Of a public authority anyone can get a certificate, so its signature alone says nothing.
      if (rootCert === undefined) throw new Error('sslmode=verify-ca needs sslrootcert=FILE');
      return [checked];
    },
    'verify-full': () => [full],
  };
  const choices = Object.hasOwn(choicesOf, mode) ? choicesOf[mode] : undefined;
  if (choices === undefined) {
    throw new Error(
      `its sslmode is ${JSON.stringify(mode)}: expected disable, allow, prefer, require, verify-ca or verify-full`,
    );
  }
  // A socket of this machine has no TLS, whatever is asked.
  return { url: parsed.href, choices: isSocket ? [plain] : choices() };
}

async function readPem(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`a certificate file of its address can't be read: ${describeError(error)}`, {
      cause: error,
    });
  }
}

/** `invalid_authorization_specification`: pg_hba.conf wants it another way. */
const REFUSED = '28000';

/** Whether a server is there and refuses this choice, so that the next one may be tried. */
export function isRefusal(error: unknown): boolean {
  return (
    (error instanceof pg.DatabaseError && error.code === REFUSED) ||
    (error instanceof Error && /does not support SSL connections/.test(error.message))
  );
}
