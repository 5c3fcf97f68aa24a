import type { NodeResource } from '../node-operation.ts';
import * as editBlock from './edit-block.operation.ts';
import * as generate from './generate.operation.ts';
import * as get from './get.operation.ts';

export const report: NodeResource = {
  value: 'report',
  name: 'Report',
  usual: 'get',
  operations: [editBlock, generate, get],
};
