import type { StopSignal } from '../context.ts';

/** Ctrl-C, which comes when the test presses it. */
export function createStop(exitCode = 130): { readonly press: () => void; readonly stop: StopSignal } {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  const press = (): void => controller.abort();
  return {
    press,
    stop: {
      asked,
      signal: controller.signal,
      wait: () => asked,
      ask: press,
      exitCode: () => exitCode,
      disarm: () => {},
    },
  };
}
