import { readTemplateList, ServiceError, type Template } from '@aftermeet/client/pure';
import { templateSlugs } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ServiceContext } from '../transport/raw-request.ts';
import { describeOperation, sendOperation, type SendOptions } from '../transport/request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
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
  const custom = which === 'built-in' ? [] : await askCustomTemplates(context);
  return [
    ...builtIn.map(({ name, slug }) => ({ json: { template_name: slug, name, slug, built_in: true } })),
    ...custom.map(({ id, name }) => ({ json: { template_name: id, name, id, built_in: false } })),
  ];
}

/** The templates of the workspace's own, whose id serves as `template_name`. Throws `ServiceError`, also for an answer without a list. */
export async function askCustomTemplates(
  context: ServiceContext,
  options?: SendOptions,
): Promise<readonly Template[]> {
  const { status, body } = await sendOperation(context, 'templates.list', {}, options);
  const templates = readTemplateList(body);
  if (templates !== undefined) return templates.items;
  const doing = describeOperation(wireOperations['templates.list']);
  const detail = 'the answer holds no list of templates';
  throw new ServiceError({ code: 'unreadable', operation: doing, status, detail });
}
