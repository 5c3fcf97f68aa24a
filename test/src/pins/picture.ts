import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Who may import whom, folder by folder: the picture of docs/architecture.md. It is written out here a
 * second time on purpose: a change of the lint rules alone, or of a package.json alone, turns a test red.
 */
export const arrows = {
  'packages/contract': [],
  'packages/webhooks': ['packages/contract'],
  'packages/client': ['packages/contract'],
  'packages/queue': [],
  'packages/pages': [],
  'packages/sandbox': ['packages/client', 'packages/contract', 'packages/pages', 'packages/webhooks'],
  receiver: ['packages/contract', 'packages/pages', 'packages/queue', 'packages/webhooks'],
  recipes: ['packages/client', 'packages/contract', 'packages/pages', 'packages/queue', 'packages/webhooks'],
  nodes: ['packages/client', 'packages/contract', 'packages/webhooks'],
} as const satisfies Record<string, readonly string[]>;

/** `cli` and `test` may import everything and have no row above. */
export const workspaceFolders = [...Object.keys(arrows), 'packages/cli', 'test'];

export const packageNames = {
  'packages/contract': '@aftermeet/contract',
  'packages/webhooks': '@aftermeet/webhooks',
  'packages/client': '@aftermeet/client',
  'packages/queue': '@aftermeet/queue',
  'packages/pages': '@aftermeet/pages',
  'packages/sandbox': '@aftermeet/sandbox',
  'packages/cli': 'aftermeet',
  receiver: '@aftermeet/receiver',
  recipes: '@aftermeet/recipes',
  nodes: 'n8n-nodes-aftermeet',
} as const;
