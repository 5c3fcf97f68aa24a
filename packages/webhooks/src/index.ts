// The public surface of the webhooks package: who sent a delivery.
export { deriveCapabilityKey, isCapabilityKey } from './capability-key.ts';
export { deliveryHeaderNames, type DeliveryHeaderNames } from './delivery-header-names.ts';
export { deriveSecret } from './derive-secret.ts';
export { describeWeakSecret } from './describe-weak-secret.ts';
export { readStandardSigningKey } from './standard-signing-key.ts';
export { signDelivery, type DeliverySignature, type SignDeliveryInput } from './sign-delivery.ts';
export { signStandardWebhook, type StandardWebhook } from './sign-standard-webhook.ts';
export {
  verifyDelivery,
  type HeaderValue,
  type RefusalReason,
  type Verdict,
  type VerifyDeliveryInput,
} from './verify-delivery.ts';
export {
  isStandardWebhook,
  type StandardWebhookCheck,
  type StandardWebhookRequest,
} from './verify-standard-webhook.ts';
export {
  createWebhookTargets,
  type FindWebhookTarget,
  type WebhookPurpose,
  type WebhookTarget,
  type WebhookTargetOptions,
} from './webhook-targets.ts';
