import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { needsNewerNode } from './needs-newer-node.mjs';
import { runScript } from './run-program.mjs';
import { withKeyProxy } from './with-key-proxy.mjs';
import { withSandbox } from './with-sandbox.mjs';

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * The scenarios of the MCP project that apply to a server with tools alone. The others call tools, prompts and
 * resources of the suite's own by their names.
 */
const scenarios = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
  'server-stateless',
  'caching',
];

/** Checks that can pass only with the suite's own tools, prompts or resources: it says so itself in each of them. */
const needOwnFixtures = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
]);

/** The MCP project's own conformance suite against the sandbox, in revisions before and after 2026-07-28. */
export async function checkConformance() {
  const skipped = needsNewerNode('the conformance suite');
  if (skipped !== undefined) return { passed: true, skipped };
  const folder = await mkdtemp(join(tmpdir(), 'aftermeet-conformance-'));
  try {
    return await withSandbox(({ url, apiKey }) =>
      withKeyProxy(url, apiKey, (open) => runScenarios(`${open}/mcp`, folder)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runScenarios(url, folder) {
  const objections = [];
  let passed = 0;
  for (const scenario of scenarios) {
    const results = join(folder, scenario);
    const { output } = await runScript(suite, [
      'server',
      '--url',
      url,
      '--scenario',
      scenario,
      '-o',
      results,
    ]);
    const checks = await readChecks(results);
    if (checks.length === 0) objections.push(`${scenario} did not run: ${output}`);
    for (const { id, status, errorMessage = '' } of checks) {
      if (status === 'SUCCESS') passed += 1;
      const isExpected = needOwnFixtures.has(id);
      if (status === 'FAILURE' && !isExpected) objections.push(`${scenario}, ${id}: ${errorMessage}`);
      if (status === 'SUCCESS' && isExpected) objections.push(`${id} passes now: take it off the list`);
    }
  }
  return {
    passed: objections.length === 0 && passed > 0,
    detail: objections.join('\n'),
    note: `${String(passed)} checks passed, ${String(needOwnFixtures.size)} need fixtures of the suite's own`,
  };
}

async function readChecks(results) {
  const files = await readdir(results, { recursive: true }).catch(() => []);
  const texts = files
    .filter((file) => file.endsWith('checks.json'))
    .map((file) => readFile(join(results, file)));
  return (await Promise.all(texts)).flatMap((text) => JSON.parse(text));
}
