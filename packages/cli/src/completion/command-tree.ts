import type { Argument, Command, Option } from 'commander';

/** What is asked for at the service while a command line is written. */
export const lookupKinds = ['meetings', 'tags'] as const;

export type Lookup = (typeof lookupKinds)[number];

/** What is looked up, by the name in the help. */
const lookups: Readonly<Record<string, Lookup>> = {
  'meeting-id': 'meetings',
  meeting: 'meetings',
  tag: 'tags',
  tags: 'tags',
};

/** The value of an option or argument: one of some words, one that the service knows, a file, or anything. */
export interface Value {
  readonly choices: readonly string[];
  readonly lookup?: Lookup | undefined;
  readonly isFile: boolean;
}

export interface OptionNode {
  /** Such as `--json`, or `-V` and `--version`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent if the option takes no value. */
  readonly value?: Value;
}

export interface CommandNode {
  /** With the parent names: `aftermeet report get`. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly Value[];
  readonly commands: readonly CommandNode[];
}

/** Suggested words for open values, by the name in the help: `template`, `platform`. */
export type Suggestions = Readonly<Record<string, readonly string[]>>;

/** The commands with their options and values, read from commander. */
export function readCommandTree(command: Command, suggestions: Suggestions, before = ''): CommandNode {
  const help = command.createHelp();
  const path = `${before}${command.name()}`;
  // The sandbox has meetings of its own.
  const known = { suggestions, lookups: path.includes(' sandbox') ? {} : lookups };
  return {
    path,
    name: command.name(),
    summary: command.summary() || command.description(),
    options: [...help.visibleOptions(command), ...globalOptions(command)].map((option) =>
      readOption(option, known),
    ),
    arguments: command.registeredArguments.map((argument) => readArgument(argument, known)),
    commands: help.visibleCommands(command).map((child) => readCommandTree(child, suggestions, `${path} `)),
  };
}

/** All commands of the tree, the root first. */
export function listCommands(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.commands.flatMap((child) => listCommands(child))];
}

/** Options of the parents, which work in every subcommand, except `--version`. */
function globalOptions(command: Command): readonly Option[] {
  if (command.parent === null) return [];
  return [
    ...globalOptions(command.parent),
    ...command.parent.options.filter((option) => !option.hidden && option.long !== '--version'),
  ];
}

/** What is known of values, by their names in the help. */
interface KnownValues {
  readonly suggestions: Suggestions;
  readonly lookups: Readonly<Record<string, Lookup>>;
}

function readOption(option: Option, known: KnownValues): OptionNode {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const name = /[<[]([^>\]]+)/.exec(option.flags)?.[1];
  return {
    flags,
    description: option.description,
    ...(name === undefined ? {} : { value: readValue(name, option.argChoices, known) }),
  };
}

function readArgument(argument: Argument, known: KnownValues): Value {
  return readValue(argument.name(), argument.argChoices, known);
}

function readValue(name: string, choices: readonly string[] | undefined, known: KnownValues): Value {
  const suggested = Object.hasOwn(known.suggestions, name) ? known.suggestions[name] : undefined;
  return {
    choices: choices ?? suggested ?? [],
    lookup: Object.hasOwn(known.lookups, name) ? known.lookups[name] : undefined,
    isFile: /^(?:file|path)$/.test(name),
  };
}
