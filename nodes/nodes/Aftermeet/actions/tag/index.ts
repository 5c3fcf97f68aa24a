import type { NodeResource } from '../node-operation.ts';
import * as attach from './attach.operation.ts';
import * as create from './create.operation.ts';
import * as detach from './detach.operation.ts';
import * as list from './list.operation.ts';

export const tag: NodeResource = {
  value: 'tag',
  name: 'Tag',
  usual: 'list',
  operations: [attach, create, detach, list],
};
