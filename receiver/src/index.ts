// The public surface of the receiver.
export {
  createDeliveryHandler,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_TOLERANCE_SECONDS,
  type DeliveryHandler,
  type DeliveryHandlerOptions,
} from './delivery-handler.ts';
export {
  createReloadableEndpoints,
  type Endpoint,
  type Endpoints,
  isEndpointName,
  type ReloadableEndpoints,
} from './endpoints.ts';
export type { AskedCommand, CommandOutput, RunCommand } from './command-route.ts';
export { isOperator } from './is-operator.ts';
export { createReceiverMetrics, METRICS_CONTENT_TYPE, type ReceiverMetrics } from './metrics.ts';
export type { ReloadResult } from './operator-app.ts';
export { createPeerNamer } from './peer-name.ts';
export { createReceiver, formatAddress, type Receiver, type ReceiverOptions } from './receiver.ts';
export type {
  AttentionView,
  ConsoleAction,
  ConsoleData,
  EffectAction,
  EffectLine,
  MessageView,
  MeetingView,
  OverviewView,
  RecipeLine,
  ReplayChoice,
  ReplayView,
  SessionStore,
} from './console/console-data.ts';
export { explainRefused, listRecent } from './console/refusals.ts';
export { createWrongTokens, refuseStranger, type WrongTokens } from './wrong-tokens.ts';
