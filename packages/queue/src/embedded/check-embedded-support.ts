import { describeError } from '../describe-error.ts';
import { findPlatformPackage } from './platform-package.ts';

/** Whether `embedded:DIR` can work on this machine: its PostgreSQL binaries are installed. */
export function checkEmbeddedSupport():
  | { readonly ok: true }
  | { readonly ok: false; readonly problem: string } {
  try {
    findPlatformPackage();
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: describeError(error) };
  }
}
