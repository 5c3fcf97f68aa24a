import { z } from 'zod';

import { wrongSettings } from '../wrong-use.ts';
import { readVariables } from './read-variables.ts';
import { serviceVariables } from './service-variables.ts';
import type { Environment, ServiceSettings } from './settings.ts';

const serviceSchema = z.object(serviceVariables);

/** The service of the settings, where its address and its key are both there. */
export function readService(values: z.infer<typeof serviceSchema>): ServiceSettings | undefined {
  const { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey, SERVICE_MCP_URL: mcpUrl } = values;
  if (baseUrl === undefined || apiKey === undefined) return undefined;
  return { baseUrl, apiKey, ...(mcpUrl === undefined ? {} : { mcpUrl }) };
}

const WITHOUT_ACCOUNT =
  '\nTo try it without an account: run aftermeet sandbox in another terminal, and here\n' +
  '  export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key\n';

/**
 * The service that a command calls. It reads the three variables of the service and nothing else: a command
 * that asks for one report does not care about PORT. Throws `WrongUse` that names each missing variable.
 */
export function requireService(environment: Environment): ServiceSettings {
  const read = readVariables(serviceSchema, environment);
  if (!read.ok) throw wrongSettings(read.problems);
  const service = readService(read.values);
  if (service !== undefined) return service;
  const missing = [
    ...(read.values.SERVICE_BASE_URL === undefined
      ? [{ setting: 'SERVICE_BASE_URL', found: 'nothing', expected: "the service's address" }]
      : []),
    ...(read.values.SERVICE_API_KEY === undefined
      ? [
          {
            setting: 'SERVICE_API_KEY',
            found: 'nothing',
            expected: 'the API key from the settings of your workspace',
          },
        ]
      : []),
  ];
  throw wrongSettings(missing, WITHOUT_ACCOUNT);
}
