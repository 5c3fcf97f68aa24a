/** The four headers of a delivery, in the spelling they are sent with. */
export interface DeliveryHeaderNames {
  readonly event: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly delivery: string;
}

// RFC 9110 section 5.6.2.
const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Names the headers of a delivery: `X-Service-Event` and the other three (specification, Events).
 * Node gives received header names in lower case: compare with `.toLowerCase()`.
 * Throws `RangeError` on a prefix that a header name cannot contain.
 */
export function deliveryHeaderNames(prefix = 'X-Service'): DeliveryHeaderNames {
  if (typeof prefix !== 'string' || !tokenPattern.test(prefix)) {
    throw new RangeError(
      'The header prefix must be an HTTP token: letters, digits and -, without blanks or a colon, such as X-Service.',
    );
  }
  return {
    event: `${prefix}-Event`,
    signature: `${prefix}-Signature`,
    timestamp: `${prefix}-Timestamp`,
    delivery: `${prefix}-Delivery`,
  };
}
