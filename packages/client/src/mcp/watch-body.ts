/**
 * The same answer, which ends with a `RangeError` beyond `maxBytes`. `onBroken` is told of it, and when the body
 * breaks off, which the SDK would wait out.
 */
export function watchBody(
  response: Response,
  maxBytes: number,
  onBroken: (error: unknown) => void,
): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  let size = 0;
  const readPiece = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await reader.read();
    if (done) return undefined;
    size += value.length;
    if (size <= maxBytes) return value;
    const error = new RangeError(`the answer is over ${maxBytes} bytes`);
    // The rest is not wanted; that it cannot be given up would change nothing.
    void reader.cancel(error).catch(() => {});
    throw error;
  };
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const piece = await readPiece();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      } catch (error) {
        onBroken(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
