import type {
  ExecuteOperation,
  OperationDescription,
} from '../../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import type { ListSearch } from '../../../../nodes/nodes/Aftermeet/methods/list-search.ts';
import { sendByFetch, type SentRequest } from './send-by-fetch.ts';

type ExecuteContext = Parameters<ExecuteOperation>[0];
type LoadOptionsContext = ThisParameterType<ListSearch>;
type NodeParameters = Readonly<Record<string, unknown>>;

export interface NodeContextOptions {
  /** Of the credential; without it the node has none. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string;
  readonly mcpUrl?: string;
  /** Further fields of the credential, such as `webhookSecret`. */
  readonly credential?: Readonly<Record<string, unknown>>;
  /**
   * As n8n stores them, by item where it is a list: `{ meetingId: { mode: 'id', value: 'm_1' }, options: { title: 'x' } }`; one
   * within a collection also by its whole name, `options.title`.
   */
  readonly parameters?: NodeParameters | readonly NodeParameters[];
  /** Gives the defaults of what `parameters` leaves out, as n8n does at the first level (not within collections). */
  readonly description?: OperationDescription;
  /** The JSON of the items that come in; default one empty item. */
  readonly items?: readonly NodeParameters[];
  /** Of n8n's helpers, those beside the one that sends requests. */
  readonly helpers?: Readonly<Record<string, unknown>>;
  /** Of the workflow; default UTC. */
  readonly timeZone?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onSigned?: Parameters<typeof sendByFetch>[1]['onSigned'];
}

export interface NodeContext {
  /** For `execute(context, itemIndex)` and `route(context, goesOn)`. */
  readonly execute: ExecuteContext;
  /** For `listSearch.searchMeetings.call(loadOptions, filter, token)`. */
  readonly loadOptions: LoadOptionsContext;
  /** What was sent, in order; the key is not in it. */
  readonly requests: readonly SentRequest[];
}

/** What n8n hands to a node, with requests that are really sent. One object plays all kinds of context. */
export function createNodeContext(options: NodeContextOptions = {}): NodeContext {
  const { baseUrl, apiKey = 'sandbox_key', mcpUrl = '', description, timeZone = 'UTC', signal } = options;
  const { parameters = {}, items = [{}] } = options;
  const requests: SentRequest[] = [];
  const node = {
    id: 'n',
    name: 'Aftermeet',
    type: 'aftermeet',
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
    ...(baseUrl === undefined ? {} : { credentials: { aftermeetApi: { id: 'c', name: 'Aftermeet API' } } }),
  };

  function readParameter(
    name: string,
    index: number,
    fallback: unknown,
    read?: { extractValue?: boolean },
  ): unknown {
    const given: unknown = Array.isArray(parameters) ? parameters[index] : parameters;
    const defaults = (description?.properties ?? []).map((property) => [property.name, property.default]);
    const all = { ...Object.fromEntries(defaults), ...(isRecord(given) ? given : {}) };
    const stored = lookUp(all, name);
    const found = stored === undefined ? fallback : stored;
    // As n8n does it: what is not there has to have a fallback.
    if (found === undefined) throw new Error(`Could not get parameter "${name}"`);
    return read?.extractValue === true && isLocator(found) ? found.value : found;
  }

  const context = {
    getNode: () => node,
    getInputData: () => items.map((json) => ({ json })),
    getNodeParameter: readParameter,
    getCurrentNodeParameter: (name: string, read?: { extractValue?: boolean }) =>
      readParameter(name, 0, null, read) ?? undefined,
    getTimezone: () => timeZone,
    getExecutionCancelSignal: () => signal,
    getWorkflow: () => ({ id: 'w', name: 'Workflow', active: false }),
    getExecutionId: () => '1',
    async getCredentials() {
      if (baseUrl === undefined) throw new Error('Node does not have any credentials set');
      return { baseUrl, apiKey, mcpUrl, ...options.credential };
    },
    helpers: {
      ...options.helpers,
      httpRequestWithAuthentication: (_name: string, request: object) =>
        sendByFetch(request, {
          credential: { baseUrl: baseUrl ?? '', apiKey, mcpUrl },
          signal,
          requests,
          onSigned: options.onSigned,
        }),
    },
  };
  return {
    // n8n's own interfaces have sixty members; a node that uses one that is missing here fails its test.
    execute: context as unknown as ExecuteContext,
    loadOptions: context as unknown as LoadOptionsContext,
    requests,
  };
}

/** `options.title` within objects, or by its whole name. */
export function lookUp(parameters: NodeParameters, name: string): unknown {
  if (Object.hasOwn(parameters, name)) return parameters[name];
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), parameters);
}

function isRecord(value: unknown): value is NodeParameters {
  return typeof value === 'object' && value !== null;
}

function isLocator(value: unknown): value is { readonly value: unknown } {
  return isRecord(value) && 'mode' in value && 'value' in value;
}
