import { InvalidArgumentError, type Command } from 'commander';

import type { Context } from '../context.ts';
import { usualPorts } from '../dev/ports.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type ControlCall, steer } from './steer.ts';

const usualUrl = `http://127.0.0.1:${usualPorts.sandbox}`;

interface SteeringOptions {
  readonly url: string;
  readonly json?: boolean;
}

/** Shows what a call of the control API answers: as it came for machines, `describe` for people. */
export type Show = (
  command: Command,
  call: ControlCall,
  describe: (answer: unknown) => string,
) => Promise<void>;

/** Adds what every command that steers a running sandbox has: its address, JSON, and examples, without `aftermeet`. */
export function addSteeringOptions(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `\n  aftermeet ${example}`).join('');
  return command
    .option('--url <address>', 'address of the sandbox, or of a stand-in beside it', readUrl, usualUrl)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:${lines}`);
}

export function createShow(context: Context): Show {
  return async (command, call, describe) => {
    // An option that `aftermeet sandbox` has as well is read there, wherever it stands: --json, --seed.
    const { url, json } = command.optsWithGlobals<SteeringOptions>();
    const answer = await steer(context, url, call);
    context.write(json === true ? formatJson(answer) : describe(answer));
  };
}

function readUrl(text: string): string {
  // With a name and a password in it, no request could be made of it, and an error would show them.
  if (!URL.canParse(text) || !/^https?:\/\/[^/@]*(?:\/|$)/.test(new URL(text).href)) {
    throw new InvalidArgumentError(`Expected a web address such as ${usualUrl}.`);
  }
  return text.replace(/\/+$/, '');
}
