import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { needsNewerNode } from './needs-newer-node.mjs';
import { runScript } from './run-program.mjs';
import { withSandbox } from './with-sandbox.mjs';

const inspector = join(
  import.meta.dirname,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** The inspector of the MCP project lists the sandbox's tools, calls one, and is turned away with a wrong key. */
export async function inspectMcp() {
  const skipped = needsNewerNode('the inspector');
  if (skipped !== undefined) return { passed: true, skipped };
  // It keeps notes in the user's home.
  const home = await mkdtemp(join(tmpdir(), 'aftermeet-inspector-'));
  try {
    return await withSandbox(({ url, apiKey }) => askForTools(url, apiKey, home));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function askForTools(url, apiKey, home) {
  const inspect = (key, ...words) => {
    const address = ['--cli', `${url}/mcp`, '--transport', 'http', '--stored-auth-only'];
    const header = ['--header', `Authorization: Bearer ${key}`];
    return runScript(inspector, [...address, ...header, ...words], {
      env: { HOME: home, USERPROFILE: home },
    });
  };
  const listed = await inspect(apiKey, '--method', 'tools/list', '--strict');
  if (listed.code !== 0) return { passed: false, detail: listed.output };
  const { tools } = JSON.parse(listed.stdout);
  const tool = tools.find(({ inputSchema }) => (inputSchema.required ?? []).length === 0);
  if (tool === undefined) return { passed: false, detail: 'no tool can be called without arguments' };

  const called = await inspect(apiKey, '--method', 'tools/call', '--tool-name', tool.name);
  if (called.code !== 0) return { passed: false, detail: called.output };
  const { content, isError = false } = JSON.parse(called.stdout);
  if (isError || content.length === 0) return { passed: false, detail: called.output };

  const refused = await inspect('nobodys_key', '--method', 'tools/list');
  const isRefused = refused.code !== 0 && refused.output.includes('auth_required');
  return { passed: isRefused, detail: `a wrong key got: ${refused.output}` };
}
