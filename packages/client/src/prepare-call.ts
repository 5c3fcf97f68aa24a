import { buildRequest, type Operation, type OperationInput, type Problem } from '@aftermeet/contract';

import { asFields, asList } from './report/loose.ts';
import { scrubText } from './scrub-text.ts';
import type { Connection } from './send-request.ts';
import { ServiceError } from './service-error.ts';

/** A checked request, ready to be sent any number of times. */
export interface Call {
  /** What stands in errors: the operation's id, method and path without values. */
  readonly doing: string;
  readonly url: URL;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  /** What no error may repeat, should the service echo it in whatever spelling. */
  readonly secrets: readonly string[];
  /** What no error may repeat as it is: titles, names. */
  readonly texts: readonly string[];
}

/** Fields of inputs that stay out of errors: secrets, and addresses that open a door. */
const secretFields = ['webhook_secret', 'webhook_url', 'link'];
/** Names of people and things. */
const textFields = ['title', 'q', 'newSummaryText', 'participants', 'authors'];
/** Hiding every `a` of a message because a title is `a` would hide the message. */
const MIN_HIDDEN_LENGTH = 4;

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
  const secrets = [connection.apiKey, ...listTexts(input, secretFields)];
  const texts = listTexts(input, textFields);
  const built = buildRequest(operation, input);
  if (!built.ok) throw refuseInput(doing, built.problems, secrets, texts);
  const url = new URL(connection.baseUrl.replace(/\/+$/, '') + built.path);
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

function listTexts(input: unknown, names: readonly string[]): readonly string[] {
  const fields = asFields(input) ?? {};
  return names
    .flatMap((name) => [fields[name], ...asList(fields[name])])
    .filter((value) => typeof value === 'string')
    .filter((text) => text.length >= MIN_HIDDEN_LENGTH);
}
