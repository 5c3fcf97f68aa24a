import type { OperationId } from '@aftermeet/contract';

/** The client's method for every operation of the contract. */
export const operationMethods = {
  'recordings.start': 'recordings.start',
  'recordings.status': 'recordings.status',
  'recordings.stop': 'recordings.stop',
  'recordings.cancel': 'recordings.cancel',
  'uploads.chunk': 'uploads.send',
  'reports.get': 'reports.get',
  'reports.generate': 'reports.generate',
  'reports.editBlock': 'reports.editBlock',
  'templates.list': 'templates.list',
  'exports.download': 'exports.download',
  'meetings.search': 'meetings.search',
  'tags.list': 'tags.list',
  'tags.create': 'tags.create',
  'tags.attach': 'tags.attach',
  'tags.detach': 'tags.detach',
} as const satisfies Record<OperationId, string>;
