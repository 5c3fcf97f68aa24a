// `@aftermeet/sandbox/control`: the control of the sandbox as a table.
import type { ControlAction } from './action.ts';
import { meetingActions } from './meeting-actions.ts';
import { serverActions } from './server-actions.ts';

export { type Answer, type Argument, type ControlAction, readText } from './action.ts';

/**
 * All that the sandbox and the emulators can be told: the routes of `/_sandbox`, the buttons of its page and the commands of
 * `aftermeet sandbox` are made from it, in this order. To add an action, add an entry to one of its two lists; docs/sandbox.md has a row for its route.
 */
export const controlActions: readonly ControlAction[] = [...meetingActions, ...serverActions];
