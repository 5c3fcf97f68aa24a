// What the contract knows without zod, for what is bundled where zod may not be (n8n's scan of community nodes).
export { canCronFire } from './cron-firing.ts';
export { isCronExpression, tidyCron } from './cron-shape.ts';
export { isWebAddress } from './is-web-address.ts';
export { limits } from './limits.ts';
export { latestStartMs } from './latest-start.ts';
export { platforms, platformSpellings } from './platforms.ts';
export { tagColors } from './tag-colors.ts';
export { templateSlugs, type TemplateSlug } from './template-slugs.ts';
export { isTimeZone } from './time-zone.ts';
export { walksUp, walksUpRule } from './walks-up.ts';
export { type EnvelopeReading, readWebhookEnvelope, type WebhookEnvelope } from './webhook-envelope.ts';
