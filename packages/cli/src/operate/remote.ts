import type { Environment } from '../settings/settings.ts';

/** Whether operator commands run on a receiver elsewhere. */
export function isElsewhere({ AFTERMEET_URL: url = '' }: Environment): boolean {
  return url !== '';
}

/** Commands that look at a store, so that they can run where it is. */
export const REMOTE_COMMANDS = [
  'meetings',
  'deliveries',
  'effects',
  'approvals',
  'reconcile',
  'pause',
  'resume',
  'suppress',
  'forget',
] as const;

/** Settings and store of another place mean nothing there, and what is a file here is none there. */
const LOCAL_OPTIONS: ReadonlySet<string> = new Set(['--config', '--profile', '--dev', '--help', '-h']);

/** Whether a command line can run on a receiver. */
export function isRemoteCommand(words: readonly string[]): boolean {
  const isNamed = REMOTE_COMMANDS.some((name) => name === words[0]);
  const options = words.map((word) => word.split('=', 1)[0] ?? '');
  return isNamed && !options.some((option) => LOCAL_OPTIONS.has(option));
}
