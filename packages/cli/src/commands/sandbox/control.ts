import { type Answer, type ControlAction, controlActions } from '@aftermeet/sandbox/control';
import { InvalidArgumentError, type Command } from 'commander';

import type { Context } from '../../context.ts';
import { EXIT_FAILED, EXIT_WRONG_USE, Failure, WrongUse } from '../../errors.ts';
import { DEFAULT_PORTS } from '../../hosting/resources.ts';
import { formatJson } from '../../terminal/format.ts';
import { cleanLine } from '../../terminal/text.ts';

interface ControlCall {
  readonly action: ControlAction;
  /** The values of its arguments, by their names; those of the path too. */
  readonly values: Readonly<Record<string, unknown>>;
}

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORTS.sandbox}`;

/** The action of a route. */
export function findAction(route: ControlAction['route']): ControlAction {
  const found = controlActions.find((action) => action.route === route);
  if (found === undefined) throw new Error(`no action has the route ${route}`);
  return found;
}

/** Adds what every command has that controls a running sandbox: the texts of its action, `--url` and `--json`. */
export function describeControl(command: Command, action: ControlAction): Command {
  const { command: words = '', summary, description = '', examples = [words], at } = action;
  const emulator = at === undefined ? '' : ', or of an emulator beside it';
  const lines = examples.map((example) => `\n  aftermeet sandbox ${example}`).join('');
  return command
    .summary(summary)
    .description(description)
    .option(
      '--url <address>',
      `address of the sandbox${emulator}; default SERVICE_BASE_URL if that is on this machine, else ${DEFAULT_URL}`,
      parseUrl,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:${lines}`);
}

/** Makes the call of a command and prints the answer: as JSON for machines, `describe` for people. */
export async function runControl(
  context: Context,
  command: Command,
  call: ControlCall,
  describe: (answer: Answer) => string,
): Promise<void> {
  const { url = findUrl(context), json } = command.opts<{ readonly url?: string; readonly json?: boolean }>();
  const answer = await callControl(context, url, call);
  context.write(
    json === true ? formatJson(toOutput(answer)) : `${describe(cleanAnswer(answer)).trimEnd()}\n`,
  );
}

/** The control routes answer to this machine alone: a service elsewhere is no sandbox. */
function findUrl({ environment }: Context): string {
  const { SERVICE_BASE_URL: url = '' } = environment;
  const isHere = URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
  if (!isHere) return DEFAULT_URL;
  // Not repeated: a name and a password may be in it.
  if (!isWebAddress(url))
    throw new WrongUse(
      `SERVICE_BASE_URL is no web address such as ${DEFAULT_URL}: correct it, or name --url.\n`,
    );
  return url.replace(/\/+$/, '');
}

function parseUrl(text: string): string {
  if (!isWebAddress(text)) throw new InvalidArgumentError(`Expected a web address such as ${DEFAULT_URL}.`);
  return text.replace(/\/+$/, '');
}

/** Without a name and a password, which an error would show. */
function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^/@]*(?:\/|$)/.test(new URL(text).href);
}

const TIMEOUT_MS = 30_000;

/** Returns the JSON of a control route. Throws a `Failure` that says what to do next. */
async function callControl(context: Context, url: string, { action, values }: ControlCall): Promise<Answer> {
  const send = context.client?.fetch ?? fetch;
  const [method = '', path = ''] = action.route.split(' ');
  const { id, ...others } = values;
  const fields = JSON.stringify(path.includes(':id') ? others : values);
  const body = method === 'GET' || fields === '{}' ? undefined : fields;
  let status: number;
  let answer: unknown;
  try {
    const response = await send(`${url}/_sandbox${path.replace(':id', encodeURIComponent(String(id)))}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body }),
    });
    status = response.status;
    answer = await response.json();
  } catch (error) {
    throw noSandbox(url, error instanceof SyntaxError ? 'returned a non-JSON response' : undefined);
  }
  const known: Answer = typeof answer === 'object' && answer !== null ? { ...answer } : {};
  if (status < 300) return known;
  // Every refusal of a sandbox has a message.
  const { message } = known;
  if (typeof message !== 'string') throw noSandbox(url, `answered ${status}`);
  throw new Failure({
    exitCode: status === 400 ? EXIT_WRONG_USE : EXIT_FAILED,
    code: status === 404 ? 'not_found' : status === 400 ? 'bad_request' : 'conflict',
    message: cleanLine(nameOption(message, action)),
    status,
  });
}

/** A refusal begins with the name of the field that is wrong; the reader knows it as an option. */
function nameOption(message: string, action: ControlAction): string {
  const [name = ''] = message.split(':');
  const argument = Object.entries(action.arguments ?? {}).find(([known]) => known === name)?.[1];
  return argument === undefined ? message : argument.flags.split(' ')[0] + message.slice(name.length);
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

/** The same answer, whose texts a terminal can show. */
function cleanAnswer(answer: Answer): Answer {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanLine(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [cleanLine(name), clean(field)]));
  };
  return Object.fromEntries(Object.entries(answer).map(([name, field]) => [name, clean(field)]));
}
