import type { OperationId } from '@aftermeet/contract';
import { formatPath, type Problem } from '@aftermeet/contract';

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

const MEETINGS = 'aftermeet search lists meetings.';
const TEMPLATES = 'aftermeet templates lists templates.';
const TAGS = 'aftermeet tags list lists tags.';

/** Where to find the ids that an operation takes; undefined if it takes none. */
export const idAdvice: Readonly<Record<OperationId, string | undefined>> = {
  'recordings.start': TEMPLATES,
  'recordings.status': MEETINGS,
  'recordings.stop': MEETINGS,
  'recordings.cancel': MEETINGS,
  'uploads.chunk': TEMPLATES,
  'reports.get': MEETINGS,
  'reports.generate': `${MEETINGS} ${TEMPLATES}`,
  'reports.editBlock':
    'aftermeet report get <meeting-id> --template <template> shows the id and the blocks of a template; without ' +
    `--template it lists the templates. ${MEETINGS}`,
  'templates.list': undefined,
  'exports.download':
    'aftermeet report get <meeting-id> lists the templates of a report; aftermeet report generate adds one. ' +
    MEETINGS,
  'meetings.search': TAGS,
  'tags.list': undefined,
  'tags.create': undefined,
  'tags.attach': `${MEETINGS} ${TAGS}`,
  'tags.detach': `${MEETINGS} ${TAGS}`,
};

/** The option or argument for each field of the contract and of the client's options. */
const optionNames: Readonly<Record<string, string>> = {
  apiKey: 'SERVICE_API_KEY',
  authors: '--author',
  baseUrl: 'SERVICE_BASE_URL',
  color: '--color',
  cron: '--cron',
  dateFrom: '--from',
  dateTo: '--to',
  entityName: '--block',
  file: '<file>',
  filename: '--filename',
  format: '--format',
  includeReport: '--no-report',
  includeTasks: '--no-tasks',
  link: '<link>',
  localTime: '--at',
  localDateTime: '--at',
  mcpUrl: 'SERVICE_MCP_URL',
  meetingId: '<meeting-id>',
  name: '<name>',
  newSummaryText: '--text',
  page: '--page',
  parallel: '--parallel',
  endpoint: '--endpoint',
  participants: '--participants',
  perPage: '--per-page',
  q: '[text]',
  scope: '--scope',
  source: '--source',
  sources: '--source',
  speakersNumber: '--speakers',
  tagIds: '--tag',
  tagId: '<tag>',
  templateId: '--template-id',
  templateName: '--template',
  timezone: '--timezone',
  title: '--title',
  webhookSecret: '--webhook-secret-from',
  webhookUrl: '--webhook-url',
};

/** The option for the field at a path; a path without one is formatted as it is. */
export function nameOption(path: Problem['path']): string {
  const [field] = path;
  const isKnown = typeof field === 'string' && Object.hasOwn(optionNames, field);
  return isKnown ? (optionNames[field] ?? field) : formatPath(path);
}
