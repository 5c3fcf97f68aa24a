import { isExternalAddress, listInternalAddresses } from './email/recipients.ts';
import type { Destinations } from './settings.ts';

/** Domains and addresses of one's own people; undefined: nothing says who they are. */
export function listOwnPeople({ email, internalDomains = [] }: Destinations): readonly string[] | undefined {
  if (internalDomains.length > 0) return internalDomains;
  return email && listInternalAddresses(email);
}

/** Whether an address is outside; every one is where nothing says who is inside. */
export function judgeAddresses(destinations: Destinations): (address: string) => boolean {
  const own = listOwnPeople(destinations) ?? [];
  return (address) => isExternalAddress(address, own);
}
