/** The figures of the service, each from the specification (Limits) unless marked as observed. */
export const limits = {
  /**
   * "3 GB", read as 3 × 2^30 bytes: the larger of the two readings, so that nothing is refused here that the
   * service might take. Between 3 × 10^9 and this figure the service has the last word.
   */
  uploadMaxBytes: 3 * 1024 ** 3,
  /** 20 MiB, the reference client's chunk: larger chunks are refused, smaller ones pass. */
  uploadChunkBytes: 20 * 1024 ** 2,
  /** How far ahead a recording may be planned. Needs a clock, so it is not part of any schema. */
  schedulingHorizonMonths: 3,
  /** How far a delivery's timestamp may lie from the receiver's clock, in either direction. */
  deliveryToleranceSeconds: 300,
  /** What a client asks for: the page size the specification uses for tags, observed to be the largest. */
  tagPageSize: 100,
  /** What a client asks for: the observed largest page of a search. */
  searchPageSize: 50,
  /** Of `webhook_secret`: suggested by the specification's placeholder. Counted in code points. */
  secretMinLength: 16,
  secretMaxLength: 128,
} as const;
