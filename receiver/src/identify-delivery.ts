import { createHash } from 'node:crypto';

/** A re-signed retry may come days after the first attempt. */
const RETRY_WINDOW_SECONDS = 7 * 24 * 3600;

export interface Identity {
  readonly jobId: string;
  readonly fingerprints: readonly { readonly key: string; readonly keepSeconds: number }[];
}

/**
 * What makes a delivery the same as an earlier one. The delivery id is not signed, so it counts only
 * together with the body: alone, anyone who captured one request could make another look like a duplicate.
 */
export function identifyDelivery(delivery: {
  readonly endpoint: string;
  readonly deliveryId: string | undefined;
  readonly mac: string;
  readonly body: Uint8Array;
  readonly toleranceSeconds: number;
}): Identity {
  const { endpoint, deliveryId, mac, body, toleranceSeconds } = delivery;
  const fingerprints = [
    { key: hash('mac', endpoint, mac), keepSeconds: 2 * toleranceSeconds + 60 },
    ...(deliveryId === undefined
      ? []
      : [{ key: hash('delivery', endpoint, deliveryId, body), keepSeconds: RETRY_WINDOW_SECONDS }]),
  ];
  return { jobId: hash('event', endpoint, body), fingerprints };
}

/** Each part is preceded by its length, so that no two lists of parts hash alike. */
function hash(...parts: readonly (string | Uint8Array)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    digest.update(`${bytes.length}:`).update(bytes);
  }
  return digest.digest('hex');
}
