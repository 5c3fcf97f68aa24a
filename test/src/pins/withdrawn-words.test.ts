import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root } from './picture.ts';

/** Words that names must not use any more, and the word to use (docs/glossary.md). Prose and stored data are not checked. */
const withdrawn: Readonly<Record<string, string>> = {
  bringAbout: 'deliver',
  carrier: 'connector',
  courier: 'sender',
  errand: 'attempt',
  shipment: 'prepared send',
  doubtWrite: 'toAmbiguousWriteError',
  settleWith: 'verifyWith',
  standIn: 'emulator',
  knob: 'option',
  lever: 'option',
  shelf: 'store',
  purse: 'parse budget',
  fleet: 'cluster',
  whoever: 'the one who',
  nobody: 'none',
  keepMoved: 'saveAndSchedule',
  comeAgain: 'startNextOccurrence',
  holdScript: 'withScript',
  speakLanguage: 'withLanguage',
  useParts: 'withResources',
  dropAbsent: 'omitUndefined',
  parseEndless: 'parseCountOrUnlimited',
};

const prefixes = /^(MOST|LEAST|USUAL)_/;

describe('withdrawn words', () => {
  it('do not come back in the names of files and declarations', () => {
    const found = listSources().flatMap((file) =>
      listNames(file).flatMap((name) => {
        const words = splitWords(name);
        const word = Object.keys(withdrawn).find((each) => holds(words, splitWords(each)));
        if (word !== undefined) return [`${file}: ${name} (use: ${withdrawn[word]})`];
        return prefixes.test(name) ? [`${file}: ${name} (use: MAX_, MIN_, DEFAULT_)`] : [];
      }),
    );
    expect(found).toEqual([]);
  });

  it('are found in names of several words, and only as whole words', () => {
    expect(splitWords('openMailShipment')).toEqual(['open', 'mail', 'shipment']);
    expect(holds(splitWords('slack-stand-in'), splitWords('standIn'))).toBe(true);
    expect(holds(splitWords('delivered'), splitWords('lever'))).toBe(false);
  });
});

function listSources(): readonly string[] {
  return execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(
      (file) => file !== '' && !file.endsWith('withdrawn-words.test.ts') && existsSync(join(root, file)),
    );
}

/** The name of the file, and of what it declares. */
function listNames(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const declared = text.matchAll(/\b(?:const|let|function\*?|class|interface|type)\s+([A-Za-z_$][\w$]*)/g);
  return [basename(file).replace(/(\.test)?\.(ts|mjs)$/, ''), ...[...declared].map(([, name = '']) => name)];
}

function splitWords(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}

function holds(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, start) => wanted.every((word, index) => isSame(words[start + index], word)));
}

function isSame(word: string | undefined, wanted: string): boolean {
  return word === wanted || word === `${wanted}s`;
}
