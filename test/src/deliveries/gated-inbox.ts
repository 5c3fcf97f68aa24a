import type { Inbox } from '@aftermeet/queue';

/** An inbox that answers nobody before it is opened. */
export interface GatedInbox extends Inbox {
  /** How many deliveries wait for it. */
  waiting(): number;
  open(): void;
}

export function gateInbox(inbox: Inbox): GatedInbox {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let asked = 0;
  return {
    ...inbox,
    accept: async (acceptance) => {
      asked += 1;
      await opened;
      asked -= 1;
      return await inbox.accept(acceptance);
    },
    waiting: () => asked,
    open,
  };
}
