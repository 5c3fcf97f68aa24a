import type { Argument, Command, Option } from 'commander';

/** The value of an option or argument: one of some words, a file, or anything. */
export interface Value {
  readonly choices: readonly string[];
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
  return {
    path,
    name: command.name(),
    summary: command.summary() || command.description(),
    options: [...help.visibleOptions(command), ...globalOptions(command)].map((option) =>
      readOption(option, suggestions),
    ),
    arguments: command.registeredArguments.map((argument) => readArgument(argument, suggestions)),
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

function readOption(option: Option, suggestions: Suggestions): OptionNode {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const name = /[<[]([^>\]]+)/.exec(option.flags)?.[1];
  return {
    flags,
    description: option.description,
    ...(name === undefined ? {} : { value: readValue(name, option.argChoices, suggestions) }),
  };
}

function readArgument(argument: Argument, suggestions: Suggestions): Value {
  return readValue(argument.name(), argument.argChoices, suggestions);
}

function readValue(name: string, choices: readonly string[] | undefined, suggestions: Suggestions): Value {
  const suggested = Object.hasOwn(suggestions, name) ? suggestions[name] : undefined;
  return { choices: choices ?? suggested ?? [], isFile: /^(?:file|path)$/.test(name) };
}
