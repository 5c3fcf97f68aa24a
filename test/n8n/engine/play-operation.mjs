// One operation of the node: what arrived at the service has to be what the client sends for the same input.
import assert from 'node:assert/strict';

import { apiKey, openTwins } from './open-twins.mjs';
import { findLeaks, readArrived } from './read-arrived.mjs';

/**
 * A play says `resource`, `operation`, the node's `parameters`, and the `call` of the client that is the same; both get
 * what `prepare` made of their sandbox. `check` gets what the node answered and what the client did; `only` and `blur`
 * narrow what is compared. Answers the requests that arrived.
 */
export async function playOperation(engine, play) {
  const { resource, operation, prepare = () => ({}), parameters = () => ({}), call, check } = play;
  engine.useBinary(play.binary ?? 'memory');
  const twins = await openTwins();
  try {
    const facts = await prepare(twins.node.sandbox);
    assert.deepEqual(await prepare(twins.other.sandbox), facts, 'the twins are not alike');
    const options = {
      resource,
      operation,
      parameters: parameters(facts),
      items: (await play.items?.(facts, engine)) ?? [{ json: {} }],
      credentials: twins.node.credentials,
      settings: play.settings,
    };
    // At the same time: what waits for something waits as long.
    const [result, answer] = await Promise.all([engine.run(options), call(twins.client, facts)]);
    assert.equal(result.error, undefined, describeError(result.error));
    await compare(twins, play);
    await check?.({
      ...result,
      json: result.items.map(({ json }) => json),
      answer,
      facts,
      engine,
      sandbox: twins.node.sandbox,
    });
    return twins.node.requests;
  } finally {
    await twins.close();
  }
}

async function compare({ node, other }, { only = () => true, blur = (arrived) => arrived }) {
  for (const request of node.requests) {
    assert.deepEqual(findLeaks(request, apiKey), [], `${request.method} ${request.url}`);
  }
  const read = async (requests) => (await Promise.all(requests.map(readArrived))).filter(only).map(blur);
  const arrived = await read(node.requests);
  assert.ok(arrived.length > 0, 'nothing arrived');
  assert.deepEqual(arrived, await read(other.requests), 'the client sends something else');
}

function describeError(error) {
  return error === undefined ? undefined : `${error.message} | ${error.description ?? ''}`;
}
