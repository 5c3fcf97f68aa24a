import type { NodeResource } from '../node-operation.ts';
import * as cancel from './cancel.operation.ts';
import * as start from './start.operation.ts';
import * as status from './status.operation.ts';
import * as stop from './stop.operation.ts';
import * as waitUntilReady from './wait-until-ready.operation.ts';

export const recording: NodeResource = {
  value: 'recording',
  name: 'Recording',
  usual: 'start',
  operations: [cancel, status, start, stop, waitUntilReady],
};
