// What an action of the control is. Types and plain functions alone: the command loads this file and the table before it runs.
import type { AppState } from '../app-state.ts';
import type { FaultOutcome, PlannedFault } from '../faults.ts';
import type { Announcement, Failure, Finish } from '../meeting-changes.ts';
import type { OptionStore } from '../option-store.ts';
import type { Seeding } from '../seed.ts';

/** One action: a route under `/_sandbox`, and where it says so a command of `aftermeet sandbox` and buttons of the page. */
export interface ControlAction {
  /** The words behind `aftermeet sandbox`; absent for a route that no command calls. */
  readonly command?: string;
  /** In the list of commands: a phrase without a full stop. */
  readonly summary: string;
  /** In the help of the command: full sentences. */
  readonly description?: string;
  /** Behind `aftermeet sandbox`; default the command alone. */
  readonly examples?: readonly string[];
  /** Which servers have it; default the service alone. */
  readonly at?: readonly ServerName[];
  /** Under `/_sandbox`, as Express takes it; `:id` is the argument `id`. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** Of the answer to a call that succeeds; default 200. */
  readonly status?: number;
  /** By their names in the body of the route. */
  readonly arguments?: Arguments;
  /** `run` reads the body itself, which may hold more than the arguments; else a wrong or unknown field is refused before. */
  readonly takesBody?: boolean;
  /** On the page: beside each meeting or delivery in one of these states, or at a place of its own. */
  readonly buttons?: readonly ActionButton[];
  /** On the page: the id of the form whose fields are the arguments. */
  readonly form?: 'record';
  /** Does it, and returns the body of the answer. Throws `ControlRefusal`. */
  run(server: Servers[ServerName], values: Values<Arguments>, body: unknown): object;
  /** What the command says of the answer. Lists are tables of the command, and have none. */
  readonly says?: (answer: Answer) => string;
}

interface ActionButton {
  readonly label: string;
  readonly of: 'meeting' | 'delivery' | 'clock' | 'meetings' | 'options';
  readonly states?: readonly string[];
  readonly body?: object;
}

/** An entry of the table: `run` knows its server by `at`, and the types of its values by `arguments`. */
export function action<
  const At extends ServerName = 'service',
  const Given extends Arguments = Readonly<Record<string, never>>,
>(
  entry: Omit<ControlAction, 'at' | 'arguments' | 'run'> & {
    readonly at?: readonly At[];
    readonly arguments?: Given;
    readonly run: (server: Servers[At], values: Values<Given>, body: unknown) => object;
  },
): ControlAction {
  // The list of all forgets these types; `mountActions` gives each entry what it asks for.
  return entry;
}

// What an action can be told

export interface Argument {
  /** On the command line: `<meeting-id>`, `[key]`, `--language <code>`, `--empty`. One in `<…>` is needed. */
  readonly flags: string;
  /** For people: a phrase without a full stop. */
  readonly help: string;
  /** Default `text`. `seconds` is a duration such as 1h30m on the command line. */
  readonly type?: keyof ArgumentTypes;
  /** The texts there are. */
  readonly choices?: readonly string[];
  /** This word stands for null on the command line: a number without limit. */
  readonly orNull?: string;
  /** Of its field in a form; default text. */
  readonly input?: 'url' | 'password';
  /** What a value of this type must be as well. */
  readonly rule?: { readonly words: string; readonly accepts: (value: unknown) => boolean };
}

interface ArgumentTypes {
  readonly text: string;
  readonly number: number;
  readonly seconds: number;
  readonly flag: boolean;
  readonly list: readonly string[];
  readonly object: object;
}

export type Arguments = Readonly<Record<string, Argument>>;

/** The values of the arguments; those that are not needed may be undefined. */
export type Values<Given extends Arguments> = { readonly [Name in keyof Given]: ValueOf<Given[Name]> };

type ValueOf<Given extends Argument> =
  | TypedValue<Given>
  | (Given extends { readonly orNull: string } ? null : never)
  | (Given['flags'] extends `<${string}` ? never : undefined);

type TypedValue<Given extends Argument> = Given extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Given extends { readonly type: infer Type extends keyof ArgumentTypes }
    ? ArgumentTypes[Type]
    : string;

// What it works on

/** Where an action applies. */
export type ServerName = keyof Servers;

export interface Servers {
  readonly service: ControlledService;
  readonly slack: ControlledEmulator & WithOptions;
  readonly notion: ControlledEmulator & WithOptions;
  readonly mail: ControlledEmulator;
}

interface ControlledServer {
  readonly faults: {
    readonly list: () => readonly PlannedFault<object>[];
    readonly tryAdd: (input: unknown) => FaultOutcome<object>;
    readonly remove: (id: string) => boolean;
    readonly clear: () => void;
  };
  readonly reset: () => void;
}

interface WithOptions {
  readonly options: Pick<OptionStore<object>, 'get' | 'trySet' | 'reset'>;
}

interface ControlledEmulator extends ControlledServer {
  /** What arrived, oldest first. */
  readonly received: () => readonly unknown[];
}

export interface ControlledService
  extends
    ControlledServer,
    WithOptions,
    Pick<AppState, 'account' | 'clock' | 'lifecycle' | 'meetings' | 'sender' | 'uploads'> {
  readonly complete: (
    id: string,
    completion: { readonly isTranscriptEmpty?: boolean | undefined; readonly language?: string | undefined },
  ) => Finish | undefined;
  readonly fail: (id: string, failure: Failure) => Finish | undefined;
  readonly announce: (id: string, announcement: Announcement) => Finish | undefined;
  /** A meeting of one's own. */
  readonly addMeeting: (body: unknown) => Finish;
  /** The operation that starts a recording, without a key; link and webhook are filled in where there is none. */
  readonly record: (body: unknown) => object;
  readonly seed: (body: unknown) => Seeding;
  /** Everything that becomes due has happened when it returns. Throws `RangeError`. */
  readonly advance: (byMs: number) => void;
}

// Answers

/** Why an action does not do what it is told. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super('the control route refused');
    this.status = status;
    this.body = body;
  }
}

/** `problems`: all that is wrong, where there may be more than one. */
export function refuse(message: string, problems?: readonly string[]): ControlRefusal {
  return new ControlRefusal(400, { code: 'INVALID_REQUEST', message, problems });
}

export function notFound(message: string): ControlRefusal {
  return new ControlRefusal(404, { code: 'NOT_FOUND', message });
}

/** Runs what throws `RangeError` for a wrong value. */
export function orRefuse<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw refuse(error.message);
    throw error;
  }
}

/** The one id that begins so, from eight characters on, as tables show it; else what was given. */
export function findId(
  given: string,
  store: { readonly list: () => readonly { readonly id: string }[] },
): string {
  const found = given.length < 8 ? [] : store.list().filter(({ id }) => id.startsWith(given));
  return found.length === 1 ? (found[0]?.id ?? given) : given;
}

/** The body of an answer, as it came over the wire. */
export type Answer = Readonly<Record<string, unknown>>;

/** A field of an answer as text; empty where there is none. */
export function readText(answer: unknown, name: string): string {
  const value: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
