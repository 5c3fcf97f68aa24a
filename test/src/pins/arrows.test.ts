import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { arrows, packageNames, root } from './picture.ts';

const run = promisify(execFile);

const reportSchema = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })),
});

/** The file that imports one package from within one folder, as a stranger to the rules would write it. */
function probeName(folder: string, imported: string): string {
  return `${folder}/src/imports-${imported.replaceAll('/', '-')}.ts`;
}

const folders = Object.keys(arrows) as (keyof typeof arrows)[];
const targets = Object.keys(packageNames) as (keyof typeof packageNames)[];
const probes = folders.flatMap((folder) =>
  targets.filter((target) => target !== folder).map((target) => ({ folder, target })),
);

describe('lint rules of the dependency arrows', () => {
  let copy: string;
  let refused: ReadonlySet<string>;

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'aftermeet-arrows-'));
    // The project's own rules; these need no types, and without them the check takes a tenth of the time.
    const rules = z
      .looseObject({ options: z.object({ typeAware: z.literal(true) }) })
      .parse(JSON.parse(await readFile(join(root, '.oxlintrc.json'), 'utf8')));
    await writeFile(
      join(copy, '.oxlintrc.json'),
      JSON.stringify({ ...rules, options: { typeAware: false } }),
    );
    for (const { folder, target } of probes) {
      await mkdir(join(copy, folder, 'src'), { recursive: true });
      await writeFile(
        join(copy, probeName(folder, target)),
        `import * as other from '${packageNames[target]}';\n\nexport const seen = other;\n`,
      );
    }
    const { stdout } = await run(
      process.execPath,
      [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', '.'],
      { cwd: copy, maxBuffer: 16 * 1024 * 1024 },
    ).catch((error: unknown) => error as { stdout: string });
    refused = new Set(
      reportSchema
        .parse(JSON.parse(stdout))
        .diagnostics.filter(({ code }) => code.includes('no-restricted-imports'))
        .map(({ filename }) => filename),
    );
  });

  afterAll(async () => {
    await rm(copy, { recursive: true, force: true });
  });

  it.each(probes)('$folder may import $target only along an arrow', ({ folder, target }) => {
    const isAllowed = (arrows[folder] as readonly string[]).includes(target);
    const wasRefused = [...refused].some((file) => file.endsWith(probeName(folder, target)));
    expect(wasRefused).toBe(!isAllowed);
  });
});
