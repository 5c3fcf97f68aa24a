import { ServiceError } from '@aftermeet/client/pure';
import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { explainRequestFault } from './explain-request-fault.ts';
import { adviseOn } from './failure-advice.ts';
import { type FieldLabels, sayWhatHappened } from './failure-words.ts';
import { hideNodeSecrets } from './hide-node-secrets.ts';
import { listCauses } from './list-causes.ts';

/**
 * What an operation threw, as n8n shows it: what the service said as the message, what to do as the description. What was
 * refused here, before anything was sent, is a `NodeOperationError`. Nothing of a request is in it, for that holds the key, and
 * the node in it is without the secrets that were typed into its parameters. Outside of an execution there is no item, and of no
 * operation there are no labels.
 */
export function explainFailure(
  node: INode,
  error: unknown,
  itemIndex?: number,
  labels?: FieldLabels,
): NodeApiError | NodeOperationError {
  const failure = explain(node, error, { itemIndex, labels });
  return Object.assign(failure, { node: hideNodeSecrets(failure.node) });
}

interface FailurePlace {
  readonly itemIndex: number | undefined;
  readonly labels: FieldLabels | undefined;
}

function explain(node: INode, error: unknown, place: FailurePlace): NodeApiError | NodeOperationError {
  const { itemIndex } = place;
  const item = itemIndex === undefined ? {} : { itemIndex };
  if (error instanceof ServiceError) return explainServiceError(node, error, place);
  if (!(error instanceof Error)) return new NodeOperationError(node, 'The operation failed', item);
  if (holdsRequest(error)) {
    return explainServiceError(node, explainRequestFault(error, { doing: 'request' }), place);
  }
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  return new NodeOperationError(node, error, item);
}

function explainServiceError(
  node: INode,
  error: ServiceError,
  { itemIndex, labels }: FailurePlace,
): NodeApiError | NodeOperationError {
  const item = itemIndex === undefined ? {} : { itemIndex };
  const { message, code, status, unsent } = error;
  const words = sayWhatHappened(error, labels);
  const description = `${adviseOn(error)} (${message})`;
  // Not under the name `code`: n8n takes that for the status.
  const facts: JsonObject = { message, kind: code };
  const failure =
    code === 'bad_request' && unsent
      ? new NodeOperationError(node, words, { ...item, description })
      : new NodeApiError(node, facts, {
          message: words,
          description,
          ...item,
          ...(status === undefined ? {} : { httpCode: String(status) }),
        });
  // n8n puts words of its own in the place of any that hold a code, also where those advise to send a write again.
  failure.message = words;
  return failure;
}

/** The error of an HTTP library, or one around it. */
function holdsRequest(error: Error): boolean {
  return listCauses(error).some((cause) => 'config' in cause || 'request' in cause || 'response' in cause);
}
