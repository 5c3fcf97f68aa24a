// Our sandbox, as anybody uses it.
import { createSandbox } from '../../../../packages/sandbox/dist/index.js';

export async function start(folder) {
  process.env.TMPDIR = folder;
  const { url } = await createSandbox().listen();
  return new URL(url).port;
}
