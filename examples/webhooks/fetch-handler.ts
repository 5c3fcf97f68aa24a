// Takes deliveries where requests are those of `fetch`: Hono, Next.js, Deno, Bun, Cloudflare Workers with nodejs_compat.
// #region handler
import { verifyDelivery } from '@aftermeet/webhooks';

export interface Hook {
  /** During a rotation the new one and the old one. */
  readonly secrets: readonly string[];
  /** Keeps an event durably: only then is the delivery answered with 200. */
  readonly store: (event: unknown) => Promise<void>;
}

/** 200 when the event is kept, 401 when it is not genuine, 503 when it cannot be kept now: then the service sends it again. */
export async function takeDelivery(request: Request, { secrets, store }: Hook): Promise<Response> {
  const body = await readBody(request);
  if (body === undefined) return new Response(null, { status: 413 });
  const verdict = verifyDelivery({
    body,
    signature: request.headers.get('x-service-signature') ?? undefined,
    timestamp: request.headers.get('x-service-timestamp') ?? undefined,
    secrets,
    nowSeconds: Date.now() / 1000,
  });
  if (!verdict.ok) return Response.json({ error: 'unauthorized' }, { status: 401 });
  const event = parse(new TextDecoder().decode(body));
  if (event === undefined) return new Response(null, { status: 400 });
  try {
    await store(event);
  } catch {
    return new Response(null, { status: 503, headers: { 'retry-after': '30' } });
  }
  return Response.json({ status: 'accepted' });
}

/** Undefined for what is no JSON: asked again, it would be the same. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_BYTES = 1024 * 1024;

/** Undefined for one that is too large: its sender is not known yet. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
// #endregion
