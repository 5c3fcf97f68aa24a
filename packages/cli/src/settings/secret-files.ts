import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { SettingProblem } from '../errors.ts';
import type { Environment } from './settings.ts';

const MAX_SECRET_FILE_BYTES = 4096;

/** Variables that can be secret: `NAME_FILE` is the path of a file that holds the value, as Docker mounts it. */
const SECRET_VARIABLES = [
  'ADMIN_TOKEN',
  'WEBHOOK_SECRET',
  'WEBHOOK_SECRET_PREVIOUS',
  'WEBHOOK_MASTER_SECRET',
  'SERVICE_API_KEY',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'NOTION_TOKEN',
  'SMTP_URL',
  'IMAP_URL',
  'QUEUE_URL',
] as const;

/** Reads a small text file, such as a secret mounted into a container; undefined if it can't be read. */
export type ReadSecretFile = (path: string) => string | undefined;

/**
 * Reads secret files relative to a folder. One line end is removed, which editors and `echo` add. Undefined for anything
 * but a regular file of UTF-8 text that is not too large.
 */
export function createSecretFileReader(folder: string): ReadSecretFile {
  return (path) => {
    try {
      const file = resolve(folder, path);
      const found = statSync(file);
      // A pipe would block the process until it is written to.
      if (!found.isFile() || found.size > MAX_SECRET_FILE_BYTES) return undefined;
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return decoder.decode(readFileSync(file)).replace(/\r?\n$/, '');
    } catch {
      return undefined;
    }
  };
}

/** What keeps the text of a secret file from being used; undefined: nothing does. */
export function describeSecretText(text: string | undefined): string | undefined {
  if (text === undefined) return "which can't be read";
  if (text === '') return 'which is empty';
  return text.trim() === text ? undefined : 'which begins or ends with white space';
}

/**
 * The environment with the values of `NAME_FILE` as `NAME`. A variable whose file can't be used stays as it is, and is a
 * problem for the commands that need it: those that read the variable ask again.
 */
export function fillSecretFiles(
  environment: Environment,
  readSecretFile: ReadSecretFile = createSecretFileReader('.'),
): { readonly environment: Environment; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const filled: Record<string, string | undefined> = { ...environment };
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`;
    const path = environment[variable] ?? '';
    if (path === '') continue;
    if ((environment[name] ?? '') !== '') {
      problems.push({ setting: name, found: `${variable} as well`, expected: 'one of the two' });
      continue;
    }
    const text = readSecretFile(path);
    const fault = describeSecretText(text);
    if (fault === undefined) {
      filled[name] = text;
      delete filled[variable];
    } else {
      problems.push({
        setting: name,
        found: `${variable}=${path}, ${fault}`,
        expected: 'a file of at most 4096 bytes with the value alone, and one line end after it at most',
      });
    }
  }
  return { environment: filled, problems };
}
