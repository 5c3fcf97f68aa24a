import { reportExport } from './export/index.ts';
import { mcp } from './mcp/index.ts';
import { meeting } from './meeting/index.ts';
import type { NodeResource } from './node-operation.ts';
import { recording } from './recording/index.ts';
import { report } from './report/index.ts';
import { tag } from './tag/index.ts';
import { template } from './template/index.ts';
import { upload } from './upload/index.ts';

/** Everything that the node does, in the order of the list. */
export const resources: readonly NodeResource[] = [
  reportExport,
  mcp,
  meeting,
  recording,
  report,
  tag,
  template,
  upload,
];
