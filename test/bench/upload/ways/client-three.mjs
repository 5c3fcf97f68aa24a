import { prepare as prepareClient } from './client.mjs';

export function prepare(world) {
  return prepareClient(world, 3);
}
