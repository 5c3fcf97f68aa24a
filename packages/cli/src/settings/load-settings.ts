import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { isCode } from '@aftermeet/queue';

import { WrongUse, wrongSettings } from '../wrong-use.ts';
import { readSettings, type SettingsRead } from './read-settings.ts';
import { createSecretFileReader } from './secret-file.ts';
import type { Environment, Settings } from './settings.ts';

const DEFAULT_FILE = 'aftermeet.yaml';
const MAX_FILE_BYTES = 1024 * 1024;

/** Reads the settings of a command; throws `WrongUse` with every problem at once. */
export async function loadSettings(environment: Environment, configPath?: string): Promise<Settings> {
  const read = await findSettings(environment, configPath);
  if (!read.ok) throw wrongSettings(read.problems);
  return read.settings;
}

/** The same with the problems as a value; throws `WrongUse` where the file itself can't be read. */
export async function findSettings(environment: Environment, configPath?: string): Promise<SettingsRead> {
  const named = configPath ?? environment['AFTERMEET_CONFIG'];
  const path = resolve(named ?? DEFAULT_FILE);
  let text: string | undefined;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new WrongUse(
        `The settings file ${path} has ${size} bytes; expected at most ${MAX_FILE_BYTES}.\n`,
      );
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof WrongUse) throw error;
    if (!isCode(error, 'ENOENT') || named !== undefined) {
      throw new WrongUse(`The settings file ${path} can't be read. Check --config or AFTERMEET_CONFIG.\n`);
    }
  }
  const read = readSettings(environment, text, createSecretFileReader(dirname(path)));
  return read.ok && text !== undefined ? { ok: true, settings: { ...read.settings, file: path } } : read;
}
