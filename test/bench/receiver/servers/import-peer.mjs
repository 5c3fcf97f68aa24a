import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package of `peers`, which is no workspace: whoever does not run this does not install them. */
export function importPeer(name) {
  const folder = join(import.meta.dirname, '..', 'peers');
  return import(pathToFileURL(resolveFrom(folder, name)).href);
}

function resolveFrom(folder, name) {
  return createRequire(join(folder, 'package.json')).resolve(name);
}
