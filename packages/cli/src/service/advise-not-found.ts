import type { ServiceError } from '@aftermeet/client';
import type { OperationId } from '@aftermeet/contract';

const MEETINGS = 'Meetings are listed by aftermeet search.';
const TEMPLATES = 'Templates are listed by aftermeet templates.';
const TAGS = 'Tags are listed by aftermeet tags list.';

/** What to do about a tool, or arguments, that the service does not take. */
export const LIST_TOOLS =
  'aftermeet mcp tools lists the tools, with --json also the arguments that they take.';

/** Where the ids stand that an operation takes; undefined where it takes none. */
const places: Readonly<Record<OperationId, string | undefined>> = {
  'recordings.start': TEMPLATES,
  'recordings.status': MEETINGS,
  'recordings.stop': MEETINGS,
  'recordings.cancel': MEETINGS,
  'uploads.chunk': TEMPLATES,
  'reports.get': MEETINGS,
  'reports.generate': `${MEETINGS} ${TEMPLATES}`,
  'reports.editBlock':
    'aftermeet report get <meeting-id> --template <template> shows the id and the blocks of a template; without ' +
    `--template it names the templates. ${MEETINGS}`,
  'templates.list': undefined,
  'exports.download':
    'aftermeet report get <meeting-id> names the templates of a report; aftermeet report generate adds another. ' +
    MEETINGS,
  'meetings.search': TAGS,
  'tags.list': undefined,
  'tags.create': undefined,
  'tags.attach': `${MEETINGS} ${TAGS}`,
  'tags.detach': `${MEETINGS} ${TAGS}`,
};

/** How servers put it that they have no such address at all. */
const noRoute = /\b(?:route|endpoint|operation)\b|\bcannot (?:get|post|put|delete)\b/i;

/** What to do about a 404: where the right ids are, or that the address is wrong. */
export function adviseNotFound({ doing, detail, status }: ServiceError): string {
  const [id = ''] = doing.split(':');
  if (id.startsWith('mcp.')) {
    return status === undefined
      ? LIST_TOOLS
      : 'Check SERVICE_MCP_URL, and SERVICE_BASE_URL where that is not set: there is no MCP endpoint at /mcp.';
  }
  const place = Object.entries(places).find(([operation]) => operation === id)?.[1];
  if (place === undefined || noRoute.test(detail ?? '')) {
    return 'Check SERVICE_BASE_URL: the service may be at another address.';
  }
  return detail === undefined ? `${place} If the ids are right, check SERVICE_BASE_URL.` : place;
}
