import { buildRequest, type Operation, type OperationInput, type Problem } from '@aftermeet/contract';

import { type Hidden, listHidden } from './list-hidden.ts';
import { scrubText } from './scrub-text.ts';
import type { Connection } from './send-request.ts';
import { ServiceError } from './service-error.ts';

/** A checked request, ready to be sent any number of times. */
export interface Call extends Hidden {
  /** What stands in errors: the operation's id, method and path without values. */
  readonly doing: string;
  readonly url: URL;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
}

export function describeOperation({ id, method, path }: Operation): string {
  return `${id}: ${method} ${path}`;
}

/** Throws `bad_request` without a status for an input that breaks a rule of the contract. */
export function prepareCall<Op extends Operation>(
  connection: Connection,
  operation: Op,
  input: OperationInput<Op>,
  accept: string,
): Call {
  const doing = describeOperation(operation);
  const { secrets, texts } = listHidden(connection.apiKey, input);
  const built = buildRequest(operation, input);
  if (!built.ok) throw refuseInput(doing, built.problems, secrets, texts);
  const url = new URL(connection.baseUrl + built.path);
  for (const [name, value] of built.query) url.searchParams.append(name, value);
  const body = built.json === undefined ? {} : { body: JSON.stringify(built.json) };
  return {
    doing,
    url,
    init: {
      method: built.method,
      headers: {
        'x-api-key': connection.apiKey,
        accept,
        ...(built.json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...body,
    },
    secrets,
    texts,
  };
}

/** An input that was not sent because it breaks rules. */
export function refuseInput(
  doing: string,
  problems: readonly Problem[],
  secrets: readonly string[] = [],
  texts: readonly string[] = [],
): ServiceError {
  const detail = problems.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
  const clean = scrubText(detail, secrets, texts);
  return new ServiceError({ code: 'bad_request', doing, detail: clean, unsent: true });
}
