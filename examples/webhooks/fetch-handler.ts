// Takes deliveries where requests are those of `fetch`: Hono, Next.js, Deno, Bun, Cloudflare Workers with nodejs_compat.
// #region handler
import { verifyDelivery } from '@aftermeet/webhooks';

export interface Hook {
  /** During a rotation the new one and the old one. */
  readonly secrets: readonly string[];
  /** Keeps an event durably: only then is the delivery answered with 200. */
  readonly store: (event: unknown) => Promise<void>;
}

/** 200 when the event is kept, 401 when it is not genuine, 503 when it cannot be kept now: the service sends it again. */
export async function takeDelivery(request: Request, { secrets, store }: Hook): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const verdict = verifyDelivery({
    body,
    signature: request.headers.get('x-service-signature') ?? undefined,
    timestamp: request.headers.get('x-service-timestamp') ?? undefined,
    secrets,
    nowSeconds: Date.now() / 1000,
  });
  if (!verdict.ok) return Response.json({ error: 'unauthorized' }, { status: 401 });
  try {
    await store(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return new Response(null, { status: 503, headers: { 'retry-after': '30' } });
  }
  return Response.json({ status: 'accepted' });
}
// #endregion
