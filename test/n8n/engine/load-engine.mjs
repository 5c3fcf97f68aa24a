// n8n's engine as a module: n8n-core and n8n-workflow from this folder's own install, never from the workspace.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * `home` is the folder where n8n keeps its settings and binary data. Once per process: n8n's container of services is
 * one, and reads the environment when it is made.
 */
export function loadEngine(home) {
  Object.assign(process.env, {
    N8N_USER_FOLDER: home,
    N8N_ENCRYPTION_KEY: 'a-key-for-tests-alone',
    N8N_LOG_LEVEL: 'silent',
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
  });
  const require = createRequire(join(import.meta.dirname, 'package.json'));
  // First: n8n's container of services reads what it adds.
  const metadata = require('reflect-metadata');
  const { Container } = require('@n8n/di');
  const core = require('n8n-core');
  const workflow = require('n8n-workflow');
  // Its own place, for the nodes that are loaded from elsewhere.
  const workflowFolder = join(require.resolve('n8n-workflow/package.json'), '..');
  const { parseIncomingMessage } = require('@n8n/backend-network');
  return { metadata, core, workflow, workflowFolder, Container, parseIncomingMessage };
}
