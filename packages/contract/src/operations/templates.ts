import { commonErrors, type Operation } from '../operation.ts';

/** The workspace's own report templates. */
export const templates = {
  list: {
    id: 'templates.list',
    method: 'GET',
    path: '/api/v2/workspaces/active/custom-templates',
    summary: 'List the custom templates of the workspace',
    description:
      'Each has an id, which is a UUID and serves as `template_name`, and a name. The rest is not shown.',
    section: 'Reports and templates',
    params: {},
    response: 'json',
    errors: commonErrors,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
