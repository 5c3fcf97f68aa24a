import { InvalidArgumentError, type Command } from 'commander';

import type { Context } from '../../context.ts';
import { EXIT_FAILED, EXIT_WRONG_USE, Failure } from '../../errors.ts';
import { DEFAULT_PORTS } from '../../hosting/resources.ts';
import { formatJson } from '../../terminal/format.ts';
import { cleanLine } from '../../terminal/text.ts';

interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/_sandbox`; without a slash at its end. */
  readonly path: string;
  readonly body?: object;
}

/** Makes a control call and prints the answer: as JSON of this command for machines, `describe` for people. */
export type Show = (
  command: Command,
  call: ControlCall,
  describe: (answer: unknown) => string,
) => Promise<void>;

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORTS.sandbox}`;

/** Adds the options of every command that controls a running sandbox, and examples, without `aftermeet`. */
export function addControlOptions(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `\n  aftermeet ${example}`).join('');
  return command
    .option('--url <address>', 'address of the sandbox, or of an emulator beside it', parseUrl, DEFAULT_URL)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:${lines}`);
}

export function createShow(context: Context): Show {
  return async (command, call, describe) => {
    const { url, json } = command.opts<{ readonly url: string; readonly json?: boolean }>();
    const answer = toOutput(await callControl(context, url, call));
    context.write(json === true ? formatJson(answer) : describe(answer));
  };
}

/** Lists of a control route, by the name of their field. */
const lists = new Set(['deliveries', 'meetings', 'faults']);

/** An answer as every command prints JSON: fields in camelCase, a list as `items`. */
function toOutput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOutput);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    const shown: unknown = toOutput(field);
    return [lists.has(name) && Array.isArray(shown) ? 'items' : toCamelCase(name), shown];
  });
  return Object.fromEntries(fields);
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

const TIMEOUT_MS = 30_000;

/** Returns the JSON of a control route. Throws a `Failure` that says what to do next. */
async function callControl(
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
    throw noSandbox(url, error instanceof SyntaxError ? 'returned a non-JSON response' : undefined);
  }
  if (status < 300) return answer;
  const message = getText(answer, 'message');
  // Every refusal of a sandbox has a message.
  if (message === undefined) throw noSandbox(url, `answered ${status}`);
  throw new Failure({
    exitCode: status === 400 ? EXIT_WRONG_USE : EXIT_FAILED,
    code: status === 404 ? 'not_found' : status === 400 ? 'bad_request' : 'conflict',
    message: cleanLine(message),
    status,
  });
}

function noSandbox(url: string, problem: string | undefined): Failure {
  const address = cleanLine(url);
  return new Failure({
    exitCode: EXIT_FAILED,
    code: problem === undefined ? 'connection' : 'unreadable',
    message:
      problem === undefined ? `No sandbox answers at ${address}.` : `${address} ${problem}; is it a sandbox?`,
    advice: 'Start one with aftermeet sandbox, or name its address with --url.',
    retryable: true,
  });
}

function parseUrl(text: string): string {
  // An error would show a name and a password in it.
  if (!URL.canParse(text) || !/^https?:\/\/[^/@]*(?:\/|$)/.test(new URL(text).href)) {
    throw new InvalidArgumentError(`Expected a web address such as ${DEFAULT_URL}.`);
  }
  return text.replace(/\/+$/, '');
}

/** What became of the event of a meeting. */
export function describeSending(subject: string, answer: unknown): string {
  const deliveryId = getText(answer, 'deliveryId');
  return deliveryId === undefined
    ? `${subject} has no webhook address, so no event is sent.\n`
    : `Delivery ${cleanLine(deliveryId)} is being sent: aftermeet sandbox deliveries shows how it went.\n`;
}

/** A text field; undefined where there is none. */
export function getText(value: unknown, name: string): string | undefined {
  const entry = getField(value, name);
  return typeof entry === 'string' ? entry : undefined;
}

/** A number field as text; undefined where there is none. */
export function getNumber(value: unknown, name: string): string | undefined {
  const entry = getField(value, name);
  return typeof entry === 'number' ? String(entry) : undefined;
}

/** The objects of a list field. */
export function getRows(value: unknown, name: string): readonly object[] {
  const entry = getField(value, name);
  return Array.isArray(entry)
    ? entry.filter((row): row is object => typeof row === 'object' && row !== null)
    : [];
}

export function getField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
