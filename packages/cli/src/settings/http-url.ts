import { z } from 'zod';

/** An address, without slashes at its end. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https address' })
  .transform((address) => address.replace(/\/+$/, ''));
