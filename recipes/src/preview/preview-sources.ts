import type { Report } from '@aftermeet/client';

import { openAlertGate } from '../alert-gate.ts';
import type { ComposingTools } from '../compose-effect.ts';
import { buildDigest, type Digest } from '../digest.ts';
import type { BoundRecipe } from '../recipe.ts';

/** A workspace that nothing is kept of. */
const WORKSPACE = 'preview';

/** What composing an effect asks for, answered from one report: no service, no store, no pause between alerts. */
export function previewSources(
  report: Report | undefined,
  { subject }: Pick<BoundRecipe, 'subject'>,
  nowMs: number,
): { readonly digest?: Digest; readonly tools: ComposingTools } {
  const withTranscript = subject.from === 'report' && subject.needsTranscript === true;
  const digest = report && buildDigest(report, { withTranscript });
  const tools: ComposingTools = {
    workspace: WORKSPACE,
    digests: {
      read: async () => (digest === undefined ? { ready: false, status: 'failed' } : { ready: true, digest }),
    },
    periods: { read: async () => (digest === undefined ? [{ leftOut: 'not_ready' }] : [{ digest }]) },
    alertGate: openAlertGate,
    alertOfEmptiness: async () => {},
    keyWatch: {
      waitMs: () => 0,
      refused: async () => ({ isFirst: false, episode: '', waitMs: 0 }),
      accepted: async () => {},
    },
    gate: { enter: () => ({ kind: 'go', leave: () => {} }) },
    onKeyRefused: async () => {},
    clock: () => nowMs,
  };
  return { tools, ...(digest === undefined ? {} : { digest }) };
}
