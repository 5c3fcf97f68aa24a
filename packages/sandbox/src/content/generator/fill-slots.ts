import type { SlotChoice } from './scene.ts';

const slotPattern = /\{(\w+)(?:\.(\w+))?\}/g;

/** Puts what was chosen into the slots of a text. Throws `RangeError` on a slot or a form that is not there: the scene is wrong. */
export function fillSlots(text: string, chosen: Readonly<Record<string, SlotChoice>>): string {
  return text.replaceAll(slotPattern, (slot: string, name: string, form = 'name') => {
    const choice = Object.hasOwn(chosen, name) ? chosen[name] : undefined;
    const value = typeof choice === 'string' && form === 'name' ? choice : readForm(choice, form);
    if (value === undefined) throw new RangeError(`Nothing fills the slot ${slot} in: ${text}`);
    return fillSlots(value, chosen);
  });
}

function readForm(choice: SlotChoice | undefined, form: string): string | undefined {
  return typeof choice === 'object' && Object.hasOwn(choice, form) ? choice[form] : undefined;
}
