import { listOperations } from '@aftermeet/contract';
import type { Router } from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../testing/start-test-sandbox.ts';
import { createServiceRouter } from './create-service-router.ts';
import { players } from './play-operation.ts';
import type { SandboxWorld } from './sandbox-world.ts';

// The sandbox plays the contract, all of it and nothing besides.

const table = listOperations().map(({ id, method, path }) => ({ id, route: `${method} ${path}` }));

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

afterAll(() => house.sandbox.close());

it('has a player for every operation, at the method and path of the contract, and no other', () => {
  const played = Object.values(players).map(({ operation: { id, method, path } }) => ({
    id,
    route: `${method} ${path}`,
  }));
  expect(played.toSorted(byRoute)).toEqual(table.toSorted(byRoute));
});

it('registers every path of the contract with Express, and no other', () => {
  // No call is played: of the world, the router is only given what it keeps.
  const router: Router = createServiceRouter({} as SandboxWorld);
  const paths = router.stack.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
  const expected = table.map(({ route }) => route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, ':$1'));
  expect(paths.toSorted()).toEqual(expected.toSorted());
});

it('answers to exactly those methods at each path', async () => {
  const paths = [...new Set(listOperations().map(({ path }) => path))];
  const answered: string[] = [];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const response = await fetch(house.url + path.replaceAll(/\{\w+\}/g, 'x'), {
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
