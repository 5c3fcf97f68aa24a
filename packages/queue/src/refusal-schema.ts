import { z } from 'zod';

/** A kept refusal, as it is read back from the store. */
export const refusalSchema = z.object({
  endpoint: z.string(),
  deliveryId: z.string().optional(),
  receivedAt: z.string(),
  reason: z.string(),
  bytes: z.number(),
  bodySha256: z.string(),
});
