import {
  findDeliveries,
  type JudgedEffect,
  judgeWholeDelivery,
  readDelivery,
  type StoredDelivery,
} from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { formatFacts } from '../terminal/format-facts.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';
import { formatIso, shortenId, viewDelivery } from './delivery-view.ts';
import { describeStanding } from './describe-verdict.ts';
import { deliveryKind, requireFound } from './find-named.ts';
import { type OperatorOptions, withOperator } from './with-operator.ts';

const columns: readonly Column<JudgedEffect>[] = [
  { title: 'EFFECT', read: ({ effectKey }) => shortenId(effectKey) },
  { title: 'RECIPE', read: ({ recipe }) => recipe },
  { title: 'DESTINATION', read: ({ destination }) => destination },
  { title: 'STATE', read: ({ verdict }) => describeStanding(verdict) },
  { title: 'CAUSE', read: ({ cause }) => cause, shrinks: true },
];

/** What `aftermeet deliveries show` does. */
export async function showDelivery(context: Context, name: string, options: OperatorOptions): Promise<void> {
  const { delivery, effects } = await withOperator(context, options, async (operator) => {
    const { plan } = operator;
    const named = await findDeliveries([name], operator.desk);
    const job = requireFound(name, named.get(name) ?? { kind: 'none' }, deliveryKind);
    const judged = plan && (await judgeWholeDelivery(job, { ...operator, plan }));
    return { delivery: readDelivery(job), effects: judged };
  });
  if (options.json === true) {
    context.write(formatJson({ ...viewDelivery(delivery), effects }));
    return;
  }
  context.write(
    formatFacts({
      delivery: delivery.id,
      received: formatIso(delivery.receivedAtMs),
      endpoint: delivery.endpoint,
      signed: describeSignature(delivery),
      header: delivery.deliveryId,
      event: delivery.kind,
      meeting: delivery.meetingId,
      occurred: delivery.occurrence,
      title: delivery.title,
      state: delivery.state,
      cause: delivery.cause,
    }),
  );
  if (effects === undefined) {
    context.write('\nIts effects are those of the recipes, which cannot run with these settings.\n');
  } else if (effects.length === 0) {
    context.write('\nNo recipe of these settings wants it.\n');
  } else {
    context.write(`\n${formatTable(effects, columns, readTableWidth(context))}`);
  }
}

function describeSignature({ isUnsigned, isReconciled }: StoredDelivery): string {
  if (isReconciled === true) return 'no: it never came, reconcile has found its meeting';
  return isUnsigned === true ? 'no: a hint' : 'yes';
}
