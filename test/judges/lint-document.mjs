import { join } from 'node:path';

import { runScript } from './run-program.mjs';

const folder = import.meta.dirname;
export const documentPath = join(folder, '../../docs/openapi.json');

export async function lintWithRedocly() {
  const { code, output } = await runScript(
    join(folder, 'node_modules/@redocly/cli/bin/cli.js'),
    ['lint', documentPath, '--config', join(folder, 'redocly.yaml')],
    { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  return { passed: code === 0, detail: output };
}

export async function lintWithSpectral() {
  const { code, output } = await runScript(
    join(folder, 'node_modules/@stoplight/spectral-cli/dist/index.js'),
    ['lint', documentPath, '--ruleset', join(folder, 'spectral.yaml'), '--fail-severity', 'hint'],
  );
  return { passed: code === 0, detail: output };
}
