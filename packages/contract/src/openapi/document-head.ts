import type { Json } from './json-schema.ts';

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
- \`x-aftermeet-repeatable\` says whether a request may be sent again when the fate of the first one is unknown.

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
export function describeDocumentHead(): Json {
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
