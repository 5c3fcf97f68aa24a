import { guardAddress, type ResolveHost, resolveHost } from '../http/guard-address.ts';
import { type CheckResult, failed, ok } from './check-result.ts';

/** An address that a recipe posts to. */
export interface HttpNeed {
  readonly recipe: string;
  readonly url: string;
  /** It may lead into a private network. */
  readonly isPrivateAllowed: boolean;
}

/** Whether the name of an address leads somewhere that may be posted to. Nothing is sent; of the address the host is shown. */
export async function checkHttpAddress(
  { recipe, url, isPrivateAllowed }: HttpNeed,
  timeoutMs: number,
  resolve: ResolveHost = resolveHost,
): Promise<CheckResult> {
  const name = `address of ${recipe}`;
  if (!URL.canParse(url)) return failed(name, 'it is no address');
  const address = new URL(url);
  const guarded = await guardAddress(address, { isPrivateAllowed, resolve, timeoutMs });
  return guarded.result === 'allowed'
    ? ok(name, `${address.host} can be posted to`)
    : failed(name, `${address.host}: ${guarded.cause}`);
}
