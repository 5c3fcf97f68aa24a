import { join } from 'node:path';

import { runScript } from './run-program.mjs';

/** The schemas that the emulators check with are what Slack's and Notion's published types say. */
export async function checkVendorSchemas() {
  const script = join(import.meta.dirname, '../vendor-schemas/generate.mjs');
  const { code, output } = await runScript(script, ['--check']);
  return { passed: code === 0, detail: output };
}
