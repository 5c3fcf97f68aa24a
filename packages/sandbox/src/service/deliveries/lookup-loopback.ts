import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { isLoopbackAddress } from '../../web/guard-local.ts';

/** The code of the error that a name gets whose addresses are all of other machines. */
export const remoteAddressCode = 'REMOTE_ADDRESS';

/**
 * Resolves names to loopback addresses only: a connection is made to what this returns and to nothing else, so a name
 * cannot mean this machine when it is checked and another one when it is used. Literal addresses never come here.
 */
export function lookupLoopback(resolve: LookupFunction): LookupFunction {
  return (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const found: readonly LookupAddress[] = Array.isArray(addresses) ? addresses : [];
      const local = found.filter(({ address }) => isLoopbackAddress(address));
      const [first] = local;
      if (error !== null) callback(error, []);
      else if (first === undefined) callback(refuse(), []);
      else if (options.all) callback(null, local);
      else callback(null, first.address, first.family);
    });
  };
}

function refuse(): NodeJS.ErrnoException {
  return Object.assign(new Error('The name means another machine.'), { code: remoteAddressCode });
}
