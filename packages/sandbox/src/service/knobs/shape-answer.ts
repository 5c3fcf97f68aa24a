import type { OperationId } from '@aftermeet/contract';

import type { ServiceAnswer } from '../service-answer.ts';
import type { Knobs } from './knobs.ts';
import { acknowledge } from './shapes/acknowledge.ts';
import { addExtraFields } from './shapes/add-extra-fields.ts';
import { announceDeprecation } from './shapes/announce-deprecation.ts';
import { shapeDuplicate } from './shapes/shape-duplicate.ts';
import { shapeError } from './shapes/shape-error.ts';
import { shapeCreatedTag, shapeSearch, shapeTags, shapeTemplates } from './shapes/shape-lists.ts';
import { shapeStart, shapeStatus } from './shapes/shape-recording.ts';
import { shapeGeneration, shapeReport } from './shapes/shape-report.ts';
import { tellStates } from './shapes/tell-states.ts';

type Shape = (answer: ServiceAnswer, knobs: Knobs, meetingId: string) => ServiceAnswer;

/** Operations whose answer has a shape of its own. */
const shapes: Partial<Readonly<Record<OperationId, Shape>>> = {
  'recordings.start': (answer, { startAnswer }) => shapeStart(answer, startAnswer),
  'recordings.status': (answer, { statusAnswer }, meetingId) => shapeStatus(answer, statusAnswer, meetingId),
  'uploads.chunk': (answer, { duplicateUploadAnswer }) => shapeDuplicate(answer, duplicateUploadAnswer),
  'reports.get': shapeReport,
  'reports.generate': shapeGeneration,
  'templates.list': shapeTemplates,
  'meetings.search': shapeSearch,
  'tags.list': (answer, { tagListShape }) => shapeTags(answer, tagListShape),
  'tags.create': (answer, { tagAnswer }) => shapeCreatedTag(answer, tagAnswer),
};

/**
 * The answer as the service would give it that the knobs describe; with the defaults, the same as it was. Without an
 * operation it is that of a call which is none, or which was refused before anybody looked. `meetingId` is the one that
 * the call asked for, where it asked for one.
 */
export function shapeAnswer(
  operation: OperationId | undefined,
  answer: ServiceAnswer,
  knobs: Knobs,
  meetingId = '',
): ServiceAnswer {
  const { acknowledgement, deprecation, extraFields, stateWords } = knobs;
  const told = tellStates(operation, answer, stateWords);
  const shape = operation === undefined ? undefined : shapes[operation];
  const shaped = acknowledge(operation, shape?.(told, knobs, meetingId) ?? told, acknowledgement);
  const worded = shapeError(shaped, knobs);
  const full = extraFields ? addExtraFields(worded) : worded;
  return deprecation === null ? full : announceDeprecation(full, deprecation);
}
