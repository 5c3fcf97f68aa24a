import type { NodeResource } from '../node-operation.ts';
import * as download from './download.operation.ts';

/** `export` itself is a word of the language. */
export const reportExport: NodeResource = {
  value: 'export',
  name: 'Export',
  usual: 'download',
  operations: [download],
};
