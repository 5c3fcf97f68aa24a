import { type Operation, type OperationInput, operations } from '@aftermeet/contract';

import type { PlayedOperationId } from './coverage.ts';
import { cancelRecording } from './operations/cancel-recording.ts';
import { getReport } from './operations/get-report.ts';
import { readStatus } from './operations/read-status.ts';
import { startRecording } from './operations/start-recording.ts';
import { stopRecording } from './operations/stop-recording.ts';
import { readOperationInput, type WireFields } from './read-operation-input.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import { answerError, type ServiceAnswer } from './service-answer.ts';

type Player = (world: SandboxWorld, wire: WireFields) => ServiceAnswer;

/** What plays each operation, by its id. */
const players: Readonly<Record<PlayedOperationId, Player>> = {
  'recordings.start': createPlayer(operations.recordings.start, startRecording),
  'recordings.status': createPlayer(operations.recordings.status, readStatus),
  'recordings.stop': createPlayer(operations.recordings.stop, stopRecording),
  'recordings.cancel': createPlayer(operations.recordings.cancel, cancelRecording),
  'reports.get': createPlayer(operations.reports.get, getReport),
};

/** Answers one request to an operation: plays it, or says with 501 that it is not played. */
export function playOperation(operation: Operation, world: SandboxWorld, wire: WireFields): ServiceAnswer {
  if (isPlayed(operation.id)) return players[operation.id](world, wire);
  const message = `The sandbox does not play ${operation.id} yet. It plays ${Object.keys(players).join(', ')}.`;
  return answerError(501, 'NOT_PLAYED', message);
}

function isPlayed(id: string): id is PlayedOperationId {
  return Object.hasOwn(players, id);
}

function createPlayer<Op extends Operation>(
  operation: Op,
  play: (world: SandboxWorld, input: OperationInput<Op>) => ServiceAnswer,
): Player {
  return (world, wire) => {
    const reading = readOperationInput(operation, wire);
    return reading.ok ? play(world, reading.input) : reading.answer;
  };
}
