import { listOperations } from '@aftermeet/contract';
import type { Router } from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { AppState } from '../app-state.ts';
import { createServiceRouter } from '../service-router.ts';
import { startTestSandbox, type TestSandbox } from '../testing/sandbox.ts';
import { handlers } from './handlers.ts';

// The sandbox implements the whole contract and nothing else.

const table = listOperations().map(({ id, method, path }) => ({ id, route: `${method} ${path}` }));

let service: TestSandbox;

beforeAll(async () => {
  service = await startTestSandbox();
});

afterAll(() => service.sandbox.close());

it('has a handler for every operation, at the method and path of the contract, and no other', () => {
  const handled = Object.values(handlers).map(({ operation: { id, method, path } }) => ({
    id,
    route: `${method} ${path}`,
  }));
  expect(handled.toSorted(byRoute)).toEqual(table.toSorted(byRoute));
});

it('registers every path of the contract with Express, and no other', () => {
  // Nothing is called.
  const router: Router = createServiceRouter({} as AppState);
  const paths = router.stack.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
  const expected = table.map(({ route }) => route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, ':$1'));
  expect(paths.toSorted()).toEqual(expected.toSorted());
});

it('answers to exactly those methods at each path', async () => {
  const paths = [...new Set(listOperations().map(({ path }) => path))];
  const answered: string[] = [];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const response = await fetch(service.url + path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
        headers: { 'X-API-KEY': 'sandbox_key' },
      });
      const { code } = (await response.json().catch(() => ({}))) as { code?: string };
      const isUnknown = response.status === 404 && (code === 'NOT_FOUND' || method === 'HEAD');
      if (!isUnknown) answered.push(`${method} ${path}`);
    }
  }
  expect(answered.toSorted()).toEqual(table.map(({ route }) => route).toSorted());
});

function byRoute(one: { readonly route: string }, other: { readonly route: string }): number {
  return one.route < other.route ? -1 : 1;
}
