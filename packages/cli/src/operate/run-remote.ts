import { stripVTControlCharacters } from 'node:util';

import type { Context } from '../context.ts';
import { EXIT_FAILED, Failure, type FailureCode, wrongSettings } from '../errors.ts';
import { isLoopback } from '../hosting/admin-access.ts';
import { fillSecretFiles } from '../settings/secret-files.ts';

/** Runs a command line on the receiver at `AFTERMEET_URL`, prints what it prints, and returns its exit code. */
export async function runRemote(words: readonly string[], context: Context): Promise<number> {
  const { environment, client, columns, isTerminal, write, writeError } = context;
  const response = await askReceiver(client?.fetch ?? fetch, readReceiver(environment), '/api/commands', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ words, columns: isTerminal ? columns?.() : undefined }),
  });
  let exit: number | undefined;
  try {
    for await (const line of readLines(response)) {
      const { out, err, exit: code } = readLine(line);
      // The receiver does not know that this terminal has no colours.
      if (out !== undefined) write(environment['NO_COLOR'] ? stripVTControlCharacters(out) : out);
      if (err !== undefined) writeError(err);
      exit = code ?? exit;
    }
  } catch {
    // What was cut off has no exit code.
  }
  if (exit === undefined) throw failed('ambiguous', CUT_OFF, 'Look at its result before you run it again.');
  return exit;
}

const CUT_OFF = 'The connection ended before the command did. It may have been done.';

export interface ReceiverAccess {
  readonly url: string;
  readonly token?: string | undefined;
}

/** The receiver at `AFTERMEET_URL`. Throws `WrongUse` for what cannot be one. */
export function readReceiver(environment: Context['environment']): ReceiverAccess {
  const { AFTERMEET_URL: given = '', ADMIN_TOKEN: token = '' } = environment;
  const fileProblems = fillSecretFiles(environment).problems.filter(
    ({ setting }) => setting === 'ADMIN_TOKEN',
  );
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSafe = url !== undefined && isReceiverAddress(url);
  const problems = [
    ...(isSafe
      ? []
      : [
          {
            setting: 'AFTERMEET_URL',
            found: url === undefined ? 'no address' : `an address with ${url.protocol}//`,
            expected: 'the https:// address of your receiver (http:// for this machine only), without login',
          },
        ]),
    ...fileProblems,
    ...(fileProblems.length > 0 || /^[\x21-\x7E]+$/.test(token)
      ? []
      : [
          {
            setting: 'ADMIN_TOKEN',
            found: token === '' ? 'nothing' : `${token.length} characters that no token has`,
            expected: 'the ADMIN_TOKEN of that receiver',
          },
        ]),
  ];
  if (url === undefined || problems.length > 0) {
    throw wrongSettings(
      problems,
      '\nWithout AFTERMEET_URL the command looks at the queue of this machine.\n',
    );
  }
  return { url: url.href, token };
}

/** Whether a token may be sent there. */
export function isReceiverAddress({ username, password, protocol, hostname }: URL): boolean {
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace('[::1]', '::1')));
}

/** Asks a receiver as its operator. Throws a `Failure` where the answer is not 2xx. */
export async function askReceiver(
  fetchIt: typeof fetch,
  { url, token }: ReceiverAccess,
  path: string,
  request: RequestInit,
): Promise<Response> {
  const address = new URL(path, url);
  const headers = new Headers(request.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetchIt(address, { ...request, redirect: 'error', headers });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code =
      cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'no answer';
    throw failed(
      'connection',
      `The receiver at ${address.origin} cannot be reached (${code}).`,
      'Check AFTERMEET_URL, and that the receiver runs.',
    );
  }
  if (!response.ok) throw refusedBy(response.status, address);
  return response;
}

function refusedBy(status: number, { origin }: URL): Failure {
  const known: Readonly<Record<number, readonly [FailureCode, string, string]>> = {
    401: [
      'unauthorized',
      `The receiver at ${origin} refuses the ADMIN_TOKEN.`,
      'Set the one that it was started with.',
    ],
    403: [
      'forbidden',
      `The receiver at ${origin} has no ADMIN_TOKEN.`,
      'Set one for it: commands from elsewhere need it.',
    ],
    429: [
      'rate_limited',
      `The receiver at ${origin} refuses the ADMIN_TOKEN, like too many others from here.`,
      'Set the one that it was started with.',
    ],
    503: [
      'server',
      `The receiver at ${origin} is busy, or its store is not available.`,
      'Try again in a second; its /readyz says what is wrong.',
    ],
  };
  const [code, message, advice] = known[status] ?? [
    'unexpected_status',
    `${origin} answers ${status}, as no receiver does.`,
    'Check AFTERMEET_URL: it is the address of the receiver itself, without a path, and with ADMIN_PORT its admin address.',
  ];
  return failed(code, message, advice);
}

function failed(code: FailureCode, message: string, advice: string): Failure {
  return new Failure({ exitCode: EXIT_FAILED, code, message, advice });
}

async function* readLines(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** What one line says; a line of another kind says nothing. */
function readLine(text: string): { readonly out?: string; readonly err?: string; readonly exit?: number } {
  const line: unknown = JSON.parse(text);
  if (typeof line !== 'object' || line === null) return {};
  if ('out' in line && typeof line.out === 'string') return { out: line.out };
  if ('err' in line && typeof line.err === 'string') return { err: line.err };
  if ('exit' in line && isExitCode(line.exit)) return { exit: line.exit };
  return {};
}

function isExitCode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}
