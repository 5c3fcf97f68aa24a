// The public surface of the webhooks package: who sent a delivery.
export { deriveCapabilityKey, isCapabilityKey } from './derive-secret.ts';
export { deliveryHeaderNames, type DeliveryHeaderNames } from './delivery-header-names.ts';
export { deriveSecret } from './derive-secret.ts';
export { describeWeakSecret } from './describe-weak-secret.ts';
export { readStandardSigningKey } from './standard-webhook.ts';
export { type SlackRequest, verifySlackRequest } from './slack-request.ts';
export { signDelivery, type DeliverySignature, type SignDeliveryInput } from './sign-delivery.ts';
export { signStandardWebhook, type StandardWebhook } from './standard-webhook.ts';
export {
  findHeadRefusal,
  verifyDelivery,
  type DeliveryHead,
  type HeaderValue,
  type RefusalReason,
  type VerifyDeliveryResult,
  type VerifyDeliveryInput,
} from './verify-delivery.ts';
export {
  isStandardWebhook,
  type StandardWebhookCheck,
  type StandardWebhookRequest,
} from './standard-webhook.ts';
export {
  createWebhookTargets,
  type FindWebhookTarget,
  type WebhookPurpose,
  type WebhookTarget,
  type WebhookTargetOptions,
} from './webhook-targets.ts';
