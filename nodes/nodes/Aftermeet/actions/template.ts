import { templateSlugs } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../transport/connect.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';

const listDescription: OperationDescription = {
  value: 'list',
  name: 'Get Many',
  action: 'Get many templates',
  description: 'List the report templates: the built-in ones and those of the workspace',
  sends: 'templates.list',
  parameters: {},
  properties: [
    {
      displayName: 'Which',
      name: 'which',
      type: 'options',
      default: 'all',
      description: 'Which templates to list',
      options: [
        { name: 'All', value: 'all', description: 'The built-in ones, then those of the workspace' },
        {
          name: 'Built-In',
          value: 'built-in',
          description: 'The sixteen of the service; nothing is asked, their list is part of this node',
        },
        { name: 'Custom', value: 'custom', description: 'Those of the workspace' },
      ],
    },
  ],
};

export const templateResource: NodeResource = {
  value: 'template',
  name: 'Template',
  usual: 'list',
  operations: [{ description: listDescription, execute: executeList }],
};

/** Every item has `template_name`: what the other operations take. */
async function executeList(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const which = context.getNodeParameter('which', itemIndex, 'all');
  const builtIn = which === 'custom' ? [] : templateSlugs;
  const custom = which === 'built-in' ? [] : (await (await connect(context)).templates.list()).items;
  return [
    ...builtIn.map(({ name, slug }) => ({ json: { template_name: slug, name, slug, built_in: true } })),
    ...custom.map(({ id, name }) => ({ json: { template_name: id, name, id, built_in: false } })),
  ];
}
