import { createHash } from 'node:crypto';

import { prepare as preparePipe } from './pipe.mjs';

export async function prepare(world) {
  const hash = createHash('sha256');
  const move = await preparePipe(world, (piece) => hash.update(piece));
  return async () => {
    await move();
    hash.digest();
  };
}
