import type { Operation } from '../operation.ts';
import { listOperations } from '../operations.ts';
import { componentSchemas } from './component-schemas.ts';
import { describeParameters } from './describe-parameters.ts';
import { describeRequestBody } from './describe-request-body.ts';
import { describeRefusals, describeResponses } from './describe-responses.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { describeDocumentHead } from './document-head.ts';
import { type Json, toComponentSchemas } from './json-schema.ts';

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
