// The two judges of n8n: its linter, as its own command runs it, and the scanner that verifies a community node.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const programs = join(import.meta.dirname, 'node_modules/.bin');

/** `n8n-node lint` in the folder of the sources: what it objects to, or undefined. */
export function lint(sources) {
  const { status, stdout, stderr } = spawnSync(join(programs, 'n8n-node'), ['lint'], {
    cwd: sources,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  });
  return status === 0 ? undefined : stripVTControlCharacters(`${stdout}${stderr}`);
}

/** What the scanner does with the sources that a package was built from. */
export async function scanSources(sources) {
  return readVerdict(await analyzePackage(sources, SOURCE_FILE_PATTERNS));
}

/** What the scanner does with the package as it is published. */
export async function scanPackage(folder) {
  return readVerdict(await analyzePackage(folder, ['**/*.js', 'package.json']));
}

/** How many files of these kinds stand below the folders, for the one line that says what was judged. */
export function countFiles(folder, folders, kinds) {
  return folders
    .flatMap((name) => readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }))
    .filter((name) => kinds.some((kind) => name.endsWith(kind))).length;
}

function readVerdict({ passed, message, details }) {
  return passed && message === undefined ? undefined : `${message}\n${details ?? ''}`;
}
