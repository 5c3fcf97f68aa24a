import type { NodeResource } from '../node-operation.ts';
import * as list from './list.operation.ts';

export const template: NodeResource = {
  value: 'template',
  name: 'Template',
  usual: 'list',
  operations: [list],
};
