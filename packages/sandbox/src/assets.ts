import { fileURLToPath } from 'node:url';

// The files that the package brings along. Literal paths: the bundle of the command copies these folders.
const folders = {
  content: new URL('../content/', import.meta.url),
  page: new URL('../page/', import.meta.url),
};

/** The path of a folder of files that the package brings along. */
export function findAssets(folder: keyof typeof folders): string {
  return fileURLToPath(folders[folder]);
}
