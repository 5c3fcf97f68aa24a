import { buildRequest, type Operation, type OperationInput, type Problem } from '@aftermeet/contract';

import { describeProblems, joinProblems } from './describe-problems.ts';
import { type Hidden, listHidden } from './list-hidden.ts';
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
  const hidden = listHidden(connection.apiKey, input);
  const built = buildRequest(operation, input);
  if (!built.ok) throw reportRefusal(doing, describeProblems(operation, built.problems, hidden));
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
    ...hidden,
  };
}

/** An input that was not sent because it breaks rules, which repeat nothing of it. */
export function refuseInput(doing: string, problems: readonly Problem[]): ServiceError {
  return reportRefusal(doing, joinProblems(problems));
}

function reportRefusal(doing: string, detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', doing, detail, unsent: true });
}
