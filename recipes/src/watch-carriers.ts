import type { Carriers } from './open-carriers.ts';
import type { Contact, Preparation, ProbeResult, SendResult, Shipment, UpdateResult } from './shipment.ts';

/** Told of one call to a destination. */
export interface CallWatch {
  /** The destination has answered, whatever it said. */
  answered(): void;
  /** It could not be reached, or did not answer. */
  stayedSilent(): void;
}

type Result = SendResult | UpdateResult | ProbeResult | Preparation;

/** Tells of every call to a destination whether it answered. What ends without a call is not told. */
export function watchCarriers(carriers: Carriers, beginCall: () => CallWatch): Carriers {
  const watch = async <Answer extends Result>(call: () => Promise<Answer>): Promise<Answer> => {
    const watcher = beginCall();
    const answer = await call();
    const contact = readContact(answer);
    if (contact === 'answered') watcher.answered();
    else if (contact === 'silent') watcher.stayedSilent();
    return answer;
  };
  const watchShipment = (shipment: Shipment): Shipment => ({
    ...shipment,
    send: () => watch(() => shipment.send()),
    probe: (sinceMs) => watch(() => shipment.probe(sinceMs)),
    ...(shipment.update === undefined
      ? {}
      : { update: (reference) => watch(() => update(shipment, reference)) }),
  });
  return {
    async prepare(rendered, label) {
      const preparation = await watch(() => carriers.prepare(rendered, label));
      if (preparation.result !== 'ready') return preparation;
      return { ...preparation, shipment: watchShipment(preparation.shipment) };
    },
    close: () => carriers.close(),
  };
}

async function update(shipment: Shipment, reference: string): Promise<UpdateResult> {
  const updated = await shipment.update?.(reference);
  const cause = 'what this destination was given can not be changed';
  return updated ?? { result: 'permanent', cause, contact: 'none' };
}

/** What a result that does not say so tells of the destination. */
const implied: Readonly<Record<Result['result'], Contact>> = {
  // Mostly nothing had to be asked; where something had, the call that follows tells the same.
  ready: 'none',
  nobody: 'answered',
  sent: 'answered',
  rate_limited: 'answered',
  not_sent_retry: 'silent',
  permanent: 'answered',
  unknown: 'silent',
  gone: 'answered',
  found: 'answered',
  absent: 'answered',
  begun: 'answered',
  untraceable: 'none',
  unsure: 'answered',
  not_asked: 'silent',
  impossible: 'answered',
};

function readContact(result: Result): Contact {
  return ('contact' in result ? result.contact : undefined) ?? implied[result.result];
}
