import type { Operation } from '../operation.ts';
import { anything } from '../responses.ts';

/** The workspace's own report templates. */
export const templates = {
  list: {
    id: 'templates.list',
    method: 'GET',
    path: '/api/v2/workspaces/active/custom-templates',
    summary: 'List the custom templates of the workspace',
    section: 'Reports and templates',
    params: {},
    response: 'json',
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
