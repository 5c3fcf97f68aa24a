import {
  type Backend,
  createJobQueue,
  type EffectJob,
  type EventJob,
  type JobAdmin,
  type JobQueue,
  openJobAdmin,
} from '@aftermeet/queue';

import type { Destinations } from '../destinations/settings.ts';
import { readApprovalToken } from '../engine/approval-links.ts';
import { type ApprovalRecord, readRequest, takeRequests } from '../engine/approval-requests.ts';
import { type EndpointRecipes, matchRecipes } from '../engine/conditions/match-recipes.ts';
import { forgetDoneTasks, setTaskDone } from '../engine/done-tasks.ts';
import { type DraftEdit, dropEdit, keepEdit } from '../engine/draft-edits.ts';
import { type HandPause, listHandPauses, setHandPause } from '../engine/hand-pauses.ts';
import type { Journal } from '../engine/journal/journal.ts';
import type { Ledger } from '../engine/ledger/ledger.ts';
import { isKeyRefused } from '../engine/limits/key-watch.ts';
import type { MeetingIndex } from '../engine/meetings/meeting-index.ts';
import { type EffectPlan, planEffects, planRecipe } from '../engine/plan.ts';
import type { ConfiguredRecipe } from '../engine/recipe.ts';
import { openJournal, openLedger, openMeetingIndex, openSharedStore } from '../engine/store/open-stores.ts';
import { openSharedKey } from '../engine/store/shared-key.ts';
import type { SharedStore } from '../engine/store/shared-store.ts';
import {
  listSuppressions,
  readUnsubscribeToken,
  setSuppression,
  type Suppressed,
  type Suppression,
} from '../engine/suppressions.ts';
import { forgetUnknownPeople, listUnknownPeople, type UnknownPerson } from '../engine/unknown-people.ts';
import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import type { PeopleDirectory } from '../report/people-directory.ts';

/** The stores that operator commands use: jobs, ledger and meeting index. */
export interface OperatorTools {
  readonly jobAdmin: JobAdmin;
  readonly queue: Pick<JobQueue, 'addEffects' | 'addEvent' | 'countEffects' | 'counts' | 'findOldest'>;
  readonly ledger: Ledger;
  readonly meetings: MeetingIndex;
  readonly journal: Journal;
  /** Whether the service has refused the API key since it accepted one last. */
  readonly isKeyRefused: () => Promise<boolean>;
  /** What people have paused, the newest first. */
  readonly listPauses: () => Promise<readonly HandPause[]>;
  /** Pauses a recipe or a destination, or ends its pause. Answers whether that changed anything. */
  readonly setPause: (change: Parameters<typeof setHandPause>[1]) => Promise<boolean>;
  /** Who could not be placed lately and is not in the directory, the most frequent first. */
  readonly listUnknownPeople: (directory: Pick<PeopleDirectory, 'find'>) => Promise<readonly UnknownPerson[]>;
  /** Forgets who of them took part in a meeting, and which of its tasks people have done. */
  readonly forgetPeopleOf: (meetingId: string) => Promise<void>;
  /** Notes that a person has done a task of a meeting, or has not. Answers whether that changed anything. */
  readonly setTaskDone: (change: Parameters<typeof setTaskDone>[1]) => Promise<boolean>;
  /** Who gets no mail and no direct message, the newest first. */
  readonly listSuppressions: () => Promise<readonly Suppression[]>;
  /** Puts somebody on that list, or takes them from it. Answers whether that changed anything. */
  readonly setSuppression: (change: Parameters<typeof setSuppression>[1]) => Promise<boolean>;
  /** Whom the link in a mail names; undefined: it is none of ours. */
  readonly readUnsubscribeLink: (token: string) => Promise<Suppressed | undefined>;
  /** Keeps what a person changes of a held message, under what its approval counts for. */
  readonly keepEdit: (effectKey: string, approved: string, edit: DraftEdit) => Promise<void>;
  /** Forgets what a person changed of a message. */
  readonly dropDraft: (effectKey: string, approved: string) => Promise<void>;
  /** What an answer to a request for approval counts for. */
  readonly readRequest: (id: string) => Promise<ApprovalRecord | undefined>;
  /** The requests for an effect that nobody has answered yet; from now on there are none. */
  readonly takeRequests: (
    effectKey: string,
  ) => Promise<readonly { readonly requestKey: string; readonly record: ApprovalRecord }[]>;
  /** The id of the request that a link names; undefined: it is none of ours. */
  readonly readLink: (token: string) => Promise<string | undefined>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Opens everything that an operator needs of a store. Rejects when it can't be reached now. */
export async function openOperatorTools(
  backend: Backend,
  { clock = backend.clock.now }: { readonly clock?: () => number } = {},
): Promise<OperatorTools & { close(): Promise<void> }> {
  const opening = {
    jobAdmin: openJobAdmin(backend),
    queue: createJobQueue(backend),
    ledger: openLedger(backend),
    meetings: openMeetingIndex(backend),
    journal: openJournal(backend),
  };
  let approvalKey: string | undefined;
  let unsubscribeKey: string | undefined;
  const close = async (): Promise<void> => {
    const parts = await Promise.allSettled(Object.values(opening));
    await Promise.all(parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value.close()] : [])));
  };
  try {
    const [jobAdmin, queue, ledger, meetings, journal] = await Promise.all([
      opening.jobAdmin,
      opening.queue,
      opening.ledger,
      opening.meetings,
      opening.journal,
    ]);
    return {
      jobAdmin,
      queue,
      ledger,
      meetings,
      journal,
      isKeyRefused: () => withShared(backend, isKeyRefused),
      listPauses: () => withShared(backend, listHandPauses),
      setPause: (change) => withShared(backend, (shared) => setHandPause(shared, change)),
      listUnknownPeople: (directory) =>
        withShared(backend, (shared) => listUnknownPeople(shared, directory, clock())),
      forgetPeopleOf: (meetingId) =>
        withShared(backend, async (shared) => {
          await forgetUnknownPeople(shared, meetingId, clock());
          await forgetDoneTasks(shared, meetingId, clock());
        }),
      setTaskDone: (change) => withShared(backend, (shared) => setTaskDone(shared, change)),
      listSuppressions: () => withShared(backend, listSuppressions),
      setSuppression: (change) => withShared(backend, (shared) => setSuppression(shared, change)),
      readUnsubscribeLink: async (token) => {
        unsubscribeKey ??= await withShared(backend, (shared) =>
          openSharedKey(shared, 'unsubscribe-key', clock()),
        );
        return readUnsubscribeToken(unsubscribeKey, token);
      },
      keepEdit: (effectKey, approved, edit) =>
        withShared(backend, (shared) => keepEdit(shared, effectKey, approved, edit, clock())),
      dropDraft: (effectKey, approved) =>
        withShared(backend, (shared) => dropEdit(shared, effectKey, approved, clock())),
      readRequest: (id) => withShared(backend, (shared) => readRequest(shared, id)),
      takeRequests: (effectKey) => withShared(backend, (shared) => takeRequests(shared, effectKey, clock())),
      readLink: async (token) => {
        approvalKey ??= await withShared(backend, (shared) => openSharedKey(shared, 'approval-key', clock()));
        return readApprovalToken(approvalKey, token);
      },
      clock,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opened on demand, because few commands ask. */
async function withShared<Answer>(
  backend: Backend,
  use: (shared: SharedStore) => Promise<Answer>,
): Promise<Answer> {
  const shared = await openSharedStore(backend);
  try {
    return await use(shared);
  } finally {
    await shared.close();
  }
}

/** What the recipes of now make of a stored delivery; `id` is that of its job. */
export interface PlanDelivery {
  (job: EventJob, id: string): EffectPlan;
  /** What the recipe of an effect makes of its meeting's event now; empty if it takes it no more. */
  readonly ofEvent?: (job: EffectJob) => readonly EffectJob[];
}

interface PlannerOptions {
  readonly workspace: string;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly endpointRecipes: EndpointRecipes;
  readonly destinations: Destinations;
  /** How long before its delivery an event may have happened; default as in the worker. */
  readonly maxAgeMs?: number;
}

/** The worker's own plan, for operators. Throws one error that lists what is wrong with the recipes. */
export function createPlanner({
  recipes,
  destinations,
  endpointRecipes,
  ...rules
}: PlannerOptions): PlanDelivery {
  const bound = bindRecipes(recipes, destinations, endpointRecipes);
  const plan: PlanDelivery = (job, id) => planEffects(job, { ...rules, recipes: bound }, id);
  return Object.assign(plan, {
    ofEvent: ({ recipe: name, event, traceId, held }: EffectJob): readonly EffectJob[] => {
      const isOfMeeting = event.meetingId !== '' && held === undefined;
      const recipe = isOfMeeting ? bound.find((one) => one.name === name) : undefined;
      if (recipe === undefined || matchRecipes(event, [recipe]).length === 0) return [];
      return planRecipe(recipe, event, { workspace: rules.workspace, traceId });
    },
  });
}
