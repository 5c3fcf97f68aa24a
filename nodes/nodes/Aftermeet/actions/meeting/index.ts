import type { NodeResource } from '../node-operation.ts';
import * as search from './search.operation.ts';

export const meeting: NodeResource = {
  value: 'meeting',
  name: 'Meeting',
  usual: 'search',
  operations: [search],
};
