import type { ControlAction } from '@aftermeet/sandbox/control';
import { InvalidArgumentError, type Command } from 'commander';

import type { CommandContext } from '../../context.ts';
import { WrongUse } from '../../errors.ts';
import { findAction, runControl } from './control.ts';

type Changes = Readonly<Record<string, unknown>>;

/** `aftermeet sandbox options`: shows, sets and resets them, and knows the defaults of the sandbox. */
export function addOptionsCommand(command: Command, show: ControlAction, context: CommandContext): void {
  command
    .argument('[name=value...]', 'options to set', collectOptions)
    .option('--reset', 'reset all')
    .action(async (changes: Changes = {}, { reset }: { reset?: boolean }) => {
      const isChange = Object.keys(changes).length > 0;
      if (reset === true && isChange) {
        throw new WrongUse('--reset resets all options: set some in a second command.\n');
      }
      const { readServiceOptions } = await import('@aftermeet/sandbox');
      const defaults = readServiceOptions({});
      const known: Changes = 'options' in defaults ? { ...defaults.options } : {};
      const change = isChange ? findAction('PATCH /options') : show;
      const action = reset === true ? findAction('DELETE /options') : change;
      await runControl(context, command, { action, values: isChange ? changes : {} }, ({ options }) => {
        const all = Object.entries(options ?? {});
        const shown = isChange ? all.filter(([name]) => Object.hasOwn(changes, name)) : all;
        return shown.map(([name, value]) => describeOption(name, value, known)).join('\n');
      });
    });
}

/** The options of an emulator have no known defaults, and no mark. */
function describeOption(name: string, value: unknown, defaults: Changes): string {
  const text = JSON.stringify(value);
  const isChanged = Object.hasOwn(defaults, name) && text !== JSON.stringify(defaults[name]);
  return `${isChanged ? '*' : ' '} ${name}=${typeof value === 'string' ? value : text}`;
}

/** `a=1` and `b=text`: the value is JSON, or else text. */
export function collectOptions(word: string, before: Changes = {}): Changes {
  const at = word.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  return { ...before, [word.slice(0, at)]: parseValue(word.slice(at + 1)) };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
