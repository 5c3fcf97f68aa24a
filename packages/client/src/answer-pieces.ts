const piecesOf = new WeakMap<Response, Iterable<unknown> | AsyncIterable<unknown>>();

/** The body of an answer, piece by piece. */
export async function* readPieces(response: Response): AsyncGenerator<unknown, void> {
  const pieces = piecesOf.get(response) ?? response.body;
  if (pieces !== null) yield* pieces;
}

/** Has `readPieces` read the body of this answer from elsewhere than its web stream. */
export function setPieces(response: Response, pieces: Iterable<unknown> | AsyncIterable<unknown>): void {
  piecesOf.set(response, pieces);
}
