import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';

import { describeError } from '@aftermeet/queue';

import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { quoteWord } from '../quote-word.ts';
import { isPreviewPage } from './preview-page.ts';

/**
 * Puts a page into a file that its owner alone can read: a new one beside it takes its place, because a file that is
 * written over keeps the rights that it had. Only a file is replaced, and one whose name nobody has given only where it is an
 * earlier page. Throws `Failure`.
 */
export async function savePage(
  file: string,
  page: string,
  { isNamed }: { readonly isNamed: boolean },
): Promise<void> {
  const made = `${file}.${randomUUID()}.new`;
  try {
    if (!(await mayReplace(file, isNamed))) throw inTheWay(file);
    await writeFile(made, page, { mode: 0o600, flag: 'wx' });
    await rename(made, file);
  } catch (error) {
    await rm(made, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure({
      exitCode: EXIT_FAILED,
      code: 'not_written',
      message: `The page can't be written: ${describeError(error)}.`,
    });
  }
}

async function mayReplace(file: string, isNamed: boolean): Promise<boolean> {
  const found = await lstat(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return true;
  return found.isFile() && (isNamed || isPreviewPage(await readFile(file, 'utf8')));
}

function inTheWay(file: string): Failure {
  return new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_written',
    message: `Something else is at ${quoteWord(file)}: it is not replaced.`,
    advice: 'Name another file: --html FILE.',
  });
}
