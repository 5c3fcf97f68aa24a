import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { isCode } from '../is-code.ts';

const linkListSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the library links that the platform package lacks (npm packages can't hold links, and install
 * scripts may be off). `source` and `target` in its list are relative to the package.
 */
export async function makeLibraryLinks(nativeFolder: string): Promise<void> {
  for (const { source, target } of await readLinkList(nativeFolder)) {
    const link = path.resolve(nativeFolder, '..', target);
    await makeLink(path.relative(path.dirname(link), path.resolve(nativeFolder, '..', source)), link);
  }
}

/** The same links in a folder of ours, for a package that is read-only. */
export async function makeLibraryLinksIn(folder: string, nativeFolder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { source, target } of await readLinkList(nativeFolder)) {
    await makeLink(path.resolve(nativeFolder, '..', source), path.join(folder, path.basename(target)));
  }
}

async function readLinkList(nativeFolder: string): Promise<z.infer<typeof linkListSchema>> {
  try {
    return z.parse(
      linkListSchema,
      JSON.parse(await readFile(path.join(nativeFolder, 'pg-symlinks.json'), 'utf8')),
    );
  } catch (error) {
    // Windows has no such list.
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function makeLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}
