// What the contract knows without zod, for what is bundled where zod may not be (n8n's scan of community nodes).
export { canCronFire, isCronExpression, tidyCron } from './cron.ts';
export { parseDuration } from './duration.ts';
export { isWebAddress } from './addresses.ts';
export { addOffset, machineZone } from './local-time.ts';
export { limits } from './limits.ts';
export { latestStartMs } from './scheduling-horizon.ts';
export { platforms, platformSpellings } from './vocabulary.ts';
export {
  describeKind,
  findNearestName,
  formatPath,
  formatProblem,
  formatProblems,
  type Problem,
  unknownName,
} from './problem.ts';
export { tagColors } from './vocabulary.ts';
export { templateSlugs, type TemplateSlug } from './vocabulary.ts';
export { isTimeZone } from './addresses.ts';
export { walksUp, walksUpRule } from './addresses.ts';
export { type EnvelopeReading, readWebhookEnvelope, type WebhookEnvelope } from './webhook-envelope.ts';
