import { listOperations } from '@aftermeet/contract';
import { expect, it } from 'vitest';

import { useTestSandbox } from '../testing/sandbox.ts';

const service = useTestSandbox();

// The types want a handler for every operation and no other; each is mounted at the method and path of its operation.
it('answers at each path of the contract to exactly its methods', async () => {
  const operations = listOperations().map(({ method, path }) => `${method} ${path}`);
  const answered: string[] = [];
  for (const path of new Set(listOperations().map((operation) => operation.path))) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const { status, body } = await service.call(method, path.replaceAll(/\{\w+\}/g, 'x'));
      const isUnknown =
        status === 404 && (method === 'HEAD' || (body as { code: string }).code === 'NOT_FOUND');
      if (!isUnknown) answered.push(`${method} ${path}`);
    }
  }
  expect(answered.toSorted()).toEqual(operations.toSorted());
});
