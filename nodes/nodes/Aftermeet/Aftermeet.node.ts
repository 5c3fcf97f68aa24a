import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';

import { describeActions, resources, route } from './actions/router.ts';
import { listSearch } from './methods/list-search.ts';

/** Every operation of the service. */
export class Aftermeet implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Aftermeet',
    name: 'aftermeet',
    icon: { light: 'file:../../icons/aftermeet.svg', dark: 'file:../../icons/aftermeet.dark.svg' },
    group: ['transform'],
    version: [1],
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Record and upload meetings, and work with their reports',
    defaults: { name: 'Aftermeet' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'aftermeetApi', required: true }],
    properties: describeActions(resources, 'recording'),
  };

  methods = { listSearch };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await route(this, this.continueOnFail());
  }
}
