import { describe, expect, it } from 'vitest';

import { deliveryHeaderNames } from './delivery-header-names.ts';

describe('deliveryHeaderNames', () => {
  it('names the four headers of the specification', () => {
    expect(deliveryHeaderNames()).toStrictEqual({
      event: 'X-Service-Event',
      signature: 'X-Service-Signature',
      timestamp: 'X-Service-Timestamp',
      delivery: 'X-Service-Delivery',
    });
  });

  it('takes any HTTP token as prefix', () => {
    expect(deliveryHeaderNames('Acme').signature).toBe('Acme-Signature');
    expect(deliveryHeaderNames("!#$%&'*+.^_`|~09azAZ-").event).toBe("!#$%&'*+.^_`|~09azAZ--Event");
  });

  it.each([
    '',
    ' ',
    'X Service',
    'X-Service:',
    'X-Service\r\nEvil',
    'X-Service\n',
    'X-Dienst\u00e4',
    'X/Y',
    '"X"',
    'X(',
    'X\0',
  ])('refuses %j, which a header name cannot contain', (prefix) => {
    expect(() => deliveryHeaderNames(prefix)).toThrow(RangeError);
  });
});
