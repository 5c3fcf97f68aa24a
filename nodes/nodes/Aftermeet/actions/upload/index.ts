import type { NodeResource } from '../node-operation.ts';
import * as uploadFile from './upload.operation.ts';

export const upload: NodeResource = {
  value: 'upload',
  name: 'Upload',
  usual: 'upload',
  operations: [uploadFile],
};
