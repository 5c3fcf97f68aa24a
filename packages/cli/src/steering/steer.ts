import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_WRONG_USE } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/_sandbox`; without a slash at its end. */
  readonly path: string;
  readonly body?: object;
}

const TIMEOUT_MS = 30_000;

/** Calls the control API of the sandbox at `url` and returns its JSON. Throws a `Failure` that says what to do next. */
export async function steer(
  context: Context,
  url: string,
  { method, path, body }: ControlCall,
): Promise<unknown> {
  const send = context.client?.fetch ?? fetch;
  let status: number;
  let answer: unknown;
  try {
    const response = await send(`${url}/_sandbox${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    status = response.status;
    answer = await response.json();
  } catch (error) {
    throw reportNoSandbox(url, error instanceof SyntaxError ? 'what it answers is no JSON' : undefined);
  }
  if (status < 300) return answer;
  throw reportRefusal(url, status, readText(answer, 'message'));
}

function reportNoSandbox(url: string, why: string | undefined): Failure {
  return new Failure({
    exitCode: EXIT_FAILED,
    code: 'no_sandbox',
    message: `No sandbox answers at ${cleanLine(url)}${why === undefined ? '' : `: ${why}`}.`,
    advice: 'Start one with aftermeet sandbox, or name its address with --url.',
    retryable: true,
  });
}

function reportRefusal(url: string, status: number, message: string | undefined): Failure {
  // Every refusal of a sandbox has a message; what has none comes from somewhere else.
  if (message === undefined) return reportNoSandbox(url, `it answered ${status}`);
  return new Failure({
    exitCode: status === 400 ? EXIT_WRONG_USE : EXIT_FAILED,
    code: status === 404 ? 'not_found' : status === 400 ? 'bad_request' : 'refused',
    message: cleanLine(message),
    status,
  });
}

/** A text of an object; undefined where there is none. */
export function readText(value: unknown, name: string): string | undefined {
  const entry = readEntry(value, name);
  return typeof entry === 'string' ? entry : undefined;
}

/** A number of an object, as text; undefined where there is none. */
export function readNumber(value: unknown, name: string): string | undefined {
  const entry = readEntry(value, name);
  return typeof entry === 'number' ? String(entry) : undefined;
}

/** The objects of a list of an object. */
export function readRows(value: unknown, name: string): readonly object[] {
  const entry = readEntry(value, name);
  return Array.isArray(entry)
    ? entry.filter((row): row is object => typeof row === 'object' && row !== null)
    : [];
}

/** Any entry of an object. */
export function readEntry(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
