import { type Argument, type ControlAction, controlActions } from '@aftermeet/sandbox/control';
import { Argument as Word, InvalidArgumentError, Option, type Command } from 'commander';

import type { CommandContext } from '../../context.ts';
import { collectList, parseCountOrUnlimited, parseDuration } from '../../options.ts';
import { addMeetingAddCommand } from './add-meeting.ts';
import { describeControl, runControl } from './control.ts';
import { listAnswers } from './list-answers.ts';
import { addOptionsCommand } from './options.ts';

/** Commands with code of their own: reading a file, several routes in one. */
const ownCommands: Readonly<Record<string, typeof addOptionsCommand>> = {
  'meetings add': addMeetingAddCommand,
  options: addOptionsCommand,
};

/** The commands of `aftermeet sandbox` that control a running sandbox: one for each action of the table that has a name. */
export function addControlCommands(sandbox: Command, context: CommandContext): void {
  for (const action of controlActions) {
    if (action.command === undefined) continue;
    const words = action.command.split(' ');
    const name = words.pop() ?? '';
    const [group] = words;
    const parent = group === undefined ? sandbox : findGroup(sandbox, group);
    // The command without a subcommand: options of the group itself would hide those of the others.
    const isDefault = action.command === 'meetings list';
    const command = describeControl(parent.command(name, { isDefault }), action);
    const addOwn = ownCommands[action.command];
    if (addOwn === undefined) addAction(command, action, context);
    else addOwn(command, action, context);
  }
}

const groups: Readonly<Record<string, readonly [summary: string, description: string]>> = {
  meetings: [
    'list its meetings, or add one',
    'Lists the meetings of a running sandbox. With add, adds one with content of your own.',
  ],
  faults: ['inject faults', 'Plans faults of a running sandbox, or of an emulator beside it (--url).'],
};

function findGroup(sandbox: Command, name: string): Command {
  const known = sandbox.commands.find((command) => command.name() === name);
  const [summary = '', description = ''] = groups[name] ?? [];
  return known ?? sandbox.command(name).summary(summary).description(description);
}

/** The arguments of the table as arguments and options, and the call. */
function addAction(command: Command, action: ControlAction, context: CommandContext): void {
  const byName = Object.entries(action.arguments ?? {});
  const words = byName.filter(([, argument]) => isWord(argument));
  const options = byName.flatMap(([name, argument]) =>
    isWord(argument) ? [] : [{ name, option: makeOption(argument) }],
  );
  for (const [, argument] of words) {
    const word = new Word(argument.flags, argument.help).argParser(createParser(argument));
    command.addArgument(argument.choices === undefined ? word : word.choices(argument.choices));
  }
  for (const { option } of options) command.addOption(option);
  command.action(async () => {
    const given = command.opts<Readonly<Record<string, unknown>>>();
    const values = Object.fromEntries([
      ...words.map(([name], index) => [name, toValue(command.processedArgs[index])] as const),
      ...options.map(({ name, option }) => [name, toValue(given[option.attributeName()])] as const),
    ]);
    await runControl(context, command, { action, values }, (answer) =>
      action.says === undefined ? listAnswers(action, answer, context) : action.says(answer),
    );
  });
}

/** Whether it stands without an option's name. */
function isWord({ flags }: Argument): boolean {
  return /^[<[]/.test(flags);
}

function makeOption(argument: Argument): Option {
  const option = new Option(argument.flags, argument.help);
  if (argument.choices !== undefined) option.choices(argument.choices);
  return argument.type === 'flag' ? option : option.argParser(createParser(argument));
}

type Parser = (text: string, before: unknown) => unknown;

/** Reads what stands on the command line; what a value may be is for the sandbox to say. */
const parsers: Readonly<Record<NonNullable<Argument['type']>, Parser>> = {
  text: String,
  flag: String,
  number: parseNumber,
  seconds: parseDuration,
  list: (text, before) => collectList(text, Array.isArray(before) ? before : []),
  object: parseObject,
};

function createParser({ type = 'text', orNull }: Argument): Parser {
  return orNull === undefined ? parsers[type] : parseCountOrUnlimited(orNull, 0);
}

function parseNumber(text: string): number {
  if (/^\d*\.?\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number.');
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, like every other text that is not an object.
  }
  throw new InvalidArgumentError('Expected a JSON object.');
}

/** JSON has null for a number without limit; commander reads null as an option without a value. */
function toValue(value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? null : value;
}
