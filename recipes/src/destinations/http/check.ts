import { type CheckResult, failed, ok } from '../../engine/check-result.ts';
import { guardAddress, resolveHost, type ResolveHost } from './guard-address.ts';

/** An address that a recipe posts to. */
export interface HttpNeed {
  readonly url: string;
  /** Private networks are allowed. */
  readonly isPrivateAllowed: boolean;
}

/** Resolves the host of an address and checks whether it may be posted to. Sends nothing and shows the host only. */
export async function checkHttpAddress(
  name: string,
  { url, isPrivateAllowed }: HttpNeed,
  timeoutMs: number,
  resolveName: ResolveHost = resolveHost,
): Promise<CheckResult> {
  if (!URL.canParse(url)) return failed(name, 'it is no address');
  const address = new URL(url);
  const guarded = await guardAddress(address, { isPrivateAllowed, resolve: resolveName, timeoutMs });
  return guarded.result === 'allowed'
    ? ok(name, `${address.host} can be posted to`)
    : failed(name, `${address.host}: ${guarded.cause}`);
}
