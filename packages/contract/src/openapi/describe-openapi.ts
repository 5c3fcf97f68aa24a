import type { Operation } from '../operation.ts';
import { listOperations } from '../operations.ts';
import {
  describeParameters,
  describeRefusals,
  describeRequestBody,
  describeResponses,
} from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { componentSchemas, type Json, toComponentSchemas } from './schemas.ts';

/**
 * The service as an OpenAPI 3.1.1 document, made from the table of operations: the same object at every call,
 * ready for `JSON.stringify`. What the specification does not show is absent or marked `x-observed: true`.
 */
export function describeOpenApi(): object {
  return structuredClone({
    ...describeDocumentHead(),
    paths: describePaths(),
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: 'The key of a workspace, from its settings. Regenerating it ends the old one at once.',
        },
      },
      responses: describeRefusals(),
      schemas: toComponentSchemas(componentSchemas),
    },
  });
}

function describePaths(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of listOperations()) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return paths;
}

function describeOperation(operation: Operation): Json {
  const parameters = describeParameters(operation);
  const requestBody = describeRequestBody(operation);
  return {
    operationId: operation.id.replace('.', '_'),
    tags: [operation.section],
    summary: operation.summary,
    description: operation.description,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(operation),
    'x-aftermeet-repeatable': operation.repeatable,
  };
}

/** Of this document, not of the service: the specification shows no version. */
const documentVersion = '0.1.0';

const description = `Sends a bot to online meetings, takes recorded files, makes reports of them with a transcript and tasks,
and exports, searches and tags them.

This document is generated from a table of operations. Requests are described strictly: a field that the
specification does not show as optional is required only where the operation makes no sense without it.
Answers are described as an orientation: readers should expect unknown fields and values and missing ones.

- \`x-observed: true\` marks what the specification does not show and what was seen or taken from elsewhere.
- \`x-assumed: true\` marks a refusal that is neither: the service has to refuse somehow, and this is a guess at it.
- \`x-observed-values\` lists values that were seen; the set is open.
- \`x-aftermeet-repeatable\` says whether a request may be sent again when the outcome of the first one is unknown.

The service has an MCP endpoint besides, at an address of its own with the path \`/mcp\`; it takes the API key as
\`Authorization: Bearer\`.`;

const sections = [
  ['Recording', 'A bot joins a meeting, now or later, and records it.'],
  ['File upload', 'Recorded files, in chunks.'],
  ['Reports and templates', 'What was made of a meeting, and the templates it is made with.'],
  ['Export', 'A meeting as a file.'],
  ['Search and tags', 'Finding meetings and labelling them.'],
  ['Events', 'What the service tells a receiver.'],
] as const;

/** Everything of the document that is about the service as a whole. */
function describeDocumentHead(): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Meeting recording, upload and report service',
      summary: 'Everything after a meeting',
      description,
      version: documentVersion,
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [
      {
        url: '{baseUrl}',
        description: 'The service',
        variables: {
          baseUrl: {
            default: 'https://service.example',
            description: 'The base address of the service, without a slash at its end',
          },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: sections.map(([name, text]) => ({ name, description: text })),
  };
}
