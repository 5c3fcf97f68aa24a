import { operations } from '@aftermeet/contract';

import { listOperations } from './list-operations.mjs';

/** What nobody played: operations of the node without a play, plays without an operation, and operations of the service that never arrived. */
export function findGaps(description, plays, arrived) {
  const offered = listOperations(description);
  const played = new Set(plays.map(nameOperation));
  return [
    ...offered.filter((name) => !played.has(name)).map((name) => `${name} has no play`),
    ...[...played].filter((name) => !offered.includes(name)).map((name) => `the node has no ${name}`),
    ...listServiceOperations()
      .filter(({ isIt }) => !arrived.some(isIt))
      .map(({ id }) => `no request of ${id} arrived`),
  ];
}

/** As `listOperations` names it. */
export function nameOperation({ resource, operation }) {
  return `${resource}: ${operation}`;
}

function listServiceOperations() {
  return Object.values(operations)
    .flatMap((group) => Object.values(group))
    .map(({ id, method, path }) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`);
      return { id, isIt: (request) => request.method === method && pattern.test(request.url) };
    });
}
