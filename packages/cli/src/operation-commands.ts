import type { OperationId } from '@aftermeet/contract';

/** The command of every operation: an operation of the contract without one does not compile. */
export const operationCommands = {
  'recordings.start': 'record',
  'recordings.status': 'status',
  'recordings.stop': 'stop',
  'recordings.cancel': 'cancel',
  'uploads.chunk': 'upload',
  'reports.get': 'report get',
  'reports.generate': 'report generate',
  'reports.editBlock': 'report edit',
  'templates.list': 'templates',
  'exports.download': 'export',
  'meetings.search': 'search',
  'tags.list': 'tags list',
  'tags.create': 'tags create',
  'tags.attach': 'tags attach',
  'tags.detach': 'tags detach',
} as const satisfies Record<OperationId, string>;
